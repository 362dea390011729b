import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { apply } from '../../src/features/changes/commands/apply';
import { ask } from '../../src/features/live/commands/ask';
import { deleteConversation } from '../../src/features/live/commands/delete';
import { openAsText } from '../../src/features/live/commands/transcript';
import type { CommandDependencies } from '../../src/compose/commands/dependencies';
import { aClient } from '../support/builders/client';
import { aConversation } from '../support/builders/records';
import { answering } from './answering';
import { cancelingProgress, untilCanceled } from './canceling';

const connection = { name: 'Team', baseUrl: 'https://one.example.com', origin: 'https://one.example.com' };

describe('canceling a command on a conversation', () => {
  const { showErrorMessage } = vscode.window;
  let errors: string[];
  let answers: ReturnType<typeof answering>;
  let progress: ReturnType<typeof cancelingProgress>;

  beforeEach(() => {
    errors = [];
    answers = answering(['Which files have you changed so far?']);
    progress = cancelingProgress();
    Object.assign(vscode.window, {
      showErrorMessage: (message: string) => Promise.resolve(void errors.push(message)),
    });
  });
  afterEach(() => {
    progress.restore();
    answers.restore();
    Object.assign(vscode.window, { showErrorMessage });
  });

  const live = {
    id: 'c-1',
    signal: new AbortController().signal,
    isCurrent: true,
    readings: 1,
    head: { readAt: 1, problem: '', limit: 'none', title: 'Mend it' },
    keepCurrent: () => ({ dispose: () => undefined }),
    onDidChange: () => ({ dispose: () => undefined }),
    ask: (_question: string, signal: AbortSignal) => untilCanceled(signal),
    changes: { repositories: untilCanceled },
  };
  const needs = {
    activeTab: () => ({ id: 'c-1' }),
    conversations: {
      model: () => live,
      transcript: (_model: unknown, _format: unknown, signal: AbortSignal) => untilCanceled(signal),
    },
    model: { conversation: () => undefined },
    showDocument: () => assert.fail('there is nothing to show'),
  } as unknown as CommandDependencies;

  const commands = {
    'Asking the agent…': ask,
    'Reading the transcript…': openAsText,
    'Reading changes…': apply,
  };
  for (const [title, command] of Object.entries(commands)) {
    it(`shows no error (${title})`, async () => {
      await command(needs)();
      assert.deepEqual([progress.shown, errors, answers.said], [[title], [], []]);
    });
  }

  for (const [title, listings] of [
    ['Reading conversations…', 0],
    ['Deleting…', 1],
  ] as const) {
    it(`neither shows an error nor deletes anything (${title})`, async () => {
      let left: number = listings;
      const client = aClient({
        baseUrl: connection.baseUrl,
        sparesOthers: true,
        listConversations: (_query, signal) =>
          left-- > 0
            ? Promise.resolve({ items: [aConversation()], nextPageId: null })
            : untilCanceled(signal),
      });
      const closed: string[] = [];
      await deleteConversation({
        session: { current: { kind: 'ready', connection, client } },
        model: { conversation: () => aConversation(), refresh: () => Promise.resolve() },
        activeConversation: () => undefined,
        closeConversation: (id: string) => Promise.resolve(void closed.push(id)),
      } as unknown as CommandDependencies)({ ref: { kind: 'conversation', id: 'c-1' } });
      assert.deepEqual([progress.shown, errors, closed], [[title], [], []]);
      assert.equal(answers.said.length, listings, 'asked whether to delete it');
    });
  }
});
