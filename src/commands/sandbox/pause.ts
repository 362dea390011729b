import * as l10n from '@vscode/l10n';
import { canPause } from '../../state/status';
import type { CommandDependencies, Handler } from '../dependencies';
import { changeState } from './changeState';
import { chooseSandboxes } from './chooseSandboxes';

/** Pause Sandbox. */
export function pause(needs: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async (...args) => {
    const sandboxes = await chooseSandboxes(needs.model, args, {
      title: l10n.t('Pause a sandbox'),
      fits: canPause,
      none: l10n.t('No sandbox is running.'),
    });
    await changeState(needs, sandboxes, 'pausing');
  };
}
