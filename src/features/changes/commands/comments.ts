import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import type { Handler } from '../../../editor/handler';
import { agreedTo } from '../../../editor/inputs';
import { changesScheme } from '../../../ids';
import { inQuestion } from '../../../shared/inQuestion';
import { effectWords } from '../../../shared/transcript';
import type { ConversationModel, Outcome } from '../../live';
import { chooseLive, type Live, titleOf, tell, workOn } from '../../live/editor';
import { conversationAt } from '../../targets';
import { whileHeld } from '../../targets/editor';
import { type ChangeComment, commentsMessage } from '../model/changeComments';
import type { ChangesNeeds } from './needs';

/** Comment on Changes: keeps what was typed into a thread; without one, opens a thread on the selected lines. */
export function comment({ commentThreads }: ChangesNeeds): Handler {
  return async (argument) => {
    if (!isReply(argument)) await vscode.commands.executeCommand('workbench.action.addComment');
    else if (!(await commentThreads(conversationOf(argument)?.service)?.add(argument)))
      void vscode.window.showWarningMessage(l10n.t('The comment is empty.'));
  };
}

/** Remove Comment: removes one that wasn’t sent. */
export function removeComment({ commentThreads }: ChangesNeeds): Handler {
  return (argument) => {
    const { id, service } = (argument ?? {}) as { id?: unknown; service?: unknown };
    if (typeof id === 'string')
      commentThreads(typeof service === 'string' ? service : undefined)?.remove([id]);
    return Promise.resolve();
  };
}

/** Send Comments…: all comments on the changes of a conversation, as one message. */
export function sendComments(needs: ChangesNeeds): Handler {
  return async (argument) => {
    const at = conversationOf(argument);
    const service = at?.service ?? needs.conversations.service;
    const threads = needs.commentThreads(service);
    if (isReply(argument) && argument.text.trim() !== '') await threads?.add(argument);
    const comments = threads?.comments;
    const id = at?.id ?? comments?.all.at(-1)?.conversation;
    const waiting = id === undefined ? [] : (comments?.of(id) ?? []);
    if (id === undefined || waiting.length === 0) {
      void vscode.window.showInformationMessage(
        l10n.t('There are no comments to send. Comment on a line of the changes first.'),
      );
      return;
    }
    const row = { ref: { kind: 'conversation', id, service } };
    await whileHeld(needs.conversations, [service], async () => {
      const live = await chooseLive(needs, row, { title: l10n.t('Send Comments') });
      if (live) await send(needs, live, waiting);
    });
  };
}

async function send(
  needs: ChangesNeeds,
  { model, service }: Live,
  comments: readonly ChangeComment[],
): Promise<void> {
  const text = commentsMessage(comments);
  const threads = needs.commentThreads(service);
  const outcome = await sent(model, text, comments.length);
  if (!outcome) return;
  if (outcome.kind === 'refused') {
    // The comments stay, so the same words aren't also kept as a message.
    const failed = model.head.outgoing.find((one) => one.state === 'failed' && one.text === text);
    if (failed) model.takeBack(failed.id);
  } else {
    threads?.remove(comments.map(({ id }) => id));
    if (!model.signal.aborted) await needs.showConversation(model.id, undefined, service);
  }
  tell(outcome);
}

/** Sends a message once the user has agreed to what that does now; shows progress only while there is any. */
async function sent(model: ConversationModel, text: string, count: number): Promise<Outcome | undefined> {
  const reading = l10n.t('Loading the conversation…');
  // Must still be as it was just read once the user has answered.
  const holder = model.keepCurrent();
  try {
    const isRead = await workOn(model, reading, () => Promise.resolve(true));
    if (!isRead || !(await agreed(model, count))) return undefined;
    return await workOn(model, l10n.t('Sending…'), () => model.send(text));
  } finally {
    holder.dispose();
  }
}

/** Asks, and asks again if sending would now do something else: the agent may be waiting for approval by then. */
async function agreed(model: ConversationModel, count: number): Promise<boolean> {
  const { sendEffect } = model.head;
  const name = inQuestion(titleOf(model));
  const isAgreed = await agreedTo(
    count === 1
      ? l10n.t('Send 1 comment to “{0}”?', name)
      : l10n.t('Send {0} comments to “{1}”?', count, name),
    effectWords[sendEffect](),
    l10n.t('Send'),
  );
  return isAgreed && (model.head.sendEffect === sendEffect || agreed(model, count));
}

function isReply(argument: unknown): argument is vscode.CommentReply {
  return typeof argument === 'object' && argument !== null && 'thread' in argument && 'text' in argument;
}

/** The conversation of a thread, of a list of changes, or of the changes in the active editor. */
function conversationOf(argument: unknown): ConversationAt | undefined {
  const { thread, uri } = (argument ?? {}) as Partial<vscode.CommentReply & vscode.CommentThread>;
  const list = argument instanceof vscode.Uri ? argument : undefined;
  const place = thread?.uri ?? uri ?? list ?? vscode.window.activeTextEditor?.document.uri;
  return place?.scheme === changesScheme ? conversationAt(place) : undefined;
}
