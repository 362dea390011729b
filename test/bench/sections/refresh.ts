import { atMost, figure, pairFigures, type Figure } from '../support/figures';
import { alternately, longestBlock, timed } from '../support/pacing';
import type { Section } from '../support/section';
import { startServiceProcess, type ServiceProcess } from '../support/serviceProcess';
import { openViewBelowEditor } from '../support/viewBelowEditor';
import { openingFigures } from './opening';

/** The lists to read: how many records of each kind the service has, and how it returns them. */
export const lists = [
  { name: '100', profile: 'observed', count: 100 },
  { name: '10,000, in pages of 100', profile: 'observed', count: 10_000 },
  { name: '10,000 in one answer', profile: 'documented', count: 10_000 },
] as const;

/** The request for each view's first rows. */
const routes = {
  sandboxes: { observed: '/api/v1/sandboxes/search', documented: '/api/v1/sandboxes/search' },
  conversations: {
    observed: '/api/v1/app-conversations/search?include_sub_conversations=true',
    documented: '/api/v1/app-conversations',
  },
} as const;
type ViewName = keyof typeof routes;

export const refresh: Section = {
  title:
    'from Refresh to rows, compared with a bare fetch and JSON.parse of the same page; then in the workbench',
  measure: async (runs) => {
    const figures: Figure[] = [];
    for (const { name, profile, count } of lists) {
      const service = await startServiceProcess(profile, count, count);
      for (const view of ['sandboxes', 'conversations'] as const) {
        const title = `${view}, ${name}`;
        figures.push(...(await belowEditor(title, view, routes[view][profile], service, runs ?? 21)));
        if (profile === 'documented') figures.push(await redrawn(title, view, service, runs ?? 5));
      }
      await service.stop();
    }
    return [...figures, ...(await openingFigures(runs ?? 5))];
  },
};

/** Everything that the extension host does except the editor's own part, in the Node that runs the bench. */
async function belowEditor(
  title: string,
  list: ViewName,
  route: string,
  { url, sessionKey }: ServiceProcess,
  runs: number,
): Promise<Figure[]> {
  const headers = { Accept: 'application/json', 'X-Session-API-Key': sessionKey };
  const bare = async () => JSON.parse(await (await fetch(url + route, { headers })).text()) as unknown;

  /** In a view that has no rows yet. */
  const first = async (measure: (work: () => Promise<unknown>) => Promise<number>) => {
    const view = await openViewBelowEditor(url, sessionKey, list);
    const measured = await measure(() => Promise.all([view.nextDrawing(), view.refresh()]));
    view.dispose();
    return measured;
  };
  /** In a view that shows the same rows already. */
  const shown = await openViewBelowEditor(url, sessionKey, list);
  await shown.refresh();

  const warmUp = 3;
  await alternately(
    warmUp,
    () => first(timed),
    () => timed(bare),
  );
  const times = await alternately(
    runs,
    () => first(timed),
    () => timed(bare),
  );
  const blocks = await alternately(
    runs,
    () => first(longestBlock),
    () => longestBlock(bare),
  );
  const again = await alternately(
    runs,
    () => longestBlock(() => shown.refresh()),
    () => longestBlock(bare),
  );
  shown.dispose();
  return [
    ...pairFigures(`${title}: first rows`, 'bare fetch', 'ms', times, { difference: atMost(50) }),
    ...pairFigures(`${title}: longest block of the event loop`, 'bare fetch', 'ms', blocks, {
      ours: atMost(50),
    }),
    figure(
      '  when nothing has changed',
      'ms',
      again.map(({ ours }) => ours),
      atMost(50),
    ),
  ];
}

/** How many items the tree requests when one row changes. */
async function redrawn(
  title: string,
  list: ViewName,
  { url, sessionKey }: ServiceProcess,
  runs: number,
): Promise<Figure> {
  const view = await openViewBelowEditor(url, sessionKey, list);
  const [{ items: all }] = await Promise.all([view.nextDrawing(), view.refresh()]);
  const state = (await (await fetch(`${url}/__control/state`)).json()) as Record<ViewName, { id: string }[]>;
  // The view shows the newest records, and the service lists those first.
  const { id } = state[list][Math.floor(all / 2)]!;
  const counts: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const change =
      index % 2 === 0 ? { status: 'STARTING', title: 'One' } : { status: 'MISSING', title: 'Two' };
    const answer = await fetch(`${url}/__control/state`, {
      method: 'POST',
      body: JSON.stringify({ [list]: [{ id, ...change }] }),
    });
    if (!answer.ok) throw new Error(`The service refused the change: ${await answer.text()}`);
    const [{ items }] = await Promise.all([view.nextDrawing(), view.refresh()]);
    counts.push(items);
  }
  view.dispose();
  return figure(`${title}: rows redrawn when one has changed`, '', counts, atMost(1));
}
