import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refOf } from '../../../state/lists/ref';
import type { CommandDependencies, Handler } from '../../dependencies';

/** Edit Message and Try Again, on the row of a failed start. */
export function retryStart({ message, starts }: Pick<CommandDependencies, 'message' | 'starts'>): Handler {
  return async (argument) => {
    const ref = refOf(argument);
    const failed = ref?.kind === 'start' ? starts.get(ref.id) : undefined;
    if (!failed) return;
    await message.restore(failed.message);
    starts.dismiss(failed.id);
  };
}

/** Dismiss, on the row of a start. */
export function dismissStart({ starts }: Pick<CommandDependencies, 'starts'>): Handler {
  return (argument) => {
    const ref = refOf(argument);
    const start = ref?.kind === 'start' ? starts.get(ref.id) : undefined;
    if (!start) return Promise.resolve();
    starts.dismiss(start.id);
    if (start.failure === undefined) {
      void vscode.window.showInformationMessage(
        l10n.t(
          'The conversation is still starting on the service and appears in Conversations when it’s ready.',
        ),
      );
    }
    return Promise.resolve();
  };
}
