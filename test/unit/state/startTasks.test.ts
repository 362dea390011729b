import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/client';
import type { StartTask } from '../../../src/api/schemas/startTask';
import { ApiError } from '../../../src/api/errors';
import { StartFailed } from '../../../src/state/startConversation';
import { StartTasks, type BeginOptions } from '../../../src/state/startTasks';
import { aClient, anError } from '../../support/builders/client';

const service = 'https://one.example.com';
const settled = () => new Promise((resolve) => setImmediate(resolve));
const aTask = (status: string, values: Partial<StartTask> = {}): StartTask => ({
  id: 't-1',
  status,
  ...values,
});

/** Starts over a store that outlives them; time passes when the test says so. */
function setUp(stored?: unknown) {
  const store = { value: stored };
  const waits: (() => void)[] = [];
  const create = () =>
    new StartTasks({
      read: () => store.value,
      // As the editor's memento does.
      write: (value) => (store.value = JSON.parse(JSON.stringify(value)) as unknown),
      newId: () => `s-${++ids}`,
      wait: (_ms, signal) =>
        new Promise<void>((resolve, reject) => {
          waits.push(resolve);
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        }),
      describe: (error) => (error as Error).message,
    });
  let ids = 0;
  const tick = async () => {
    for (const resolve of waits.splice(0)) resolve();
    await settled();
  };
  /** The window closes: what waits there never goes on. */
  const close = () => (waits.length = 0);
  return { store, create, tick, close };
}

/** A service whose task says, one after the other, what `answers` holds. */
const taskClient = (answers: (StartTask | null)[]): ApiClient =>
  aClient({
    baseUrl: service,
    createConversation: () => Promise.resolve({ kind: 'task', task: aTask('WORKING') }),
    getStartTask: () => Promise.resolve(answers.shift() ?? null),
  });
const begin = (client: ApiClient, values: Partial<BeginOptions> = {}): BeginOptions => ({
  client,
  request: {},
  place: { kind: 'default' },
  label: 'Mend it',
  message: 'Mend it, please',
  ...values,
});
const ready = aTask('READY', { app_conversation_id: 'c-9' });

describe('starts of conversations', () => {
  it('are listed while they go on, and gone when the conversation is there', async () => {
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
          step: { kind: 'task', status: 'WORKING', detail: undefined },
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

  it('that fail stay, with the service’s words and the message, until they are dismissed', async () => {
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
    assert.deepEqual(store.value, []);
  });

  it('go on being followed by the window’s next life', async () => {
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
    assert.equal(await next.resume(client), false, 'followed already');
    await tick();
    assert.equal(await all, true);
    assert.deepEqual(store.value, []);
  });

  it('are followed with the newest client of their service', async () => {
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

  it('of which nobody knows whether the service took them say so', async () => {
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
  });

  it('of another service are not asked after', async () => {
    const { create } = setUp();
    create().begin(begin(taskClient([])));
    await settled();
    assert.equal(await create().resume(aClient({ baseUrl: 'https://other.example.com' })), false);
  });

  it('that the service has not taken end with the wish to wait, and are not kept', async () => {
    const { store, create, tick } = setUp();
    const starts = create();
    const paused = { id: 'sb-1', status: 'STARTING' };
    const client = aClient({
      baseUrl: service,
      searchSandboxes: () => Promise.resolve({ items: [paused], nextPageId: null }),
    });
    const start = starts.begin(begin(client, { place: { kind: 'existing', sandboxId: 'sb-1' } }));
    await settled();
    assert.deepEqual(store.value, []);
    assert.equal(start.giveUp(), 'ended');
    await assert.rejects(start.ended, { name: 'AbortError' });
    await tick();
    assert.deepEqual(starts.of(service), []);
  });

  it('that are on their way to the service end unknown', async () => {
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
    await assert.rejects(start.ended, { name: 'AbortError' });
    assert.deepEqual(starts.of(service), []);
  });

  it('that the service has taken go on when nobody waits, and are followed', async () => {
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

  it('are followed no more once dismissed', async () => {
    const starts = setUp().create();
    const start = starts.begin(begin(taskClient([])));
    await settled();
    starts.dismiss(start.id);
    await assert.rejects(start.ended, { name: 'AbortError' });
    assert.deepEqual(starts.of(service), []);
  });

  it('that were kept in another shape are left alone', () => {
    assert.deepEqual(setUp({ no: 'list' }).create().of(service), []);
    assert.deepEqual(
      setUp([{ id: 7 }])
        .create()
        .of(service),
      [],
    );
  });
});
