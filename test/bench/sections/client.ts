import path from 'node:path';
import { build } from 'esbuild';
import type * as clientModule from '../../../src/api/service/client';
import { tempFolder } from '../../support/lifetime';
import { projectFolder } from '../../support/paths';
import { atMost, pairFigures } from '../support/figures';
import { alternately, hastyLimiter, timed } from '../support/pacing';
import type { Section } from '../support/section';
import { startServiceProcess } from '../support/serviceProcess';

const requestsPerRun = 100;
/** By then both are compiled, as in a window that's been open for hours. */
const runsToWarmUp = 40;

/** The smallest useful answer, so that the request itself dominates. */
const route = '/api/v1/sandbox-specs/search';

export const client: Section = {
  title: `one small request, mean of ${requestsPerRun}, compared with a bare fetch`,
  measure: async (runs = 21) => {
    const { createClient } = await packagedClient();
    const service = await startServiceProcess('observed', 0);
    const { url, sessionKey } = service;
    const api = createClient({ baseUrl: url, sessionKey, limiter: hastyLimiter(), log: () => undefined });
    const headers = { Accept: 'application/json', 'X-Session-API-Key': sessionKey };
    const bare = async (): Promise<unknown> => (await fetch(url + route, { headers })).json();
    /** Every request of a client needs a signal, since it ends with its window, key, or time limit. */
    const cancelable = async (): Promise<unknown> => {
      const { signal } = new AbortController();
      return (await fetch(url + route, { headers, signal })).json();
    };
    const microseconds = (work: () => Promise<unknown>) => async () => {
      const all = await timed(async () => {
        for (let count = 0; count < requestsPerRun; count += 1) await work();
      });
      return (all / requestsPerRun) * 1000;
    };
    const ours = microseconds(() => api.sandboxes!.searchSandboxSpecs());
    const beside = microseconds(bare);
    await alternately(runsToWarmUp, ours, beside);
    const pairs = await alternately(runs, ours, beside);
    const cancelablePairs = await alternately(runs, ours, microseconds(cancelable));
    const floorPairs = await alternately(runs, microseconds(cancelable), beside);
    await service.stop();
    return [
      ...pairFigures('our client', 'bare fetch', 'µs', pairs, {
        ratio: atMost(1.2),
        difference: atMost(200),
      }),
      ...pairFigures('our client', 'fetch with a signal', 'µs', cancelablePairs, { ratio: atMost(1.2) }),
      // No cancelable request can get below this ratio.
      ...pairFigures('fetch with a signal', 'bare fetch', 'µs', floorPairs),
    ];
  },
};

/** The client as packaged. The bench itself runs from source with tsx, which adds a call to each function. */
async function packagedClient(): Promise<typeof clientModule> {
  const { path: folder } = await tempFolder();
  const outfile = path.join(folder, 'client.cjs');
  await build({
    entryPoints: [path.join(projectFolder, 'src', 'api', 'service', 'client.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
  });
  return (await import(outfile)) as typeof clientModule;
}
