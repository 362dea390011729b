import type { UiSuite } from '../../support/ui';

/** Follows a link from outside the editor, which first asks whether the extension may open it. */
export async function followLink({ workbench }: UiSuite, link: string): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand('Open URL');
  await quickInput.waitFor('URL to open');
  await quickInput.type(`vscode://agent-workspace.agent-workspace/${link}`);
  await quickInput.accept();
  const dialog = workbench.dialog();
  await dialog.getByText('Agent Workspace').first().waitFor();
  await dialog.getByRole('button', { name: 'Open' }).click();
}
