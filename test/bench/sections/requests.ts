import { setTimeout as delay } from 'node:timers/promises';
import { makeSandbox, startService, type ReferenceService } from '../../service/service';
import { startCodeServer } from '../../support/editor/codeServer';
import { sandboxLabel } from '../../support/sandboxLabel';
import { Workbench } from '../../support/workbench';
import { takeFocus } from '../../support/workbench/focus';
import { createWorkspaceFolder } from '../../support/workspaceFolder';
import { connectWindow } from '../support/connected';
import { figure, never, type Figure } from '../support/figures';
import { browser, editor, packaged } from '../support/packaged';
import type { Section } from '../support/section';

const windowMs = 60_000;
/** Lets the requests caused by the change of state itself finish. */
const settleMs = 3_000;

export const requests: Section = {
  title: 'requests from the packaged extension in 60 s of each state',
  measure: async (runs = 1) => {
    const { extensionsFolder } = await packaged();
    const folder = await createWorkspaceFolder();
    const service = await startService({
      profile: 'observed',
      sandboxes: 20,
      conversations: 20,
      rateLimit: true,
    });
    const server = await startCodeServer(await editor(), { extensionsFolder });
    const workbench = await Workbench.open(await browser(), server, folder.path);
    await connectWindow(workbench, service);

    const counts = { visible: [], hidden: [], unfocused: [], transition: [] } as Record<string, number[]>;
    for (let run = 0; run < runs; run += 1) {
      await focusIs(workbench, true);
      counts['visible']!.push(await countFor(service));

      await workbench.runCommand('View: Show Explorer');
      counts['hidden']!.push(await countFor(service));
      await workbench.openAgentWorkspace();

      const focusAgain = await takeFocus(workbench.page);
      await focusIs(workbench, false);
      counts['unfocused']!.push(await countFor(service));
      await focusAgain();
      await focusIs(workbench, true);

      const starting = makeSandbox({ status: 'STARTING', sandbox_spec_id: 'bench/starting:1' });
      service.state.sandboxes.set(starting.id, starting);
      const row = workbench.view('Sandboxes').row(sandboxLabel(service, starting.id));
      await row.waitFor();
      counts['transition']!.push(await countFor(service));
      service.state.sandboxes.delete(starting.id);
      await row.waitFor({ state: 'detached' });
    }
    const figures: Figure[] = [
      figure('hidden: another container in the side bar', '', counts['hidden']!, never(1)),
      figure('unfocused: another page in front', '', counts['unfocused']!, never(1)),
      figure('visible and idle', '', counts['visible']!, never(8)),
      figure('a sandbox is starting', '', counts['transition']!, never(120)),
      figure('most in any second since connecting', '', [busiestSecond(service)], never(8)),
      figure(
        'refused by the rate limit',
        '',
        [service.requests.filter(({ status }) => status === 429).length],
        never(0),
      ),
    ];
    await workbench.close();
    await server.stop();
    await service.close();
    await folder.remove();
    return figures;
  },
};

/** Requests that arrive in the next minute, once the state has settled. */
async function countFor(service: ReferenceService): Promise<number> {
  await delay(settleMs);
  let count = 0;
  const stop = service.onRequest((_request, phase) => {
    if (phase === 'arrived') count += 1;
  });
  await delay(windowMs);
  stop();
  return count;
}

/** Waits until extensions see this focus state, which the focus extension shows in the status bar. */
async function focusIs({ page }: Workbench, focused: boolean): Promise<void> {
  await page
    .locator('.statusbar-item', { hasText: `bench-focused-${focused}` })
    .waitFor({ state: 'attached' });
}

/** The most requests that arrived within 1,000 ms of one another. */
function busiestSecond({ requests: all }: ReferenceService): number {
  const times = all.map(({ time }) => time).sort((a, b) => a - b);
  return Math.max(
    0,
    ...times.map((start) => times.filter((time) => time >= start && time < start + 1000).length),
  );
}
