import * as l10n from '@vscode/l10n';
import type { Changed, ComparedAttempt } from '../../../shared/comparison';
import { plainText } from '../../../shared/plainText';
import type { Entry, Head } from '../../../shared/transcript';
import { conversationStateWords } from '../../../core/lists/stateWords';
import { resultOf } from '../../../core/lists/telling';
import { cannotReach } from '../../transcript';
import { checksOf } from './checks';

/** What is known of the changes of an attempt. */
export interface KnownChanges {
  changed: Changed | null;
  /** Why they can’t be read, in words; empty if they can. */
  problem: string;
}

/**
 * What a comparison shows of a conversation.
 *
 * @param name what it’s called there; empty if its title is enough
 */
export function comparedAttempt(
  { id, head, entries }: { id: string; head: Head; entries: readonly Entry[] },
  name: string,
  { changed, problem }: KnownChanges,
): ComparedAttempt {
  const { execution, title, cost, tokens, hasOlder, readAt } = head;
  const isWhole = readAt !== null && !hasOlder;
  const [first] = entries;
  const began = isWhole && first ? first.at : null;
  const ended = entries.reduce((latest, entry) => Math.max(latest, endOf(entry)), 0);
  return {
    id,
    title: plainText(title, 200) || l10n.t('Conversation'),
    difference: name === plainText(title, 80) ? '' : plainText(name, 100),
    execution,
    state: stateWords(head),
    mark: markOf(head),
    took: began === null ? null : Math.max(0, ended - began),
    since: execution === 'running' && isLive(head) ? began : null,
    cost,
    tokens,
    changed,
    changesProblem: plainText(problem, 300),
    checks: checksOf(entries),
    isWhole,
    lastWords: plainText(resultOf({ head, entries })?.lastWords ?? '', 1_000),
  };
}

const endOf = (entry: Entry) => entry.at + (entry.kind === 'step' ? (entry.took ?? 0) : 0);

const isLive = ({ limit, problem }: Head) => problem === '' && (limit === 'none' || limit === 'busy');

function stateWords({ execution, limit, readAt, problem }: Head): string {
  if (limit === 'asleep' && execution === 'unknown') return l10n.t('Sandbox paused');
  if (limit === 'gone' && execution === 'unknown') return l10n.t('Sandbox missing');
  if (execution !== 'unknown') return conversationStateWords(execution) ?? execution;
  return readAt === null && problem === '' ? l10n.t('Reading…') : l10n.t('State unknown');
}

/** What to know about where it comes from. */
function markOf({ execution, limit, problem, readAt }: Head): string {
  if (problem !== '') return plainText(problem, 300);
  if (readAt === null || limit === 'none') return '';
  if (limit === 'busy') return l10n.t('Updates after each step');
  if (limit === 'asleep' && execution !== 'unknown')
    return l10n.t('Sandbox paused, read from the stored events');
  if (limit === 'asleep' || limit === 'stored' || limit === 'gone')
    return l10n.t('Read from the stored events');
  return cannotReach[limit]();
}
