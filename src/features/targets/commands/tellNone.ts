import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showError } from '../../../editor/progress';
import type { ServiceModel } from '../../../core/lists/serviceModel';

/**
 * Says that there is nothing to select; or that this isn’t known, because the list can’t be read, or because the window
 * switched to another connection in the meantime.
 */
export async function tellNone(
  model: Pick<ServiceModel, 'outOfDate' | 'sandboxes' | 'conversations'>,
  list: 'sandboxes' | 'conversations',
  none: string,
): Promise<void> {
  const trouble = model.outOfDate(list);
  if (trouble) await showError(unread[list](), trouble.error);
  else if (model[list].state.loaded) void vscode.window.showInformationMessage(none);
  else tellSwitched();
}

/** Says that the window switched to another connection before the user chose. */
export function tellSwitched(): void {
  void vscode.window.showInformationMessage(
    l10n.t('The connection changed, so nothing was done. Try again.'),
  );
}

const unread = {
  sandboxes: () => l10n.t('Couldn’t read the sandboxes, so nothing was changed.'),
  conversations: () => l10n.t('Couldn’t read the conversations.'),
};
