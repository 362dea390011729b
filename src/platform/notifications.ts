import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Says what an update of the service from a release before 1.7 does to its settings. */
export function tellUpdate(): void {
  void vscode.window.showInformationMessage(
    l10n.t(
      'The service was updated and keeps some settings in another place now. Model, base URL, agent, and MCP servers may show their defaults. Check them and save again.',
    ),
  );
}

/** Shows a message with buttons; resolves to the button that was pressed. */
export async function showNotice<T extends { readonly title: string }>(
  severity: 'information' | 'warning',
  message: string,
  actions: readonly T[],
): Promise<T | undefined> {
  const show =
    severity === 'warning' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const title = await show(message, ...actions.map((action) => action.title));
  return actions.find((action) => action.title === title);
}
