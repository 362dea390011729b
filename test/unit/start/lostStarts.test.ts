import assert from 'node:assert/strict';
import { ApiError, type ErrorReason } from '../../../src/api/http/errors';
import type { AgentServerCalls } from '../../../src/api/service/agentServerStart';
import { startOnAgentServer } from '../../../src/features/start/model/agentStart';
import type { AgentChoice } from '../../../src/features/start/model/choice';
import { StartFailed } from '../../../src/features/start/model/startConversation';
import { aClient } from '../../support/builders/client';

const id = '01234567-89ab-cdef-0123-456789abcdef';
const failed = (reason: ErrorReason, status?: number, outcomeUnknown = false, serverText?: string) =>
  new ApiError(reason, 'POST', '/api/conversations', { status, outcomeUnknown, serverText });
const lost = failed('reset', undefined, true);
const crashed = failed('serverError', 500, true);
const limited = failed('rateLimited', 429);
const unsent = failed('refused');
const refused = failed('invalid', 422);

/** What a server does: answers to starts and to looks for the conversation, in order; the last one also from then on. */
interface Answers {
  starts: ('started' | ApiError)[];
  looks?: ('there' | 'not there' | ApiError)[];
  deletion?: ApiError;
  plugin?: Error;
  model?: ApiError;
  hasModel?: boolean;
  /** What is wrong with the agent otherwise. */
  problem?: string;
  message?: string;
}

/** Starts a conversation. Tells how that ended, and what happened meanwhile. */
async function start(
  { starts, looks = ['not there'], ...answers }: Answers,
  more: Partial<AgentChoice> = {},
) {
  const log: string[] = [];
  const next = <T>(all: T[]): T => (all.length > 1 ? all.shift()! : all[0]!);
  const answer = <T>(told: Error | undefined, value: T): Promise<T> =>
    told ? Promise.reject(told) : Promise.resolve(value);
  const server: Partial<AgentServerCalls> = {
    checkAgentProfile: () => {
      const hasModel = answers.hasModel ?? true;
      return Promise.resolve({
        isValid: hasModel && !answers.problem,
        errors: answers.problem ? [answers.problem] : [],
        hasModel,
        hasKey: true,
        missingServers: [],
      });
    },
    findPlugin: () => answer(answers.plugin, undefined),
    readFolder: () => Promise.resolve({ kind: 'missing' }),
    readHooks: () => Promise.resolve(undefined),
    start: () => {
      log.push('start');
      const told = next(starts);
      return answer(told === 'started' ? undefined : told, id);
    },
    beginWith: (_id, _model, runs) => {
      if (!runs) log.push('without a message');
      return answer(answers.model, undefined);
    },
  };
  const client = aClient({
    getConversation: () => {
      log.push('look');
      const told = next(looks);
      return answer(told instanceof Error ? told : undefined, told === 'there' ? { id } : null);
    },
    deleteConversation: () => {
      log.push('delete');
      return answer(answers.deletion, undefined);
    },
  });
  const ended = await startOnAgentServer({
    ...{ client, server: server as AgentServerCalls, id, message: answers.message ?? 'Fix it.' },
    choice: { folder: '/w', isWorktree: false, profile: { id: 'p', name: 'default' }, ...more },
    held: () => log.push('held'),
    report: ({ kind }) => kind === 'unanswered' && log.push('unanswered'),
    signal: new AbortController().signal,
    wait: () => Promise.resolve(),
  }).catch((error: unknown) => error);
  return { ended, log: log.join(' ') };
}

describe('a start on an agent server whose answer says little', () => {
  it('is the conversation that’s there by then', async () => {
    for (const error of [lost, unsent])
      assert.deepEqual(await start({ starts: [error], looks: ['there'] }), { ended: id, log: 'start look' });
    const busy = { ended: id, log: 'start look held' };
    assert.deepEqual(await start({ starts: [limited], looks: ['there'] }), busy);
  });

  it('is tried three times if there’s none, or nobody can look', async () => {
    const thrice = 'start look unanswered start look unanswered start look';
    for (const looks of [['not there' as const], [unsent]])
      assert.deepEqual(await start({ starts: [unsent], looks }), { ended: unsent, log: thrice });
    assert.equal((await start({ starts: [unsent, 'started'] })).ended, id);
  });

  it('failed as its first lost answer says, whatever comes later', async () => {
    for (const later of [unsent, limited, refused])
      assert.equal((await start({ starts: [lost, later], looks: [unsent] })).ended, lost);
  });

  it('is in doubt where too many agents work, and nobody can look', async () => {
    const ended = async (look: 'not there' | ApiError) => {
      const { ended: error } = await start({ starts: [limited], looks: [look] });
      assert.ok(error instanceof ApiError);
      return [error.status, error.outcomeUnknown];
    };
    assert.deepEqual(
      [await ended('not there'), await ended(unsent)],
      [
        [429, false],
        [429, true],
      ],
    );
  });

  it('leaves nothing after a crash, which isn’t tried again', async () => {
    const once = { ended: crashed, log: 'start look' };
    assert.deepEqual(await start({ starts: [crashed], looks: ['not there'] }), once);
    for (const deletion of [undefined, unsent]) {
      const answers = { starts: [crashed], looks: ['there' as const], ...(deletion && { deletion }) };
      assert.deepEqual(await start(answers), { ended: crashed, log: 'start look delete' });
    }
  });

  it('isn’t looked for after a refusal', async () => {
    assert.deepEqual(await start({ starts: [refused] }), { ended: refused, log: 'start' });
  });

  it('leaves nothing if its model isn’t taken, and is held where too many agents work', async () => {
    const starts = ['started' as const];
    const with_ = (model: ApiError, deletion?: ApiError) =>
      start({ starts, model, ...(deletion && { deletion }) }, { agentModel: 'opus' });
    assert.deepEqual(await with_(refused), { ended: refused, log: 'start delete' });
    assert.deepEqual(await with_(refused, unsent), { ended: refused, log: 'start delete' });
    assert.deepEqual(await with_(limited), { ended: id, log: 'start held' });
    const silent = await start({ starts, message: '' }, { agentModel: 'opus' });
    assert.deepEqual(silent, { ended: id, log: 'start without a message' });
    // Without one, nothing of that happens.
    assert.equal((await start({ starts, model: refused })).ended, id);
  });

  it('needs a model: the agent’s, or one that was chosen', async () => {
    const starts = ['started' as const];
    const without = await start({ starts, hasModel: false });
    assert.ok(without.ended instanceof StartFailed);
    assert.match(without.ended.message, /Select another model or agent\.$/);
    const broken = await start({ starts, problem: 'no tools' }, { modelProfile: 'mine' });
    assert.ok(broken.ended instanceof StartFailed);
    assert.match(broken.ended.message, /no tools.*Select another agent\.$/);
    assert.equal((await start({ starts, hasModel: false }, { modelProfile: 'mine' })).ended, id);
  });

  it('fails with a plugin that the server can’t read, if it’s sure of that', async () => {
    const starts = ['started' as const];
    const plugins = [{ source: 'github:a/tools' }];
    const unread = failed('serverError', 502, false, 'no such repository');
    const { ended, log } = await start({ starts, plugin: unread }, { plugins });
    assert.ok(ended instanceof StartFailed);
    assert.deepEqual([/“github:a\/tools”.*[Nn]o such repository/.test(ended.message), log], [true, '']);
    for (const plugin of [unsent, failed('unauthorized', 401), new TypeError('a defect')])
      assert.equal((await start({ starts, plugin }, { plugins })).ended, plugin);
  });
});
