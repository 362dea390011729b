import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createLimiter } from '../../../src/api/http/limiter';
import { createClient } from '../../../src/api/service/client';
import { readChanges } from '../../../src/features/changes/model/readChanges';
import { LiveConversation } from '../../../src/features/live/model/liveConversation';
import { makeConversation, makeSandbox, startService, type ReferenceService } from '../../service/service';
import { atMost, figure, type Figure } from '../support/figures';
import { timed } from '../support/pacing';
import { conversationPorts } from '../../support/builders/ports';

const id = '0123456789abcdef0123456789abcdef';
const never = new AbortController().signal;

/** How long a list and a file may take beyond their round trips, in milliseconds. */
const besides = { list: 2_000, open: 1_000 };

/** Show Changes with sandboxes that answer slowly, starting from a conversation that isn’t open yet. */
export async function slowSandboxes(runs: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [ms, times] of [
    [300, runs],
    [3_000, 1],
  ] as const) {
    const measured: Awaited<ReturnType<typeof showAt>>[] = [];
    for (let run = 0; run < times; run += 1) measured.push(await showAt(ms));
    const all = (name: keyof (typeof measured)[number]) => measured.map((one) => one[name]);
    figures.push(
      figure(`round trips of ${ms} ms to the list of changes`, '', all('listTrips'), atMost(3)),
      figure('  time to the list', 'ms', all('list'), atMost(3 * ms + besides.list)),
      figure('  round trips from there to an open file', '', all('openTrips'), atMost(1)),
      figure('  time to the open file', 'ms', all('open'), atMost(ms + besides.open)),
    );
  }
  return figures;
}

async function showAt(ms: number) {
  const service = await startService({ profile: 'observed', agents: '1.58.0' });
  const about = { sandbox_id: 'box', selected_repository: 'acme/shop', execution_status: 'finished' };
  service.state.sandboxes.set('box', makeSandbox({ id: 'box' }));
  service.state.conversations.set(id, makeConversation({ id, ...about }));
  const { workspace, workingDir } = await conversation(service, fetch).changes.place();
  // Contents are cached by hash across sandboxes, so each run needs new content.
  const command = `printf '${randomUUID()}' > shop/src/cart.py`;
  await workspace.execute({ command, cwd: workingDir });
  let trips = 0;
  const slowly: typeof fetch = async (...request) => {
    trips += 1;
    await wait(ms);
    return fetch(...request);
  };
  const model = conversation(service, slowly);
  let files: Awaited<ReturnType<typeof readChanges>>;
  const list = await timed(async () => (files = await readChanges(model, never)));
  const listTrips = trips;
  const read = files?.repositories[0];
  if (!read) throw new Error('The agent’s changes aren’t listed.');
  const opened = read.changes.files.find(({ path }) => path === 'src/cart.py');
  const sides = [opened?.before, opened?.after].filter((side) => side !== null && side !== undefined);
  const open = await timed(() => Promise.all(sides.map((side) => read.source.content(side))));
  model.dispose();
  await service.close();
  return { list, listTrips, open, openTrips: trips - listTrips };
}

/** The service answers at once; the sandbox through `slowly`. */
function conversation(service: ReferenceService, slowly: typeof fetch): LiveConversation {
  const limiter = createLimiter();
  const client = createClient({ baseUrl: service.url, sessionKey: service.sessionKey, limiter });
  return new LiveConversation(id, conversationPorts(client, { limiter, fetch: slowly }));
}
