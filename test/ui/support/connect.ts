import { commandIds } from '../../../src/ids';
import type { Workbench } from '../../support/workbench';

const keyPrompt =
  'Enter the session key for {0}. It’s kept in the editor’s secret storage and sent only to {1}.';

/** Connects the window as a user does, through the command palette. */
export async function connectGrouped(...args: Parameters<typeof enterConnection>): Promise<void> {
  await enterConnection(...args);
  const [{ workbench }, { name = 'Team' } = {}] = args;
  await workbench.quickInput.waitForClosed();
  await workbench.statusBarItem().getByText(name).waitFor();
  // Connecting ends with the focus in the list, which would close an input or a menu, and get what is typed.
  const { pane, welcome, message } = workbench.view('Conversations');
  const connect = welcome.getByRole('button', { name: workbench.words.say('Connect…') });
  await connect.waitFor({ state: 'detached' });
  const shown = pane.locator('[role="treeitem"].focused').or(welcome).or(message);
  await shown.filter({ visible: true }).first().waitFor();
}

/** Likewise, and shows the conversations without groups: tests of other things look for rows that a group would hide. */
export async function connect(...args: Parameters<typeof enterConnection>): Promise<void> {
  await connectGrouped(...args);
  await ungroup(args[0].workbench);
}

/** Shows the conversations without groups. */
export async function ungroup(workbench: Workbench): Promise<void> {
  const { quickInput, words } = workbench;
  await workbench.runCommand(commandIds.conversationGroup);
  await quickInput.waitFor(words.say('Group conversations by'));
  await quickInput.pick(words.say('No groups'));
  await quickInput.waitForClosed();
  // The rows follow the setting a moment later.
  const inGroups = workbench.view('Conversations').pane.locator('[role="treeitem"][aria-level="2"]');
  await inGroups.first().waitFor({ state: 'detached' });
}

/** Goes through the steps of connecting, up to the last Enter. A refused key leaves the input open. */
export async function enterConnection(
  { workbench, service }: { workbench: Workbench; service: { url: string; sessionKey: string } },
  { url = service.url, name = 'Team', sessionKey = service.sessionKey } = {},
): Promise<void> {
  const { quickInput, words } = workbench;
  await workbench.runCommand(commandIds.connectionConnect);
  await quickInput.waitFor(words.say('Enter the address of the service'));
  await quickInput.type(url);
  await quickInput.accept();
  await quickInput.waitFor(words.say('Enter a name for this connection'));
  await quickInput.type(name);
  await quickInput.accept();
  await quickInput.waitFor(words.say(keyPrompt, name, new URL(url).origin));
  await quickInput.type(sessionKey);
  await quickInput.accept();
}
