import * as l10n from '@vscode/l10n';
import { canResume } from '../../state/status';
import { clientOf } from '../../state/session';
import type { CommandDependencies, Handler } from '../dependencies';
import { changeState } from './changeState';
import { chooseSandboxes } from './chooseSandboxes';

/** Resume Sandbox. */
export function resume(needs: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async (...args) => {
    const client = clientOf(needs.session.current);
    const sandboxes = await chooseSandboxes(needs.model, args, {
      title: l10n.t('Resume a sandbox'),
      fits: canResume,
      none: l10n.t('No sandbox is paused.'),
    });
    await changeState(needs, client, sandboxes, 'resuming');
  };
}
