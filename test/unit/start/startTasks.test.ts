import assert from 'node:assert/strict';
import type { StartTask } from '../../../src/api/service/schemas/startTask';
import { ApiError } from '../../../src/api/http/errors';
import { StartFailed } from '../../../src/features/start/model/startConversation';
import {
  Dismissed,
  NotFollowed,
  StartTasks,
  type BeginOptions,
  type StartTasksDependencies,
} from '../../../src/features/start/model/startTasks';
import { stepWords } from '../../../src/features/start/model/startWords';
import { aClient, anError, type FlatClient } from '../../support/builders/client';
import { aConversation } from '../../support/builders/records';
import { settled } from '../../support/settled';

const service = 'https://one.example.com';
const aTask = (status: string, values: Partial<StartTask> = {}): StartTask => ({
  id: 't-1',
  status,
  ...values,
});

/** Starts with a store that survives reloads; the test controls the time. */
function setUp(stored?: unknown, attempted?: StartTasksDependencies['attempted']) {
  const store = { value: stored };
  const waits: (() => void)[] = [];
  const create = () =>
    new StartTasks({
      read: () => store.value,
      // Like the editor's memento.
      write: (value) => (store.value = JSON.parse(JSON.stringify(value)) as unknown),
      newId: () => `s-${++ids}`,
      now: () => 1_000,
      wait: (_ms, signal) =>
        new Promise<void>((resolve, reject) => {
          waits.push(resolve);
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        }),
      ...(attempted && { attempted }),
      describe: (error) => (error as Error).message,
    });
  let ids = 0;
  const tick = async () => {
    for (const resolve of waits.splice(0)) resolve();
    await settled();
  };
  /** Closes the window: its pending waits never end. */
  const close = () => (waits.length = 0);
  return { store, create, tick, close };
}

/** A client whose task returns `answers` one after the other. */
const taskClient = (answers: (StartTask | null)[]): FlatClient =>
  aClient({
    baseUrl: service,
    createConversation: () => Promise.resolve({ kind: 'task', task: aTask('WORKING') }),
    getStartTask: () => Promise.resolve(answers.shift() ?? null),
  });
const choice: BeginOptions['choice'] = { place: { kind: 'default' } };
const begin = (client: FlatClient, values: Partial<BeginOptions> = {}): BeginOptions => ({
  client,
  choice,
  label: 'Mend it',
  message: 'Mend it, please',
  ...values,
});
const ready = aTask('READY', { app_conversation_id: 'c-9' });

