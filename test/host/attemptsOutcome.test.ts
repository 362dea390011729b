import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/http/errors';
import { followAttempts } from '../../src/features/start/commands/attemptsOutcome';
import { ToldLimits } from '../../src/features/start/model/toldLimits';
import { mayHaveStarted } from '../../src/features/start/model/startTasks';
import { errorWords } from '../../src/editor/errorText';
import { answering } from './answering';

const service = 'https://one.example.com';
const limit = new ApiError('rateLimited', 'POST', '/api/v1/app-conversations', {
  ...{ status: 429, serverText: 'At most 2', limit: 2 },
});

/** Follows attempts that end so; what was said, and the starts that were tried again, for whom wants that. */
async function followed(ends: (Error | 'started' | 'held')[], answer?: string) {
  const limits = new ToldLimits();
  const again: string[] = [];
  const id = (at: number) => `s-${at}`;
  const starts = {
    limits,
    get: (one: string) => {
      const error = ends[Number(one.slice(2))];
      return error instanceof Error
        ? {
            id: one,
            failure: mayHaveStarted(error) ? errorWords(error) : `${error.message}.`,
            unknown: mayHaveStarted(error),
            message: 'Mend it',
          }
        : undefined;
    },
    conversationOf: (one: string) => `c-${one}`,
    retry: (one: string) => {
      again.push(one);
      return { id: one, ended: Promise.resolve(`c-${one}`), giveUp: () => 'ended' };
    },
  };
  const needs = {
    starts,
    model: {
      refresh: () => Promise.resolve(),
      pending: { during: (ended: Promise<string>) => ended },
    },
    deliveries: { ofStart: () => undefined },
    session: { current: { kind: 'ready', client: {}, connection: {} } },
    run: () => Promise.resolve(),
  } as unknown as Parameters<typeof followAttempts>[0];
  const errors: string[] = [];
  const { said, restore } = answering([]);
  const { showErrorMessage } = vscode.window;
  Object.assign(vscode.window, {
    showErrorMessage: (words: string) => {
      errors.push(words);
      return Promise.resolve(errors.length === 1 ? answer : undefined);
    },
  });
  const begun = ends.map((end, at) => {
    if (end === 'held') limits.hold(service, id(at), limit);
    const ended = end instanceof Error ? Promise.reject(end) : Promise.resolve(`c-${at}`);
    return { id: id(at), ended, giveUp: () => 'ended' as const };
  });
  try {
    await followAttempts(needs, begun);
  } finally {
    restore();
    Object.assign(vscode.window, { showErrorMessage });
  }
  return { said, errors, again };
}

describe('the outcome of several attempts', () => {
  it('offers the one that failed again by itself', async () => {
    const { errors, again, said } = await followed(
      ['started', new Error('No such image'), 'started'],
      'Try Again',
    );
    assert.deepEqual(errors, ['1 of 3 attempts couldn’t start: No such image. The message is kept.']);
    assert.deepEqual(again, ['s-1']);
    assert.deepEqual(said, ['1 attempt has started.']);
  });

  it('says once to check those that may have started', async () => {
    const facts = { status: 500, outcomeUnknown: true };
    const lost = new ApiError('serverError', 'POST', '/api/v1/app-conversations', facts);
    const { errors } = await followed(['started', lost]);
    assert.match(errors[0] ?? '', /^1 of 2 attempts may have started: /);
    assert.equal(errors[0]?.match(/check/gi)?.length, 1, errors[0]);
  });

  it('says which the service refused for its limit, apart from others', async () => {
    const { errors, again } = await followed([limit, new Error('No such image'), limit], 'Try Again');
    assert.match(errors[0] ?? '', /^1 of 3 attempts couldn’t start: No such image/);
    assert.match(errors[1] ?? '', /^2 of 3 attempts couldn’t start because of the service’s limit: /);
    assert.deepEqual([errors.length, again], [2, ['s-1']]);
  });

  it('says which are there without their agents working', async () => {
    const { said, errors } = await followed(['started', 'held']);
    assert.deepEqual(errors, []);
    assert.match(
      said[0] ?? '',
      /^1 of 2 attempts were created, but their agents aren’t working: At most 2\. Resume them later\.$/,
    );
  });
});
