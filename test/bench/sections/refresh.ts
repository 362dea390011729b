import { atMost, figure, pairFigures, type Figure } from '../support/figures';
import { alternately, longestBlock, timed } from '../support/pacing';
import type { Section } from '../support/section';
import { startServiceProcess, type ServiceProcess } from '../support/serviceProcess';
import { openViewBelowEditor } from '../support/viewBelowEditor';
import { openingFigures } from './opening';

const route = '/api/v1/sandboxes/search';

/** The lists that are read: how many sandboxes the service has, and how it hands them out. */
export const lists = [
  { name: '100 sandboxes', profile: 'observed', sandboxes: 100 },
  { name: '10,000, in pages of 100', profile: 'observed', sandboxes: 10_000 },
  { name: '10,000 in one answer', profile: 'documented', sandboxes: 10_000 },
] as const;

export const refresh: Section = {
  title: 'from Refresh to rows, beside a bare fetch and JSON.parse of the same page; then in the workbench',
  measure: async (runs) => {
    const figures: Figure[] = [];
    for (const list of lists) {
      const service = await startServiceProcess(list.profile, list.sandboxes);
      figures.push(...(await belowEditor(list.name, service, runs ?? 21)));
      if (list.profile === 'documented') figures.push(await redrawn(service, runs ?? 5));
      await service.stop();
    }
    return [...figures, ...(await openingFigures(runs ?? 5))];
  },
};

/** All that the extension host does, but for the editor's own part, on the Node that runs the bench. */
async function belowEditor(name: string, service: ServiceProcess, runs: number): Promise<Figure[]> {
  const { url, sessionKey } = service;
  const headers = { Accept: 'application/json', 'X-Session-API-Key': sessionKey };
  const bare = async () => JSON.parse(await (await fetch(url + route, { headers })).text()) as unknown;

  /** In a view that has no rows yet. */
  const first = async (measure: (work: () => Promise<unknown>) => Promise<number>) => {
    const view = await openViewBelowEditor(url, sessionKey);
    const measured = await measure(() => Promise.all([view.nextDrawing(), view.refresh()]));
    view.dispose();
    return measured;
  };
  /** In a view that shows the same rows already. */
  const shown = await openViewBelowEditor(url, sessionKey);
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
    ...pairFigures(`${name}: first rows`, 'bare fetch', 'ms', times, { difference: atMost(50) }),
    ...pairFigures(`${name}: longest block of the event loop`, 'bare fetch', 'ms', blocks, {
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

/** One row changes, and the tree is asked for so many items. */
async function redrawn({ url, sessionKey }: ServiceProcess, runs: number): Promise<Figure> {
  const view = await openViewBelowEditor(url, sessionKey);
  await Promise.all([view.nextDrawing(), view.refresh()]);
  const { sandboxes } = (await (await fetch(`${url}/__control/state`)).json()) as {
    sandboxes: { id: string }[];
  };
  const { id } = sandboxes[Math.floor(sandboxes.length / 2)]!;
  const counts: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const status = index % 2 === 0 ? 'STARTING' : 'MISSING';
    const answer = await fetch(`${url}/__control/state`, {
      method: 'POST',
      body: JSON.stringify({ sandboxes: [{ id, status }] }),
    });
    if (!answer.ok) throw new Error(`The service did not take the change: ${await answer.text()}`);
    const [{ items }] = await Promise.all([view.nextDrawing(), view.refresh()]);
    counts.push(items);
  }
  view.dispose();
  return figure('10,000: rows redrawn when one has changed', '', counts, atMost(1));
}
