import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { atMost, figure } from '../support/figures';
import type { Section } from '../support/section';
import { startServiceProcess } from '../support/serviceProcess';
import { openViewBelowEditor } from '../support/viewBelowEditor';

const few = 100;
const many = 10_000;
const sandboxes = 20;

export const heap: Section = {
  title: `after ${many} refreshes of ${sandboxes} sandboxes, compared with ${few}`,
  measure: async (runs = 1) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // Cleanup that runs after a collection frees more, so collect several times.
    const heapUsed = async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        collect();
        await delay(50);
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const service = await startServiceProcess('observed', sandboxes);
    const headers = { 'X-Session-API-Key': service.sessionKey };
    const bare = async () => {
      const answer = await fetch(`${service.url}/api/v1/sandboxes/search`, { headers });
      JSON.parse(await answer.text());
    };
    /** The heap after few calls and after many. */
    const growth = async (call: () => Promise<unknown>) => {
      for (let count = 0; count < few; count += 1) await call();
      const before = await heapUsed();
      for (let count = few; count < many; count += 1) await call();
      return { few: before, many: await heapUsed() };
    };
    const after: { few: number; many: number }[] = [];
    const besides: { few: number; many: number }[] = [];
    for (let index = 0; index < runs; index += 1) {
      besides.push(await growth(bare));
      const view = await openViewBelowEditor(service.url, service.sessionKey);
      after.push(await growth(() => view.refresh()));
      view.dispose();
    }
    await service.stop();
    const bytesEach = (sizes: { few: number; many: number }) => (sizes.many - sizes.few) / (many - few);
    return [
      figure(
        'heap after 10,000 / after 100',
        'x',
        after.map((sizes) => sizes.many / sizes.few),
        // Leaves room for what the engine itself keeps for fetch and for hot code.
        atMost(1.02),
      ),
      figure('  growth per refresh', 'B', after.map(bytesEach)),
      figure('  growth per bare fetch', 'B', besides.map(bytesEach)),
    ];
  },
};
