import * as l10n from '@vscode/l10n';
import { countUp, mostRunning, sandboxPhase } from '../../state/status';
import type { CommandDependencies, Handler } from '../dependencies';
import { changeAll } from './changeAll';

/** Resume All Paused Sandboxes: names them, asks, and warns when more would run than a service keeps running. */
export function resumeAll(needs: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return changeAll(needs, {
    action: 'resuming',
    fits: (sandbox) => sandboxPhase(sandbox) === 'paused',
    none: l10n.t('No sandbox is paused.'),
    question: (count) =>
      count === 1 ? l10n.t('Resume the paused sandbox?') : l10n.t('Resume {0} paused sandboxes?', count),
    consequence: (chosen, all) => {
      const total = countUp(all) + chosen.length;
      return total > mostRunning
        ? l10n.t(
            '{0} would then run. Beyond {1} a service pauses the oldest by itself, those at work included: resume only the ones you need instead.',
            total,
            mostRunning,
          )
        : l10n.t('{0} would then run.', total);
    },
    agree: l10n.t('Resume All'),
    result: (done, count) =>
      done === count
        ? l10n.t('The service resumes all {0} of them.', count)
        : l10n.t('The service resumes {0} of {1} sandboxes.', done, count),
  });
}
