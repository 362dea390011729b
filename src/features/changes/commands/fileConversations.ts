import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { Refusal } from '../../../core/basics/refusal';
import { openRepositories, tellGitElsewhere } from '../../../editor/git';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import { pathOf } from '../../../editor/selection';
import { plainText } from '../../../shared/plainText';
import type { ConversationModels } from '../../live';
import type { ChangeKind } from '../../sandboxChanges';
import { tellNone, choiceOf, tellFailed } from '../../targets/editor';
import {
  candidatesFor,
  type FileHere,
  type Touch,
  type Touches,
  touchesOf,
  type TouchSources,
} from '../model/fileConversations';
import type { ChangesNeeds } from './needs';

/** Show Conversations That Changed This File: asks those about its repository, and opens the selected one. */
export function fileConversations(needs: ChangesNeeds): Handler {
  return async (argument) => {
    try {
      await look(needs, argument);
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t read the conversations.'), error);
    }
  };
}

async function look(
  { model, conversations, showConversation }: ChangesNeeds,
  argument: unknown,
): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const file = uri && (await fileAt(uri));
  if (!uri || !file) {
    if (!tellGitElsewhere())
      throw new Refusal(
        l10n.t(
          'Open a file of a Git repository first: conversations are found by the repository they’re about.',
        ),
      );
    return;
  }
  // Several folders may have a file of this name.
  const isAlone = (vscode.workspace.workspaceFolders ?? []).length < 2;
  const name = plainText(isAlone ? uri.path.slice(uri.path.lastIndexOf('/') + 1) : pathOf(uri), 120);
  const read = await unlessCanceled(
    l10n.t('Looking for conversations that changed {0}…', name),
    async (report, signal) => {
      await model.refresh('conversations');
      const { items, nextPageId } = model.conversations.state;
      const { asked, left } = candidatesFor(file, items);
      const tell = (done: number) => report(l10n.t('{0} of {1} conversations', done, asked.length));
      tell(0);
      const touches = await touchesOf(file, asked, sourcesOf(conversations), tell, signal);
      return { touches, asked: asked.length, isAll: left === 0 && nextPageId === null };
    },
  );
  if (!read) return;
  const { touches, asked, isAll } = read;
  if (asked === 0) {
    await tellNone(model, 'conversations', l10n.t('No conversation works on the repository of {0}.', name));
    return;
  }
  const limits = limitsOf(touches, asked, isAll);
  if (touches.found.length === 0) {
    void vscode.window.showInformationMessage(
      [l10n.t('No conversation is known to have changed {0}.', name), ...limits].join(' '),
    );
    return;
  }
  const picked = await askPick({
    title: l10n.t('Conversations That Changed {0}', name),
    placeholder: limits.join(' ') || l10n.t('Select a conversation'),
    items: touches.found.map((touch) => ({
      ...choiceOf(touch.conversation),
      detail: touchWords(touch),
    })),
  });
  if (typeof picked === 'object') await showConversation(picked.conversation.id);
}

/** Undefined for a file that isn’t in an open repository. */
async function fileAt(uri: vscode.Uri): Promise<FileHere | undefined> {
  const [nearest] = await openRepositories(uri);
  const root = nearest && vscode.Uri.parse(nearest.root);
  if (!nearest || root?.scheme !== uri.scheme || !uri.path.startsWith(`${root.path}/`)) return undefined;
  const path = uri.path.slice(root.path.length + 1).normalize('NFC');
  return { remotes: nearest.remotes, path, fullPath: uri.fsPath };
}

function sourcesOf(conversations: ConversationModels): TouchSources {
  const changesOf = ({ id }: Conversation) => {
    const found = conversations.model(id);
    if (!found)
      throw new Refusal(l10n.t('Conversations of this service can only be continued in the browser.'));
    return found.changes;
  };
  return {
    fromEvents: async (conversation, signal) => {
      const source = await changesOf(conversation).fromEvents(signal);
      return [await source.list(signal)];
    },
    fromSandbox: async (conversation, signal) => {
      const read = await changesOf(conversation).repositories(signal);
      return read.map(({ changes }) => changes);
    },
  };
}

/** What couldn’t be found out, in sentences. */
function limitsOf({ unread, apart }: Touches, asked: number, isAll: boolean): string[] {
  return [
    ...(isAll ? [] : [l10n.t('Only the latest conversations were checked ({0}).', asked)]),
    ...(apart > 0
      ? [l10n.t('Sandboxes that can’t be reached: {0}. What commands changed there isn’t known.', apart)]
      : []),
    ...(unread > 0 ? [l10n.t('Transcripts that couldn’t be read: {0}.', unread)] : []),
  ];
}

const kindWords: Readonly<Record<ChangeKind, () => string>> = {
  added: () => l10n.t('Added it'),
  deleted: () => l10n.t('Deleted it'),
  modified: () => l10n.t('Changed it'),
  renamed: () => l10n.t('Moved it'),
  modeChanged: () => l10n.t('Changed its mode'),
};

const touchWords = ({ kind, isOwn }: Touch) =>
  isOwn ? kindWords[kind]() : l10n.t('{0}, according to its sandbox', kindWords[kind]());
