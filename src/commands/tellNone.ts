import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showError } from '../platform/progress';
import type { ServiceModel } from '../state/lists/serviceModel';

/** Says that there is nothing to select; or that this isn’t known, because the list can’t be read. */
export async function tellNone(
  model: Pick<ServiceModel, 'outOfDate'>,
  list: 'sandboxes' | 'conversations',
  none: string,
): Promise<void> {
  const trouble = model.outOfDate(list);
  if (!trouble) void vscode.window.showInformationMessage(none);
  else await showError(unread[list](), trouble.error);
}

const unread = {
  sandboxes: () => l10n.t('Couldn’t read the sandboxes, so nothing was changed.'),
  conversations: () => l10n.t('Couldn’t read the conversations.'),
};
