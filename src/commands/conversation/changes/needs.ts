import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showError } from '../../../platform/progress';
import { Refusal } from '../../../state/basics/refusal';
import type { LiveNeeds } from '../live/choose';
import type { ChangesDependencies, ConversationDependencies } from '../../dependencies';

/** What the commands on changes need. */
export type ChangesNeeds = LiveNeeds &
  ChangesDependencies &
  Pick<ConversationDependencies, 'showConversation'>;

/** Says why changes can’t be shown. */
export async function tellFailure(error: unknown): Promise<void> {
  if (error instanceof Refusal) void vscode.window.showWarningMessage(error.message);
  else await showError(l10n.t('Couldn’t read the changes.'), error);
}
