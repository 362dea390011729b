import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import type { ConversationFilter } from '../../../core/lists/conversationFilter';
import { conversationStateWords } from '../../../core/lists/stateWords';

/** The filter in a few words, for the description beside the view's title. */
export function filterWords(filter: ConversationFilter): string {
  const { title, repository, state, createdWithinDays: created, updatedWithinDays: updated } = filter;
  return joined(
    title === undefined ? undefined : l10n.t('“{0}”', plainText(title, 40)),
    repository === undefined ? undefined : plainText(repository, 60),
    state === undefined ? undefined : (conversationStateWords(state) ?? l10n.t('State unknown')),
    created === undefined ? undefined : createdWords(created),
    updated === undefined ? undefined : activeWords(updated),
  );
}

const createdWords = (days: number) =>
  days === 1 ? l10n.t('created in the last day') : l10n.t('created in the last {0} days', days);
const activeWords = (days: number) =>
  days === 1 ? l10n.t('active in the last day') : l10n.t('active in the last {0} days', days);
