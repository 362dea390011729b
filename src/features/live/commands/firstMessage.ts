import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../../shared/joined';
import { tellFailed } from '../../targets/editor';
import type { ConversationModel } from '../model/model';
import { workOn } from './work';

/**
 * What a conversation was started with; undefined if the user was told why that can’t be read.
 * @param none what to say if it has no message of the user’s
 */
export async function readFirst(
  model: ConversationModel,
  none: string,
): Promise<{ text: string; images: number } | undefined> {
  try {
    return await workOn(model, l10n.t('Reading…'), async (signal) => {
      await model.loadAll(signal);
      signal.throwIfAborted();
      const { hasOlder, problem } = model.head;
      const first = model.entries.find((one) => one.kind === 'message' && one.from === 'user');
      if (hasOlder || first?.kind !== 'message') {
        void vscode.window.showWarningMessage(
          hasOlder || problem !== '' ? sentences(l10n.t('Couldn’t read the first message.'), problem) : none,
        );
        return undefined;
      }
      return { text: (await model.fullText(first.id, signal)) ?? first.text.text, images: first.images };
    });
  } catch (error) {
    await tellFailed(l10n.t('Couldn’t read the first message.'), error);
    return undefined;
  }
}
