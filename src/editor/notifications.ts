import * as vscode from 'vscode';

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
