import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { instructionIn } from '../../../core/text/selectionMessage';
import type { Handler } from '../../../editor/handler';
import type { MessageEditor } from '../../../editor/messageEditor';

/**
 * Discard, in the editor of the message: asks first if the text has more than code that was added and can be added
 * again.
 */
export function cancelMessage({ message }: { message: MessageEditor }): Handler {
  return async () => {
    if (instructionIn(message.text, message.selections) === '') {
      await message.discard();
      return;
    }
    const discard = l10n.t('Discard');
    const keep = l10n.t('Keep for Next Time');
    const picked = await vscode.window.showWarningMessage(
      l10n.t('Discard this message?'),
      { modal: true, detail: l10n.t('It hasn’t been sent.') },
      discard,
      keep,
    );
    if (picked === keep) await message.close();
    if (picked === discard) await message.discard();
  };
}
