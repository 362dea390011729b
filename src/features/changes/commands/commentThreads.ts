import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { changesScheme, commentControllerId } from '../../../ids';
import { thrownWords } from '../../../shared/thrown';
import { placeOf } from '../../targets';
import type { ChangeComment, ChangeComments } from '../model/changeComments';

type Log = Pick<vscode.LogOutputChannel, 'warn'>;

/** For the changes of all services: a second controller of the same name takes the place of the first in the editor. */
export function commentController(): vscode.CommentController {
  const controller = vscode.comments.createCommentController(
    commentControllerId,
    l10n.t('Comments for the Agent'),
  );
  controller.options = { prompt: l10n.t('Comment for the agent'), placeHolder: l10n.t('Comment') };
  controller.commentingRangeProvider = {
    provideCommentingRanges: ({ uri, lineCount }) =>
      uri.scheme === changesScheme ? [new vscode.Range(0, 0, lineCount - 1, 0)] : [],
  };
  return controller;
}

/** Comments on the lines of changes, in the editor’s own threads; each thread has one. */
export class CommentThreads {
  private readonly threads = new Map<string, vscode.CommentThread>();

  constructor(
    private readonly controller: vscode.CommentController,
    readonly comments: ChangeComments,
    private readonly service: string,
    log: Log,
  ) {
    for (const comment of comments.all) this.showStored(comment, log);
  }

  /** A comment that the editor refuses is kept, and doesn't hide the others. */
  private showStored(comment: ChangeComment, log: Log): void {
    try {
      const range = new vscode.Range(comment.firstLine - 1, 0, comment.lastLine - 1, 0);
      const uri = vscode.Uri.parse(comment.uri, true);
      if (uri.scheme !== changesScheme || !placeOf(uri)) throw new Error('not on a change');
      this.show(comment, this.controller.createCommentThread(uri, range, []));
    } catch (error) {
      log.warn(`Can’t show a stored comment: ${thrownWords(error)}`);
    }
  }

  /** Keeps what was typed into a thread. False if nothing was. */
  async add({ thread, text }: vscode.CommentReply): Promise<boolean> {
    const place = placeOf(thread.uri);
    const { range } = thread;
    if (!place || !range || text.trim() === '') return false;
    const document = await vscode.workspace.openTextDocument(thread.uri);
    const end = document.lineAt(Math.min(range.end.line, document.lineCount - 1)).range.end;
    const comment: ChangeComment = {
      id: `${Date.now()}-${this.threads.size}`,
      conversation: place.conversation,
      uri: thread.uri.toString(),
      path: thread.uri.path.slice(1),
      language: document.languageId,
      firstLine: range.start.line + 1,
      lastLine: range.end.line + 1,
      code: document.getText(new vscode.Range(range.start.with(undefined, 0), end)),
      text,
    };
    this.comments.add(comment);
    // A second comment on the same lines gets a thread of its own.
    const isFree = thread.comments.length === 0;
    this.show(comment, isFree ? thread : this.controller.createCommentThread(thread.uri, range, []));
    return true;
  }

  remove(ids: readonly string[]): void {
    this.comments.remove(ids);
    for (const id of ids) {
      this.threads.get(id)?.dispose();
      this.threads.delete(id);
    }
  }

  private show({ id, text }: ChangeComment, thread: vscode.CommentThread): void {
    const { service } = this;
    const shown: vscode.Comment & { id: string; service: string } = {
      id,
      service,
      body: text,
      mode: vscode.CommentMode.Preview,
      author: { name: l10n.t('You') },
      label: l10n.t('not sent'),
      contextValue: 'unsent',
    };
    thread.comments = [shown];
    thread.canReply = false;
    thread.label = l10n.t('Comment for the agent');
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.threads.set(id, thread);
  }
}
