import assert from 'node:assert/strict';
import type { Sandbox } from '../../../src/api/service/schemas/sandbox';
import { startTaskSchema, type StartTask } from '../../../src/api/service/schemas/startTask';
import {
  StartFailed,
  startConversation,
  type StartOptions,
  type StartStep,
} from '../../../src/features/start/model/startConversation';
import { anError, type FlatClient } from '../../support/builders/client';
import { aClient } from '../../support/builders/client';
import { aSandbox } from '../../support/builders/records';
import { settled } from '../../support/settled';

function setUp(methods: Partial<FlatClient>, values: Partial<StartOptions> = {}) {
  const client = aClient(methods);
  const steps: StartStep[] = [];
  const accepted: (string | undefined)[] = [];
  const options: StartOptions = {
    client,
    getStartTask: (...task) => client.getStartTask(...task),
    request: {},
    place: { kind: 'default' },
    accepted: (taskId) => accepted.push(taskId),
    report: (step) => steps.push(step),
    signal: new AbortController().signal,
    wait: (_ms, signal) => {
      signal.throwIfAborted();
      return Promise.resolve();
    },
    ...values,
  };
  return { steps, accepted, options };
}

const existing = { kind: 'existing', sandboxId: 'sb-1' } as const;
const conversation = { kind: 'conversation', conversation: { id: 'c-1' } } as const;
const page = (...items: Sandbox[]) => Promise.resolve({ items, nextPageId: null });

const task = (status: string, values: Partial<StartTask> = {}): StartTask => ({
  id: 't-1',
  status,
  ...values,
});

