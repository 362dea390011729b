import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandDependencies, Handler } from '../../dependencies';

/** Cancel, in the editor of the message: asks what becomes of a text. */
export function cancelMessage({ message }: Pick<CommandDependencies, 'message'>): Handler {
  return async () => {
    if (message.text === '') {
      await message.discard();
      return;
    }
    const keep = l10n.t('Keep for Next Time');
    const discard = l10n.t('Discard');
    const picked = await vscode.window.showWarningMessage(
      l10n.t('Keep the message?'),
      { modal: true, detail: l10n.t('No conversation is started, and nothing was sent.') },
      keep,
      discard,
    );
    if (picked === keep) await message.close();
    if (picked === discard) await message.discard();
  };
}