describe('conversation starts', () => {
  it('still say after a reload that they led to an attempt', async () => {
    const attempted: unknown[] = [];
    const { create, tick, close } = setUp(undefined, (...told) => attempted.push(told));
    const attempt = { group: 'g-1', label: 'Attempt 1' };
    create().begin(begin(taskClient([aTask('WORKING')]), { attempt }));
    await tick();
    close();
    const later = create();
    assert.deepEqual(later.of(service)[0]?.attempt, attempt);
    void later.resume(taskClient([ready]));
    await tick();
    assert.deepEqual(attempted, [[service, 'c-9', attempt]]);
  });

  it('are listed until the conversation exists', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const steps: string[] = [];
    const { ended } = starts.begin(
      begin(taskClient([aTask('PREPARING_REPOSITORY'), ready]), { report: ({ kind }) => steps.push(kind) }),
    );
    await settled();
    assert.deepEqual(
      starts.of(service).map(({ label, step, failure }) => ({ label, step, failure })),
      [
        {
          label: 'Mend it',
          step: {
            kind: 'task',
            status: 'WORKING',
            detail: undefined,
            sandboxId: undefined,
            begunAt: undefined,
          },
          failure: undefined,
        },
      ],
    );
    assert.deepEqual(starts.of('https://other.example.com'), []);
    await tick();
    await tick();
    assert.equal(await ended, 'c-9');
    assert.deepEqual(starts.of(service), []);
    assert.deepEqual(steps, ['creating', 'task', 'task']);
  });

  it('stay listed with reason and message after a failure, until dismissed', async () => {
    const { store, create } = setUp();
    const starts = create();
    const client = aClient({
      baseUrl: service,
      createConversation: () =>
        Promise.resolve({ kind: 'task', task: aTask('ERROR', { detail: 'no such repository' }) }),
    });
    await assert.rejects(starts.begin(begin(client)).ended, StartFailed);
    const [failed] = create().of(service);
    assert.equal(failed?.failure, 'no such repository');
    assert.equal(failed.message, 'Mend it, please');
    starts.dismiss(failed.id);
    assert.deepEqual(starts.of(service), []);
    assert.deepEqual(store.value, { starts: [], ended: [] });
  });

  it('are dismissed one at a time', async () => {
    const starts = setUp().create();
    const client = aClient({
      baseUrl: service,
      createConversation: () => Promise.resolve({ kind: 'task', task: aTask('ERROR') }),
    });
    for (const _ of ['first', 'second']) await assert.rejects(starts.begin(begin(client)).ended, StartFailed);
    const [first, second] = starts.of(service);
    assert.ok(first && second);
    starts.dismiss(first.id);
    assert.deepEqual(starts.of(service), [second]);
  });

  it('count as not started for their attempts, once they have failed', async () => {
    const starts = setUp().create();
    const task = aTask('ERROR', { detail: 'no such repository' });
    const client = aClient({
      baseUrl: service,
      createConversation: () => Promise.resolve({ kind: 'task', task }),
    });
    const begun = starts.begin(begin(client, { attempt: { group: 'g-1', label: '' } }));
    const count = () => ['g-1', 'g-2', undefined].map((group) => starts.notStarted(service, [group]));
    assert.deepEqual(count(), [0, 0, 0]);
    await assert.rejects(begun.ended, StartFailed);
    await assert.rejects(starts.begin(begin(client)).ended, StartFailed);
    assert.deepEqual(count(), [1, 0, 0]);
  });

  it('are tried again in place with another message and the same options, even after a reload', async () => {
    const { create, tick } = setUp();
    const requests: unknown[] = [];
    const answers = [aTask('ERROR', { detail: 'no such repository' }), ready];
    const client = aClient({
      baseUrl: service,
      createConversation: (request) => {
        requests.push(request);
        return Promise.resolve({ kind: 'task', task: answers.shift() ?? ready });
      },
    });
    const chosen = { ...choice, repository: 'acme/shop', model: 'large' };
    await assert.rejects(create().begin(begin(client, { choice: chosen })).ended, StartFailed);
    const starts = create();
    assert.equal(starts.retry('s-9', client, 'Mend it'), undefined);
    const other = aClient({ baseUrl: 'https://two.example.com' });
    assert.equal(starts.retry('s-1', other, 'Mend it'), undefined);
    const again = starts.retry('s-1', client, 'Mend it now');
    assert.equal(starts.get('s-1')?.failure, undefined);
    assert.equal(starts.retry('s-1', client, 'Twice'), undefined, 'it is under way');
    await tick();
    assert.equal(await again?.ended, 'c-9');
    const options = { selected_repository: 'acme/shop', llm_model: 'large' };
    assert.deepEqual(
      requests,
      ['Mend it, please', 'Mend it now'].map((text) => ({
        initial_message: { role: 'user', content: [{ type: 'text', text }] },
        ...options,
      })),
    );
    assert.equal(starts.conversationOf('s-1'), 'c-9');
  });

  it('have no message in the request that is sent later, also when tried again', async () => {
    const { create } = setUp();
    const requests: unknown[] = [];
    const client = aClient({
      baseUrl: service,
      createConversation: (request) => {
        requests.push(request);
        return Promise.resolve({ kind: 'task', task: aTask('ERROR') });
      },
    });
    const starts = create();
    await assert.rejects(starts.begin(begin(client, { isMessageLater: true })).ended, StartFailed);
    await assert.rejects(starts.retry('s-1', client, 'Other')?.ended ?? Promise.resolve(), StartFailed);
    assert.deepEqual(requests, [{}, {}]);
    assert.equal(starts.get('s-1')?.message, 'Other');
  });

  it('remember their steps once each, with the time', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const { id } = starts.begin(
      begin(
        taskClient([
          aTask('PREPARING_REPOSITORY'),
          aTask('PREPARING_REPOSITORY'),
          aTask('SETTING_UP_SKILLS'),
        ]),
      ),
    );
    await settled();
    for (let ticks = 0; ticks < 3; ticks += 1) await tick();
    assert.deepEqual(
      starts.get(id)?.course.map(({ step, at }) => [stepWords(step), at]),
      [
        ['Sending request…', 1_000],
        ['Request accepted…', 1_000],
        ['Preparing repository…', 1_000],
        ['Setting up skills…', 1_000],
      ],
    );
  });

  it('remember the last of very many steps', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const statuses = Array.from({ length: 60 }, (_, at) =>
      aTask(at % 2 === 0 ? 'PREPARING_REPOSITORY' : 'SETTING_UP_SKILLS'),
    );
    const { id } = starts.begin(begin(taskClient(statuses)));
    await settled();
    while (statuses.length > 0) await tick();
    const course = starts.get(id)?.course ?? [];
    assert.deepEqual([course.length, stepWords(course.at(-1)!.step)], [50, 'Setting up skills…']);
  });

  it('are followed after a window reload', async () => {
    const { store, create, tick, close } = setUp();
    create().begin(begin(taskClient([])));
    await settled();
    close();
    const next = create();
    assert.equal(next.of(service)[0]?.taskId, 't-1');
    const client = taskClient([aTask('STARTING_CONVERSATION'), ready]);
    const all = next.resume(client);
    await settled();
    assert.equal((next.of(service)[0]?.step as { status: string }).status, 'STARTING_CONVERSATION');
    assert.equal(await next.resume(client), false, 'already followed');
    await tick();
    assert.equal(await all, true);
    assert.deepEqual(store.value, {
      starts: [],
      ended: [{ conversationId: 'c-9', label: 'Mend it', startId: 's-1' }],
    });
  });

  it('label the conversation, even after a reload', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const { ended } = starts.begin(begin(taskClient([ready])));
    assert.equal(starts.startedAs('c-9'), undefined);
    await settled();
    await tick();
    await ended;
    assert.equal(starts.startedAs('c-9'), 'Mend it');
    assert.equal(create().startedAs('c-9'), 'Mend it');
    assert.equal(create().startedAs('c-1'), undefined);
    assert.equal(create().conversationOf('s-1'), 'c-9');
    assert.equal(create().conversationOf('s-2'), undefined);
  });

  it('are found by what follows them, also without a title or message', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const { id, ended } = starts.begin(begin(taskClient([ready]), { label: '', message: '' }));
    await settled();
    await tick();
    await ended;
    assert.equal(create().conversationOf(id), 'c-9');
    assert.equal(starts.startedAs('c-9'), undefined);
  });

  it('are followed if stored by an earlier version', () => {
    const { create } = setUp([{ id: 's-1', service, label: 'Old', message: '', taskId: 't-1' }]);
    assert.deepEqual(
      create()
        .of(service)
        .map(({ label, taskId }) => [label, taskId]),
      [['Old', 't-1']],
    );
  });

  it('match the listed conversation until they are done', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const created_at = '2026-01-01T10:00:00.000001';
    const starting = aTask('STARTING_CONVERSATION', { sandbox_id: 'sb-1', created_at });
    const { ended } = starts.begin(begin(taskClient([starting, ready])));
    await settled();
    await tick();
    const record = aConversation({ id: 'c-9', sandbox_id: 'sb-1', created_at: '2026-01-01T10:00:09Z' });
    assert.deepEqual([...starts.underWay(service, [record])], ['c-9']);
    await tick();
    await ended;
    assert.deepEqual([...starts.underWay(service, [record])], []);
  });

  it('set the chosen title', async () => {
    const { create, tick } = setUp();
    const renamed: string[][] = [];
    const client = aClient({
      baseUrl: service,
      createConversation: () => Promise.resolve({ kind: 'task', task: ready }),
      renameConversation: (id, title) => {
        renamed.push([id, title]);
        return Promise.resolve(undefined);
      },
    });
    await create().begin(begin(client, { choice: { ...choice, title: 'Chosen' }, message: '' })).ended;
    await settled();
    await tick();
    assert.deepEqual(renamed, [['c-9', 'Chosen']]);
  });

  for (const isRenamed of [false, true]) {
    const outcome = isRenamed ? 'leave a title that the user gives it' : 'replace the service’s title';
    it(`${outcome} soon after the start`, async () => {
      const { create, tick } = setUp();
      const renamed: string[] = [];
      const client = aClient({
        baseUrl: service,
        createConversation: () => Promise.resolve({ kind: 'task', task: ready }),
        renameConversation: (_id, title) => Promise.resolve(void renamed.push(title)),
        listConversations: () =>
          Promise.resolve({ items: [aConversation({ id: 'c-9', title: 'Another' })], nextPageId: null }),
      });
      const starts = create();
      await starts.begin(begin(client, { choice: { ...choice, title: 'Chosen' } })).ended;
      await settled();
      if (isRenamed) starts.titles.leave('c-9');
      await tick();
      assert.deepEqual(renamed, isRenamed ? ['Chosen'] : ['Chosen', 'Chosen']);
    });
  }

  it('don’t set a title the service accepts with the request', async () => {
    const { create } = setUp();
    let renames = 0;
    const client = aClient({
      baseUrl: service,
      createConversation: () => Promise.resolve({ kind: 'conversation', conversation: { id: 'c-9' } }),
      renameConversation: () => Promise.resolve(void (renames += 1)),
    });
    await create().begin(begin(client, { choice: { ...choice, title: 'Chosen' }, message: '' })).ended;
    await settled();
    assert.equal(renames, 0);
  });

  it('are polled less often when slow', async () => {
    const pauses: number[] = [];
    const starts = new StartTasks({
      read: () => undefined,
      write: () => undefined,
      newId: () => 's-1',
      now: () => 0,
      wait: (ms) => Promise.resolve(pauses.push(ms)),
      describe: String,
    });
    const answers: StartTask[] = [...Array<StartTask>(184).fill(aTask('WORKING')), ready];
    await starts.begin(begin(taskClient(answers))).ended;
    assert.deepEqual(pauses.slice(178, 183), [1_000, 1_000, 10_000, 10_000, 10_000]);
  });

  it('are followed with the latest client of their service', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const oldKey = aClient({
      baseUrl: service,
      createConversation: () => Promise.resolve({ kind: 'task', task: aTask('WORKING') }),
      getStartTask: () => Promise.reject(anError('unauthorized', 401)),
    });
    const { ended } = starts.begin(begin(oldKey));
    await settled();
    await tick();
    assert.deepEqual(
      starts.of(service).map(({ step, failure }) => [step.kind, failure]),
      [['unanswered', undefined]],
    );
    await starts.resume(taskClient([ready]));
    await tick();
    assert.equal(await ended, 'c-9');
    assert.deepEqual(starts.of(service), []);
  });

  it('truncate the failure reason, even if already stored', async () => {
    const { store, create } = setUp();
    const long = 'x'.repeat(5_000_000);
    const client = aClient({ baseUrl: service, createConversation: () => Promise.reject(new Error(long)) });
    await assert.rejects(create().begin(begin(client)).ended);
    assert.ok(JSON.stringify(store.value).length < 2_000);
    const stored = [{ id: 's-9', service, label: 'A', message: 'A', failure: long }];
    const failure = setUp(stored).create().of(service)[0]?.failure ?? '';
    assert.ok(failure.length > 0 && failure.length <= 1_000);
  });

  it('are marked as unknown if the service may have accepted them', async () => {
    const { create } = setUp();
    const lost = new ApiError('reset', 'POST', '/api/v1/app-conversations', { outcomeUnknown: true });
    const failWith = async (error: Error) => {
      const starts = create();
      const client = aClient({ baseUrl: service, createConversation: () => Promise.reject(error) });
      await assert.rejects(starts.begin(begin(client)).ended, error);
      return create().of(service)[0]?.unknown;
    };
    assert.equal(await failWith(lost), true);
    assert.equal(await failWith(anError('refused')), false);
    const refused = new ApiError('invalid', 'POST', '/api/v1/app-conversations', { status: 422 });
    assert.equal(await failWith(refused), false);
    // A sandbox may be starting, but no conversation.
    const sandbox = new ApiError('timeout', 'POST', '/api/v1/sandboxes', { outcomeUnknown: true });
    assert.equal(await failWith(sandbox), false);
  });

  it('remember that pausing a sandbox helps', async () => {
    const { create } = setUp();
    const limit = new ApiError('rateLimited', 'POST', '/api/v1/app-conversations', { status: 429, limit: 2 });
    const failWith = async (error: Error) => {
      const starts = create();
      const client = aClient({ baseUrl: service, createConversation: () => Promise.reject(error) });
      await assert.rejects(starts.begin(begin(client)).ended, error);
      return create().of(service)[0]?.overLimit;
    };
    assert.equal(await failWith(limit), true);
    assert.equal(await failWith(anError('refused')), false);
  });

  it('are unknown after a reload while they were being sent', async () => {
    const { store, create } = setUp();
    const answers: ((answer: Awaited<ReturnType<FlatClient['createConversation']>>) => void)[] = [];
    const client = aClient({
      baseUrl: service,
      createConversation: () => new Promise((resolve) => answers.push(resolve)),
    });
    const starts = create();
    const { ended } = starts.begin(begin(client));
    await settled();
    assert.equal(starts.of(service)[0]?.failure, undefined, 'it still waits for the answer');
    const next = create();
    assert.deepEqual(
      next.of(service).map(({ message, unknown }) => [message, unknown]),
      [['Mend it, please', true]],
    );
    assert.match(next.of(service)[0]?.failure ?? '', /^The window closed before the service answered/);
    assert.equal(await next.resume(client), false, 'there is nothing to follow');
    answers[0]?.({ kind: 'conversation', conversation: { id: 'c-9' } });
    assert.equal(await ended, 'c-9');
    assert.deepEqual((store.value as { starts: unknown[] }).starts, []);
  });

  it('don’t poll another service', async () => {
    const { create } = setUp();
    create().begin(begin(taskClient([])));
    await settled();
    assert.equal(await create().resume(aClient({ baseUrl: 'https://other.example.com' })), false);
  });

  it('end if canceled before the service accepts them, and keep their message if the window closes before', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const paused = { id: 'sb-1', status: 'STARTING' };
    const client = aClient({
      baseUrl: service,
      searchSandboxes: () => Promise.resolve({ items: [paused], nextPageId: null }),
    });
    const start = starts.begin(begin(client, { choice: { place: { kind: 'existing', sandboxId: 'sb-1' } } }));
    await settled();
    const [left] = create().of(service);
    assert.equal(left?.message, 'Mend it, please');
    assert.match(left.failure ?? '', /so it wasn’t started/);
    assert.equal(left.unknown, false);
    assert.equal(start.giveUp(), 'ended');
    await assert.rejects(start.ended, Dismissed);
    await tick();
    assert.deepEqual(starts.of(service), []);
  });

  it('end as unknown if canceled in flight', async () => {
    const starts = setUp().create();
    const client = aClient({
      baseUrl: service,
      createConversation: (_request, signal) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    });
    const start = starts.begin(begin(client));
    await settled();
    assert.equal(start.giveUp(), 'unknown');
    await assert.rejects(start.ended, Dismissed);
    assert.deepEqual(starts.of(service), []);
  });

  it('continue and are followed if canceled after the service accepted them', async () => {
    const { create, tick } = setUp();
    const starts = create();
    let accepted = 0;
    const start = starts.begin(begin(taskClient([ready]), { accepted: () => (accepted += 1) }));
    await settled();
    assert.equal(accepted, 1);
    assert.equal(start.giveUp(), 'goesOn');
    assert.equal(starts.of(service).length, 1);
    await tick();
    assert.equal(await start.ended, 'c-9');
  });

  it('are no longer followed after they are dismissed', async () => {
    const starts = setUp().create();
    const start = starts.begin(begin(taskClient([])));
    await settled();
    assert.equal(starts.dismiss(start.id), 'goesOn');
    await assert.rejects(start.ended, Dismissed);
    assert.deepEqual(starts.of(service), []);
  });

  it('are ignored if stored in an unknown format', () => {
    assert.deepEqual(setUp({ no: 'list' }).create().of(service), []);
    assert.deepEqual(
      setUp([{ id: 7 }])
        .create()
        .of(service),
      [],
    );
  });

  it('aren’t unknown while they’re in progress', () => {
    const starts = setUp().create();
    starts.begin(begin(taskClient([])));
    assert.equal(starts.of(service)[0]?.unknown, false);
  });

  it('wait at a state that isn’t known yet after a reload', () => {
    const { create } = setUp([{ id: 's-1', service, label: 'Old', message: '', taskId: 't-1' }]);
    assert.deepEqual(create().of(service)[0]?.step, { kind: 'task', status: '', detail: undefined });
  });

  for (const titled of [{}, { title: '' }]) {
    it(`leave the title to the service when none was chosen, as in ${JSON.stringify(titled)}`, async () => {
      let renames = 0;
      const client = aClient({
        baseUrl: service,
        createConversation: () => Promise.resolve({ kind: 'task', task: ready }),
        renameConversation: () => Promise.resolve(void (renames += 1)),
      });
      await setUp()
        .create()
        .begin(begin(client, { choice: { ...choice, ...titled } })).ended;
      await settled();
      assert.equal(renames, 0);
    });
  }

  it('continue without a failure when the session key ends, and are followed with the next', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const revoked = aClient({
      baseUrl: service,
      createConversation: () => Promise.resolve({ kind: 'task', task: aTask('WORKING') }),
      getStartTask: () => Promise.reject(anError('keyRevoked')),
    });
    const { ended } = starts.begin(begin(revoked));
    const left = assert.rejects(ended, NotFollowed);
    await settled();
    await tick();
    await left;
    assert.deepEqual(
      starts.of(service).map(({ taskId, failure }) => [taskId, failure]),
      [['t-1', undefined]],
    );
    const followed = starts.resume(taskClient([ready]));
    await tick();
    assert.equal(await followed, true);
    assert.equal(starts.conversationOf('s-1'), 'c-9');
  });

  it('fail when the session key ends before the service accepts them', async () => {
    const starts = setUp().create();
    const revoked = anError('keyRevoked');
    const client = aClient({ baseUrl: service, createConversation: () => Promise.reject(revoked) });
    await assert.rejects(starts.begin(begin(client)).ended, revoked);
    assert.match(starts.of(service)[0]?.failure ?? '', /keyRevoked/);
  });

  it('don’t take the conversation of an earlier start in the same sandbox for theirs', async () => {
    const { create, tick } = setUp();
    const starts = create();
    const created_at = '2026-01-01T10:00:00';
    const starting = aTask('STARTING_CONVERSATION', { sandbox_id: 'sb-1', created_at });
    const first = starts.begin(begin(taskClient([ready])));
    await settled();
    await tick();
    await first.ended;
    starts.begin(begin(taskClient([starting])));
    await settled();
    const record = { sandbox_id: 'sb-1', created_at: '2026-01-01T10:00:09Z' };
    const [earlier, own] = [
      aConversation({ id: 'c-9', ...record }),
      aConversation({ id: 'c-10', ...record }),
    ];
    // The first client of a service is replaced by the latest.
    await tick();
    assert.deepEqual([...starts.underWay(service, [earlier])], []);
    assert.deepEqual([...starts.underWay(service, [earlier, own])], ['c-10']);
  });

  it('have ended if they aren’t in the list anymore', () => {
    assert.equal(setUp().create().dismiss('s-7'), 'ended');
  });
});
