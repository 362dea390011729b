import assert from 'node:assert/strict';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import {
  conversationState,
  countRunning,
  countRunningIn,
  mayBecomeHealthy,
  nextWaiting,
  startsSlowly,
  startsSoon,
  waiting,
} from '../../../../src/core/lists/status';
import { aConversation, aSandbox } from '../../../support/builders/records';

const created_at = '2026-01-01T10:00:00Z';
const after = (seconds: number) => Date.parse(created_at) + seconds * 1_000;

describe('a sandbox that starts', () => {
  const cases: [status: string, seconds: number, soon: boolean, healthy: boolean, slowly: boolean][] = [
    ['STARTING', 0, true, false, false],
    ['starting', 179, true, false, false],
    ['STARTING', 180, false, false, true],
    ['ERROR', 119, true, true, false],
    ['ERROR', 120, false, false, false],
    // The service's clock is ahead, a little or by far.
    ['STARTING', -179, true, false, false],
    ['STARTING', -180, false, false, false],
    ['ERROR', -119, true, true, false],
    ['ERROR', -120, false, false, false],
    ['RUNNING', 0, false, false, false],
    ['PAUSED', 500, false, false, false],
  ];
  for (const [status, seconds, soon, healthy, slowly] of cases) {
    it(`${soon ? 'soon changes' : 'stays'} in state ${status} after ${seconds} s`, () => {
      const sandbox = aSandbox({ status, created_at });
      const now = after(seconds);
      assert.deepEqual(
        [startsSoon(sandbox, now), mayBecomeHealthy(sandbox, now), startsSlowly(sandbox, now)],
        [soon, healthy, slowly],
      );
    });
  }

  it('isn’t known to be new without the time of its start', () => {
    for (const status of ['STARTING', 'ERROR'])
      assert.equal(startsSoon({ ...aSandbox({ status }), created_at: undefined }, after(0)), false);
  });
});

describe('counts', () => {
  it('have each running sandbox once, whoever names it', () => {
    const sandboxes = [
      aSandbox({ status: 'RUNNING' }),
      aSandbox({ status: 'running' }),
      aSandbox({ status: 'PAUSED' }),
    ];
    assert.equal(countRunning(sandboxes), 2);
    const conversations = [
      ['sb-1', 'RUNNING'],
      ['sb-1', 'RUNNING'],
      ['sb-2', 'running'],
      ['sb-3', 'PAUSED'],
    ].map(([sandbox_id, sandbox_status]) => aConversation({ sandbox_id, sandbox_status }));
    assert.equal(countRunningIn(conversations), 2);
  });

  it('have the conversations that wait for the user, and none without a state', () => {
    const states = ['waiting_for_confirmation', 'WAITING_FOR_CONFIRMATION', 'running', null, undefined];
    const conversations = states.map((execution_status) => aConversation({ execution_status }));
    assert.deepEqual(waiting(conversations), conversations.slice(0, 2));
  });
});

describe('the state of a conversation', () => {
  it('is its agent’s, or else its sandbox’s', () => {
    const state = (execution_status: string | null, sandbox_status: string | null) =>
      conversationState(aConversation({ execution_status, sandbox_status }));
    assert.equal(state('RUNNING', 'PAUSED'), 'running');
    assert.equal(state(null, 'PAUSED'), 'sandbox:paused');
    assert.equal(state('', null), 'sandbox:');
  });
});

describe('the next waiting conversation', () => {
  const waits = (id: string, hour: number) => aConversation({ id, updated_at: `2026-01-01T0${hour}:00:00Z` });
  const all = [waits('old', 1), waits('new', 3), waits('middle', 2)];
  const [here, there] = ['https://here.example', 'https://there.example'];
  const on = (conversations: readonly Conversation[], service: string | undefined = here) => ({
    service,
    conversations,
  });
  const after = (id?: string) =>
    nextWaiting([on(all)], id === undefined ? undefined : { id, service: here })?.id;

  it('goes around in the order of the view', () => {
    assert.deepEqual([after('new'), after('middle'), after('old')], ['middle', 'old', 'new']);
  });

  it('is the first if none of them is open', () => {
    assert.deepEqual([after(), after('elsewhere')], ['new', 'new']);
    assert.equal(nextWaiting([on([])], { id: 'new', service: here }), undefined);
  });

  it('is the same one again if no other waits', () => {
    const id = '0123456789abcdef0123456789abcdef';
    const active = { id: '01234567-89ab-cdef-0123-456789abcdef', service: here };
    assert.equal(nextWaiting([on([aConversation({ id })])], active)?.id, id);
  });

  it('is on the next service after the last of one, also where both have its id', () => {
    const waiting = [
      on([waits('a', 1)]),
      on([waits('a', 3), waits('b', 4)], there),
      on([], 'https://no.example'),
    ];
    const path = [nextWaiting(waiting, undefined)];
    for (let step = 0; step < 3; step += 1) path.push(nextWaiting(waiting, path.at(-1)));
    assert.deepEqual(
      path.map((one) => `${one?.service} ${one?.id}`),
      [`${here} a`, `${there} b`, `${there} a`, `${here} a`],
    );
    assert.equal(nextWaiting([on([], undefined), on([waits('a', 1)], there)], undefined)?.service, there);
  });
});
