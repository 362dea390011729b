import * as l10n from '@vscode/l10n';
import { isRouteMissing } from '../../../api/service/storedEvents';
import { joined } from '../../../shared/joined';
import { commandIds } from '../../../ids';
import { rowLabel } from '../../../shared/isolated';
import { plainText } from '../../../shared/plainText';
import { age } from '../../../shared/age';
import { shortAge } from '../../../shared/shortAge';
import { words } from '../../transcript';
import type { Found, SearchProgress, SearchState } from '../model/search';
import { attemptName, conversationLabel, type Differences } from '../../../core/lists/names';
import { conversationIcon } from '../../../core/lists/stateIcons';
import { moreRows } from '../../../core/rows/moreRow';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';
import { noKeyWords, troubleWords } from '../../../core/rows/trouble';

/**
 * The rows of the results: conversations with their matching entries below.
 * @param attempts says what attempts, which have the same title, differ in
 */
export function* searchRows(
  { found, progress }: SearchState,
  isOfSeveral: boolean,
  now: number,
  attempts?: Differences,
): Generator<Row> {
  for (const one of found) {
    const of = progress.find(({ connection }) => connection.baseUrl === one.service)?.connection.name;
    const difference = attempts?.of(one.service, one.conversation)?.label;
    yield foundRow(one, difference, isOfSeveral ? plainText(of ?? '', 40) : undefined, now);
  }
}

function foundRow(
  { service, conversation, entries, more }: Found,
  difference: string | undefined,
  connection: string | undefined,
  now: number,
): Row {
  const label = attemptName(conversationLabel(conversation), difference);
  const count = entries.length + more;
  const icon = conversationIcon(conversation);
  const lastActive = conversation.updated_at ?? conversation.created_at;
  const badge = shortAge(lastActive, now);
  const description = joined(
    connection,
    count === 0 ? l10n.t('Title') : String(count),
    plainText(conversation.selected_repository ?? '', 80),
  );
  const about = joined(description, age(lastActive, now));
  const ref = { kind: 'conversation', id: conversation.id, service } as const;
  const id = `${service}/${conversation.id}`;
  return {
    ref,
    id,
    label: rowLabel(label),
    description,
    ...(badge !== undefined && { badge }),
    tooltip: tooltip(label, [[undefined, about]]),
    icon: { ...icon, name: icon.name.replace(/~spin$/, '') },
    contextValue: 'found',
    accessibilityLabel: l10n.t('Conversation {0}, {1}', label, about),
    expanded: true,
    command: commandIds.conversationShow,
    children: [
      ...entries.map((entry): Row => ({
        ref: { kind: 'entry', id: conversation.id, service, entry: entry.id },
        id: `${id}/${entry.id}`,
        label: rowLabel(entry.excerpt),
        tooltip: tooltip(entry.excerpt, []),
        contextValue: 'entry',
        command: commandIds.conversationShowEntry,
      })),
      ...moreRows(ref, `${id}/more`, more, l10n.t('open it to search it')),
    ],
  };
}

/** The progress of a search, in words. */
export function searchWords(state: SearchState): string | undefined {
  const { query, isGoing, isCanceled, found, isCut, progress } = state;
  if (query === '') return undefined;
  const sum = (of: (one: SearchProgress) => number) => progress.reduce((all, one) => all + of(one), 0);
  const [searched, known] = [sum((one) => one.searched), sum((one) => one.known)];
  const total = progress.some((one) => one.hasMore && !one.error) ? `${known}+` : String(known);
  const [partial, titlesOnly] = [sum((one) => one.partial), sum((one) => one.titlesOnly)];
  const unread = sum((one) => one.unread);
  const how = isGoing
    ? l10n.t('Searching… {0} of {1} conversations', searched, total)
    : isCanceled
      ? l10n.t('Canceled: {0} of {1} conversations searched', searched, total)
      : l10n.t('{0} of {1} conversations searched', searched, total);
  return joined(
    l10n.t('“{0}”', plainText(query, 60)),
    how,
    !isGoing && found.length === 0 ? l10n.t('Nothing found') : undefined,
    isCut ? l10n.t('only the newest {0} listed', found.length) : undefined,
    partial === 0 ? undefined : l10n.t('{0} partly', partial),
    titlesOnly === 0 ? undefined : l10n.t('{0} by title only', titlesOnly),
    unread === 0 ? undefined : l10n.t('{0} couldn’t be read', unread),
    progress.some(({ areSecretsUnread }) => areSecretsUnread) ? words.secretsUnread() : undefined,
    ...progress.flatMap((one) => troublesOf(one)),
  );
}

/** Why part of a service wasn’t searched. */
function troublesOf({ connection, error, transcriptError, isWithoutKey }: SearchProgress): string[] {
  const name = plainText(connection.name, 30);
  if (isWithoutKey) return [l10n.t('{0}: {1}', name, noKeyWords(connection))];
  if (!error && isRouteMissing(transcriptError)) return [l10n.t('{0} doesn’t store transcripts', name)];
  const why = error ?? transcriptError;
  return why ? [troubleWords({ kind: 'noKey', connection }, why)] : [];
}
