import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandDependencies, Handler } from '../dependencies';
import { chooseConversation } from './chooseConversation';

/** Reveal Sandbox: selects the row of a conversation's sandbox. */
export function revealSandbox({ model, reveal }: Pick<CommandDependencies, 'model' | 'reveal'>): Handler {
  return async (argument) => {
    const conversation = await chooseConversation(model, argument, { title: l10n.t('Reveal Sandbox') });
    if (!conversation) return;
    const id = conversation.sandbox_id;
    const [sandbox] = id ? await model.sandboxesNow([id]) : [];
    if (!sandbox) {
      void vscode.window.showInformationMessage(
        l10n.t('The service no longer lists the sandbox of this conversation.'),
      );
      return;
    }
    await reveal({ kind: 'sandbox', id: sandbox.id });
  };
}