describe('starting a conversation', () => {
  it('asks for one new sandbox at a time, and passes over one that is canceled or fails', async () => {
    const asked: string[] = [];
    const answers = new Map<string, (failure?: Error) => void>();
    const client = aClient({
      startSandbox: (specId = '') =>
        new Promise((resolve, reject) => {
          asked.push(specId);
          answers.set(specId, (failure) => (failure ? reject(failure) : resolve(aSandbox({ id: specId }))));
        }),
      searchSandboxes: () => page(aSandbox({ id: 'first' }), aSandbox({ id: 'last' })),
      createConversation: () => Promise.resolve(conversation),
    });
    const canceling = new AbortController();
    const start = (specId: string, signal = new AbortController().signal) =>
      startConversation({
        ...setUp({}).options,
        client,
        place: { kind: 'new', specId },
        signal,
      });
    const first = start('first');
    const canceled = start('canceled', canceling.signal);
    const failed = start('failed');
    const last = start('last');
    await settled();
    canceling.abort(new Error('left'));
    await assert.rejects(canceled, /left/);
    assert.deepEqual(asked, ['first']);
    answers.get('first')?.();
    assert.equal(await first, 'c-1');
    await settled();
    assert.deepEqual(asked, ['first', 'failed']);
    answers.get('failed')?.(anError('serverError', 500));
    await assert.rejects(failed);
    await settled();
    answers.get('last')?.();
    assert.equal(await last, 'c-1');
    assert.deepEqual(asked, ['first', 'failed', 'last']);
  });

  it('follows the start task to its end and resolves to the conversation', async () => {
    const answers = [
      task('WAITING_FOR_SANDBOX'),
      task('STARTING_CONVERSATION'),
      task('READY', { app_conversation_id: 'c-9' }),
    ];
    const { steps, accepted, options } = setUp({
      createConversation: () => Promise.resolve({ kind: 'task', task: task('WORKING') }),
      getStartTask: () => Promise.resolve(answers.shift() ?? null),
    });
    assert.equal(await startConversation(options), 'c-9');
    assert.deepEqual(
      steps.map((step) => ('status' in step ? step.status : step.kind)),
      ['creating', 'WORKING', 'WAITING_FOR_SANDBOX', 'STARTING_CONVERSATION'],
    );
    assert.deepEqual(accepted, ['t-1']);
  });

  it('hazard: times of start tasks have no zone: takes them for UTC, wherever the user is', async () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'America/New_York';
    try {
      const created_at = '2026-03-01T10:00:00.123456';
      const answers = [
        task('WORKING', { created_at: `${created_at}Z` }),
        task('WORKING', { created_at: '2026-03-01T11:00:00.123+01:00' }),
        task('READY', { app_conversation_id: 'c-9' }),
      ];
      const { steps, options } = setUp({
        createConversation: () =>
          Promise.resolve({ kind: 'task', task: startTaskSchema.parse(task('WORKING', { created_at })) }),
        getStartTask: () => Promise.resolve(answers.shift() ?? null),
      });
      await startConversation(options);
      const times = steps.flatMap((step) => (step.kind === 'task' ? [step.begunAt] : []));
      assert.deepEqual(times, Array(3).fill(Date.UTC(2026, 2, 1, 10, 0, 0, 123)));
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('polls less and less often while the task’s progress is unavailable', async () => {
    const waits: number[] = [];
    const answers = [
      ...Array.from({ length: 6 }, () => anError('reset')),
      anError('unauthorized', 401),
      task('WORKING'),
      anError('serverError', 503),
      task('READY', { app_conversation_id: 'c-9' }),
    ];
    const { steps, options } = setUp(
      {
        createConversation: () => Promise.resolve({ kind: 'task', task: task('WORKING') }),
        getStartTask: () => {
          const answer = answers.shift();
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? null);
        },
      },
      { wait: (ms) => Promise.resolve(waits.push(ms)) },
    );
    assert.equal(await startConversation(options), 'c-9');
    assert.deepEqual(waits, [1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000, 1_000, 1_000]);
    assert.equal(steps.filter(({ kind }) => kind === 'unanswered').length, 8);
  });

  it('fails if the service lost the task', async () => {
    const { options } = setUp({
      createConversation: () => Promise.resolve({ kind: 'task', task: task('WORKING') }),
      getStartTask: () => Promise.resolve(null),
    });
    await assert.rejects(startConversation(options), StartFailed);
  });

  it('finishes immediately on a service without start tasks', async () => {
    const { accepted, options } = setUp({
      createConversation: () => Promise.resolve({ kind: 'conversation', conversation: { id: 'c-1' } }),
    });
    assert.equal(await startConversation(options), 'c-1');
    assert.deepEqual(accepted, [undefined]);
  });

  it('resumes a paused sandbox, and waits until it runs', async () => {
    const calls: string[] = [];
    const statuses = ['PAUSED', 'PAUSED', 'ERROR', 'RUNNING'];
    const { options } = setUp(
      {
        resumeSandbox: (id) => Promise.resolve(void calls.push(`resume ${id}`)),
        searchSandboxes: () => {
          const status = statuses.shift() ?? 'RUNNING';
          calls.push(status);
          return Promise.resolve({ items: [aSandbox({ status })], nextPageId: null });
        },
        createConversation: ({ sandbox_id }) => {
          calls.push(`create ${sandbox_id}`);
          return Promise.resolve({ kind: 'conversation', conversation: { id: 'c-1' } });
        },
      },
      { place: existing },
    );
    await startConversation(options);
    assert.deepEqual(calls, ['PAUSED', 'resume sb-1', 'PAUSED', 'ERROR', 'RUNNING', 'create sb-1']);
  });

  it('looks for the sandbox on every page', async () => {
    const { options } = setUp(
      {
        resumeSandbox: () => Promise.resolve(),
        searchSandboxes: (query) =>
          Promise.resolve(
            query?.pageId === 'p2'
              ? { items: [aSandbox()], nextPageId: null }
              : { items: [aSandbox({ id: 'other' })], nextPageId: 'p2' },
          ),
        createConversation: () => Promise.resolve({ kind: 'conversation', conversation: { id: 'c-1' } }),
      },
      { place: existing },
    );
    assert.equal(await startConversation(options), 'c-1');
  });

  it('polls only the sandbox’s page while waiting', async () => {
    const asked: (string | undefined)[] = [];
    const statuses = ['PAUSED', 'STARTING', 'STARTING', 'RUNNING'];
    const { options } = setUp(
      {
        resumeSandbox: () => Promise.resolve(),
        searchSandboxes: (query) => {
          asked.push(query?.pageId);
          return Promise.resolve(
            query?.pageId === 'p2'
              ? { items: [aSandbox({ status: statuses.shift() ?? 'RUNNING' })], nextPageId: 'p3' }
              : { items: [aSandbox({ id: 'other' })], nextPageId: 'p2' },
          );
        },
        createConversation: () => Promise.resolve(conversation),
      },
      { place: existing },
    );
    await startConversation(options);
    assert.deepEqual(asked, [undefined, 'p2', 'p2', 'p2', 'p2']);
  });

  it('truncates the service’s reason', async () => {
    const { options } = setUp({
      createConversation: () =>
        Promise.resolve({ kind: 'task', task: task('ERROR', { detail: 'trace '.repeat(1_000_000) }) }),
    });
    await assert.rejects(startConversation(options), (error: Error) => error.message.length <= 1_000);
  });

  it('fails with the service’s message if the task fails', async () => {
    const { options } = setUp({
      createConversation: () =>
        Promise.resolve({ kind: 'task', task: task('ERROR', { detail: 'no such repository' }) }),
    });
    await assert.rejects(
      startConversation(options),
      (error) => error instanceof StartFailed && error.message === 'no such repository',
    );
  });

  it('creates a sandbox from a spec, and waits until it runs', async () => {
    const calls: string[] = [];
    const statuses = ['STARTING', 'RUNNING'];
    const { options } = setUp(
      {
        startSandbox: (specId) => {
          calls.push(`start ${specId}`);
          return Promise.resolve(aSandbox({ id: 'fresh', status: 'STARTING' }));
        },
        searchSandboxes: () => page(aSandbox({ id: 'fresh', status: statuses.shift() ?? '' })),
        createConversation: ({ sandbox_id }) => {
          calls.push(`create ${sandbox_id}`);
          return Promise.resolve(conversation);
        },
      },
      { place: { kind: 'new', specId: 'agent:1.0' } },
    );
    await startConversation(options);
    assert.deepEqual(calls, ['start agent:1.0', 'create fresh']);
    assert.deepEqual(statuses, []);
  });

  for (const status of [null, 'ACTIVE']) {
    it(`lets the service decide whether a sandbox in state ${status} can be used`, async () => {
      const { options } = setUp(
        {
          searchSandboxes: () => page(aSandbox({ status })),
          createConversation: () => Promise.resolve(conversation),
        },
        { place: existing },
      );
      assert.equal(await startConversation(options), 'c-1');
    });
  }

  for (const [words, ...sandboxes] of [['gone'], ['missing', aSandbox({ status: 'MISSING' })]] as const) {
    it(`starts nothing in a sandbox that is ${words}`, async () => {
      const { options } = setUp({ searchSandboxes: () => page(...sandboxes) }, { place: existing });
      await assert.rejects(startConversation(options), StartFailed);
    });
  }

  it('fails if a resumed sandbox never runs', async () => {
    const { options } = setUp(
      {
        resumeSandbox: () => Promise.resolve(),
        searchSandboxes: () => Promise.resolve({ items: [aSandbox({ status: 'PAUSED' })], nextPageId: null }),
      },
      { place: existing },
    );
    await assert.rejects(startConversation(options), StartFailed);
  });

  it('stops waiting when canceled', async () => {
    const cancel = new AbortController();
    const { options } = setUp(
      {
        createConversation: () => Promise.resolve({ kind: 'task', task: task('WORKING') }),
        getStartTask: () => {
          cancel.abort();
          return Promise.resolve(task('WORKING'));
        },
      },
      { signal: cancel.signal },
    );
    await assert.rejects(startConversation(options), { name: 'AbortError' });
  });

  it('waits until the task is ready, even if it names its conversation earlier', async () => {
    const answers = [
      task('STARTING_CONVERSATION', { app_conversation_id: 'c-9', detail: 'Almost there' }),
      task('READY'),
      task('READY', { app_conversation_id: 'c-9' }),
    ];
    const { steps, options } = setUp({
      createConversation: () => Promise.resolve({ kind: 'task', task: task('WORKING') }),
      getStartTask: () => Promise.resolve(answers.shift() ?? null),
    });
    assert.equal(await startConversation(options), 'c-9');
    assert.deepEqual(
      steps.flatMap((step) => (step.kind === 'task' ? [[step.status, step.detail]] : [])),
      [
        ['WORKING', undefined],
        ['STARTING_CONVERSATION', 'Almost there'],
        ['READY', undefined],
      ],
    );
  });

  for (const [created_at, begunAt] of [
    ['2026-01-01T10:00:00', '2026-01-01T10:00:00Z'],
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
    ['2026-01-01T10:00:00z', '2026-01-01T10:00:00Z'],
    ['2026-01-01T12:00:00+02:00', '2026-01-01T10:00:00Z'],
    ['2026-01-01T05:00:00-05:00', '2026-01-01T10:00:00Z'],
    ['yesterday', undefined],
    [null, undefined],
  ] as const) {
    it(`reads the time ${created_at} of a task as ${begunAt}`, async () => {
      const answers = [task('READY', { app_conversation_id: 'c-9' })];
      const { steps, options } = setUp({
        createConversation: () =>
          Promise.resolve({ kind: 'task', task: startTaskSchema.parse(task('WORKING', { created_at })) }),
        getStartTask: () => Promise.resolve(answers.shift() ?? null),
      });
      await startConversation(options);
      const step = steps.find(({ kind }) => kind === 'task');
      assert.equal(step?.kind === 'task' && step.begunAt, begunAt && Date.parse(begunAt));
    });
  }

  it('says that it resumes a paused sandbox, and no other', async () => {
    for (const [status, says] of [
      ['PAUSED', true],
      ['RUNNING', false],
    ] as const) {
      const statuses = [status];
      const { steps, options } = setUp(
        {
          resumeSandbox: () => Promise.resolve(),
          searchSandboxes: () => page(aSandbox({ status: statuses.shift() ?? 'RUNNING' })),
          createConversation: () => Promise.resolve(conversation),
        },
        { place: existing },
      );
      await startConversation(options);
      assert.equal(
        steps.some(({ kind }) => kind === 'resuming'),
        says,
      );
    }
  });

  for (const [words, ...then] of [['gone'], ['missing', aSandbox({ status: 'MISSING' })]] as const) {
    it(`stops waiting for a sandbox that is ${words} in the meantime`, async () => {
      let reads = 0;
      const { options } = setUp(
        {
          searchSandboxes: () => {
            reads += 1;
            return reads < 3 ? page(aSandbox({ status: 'STARTING' })) : page(...then);
          },
        },
        { place: existing },
      );
      await assert.rejects(startConversation(options), StartFailed);
      assert.ok(reads < 6, `${reads} reads`);
    });
  }

  for (const error of [new Error('a defect'), anError('keyRevoked'), anError('badId')]) {
    it(`doesn’t ask again after ${error.message}`, async () => {
      const { options } = setUp({
        createConversation: () => Promise.resolve({ kind: 'task', task: task('WORKING') }),
        getStartTask: () => Promise.reject(error),
      });
      let waits = 0;
      await assert.rejects(
        startConversation({
          ...options,
          wait: () => ((waits += 1) > 1 ? Promise.reject(new Error('asked again')) : Promise.resolve()),
        }),
        error,
      );
    });
  }
});
