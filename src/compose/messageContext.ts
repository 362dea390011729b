import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandDependencies } from './commands/dependencies';
import { commandIds, messageScheme } from '../ids';
import type { ContextItem } from '../features/context';

const { File, Folder, Function: Symbol, Snippet, Issue, Reference } = vscode.CompletionItemKind;
const kinds: Record<ContextItem['kind'], vscode.CompletionItemKind> = {
  file: File,
  folder: Folder,
  symbol: Symbol,
  selection: Snippet,
  problems: Issue,
  changes: Reference,
};

/** Offers what can go along with the message of a new conversation after a `#` in it. */
export function offerContext(contextFinder: CommandDependencies['contextFinder']): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    { scheme: messageScheme },
    {
      provideCompletionItems: async (document, position, canceled) => {
        const before = document.lineAt(position).text.slice(0, position.character);
        const query = /(?:^|\s)#([^\s#]*)$/.exec(before)?.[1];
        if (query === undefined) return undefined;
        const { find, findSymbols } = await contextFinder();
        const found = [...(await find(query))];
        if (!canceled.isCancellationRequested) found.push(...(await findSymbols(query)));
        const range = new vscode.Range(position.translate(0, -query.length - 1), position);
        // Other names match as the user keeps typing.
        return new vscode.CompletionList(
          found.map((item, at) => completion(item, at, `#${query}`, range)),
          true,
        );
      },
    },
    '#',
  );
}

function completion(
  item: ContextItem,
  at: number,
  typed: string,
  range: vscode.Range,
): vscode.CompletionItem {
  const { kind, label, detail } = item;
  const command = {
    command: commandIds.conversationAddContext,
    title: l10n.t('Add Context'),
    arguments: [item],
  };
  return Object.assign(new vscode.CompletionItem({ label, description: detail }, kinds[kind]), {
    insertText: `#${label} `,
    range,
    // They were found by more than their labels, and are in order.
    filterText: typed,
    sortText: String(at).padStart(3, '0'),
    command,
  });
}
