import * as l10n from '@vscode/l10n';
import { canPause } from '../../state/status';
import { clientOf } from '../../state/session';
import type { CommandDependencies, Handler } from '../dependencies';
import { changeState } from './changeState';
import { chooseSandboxes } from './chooseSandboxes';

/** Pause Sandbox. */
export function pause(needs: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async (...args) => {
    const client = clientOf(needs.session.current);
    const sandboxes = await chooseSandboxes(needs.model, args, {
      title: l10n.t('Pause a sandbox'),
      fits: canPause,
      none: l10n.t('No sandbox is running.'),
    });
    await changeState(needs, client, sandboxes, 'pausing');
  };
}
