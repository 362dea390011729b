import { commandIds } from '../../../src/ids';
import type { UiSuite } from '../../support/ui';

/** Connects the window as a person does: through the command palette. */
export async function connect(
  { workbench, service }: UiSuite,
  { url = service.url, name = 'Team', sessionKey = service.sessionKey } = {},
): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand(commandIds.connectionConnect);
  await quickInput.waitFor('Address of the service');
  await quickInput.type(url);
  await quickInput.accept();
  await quickInput.waitFor('Name of the connection');
  await quickInput.type(name);
  await quickInput.accept();
  await quickInput.waitFor('Session key of');
  await quickInput.type(sessionKey);
  await quickInput.accept();
  await quickInput.waitForClosed();
}
