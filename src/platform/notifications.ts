import * as vscode from 'vscode';

/**
 * A message as the editor shows it and not as it reads it: it makes links, commands among them, of what looks like
 * Markdown's, and such text may come from a service.
 */
export function withoutLinks(message: string): string {
  return message.replaceAll('](', '] (');
}

/** Shows a message with buttons; resolves to the one that was pressed. */
export async function showNotice<T extends { readonly title: string }>(
  severity: 'information' | 'warning',
  message: string,
  actions: readonly T[],
): Promise<T | undefined> {
  const show =
    severity === 'warning' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const title = await show(withoutLinks(message), ...actions.map((action) => action.title));
  return actions.find((action) => action.title === title);
}
