import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/http/errors';
import type { CommandDependencies } from '../../src/compose/commands/dependencies';
import { shelve } from '../../src/features/conversations/commands/marks';
import { rename } from '../../src/features/conversations/commands/rename';
import { deleteConversation } from '../../src/features/live/commands/delete';
import { aClient, anError } from '../support/builders/client';
import { aConversation, aList } from '../support/builders/records';
import { answering } from './answering';

const service = 'https://here.example';

describe('changes of conversations that fail', () => {
  const { showErrorMessage, showWarningMessage } = vscode.window;
  let asked: string[];
  let errors: string[];
  let warnings: string[];
  /** What the user picks of the next warnings. */
  let picks: string[];
  let failing: Record<string, ApiError | 'lost'>;
  let needs: CommandDependencies;

  const row = (id: string) => ({ ref: { kind: 'conversation', id } });
  const rows = ['one', 'two', 'three', 'four'].map(row);
  const answer = <T>(what: string, id: string, value: T): Promise<T> => {
    asked.push(`${what} ${id}`);
    const failure = failing[id];
    return failure instanceof ApiError ? Promise.reject(failure) : Promise.resolve(value);
  };

  beforeEach(() => {
    [asked, errors, warnings, picks, failing] = [[], [], [], [], {}];
    Object.assign(vscode.window, {
      // The user looks at it later.
      showErrorMessage: (message: string) => {
        errors.push(message);
        return new Promise(() => undefined);
      },
      showWarningMessage: (message: string, _options?: unknown, ...buttons: string[]) => {
        warnings.push(message);
        return Promise.resolve(_options === 'Try Again' ? picks.shift() : buttons[0]);
      },
    });
    const client = aClient({
      baseUrl: service,
      sandboxes: undefined,
      renameConversation: (id: string) => answer('rename', id, undefined),
      deleteConversation: (id: string) => answer('delete', id, undefined),
      settleTags: () => Promise.resolve('kept'),
    });
    const conversation = (id: string) => aConversation({ id, title: `Do ${id}` });
    needs = {
      session: { current: { kind: 'ready', client, connection: { baseUrl: service } } },
      model: {
        service,
        conversation,
        conversations: { state: aList([]) },
        refresh: () => answer('read', 'again', undefined),
      },
      others: { find: () => undefined },
      marks: { isUnread: () => true, acted: () => undefined },
      shelf: {
        put: (_: unknown, __: unknown, { id }: { id: string }) =>
          answer('put', id, failing[id] === 'lost' ? 'lost' : 'service'),
      },
      starts: { titles: { leave: () => undefined } },
      activeConversation: () => undefined,
      closeConversation: (id: string) => answer('close', id, undefined),
    } as unknown as CommandDependencies;
  });
  afterEach(() => Object.assign(vscode.window, { showErrorMessage, showWarningMessage }));

  const refused = anError('serverError', 500);

  it('keep no other one from being archived, and are named', async () => {
    failing = { one: refused, three: 'lost' };
    await shelve(needs, 'archived', true)(rows[0], rows);
    assert.deepEqual(asked, ['put one', 'put two', 'put three', 'put four', 'read again']);
    assert.match(errors.join('\n'), /^Couldn’t change “Do one”\. /);
    assert.deepEqual(warnings, ['The service didn’t keep the change to “Do three”.']);
  });

  it('can be tried again where the service kept others, without those', async () => {
    failing = { one: 'lost', three: 'lost' };
    picks = ['Try Again'];
    await shelve(needs, 'pinned', true)(rows[0], rows);
    while (asked.length < 8) await new Promise((resolve) => setImmediate(resolve));
    const all = [
      'put one',
      'put two',
      'put three',
      'put four',
      'put one',
      'put three',
      'read again',
      'read again',
    ];
    assert.deepEqual(asked.toSorted(), all.toSorted());
    assert.deepEqual(warnings, Array(2).fill('The service didn’t keep the change to “Do one”, “Do three”.'));
  });

  it('are the last ones if the service doesn’t answer', async () => {
    failing = { two: anError('refused') };
    await shelve(needs, 'archived', true)(rows[0], rows);
    assert.deepEqual(asked, ['put one', 'put two', 'read again']);
    assert.match(errors.join('\n'), /^Couldn’t change “Do two”, “Do three”, “Do four”\. /);
  });

  it('have the list read again before the user has seen the error', async () => {
    failing = { one: refused, two: refused };
    await deleteConversation(needs)(rows[0], [rows[1], rows[2]]);
    assert.deepEqual(asked, ['delete two', 'delete three', 'close three', 'read again']);
    assert.match(errors.join('\n'), /^Couldn’t delete “Do two”\. /);
    asked = [];
    await deleteConversation(needs)(rows[0]);
    assert.deepEqual(asked, ['delete one', 'read again']);
    asked = [];
    const { restore } = answering(['New name']);
    await rename(needs)(rows[0]).finally(restore);
    assert.deepEqual(asked, ['rename one', 'read again']);
    assert.equal(errors.length, 3);
  });
});
