import * as vscode from 'vscode';
import { refOf } from '../../../core/lists/ref';
import type { Handler } from '../../../editor/handler';
import { isMessage, type MessageEditor } from '../../../editor/messageEditor';

/** Start Conversation…: opens the editor for the message. */
export function startMessage({ message }: { message: MessageEditor }): Handler {
  return async (argument) => {
    const ref = refOf(argument);
    const about = vscode.window.activeTextEditor?.document.uri;
    await message.begin({
      ...(ref?.kind === 'sandbox' && { sandboxId: ref.id }),
      ...(ref?.kind === 'workspace' && { folder: ref.path }),
      ...(about && !isMessage(about) && { about: about.toString() }),
    });
  };
}
