import * as l10n from '@vscode/l10n';
import type { LiveNeeds } from '../live/choose';
import type { ChangesDependencies, ConversationDependencies } from '../../dependencies';
import { tellFailed } from '../tellFailed';

/** What the commands on changes need. */
export type ChangesNeeds = LiveNeeds &
  ChangesDependencies &
  Pick<ConversationDependencies, 'showConversation'>;

/** Says why changes can’t be shown. */
export function tellFailure(error: unknown): Promise<void> {
  return tellFailed(l10n.t('Couldn’t read the changes.'), error);
}
