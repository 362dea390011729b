import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import { commandIds } from '../../../ids';
import { plainText } from '../../../shared/plainText';
import { type Start, stepWords } from '../../start';
import { slowAfterMs } from '../../../core/lists/status';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';

/**
 * The row of a conversation that is starting or couldn't be started, shown until the user dismisses it.
 *
 * @param now milliseconds since the epoch
 */
export function startRow(start: Start, now: number): Row {
  const { id, failure, unknown, overLimit } = start;
  const label = plainText(start.label, 120) || l10n.t('New conversation');
  const failed = failure !== undefined;
  const slow = now - start.begunAt >= slowAfterMs;
  const state = failed
    ? unknown
      ? l10n.t('May have started')
      : l10n.t('Not started')
    : slow
      ? l10n.t('Slow to start')
      : l10n.t('Starting…');
  const words = failed ? plainText(failure, 300) : stepWords(start.step);
  return {
    ref: { kind: 'start', id },
    id: `start/${id}`,
    label,
    description: joined(state, plainText(words, 120)),
    tooltip: tooltip(label, [
      [l10n.t('State'), state],
      [undefined, words],
    ]),
    icon: failed ? { name: 'error', color: 'list.errorForeground' } : { name: 'loading~spin' },
    command: commandIds.conversationShow,
    contextValue: failed ? (overLimit ? 'start.failed.overLimit' : 'start.failed') : 'start.going',
    accessibilityLabel: l10n.t('Conversation {0}, {1}', label, joined(state, words)),
  };
}
