import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/client';
import type { StartTask } from '../../../src/api/schemas/startTask';
import {
  StartFailed,
  startConversation,
  type StartOptions,
  type StartStep,
} from '../../../src/state/startConversation';
import { aSandbox } from '../../support/builders/records';

function setUp(client: Partial<ApiClient>, values: Partial<StartOptions> = {}) {
  const steps: StartStep[] = [];
  const options: StartOptions = {
    client: client as ApiClient,
    request: {},
    resumeFirst: undefined,
    report: (step) => steps.push(step),
    signal: new AbortController().signal,
    wait: (_ms, signal) => {
      signal.throwIfAborted();
      return Promise.resolve();
    },
    ...values,
  };
  return { steps, options };
}

const task = (status: string, values: Partial<StartTask> = {}): StartTask => ({
  id: 't-1',
  status,
  ...values,
});

describe('starting a conversation', () => {
  it('follows the start task to its end and resolves to the conversation', async () => {
    const answers = [
      task('WAITING_FOR_SANDBOX'),
      task('STARTING_CONVERSATION'),
      task('READY', { app_conversation_id: 'c-9' }),
    ];
    const { steps, options } = setUp({
      createConversation: () => Promise.resolve({ kind: 'task', task: task('WORKING') }),
      getStartTask: () => Promise.resolve(answers.shift() ?? null),
    });
    assert.equal(await startConversation(options), 'c-9');
    assert.deepEqual(
      steps.map((step) => ('status' in step ? step.status : step.kind)),
      ['creating', 'WORKING', 'WAITING_FOR_SANDBOX', 'STARTING_CONVERSATION'],
    );
  });

  it('ends at once on a service without start tasks', async () => {
    const { options } = setUp({
      createConversation: () => Promise.resolve({ kind: 'conversation', conversation: { id: 'c-1' } }),
    });
    assert.equal(await startConversation(options), 'c-1');
  });

  it('resumes a paused sandbox first, and creates nothing before it is seen running', async () => {
    const calls: string[] = [];
    const statuses = ['PAUSED', 'ERROR', 'RUNNING'];
    const { options } = setUp(
      {
        resumeSandbox: (id) => Promise.resolve(void calls.push(`resume ${id}`)),
        searchSandboxes: () => {
          const status = statuses.shift() ?? 'RUNNING';
          calls.push(status);
          return Promise.resolve({ items: [aSandbox({ status })], nextPageId: null });
        },
        createConversation: () => {
          calls.push('create');
          return Promise.resolve({ kind: 'conversation', conversation: { id: 'c-1' } });
        },
      },
      { resumeFirst: aSandbox({ status: 'PAUSED' }) },
    );
    await startConversation(options);
    assert.deepEqual(calls, ['resume sb-1', 'PAUSED', 'ERROR', 'RUNNING', 'create']);
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
      { resumeFirst: aSandbox() },
    );
    assert.equal(await startConversation(options), 'c-1');
  });

  it('fails with the service’s own words when the task does', async () => {
    const { options } = setUp({
      createConversation: () =>
        Promise.resolve({ kind: 'task', task: task('ERROR', { detail: 'no such repository' }) }),
    });
    await assert.rejects(
      startConversation(options),
      (error) => error instanceof StartFailed && error.message === 'no such repository',
    );
  });

  it('fails when a resumed sandbox never gets to run', async () => {
    const { options } = setUp(
      {
        resumeSandbox: () => Promise.resolve(),
        searchSandboxes: () => Promise.resolve({ items: [aSandbox({ status: 'PAUSED' })], nextPageId: null }),
      },
      { resumeFirst: aSandbox() },
    );
    await assert.rejects(startConversation(options), StartFailed);
  });

  it('stops waiting when cancelled', async () => {
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
});
