import assert from 'node:assert/strict';
import { ApiError, type ErrorFacts } from '../../../src/api/http/errors';
import type { Transport } from '../../../src/api/http/transport';
import { sandboxCalls } from '../../../src/api/service/sandboxes';
import { StartFailed } from '../../../src/features/start/model/startConversation';
import { StartTasks } from '../../../src/features/start/model/startTasks';
import {
  limitIn,
  toldWords,
  type ToldLimit,
  ToldLimits,
  workingWords,
} from '../../../src/features/start/model/toldLimits';
import { UsedSandboxes } from '../../../src/features/sandboxes';
import { aClient } from '../../support/builders/client';
import { aConversation, aSandbox } from '../../support/builders/records';
import { settled } from '../../support/settled';

const service = 'https://one.example.com';
const refusal = (facts: ErrorFacts = {}, route = '/api/v1/app-conversations') =>
  new ApiError('rateLimited', 'POST', route, { status: 429, ...facts });
const told = (words: string, most?: number): ToldLimit => ({ words, most });

describe('the limit that a service told', () => {
  it('is that of a 429 with words or a number, for whatever runs something more', () => {
    const words = 'Conversation run limit reached. Retry the request later.';
    for (const route of [
      '/api/v1/sandboxes',
      '/api/v1/sandboxes/{id}/resume',
      '/api/v1/app-conversations',
      '/api/conversations',
    ])
      assert.deepEqual(limitIn(refusal({ serverText: words }, route)), told(words), route);
    assert.deepEqual(limitIn(refusal({ limit: 3 })), told('', 3));
    assert.deepEqual(
      limitIn(refusal({ serverText: 'Too many requests, 3 at once', limit: 3 })),
      told('Too many requests, 3 at once', 3),
    );
  });

  it('isn’t the rate of requests, nor any other failure', () => {
    for (const error of [
      refusal(),
      refusal({ serverText: 'Too many requests' }),
      refusal({ serverText: 'Full' }, '/api/v1/events'),
      new ApiError('conflict', 'POST', '/api/conversations', { status: 409, serverText: 'limit reached' }),
      refusal({ serverText: 'You have reached your daily limit of 10 conversations.', limit: 10 }),
      new StartFailed('daily limit reached'),
      new StartFailed('The sandbox failed to start after 429 seconds'.replace('429', '42')),
      new Error('limit reached'),
      undefined,
    ])
      assert.equal(limitIn(error), undefined);
  });

  it('is also that of a sandbox that was started or resumed by itself, until one more runs', async () => {
    const limits = new ToldLimits();
    const used = new UsedSandboxes(Date.now, (of, error) => limits.ran(of, error));
    const full = refusal({ serverText: 'Full for now' }, '/api/v1/sandboxes/{id}/resume');
    let isFull = true;
    const request = () => (isFull ? Promise.reject(full) : Promise.resolve(aSandbox({ id: 'new' })));
    const sandboxes = sandboxCalls({ request } as unknown as Transport, used.of(service));
    for (const run of [() => sandboxes.resumeSandbox('one'), () => sandboxes.startSandbox()]) {
      isFull = true;
      await assert.rejects(async () => run(), full);
      assert.deepEqual(limits.of(service), told('Full for now'));
      isFull = false;
      await run();
      assert.equal(limits.of(service), undefined);
    }
    limits.note(service, refusal({ limit: 3 }));
    await sandboxes.resumeSandbox('one');
    assert.deepEqual(limits.of(service), told('', 3), 'a number stays true');
  });

  it('is found in the reason of a start that the service gave up', () => {
    for (const reason of [
      'Client error \'429 Too Many Requests\' for url "http://sandbox/api/conversations"',
      'CONCURRENCY_LIMIT_REACHED',
      'The conversation limit has been reached',
      'Maximum number of running sandboxes reached: 5',
      'too many concurrent conversations',
    ])
      assert.deepEqual(limitIn(new StartFailed(reason)), told(reason), reason);
    assert.ok((limitIn(new StartFailed(`limit reached ${'x'.repeat(900)}`))?.words.length ?? 0) <= 200);
  });

  it('is remembered for each service, a number even after another start', () => {
    const limits = new ToldLimits();
    limits.note(service, refusal({ serverText: 'Full' }));
    limits.note(service, new Error('Something else'));
    assert.deepEqual(limits.of(service), told('Full'));
    assert.equal(limits.of('https://two.example.com'), undefined);
    limits.started(service, 's-1');
    assert.equal(limits.of(service), undefined);
    limits.note(service, refusal({ serverText: 'Full', limit: 3 }));
    limits.started(service, 's-2');
    assert.deepEqual(limits.of(service), told('Full', 3));
  });

  it('stays while the start that was refused only left a conversation', () => {
    const limits = new ToldLimits();
    limits.hold(service, 's-1', refusal({ serverText: 'Full' }, '/api/conversations'));
    limits.started(service, 's-1');
    assert.deepEqual([limits.of(service), limits.heldWith('s-1')], [told('Full'), 'Full']);
    assert.equal(limits.heldWith('s-2'), undefined);
    limits.hold(service, 's-3', refusal({}, '/api/conversations'));
    assert.deepEqual(
      [limits.of(service), limits.heldWith('s-3')],
      [told('Full'), ''],
      'not what was said earlier',
    );
  });

  it('is learned by starts', async () => {
    let refuses = true;
    const client = aClient({
      baseUrl: service,
      createConversation: () =>
        refuses
          ? Promise.reject(refusal({ serverText: 'At most 3', limit: 3 }))
          : Promise.resolve({ kind: 'conversation', conversation: aConversation() }),
    });
    const starts = new StartTasks({
      ...{ read: () => undefined, write: () => undefined, newId: () => 's-1', now: () => 1 },
      ...{ wait: () => Promise.resolve(), describe: String },
    });
    const begin = () =>
      starts.begin({ client, choice: { place: { kind: 'default' } }, label: 'Mend', message: 'Mend it' });
    await assert.rejects(begin().ended);
    assert.deepEqual(starts.limits.of(service), told('At most 3', 3));
    refuses = false;
    await begin().ended;
    await settled();
    assert.deepEqual(starts.limits.of(service), told('At most 3', 3));
  });

  it('is said in its words, with its number', () => {
    assert.equal(toldWords(undefined), '');
    assert.equal(
      toldWords(told('At most 3', 3)),
      'The service runs at most 3 at once. It refused a start: “At most 3”',
    );
    assert.equal(toldWords(told('Full')), 'It refused a start: “Full”');
    assert.equal(workingWords(1, 0, undefined), '');
    assert.equal(workingWords(1, 1, undefined), '1 agent is working');
    assert.equal(workingWords(2, 8, undefined), '8 agents are working', 'as many as may run');
    assert.equal(
      workingWords(1, 9, told('Full')),
      '9 agents are working. It refused a start: “Full”',
      'a service that says no number',
    );
    assert.equal(workingWords(2, 0, told('', 2)), 'The service runs at most 2 at once');
    assert.match(
      workingWords(3, 8, undefined),
      /^8 agents are working\. .* only 10 .* you may have to wait$/,
    );
    assert.match(workingWords(1, 2, told('Full', 2)), /only 2 .* you may have to wait\. The service runs/);
  });
});
