import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import type { Start } from '../../state/startTasks';
import { stepWords } from '../../state/startWords';
import type { Row } from '../row';
import { joined } from '../words';

/** A conversation that is being started, or could not be: the service's words until the user dismisses it. */
export function startRow(start: Start): Row {
  const { id, failure, unknown } = start;
  const label = plainText(start.label, 120) || l10n.t('New conversation');
  const failed = failure !== undefined;
  const state = !failed
    ? l10n.t('Being started')
    : unknown
      ? l10n.t('Not known whether it was started')
      : l10n.t('Not started');
  const words = failed ? plainText(failure, 300) : stepWords(start.step);
  return {
    ref: { kind: 'start', id },
    id: `start/${id}`,
    label,
    description: joined(state, plainText(words, 120)),
    tooltip: joined(label, state, words),
    icon: failed ? { name: 'error', color: 'list.errorForeground' } : { name: 'loading~spin' },
    contextValue: failed ? 'start.failed' : 'start.going',
    accessibilityLabel: l10n.t('Conversation {0}, {1}', label, joined(state, words)),
  };
}
