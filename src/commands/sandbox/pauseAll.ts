import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { confirmed, listed } from '../../platform/inputs';
import { plainText } from '../../shared/plainText';
import { sandboxPhase } from '../../state/status';
import type { CommandDependencies, Handler } from '../dependencies';
import { changeState } from './changeState';

/** Pause All Running Sandboxes: names them and asks first. */
export function pauseAll(needs: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async () => {
    await needs.model.refresh('sandboxes');
    const running = needs.model.sandboxes.state.items.filter(
      (sandbox) => sandboxPhase(sandbox) === 'running',
    );
    if (running.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('No sandbox is running.'));
      return;
    }
    const agreed = await confirmed(
      running.length === 1
        ? l10n.t('Pause the running sandbox?')
        : l10n.t('Pause {0} running sandboxes?', running.length),
      l10n.t(
        '{0}\n\nAgents at work in them stop until the sandbox is resumed.',
        listed(running.map((sandbox) => plainText(sandbox.id, 60))),
      ),
      l10n.t('Pause All'),
    );
    if (agreed) await changeState(needs, running, 'pausing');
  };
}
