import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { confirmed } from '../../../editor/inputs';
import type { MessageEditor } from '../../../editor/messageEditor';
import { agreedQuotes, type ContextItem, type ContextFinder } from '../../context';

/** Add Context…, in the editor of the message: quotes what the user picks or mentioned, below the text. */
export function addContext({
  message,
  contextFinder,
}: {
  message: MessageEditor;
  contextFinder: () => Promise<ContextFinder>;
}): Handler {
  return async (mentioned) => {
    const items = isItem(mentioned) ? [mentioned] : await (await contextFinder()).pick();
    const sources = await Promise.all(items.map(({ locate }) => locate()));
    const { quotes, unreadable } = await agreedQuotes(sources, {
      title: l10n.t('New Agent Conversation'),
      confirm: confirmed,
      // The user selected it in the editor, and sees it before it's sent.
      isFree: () => true,
    });
    for (const quote of quotes) await message.addContext(quote);
    if (unreadable > 0)
      void vscode.window.showInformationMessage(l10n.t('Only text files of up to 1 MB can be attached.'));
  };
}

/** The palette passes nothing; the title of an editor passes its URI. */
function isItem(argument: unknown): argument is ContextItem {
  return typeof argument === 'object' && argument !== null && 'locate' in argument;
}
