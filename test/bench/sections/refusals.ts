import { flatClient } from '../../support/builders/client';
import { figure, never } from '../support/figures';
import { hastyLimiter } from '../support/pacing';
import type { Section } from '../support/section';
import { startServiceProcess } from '../support/serviceProcess';

const MB = 1024 * 1024;
const route = '/api/v1/sandboxes/search';

/** Peak growth of this process's memory while `work` runs, in MB. */
async function peakOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = () => (most = Math.max(most, process.memoryUsage.rss()));
  const timer = setInterval(look, 2);
  await work();
  look();
  clearInterval(timer);
  return (most - before) / MB;
}

export const refusals: Section = {
  title: 'peak memory while refusing a body of 50 MB, and one that unpacks from 50 kB to 50 MB',
  measure: async (runs = 7) => {
    const { url, sessionKey, stop } = await startServiceProcess('observed', 0);
    const client = flatClient({ baseUrl: url, sessionKey, limiter: hastyLimiter(), log: () => undefined });
    const peaks = async (kind: 'huge' | 'gzipBomb') => {
      const values: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const rule = { path: route, effect: { kind, bytes: 50 * MB } };
        await fetch(`${url}/__control/fail`, { method: 'POST', body: JSON.stringify(rule) });
        values.push(await peakOf(() => client.searchSandboxes().catch(() => undefined)));
      }
      return values;
    };
    const figures = [
      // Leaves room for the 16 MB of text read before refusing, and for garbage not collected yet.
      figure('50 MB refused, growth', 'MB', await peaks('huge'), never(100)),
      figure('gzip bomb refused, growth', 'MB', await peaks('gzipBomb'), never(100)),
    ];
    await stop();
    return figures;
  },
};
