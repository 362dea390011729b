import type { Workbench } from '../../support/workbench';
import type { UiSuite } from '../../support/ui';
import { connectGrouped } from '../../ui/support/connect';

/**
 * Connects a window to a service and waits for the first row. With all its options given, `connectGrouped` needs only
 * the workbench of a suite.
 */
export async function connectWindow(
  workbench: Workbench,
  { url, sessionKey }: { url: string; sessionKey: string },
): Promise<void> {
  await workbench.openAgentWorkspace();
  await connectGrouped({ workbench } as UiSuite, { url, sessionKey, name: 'Bench' });
  await workbench.view('Conversations').pane.getByRole('treeitem').first().waitFor();
}
