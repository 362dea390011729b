import * as l10n from '@vscode/l10n';
import { sandboxPhase } from '../../state/status';
import type { CommandDependencies, Handler } from '../dependencies';
import { changeAll } from './changeAll';

/** Pause All Running Sandboxes: names them and asks first. */
export function pauseAll(needs: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return changeAll(needs, {
    action: 'pausing',
    fits: (sandbox) => sandboxPhase(sandbox) === 'running',
    none: l10n.t('No sandbox is running.'),
    question: (count) =>
      count === 1 ? l10n.t('Pause the running sandbox?') : l10n.t('Pause {0} running sandboxes?', count),
    consequence: () => l10n.t('Agents at work in them stop until the sandbox is resumed.'),
    agree: l10n.t('Pause All'),
    result: (done, count) =>
      done === count
        ? l10n.t('The service pauses all {0} of them.', count)
        : l10n.t('The service pauses {0} of {1} sandboxes.', done, count),
  });
}
