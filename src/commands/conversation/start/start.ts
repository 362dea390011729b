import * as vscode from 'vscode';
import { isMessage } from '../../../platform/messageEditor';
import { refOf } from '../../../state/lists/ref';
import type { CommandDependencies, Handler } from '../../dependencies';

/** Start Conversation…: opens the editor for the message. */
export function start({ message }: Pick<CommandDependencies, 'message'>): Handler {
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
