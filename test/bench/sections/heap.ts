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
  title: `after ${many} refreshes of ${sandboxes} sandboxes, against after ${few}`,
  measure: async (runs = 1) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heapUsed = () => {
      collect();
      collect();
      return process.memoryUsage().heapUsed;
    };
    const service = await startServiceProcess('observed', sandboxes);
    const after: { few: number; many: number }[] = [];
    for (let index = 0; index < runs; index += 1) {
      const view = await openViewBelowEditor(service.url, service.sessionKey);
      const refreshUpTo = async (from: number, to: number) => {
        for (let count = from; count < to; count += 1) await view.refresh();
        return heapUsed();
      };
      after.push({ few: await refreshUpTo(0, few), many: await refreshUpTo(few, many) });
      view.dispose();
    }
    await service.stop();
    return [
      figure(
        'heap after 10,000 / after 100',
        'x',
        after.map((sizes) => sizes.many / sizes.few),
        // Within noise: what the engine itself keeps for code that has become hot.
        atMost(1.05),
      ),
      figure(
        '  bytes more for each refresh',
        'B',
        after.map((sizes) => (sizes.many - sizes.few) / (many - few)),
      ),
    ];
  },
};
