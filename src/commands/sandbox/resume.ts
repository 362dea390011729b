import * as l10n from '@vscode/l10n';
import { canResume } from '../../state/status';
import type { CommandDependencies, Handler } from '../dependencies';
import { changeState } from './changeState';
import { chooseSandboxes } from './chooseSandboxes';

/** Resume Sandbox. */
export function resume(needs: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async (...args) => {
    const sandboxes = await chooseSandboxes(needs.model, args, {
      title: l10n.t('Resume a sandbox'),
      fits: canResume,
      none: l10n.t('No sandbox is paused.'),
    });
    await changeState(needs, sandboxes, 'resuming');
  };
}
