import { createClient } from '../../../src/api/client';
import { pairFigures } from '../support/figures';
import { alternately, hastyLimiter, timed } from '../support/pacing';
import type { Section } from '../support/section';
import { startServiceProcess } from '../support/serviceProcess';

const requestsPerRun = 100;

/** The smallest useful answer, so that the request itself is what costs. */
const route = '/api/v1/sandbox-specs/search';

export const client: Section = {
  title: `one small request, mean of ${requestsPerRun}, beside a bare fetch of the same`,
  measure: async (runs = 21) => {
    const service = await startServiceProcess('observed', 0);
    const { url, sessionKey } = service;
    const api = createClient({ baseUrl: url, sessionKey, limiter: hastyLimiter(), log: () => undefined });
    const headers = { Accept: 'application/json', 'X-Session-API-Key': sessionKey };
    const bare = async (): Promise<unknown> => (await fetch(url + route, { headers })).json();
    const microseconds = (work: () => Promise<unknown>) => async () => {
      const all = await timed(async () => {
        for (let count = 0; count < requestsPerRun; count += 1) await work();
      });
      return (all / requestsPerRun) * 1000;
    };
    const ours = microseconds(() => api.searchSandboxSpecs());
    const beside = microseconds(bare);
    // Compiled code is what people run for hours.
    await alternately(5, ours, beside);
    const pairs = await alternately(runs, ours, beside);
    await service.stop();
    return pairFigures('our client', 'bare fetch', 'µs', pairs, {
      difference: { atMost: 200, of: 'median' },
    });
  },
};
