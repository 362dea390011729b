import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { changes } from '../../src/compose/changes';
import { Emitter } from '../../src/core/basics/emitter';
import type { ConversationModels } from '../../src/features/live';

describe('comments on the changes of several services', () => {
  const { createCommentController } = vscode.comments;
  const made: vscode.CommentController[] = [];

  before(() => {
    Object.assign(vscode.comments, {
      createCommentController: (...args: Parameters<typeof createCommentController>) => {
        const controller = createCommentController(...args);
        made.push(controller);
        return controller;
      },
    });
  });
  after(() => Object.assign(vscode.comments, { createCommentController }));

  it('share a controller: the editor has one of each name', () => {
    const changed = new Emitter<undefined>();
    const conversations = { service: 'https://one.example', onDidChange: changed.event };
    const parts = changes(
      conversations as unknown as ConversationModels,
      { get: () => undefined, update: () => Promise.resolve() } as unknown as vscode.Memento,
      vscode.Uri.file('/nowhere'),
      { set: () => undefined } as never,
      { warn: (message) => assert.fail(message) },
    );
    conversations.service = 'https://two.example';
    changed.fire(undefined);
    const [one, two] = ['https://one.example', 'https://two.example'].map((service) =>
      parts.commentThreads(service),
    );
    assert.ok(one && two && one !== two);
    assert.equal(new Set(made.map(({ id }) => id)).size, made.length);
    parts.dispose();
  });
});
