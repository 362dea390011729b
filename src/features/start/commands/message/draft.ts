import * as vscode from 'vscode';
import { proposeRepositories } from '../../../../core/gitRemote';
import type { ConversationAt } from '../../../../core/lists/conversationAt';
import { openRepositories } from '../../../../editor/git';
import type { MessageEditor } from '../../../../editor/messageEditor';
import type { Composer } from '../../../../shared/conversationMessages';
import { membersOf } from '../../../../shared/membersOf';

export interface DraftNeeds {
  message: MessageEditor;
  activeTab: () => ConversationAt | undefined;
  composerOf: (id: string, service: string | undefined) => Promise<Composer | undefined>;
}

/** A message that is being written. */
export interface EditorDraft {
  readonly text: string;
  /** What it’s about, by the name that `FirstMessage` uses. */
  readonly repositories: readonly string[];
  /** Adds `text` where the user writes. */
  insert: (text: string) => Promise<void>;
}

/** The message in the composer of the active tab, else the one of a new conversation. */
export async function presentDraft({ message, activeTab, composerOf }: DraftNeeds): Promise<EditorDraft> {
  const tab = activeTab();
  const composer = tab && (await composerOf(tab.id, tab.service));
  if (tab && composer) {
    const insert = (text: string) => {
      composer.insert(text);
      return Promise.resolve();
    };
    return { text: composer.text, repositories: [composer.repository], insert };
  }
  const { about, folder, choice } = message.context;
  const proposals = proposeRepositories(await openRepositories(about ? vscode.Uri.parse(about) : undefined));
  const { repository, agent } = membersOf(choice);
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const names = [repository, membersOf(agent)['folder'], folder, ...proposals.map((one) => one.repository)];
  return {
    text: message.text,
    repositories: [...names, ...folders].filter((one) => typeof one === 'string'),
    insert: (text) => message.insertText(text),
  };
}
