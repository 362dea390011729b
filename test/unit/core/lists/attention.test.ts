import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import { Attention, type AttentionEvent } from '../../../../src/core/lists/attention';
import { aConversation } from '../../../support/builders/records';
import { seeded } from '../../changes/seeded';

const minute = 60_000;
const kinds = (events: readonly AttentionEvent[]) => events.map(({ kind, id }) => `${kind} ${id}`);

/** Observes conversations repeatedly. */
function looking() {
  const attention = new Attention();
  let now = 0;
  const observe = (...conversations: Partial<Conversation>[]) =>
    attention.observe(
      conversations.map((values) => aConversation(values)),
      (now += 15_000),
    );
  return {
    attention,
    observe,
    see: (...conversations: Partial<Conversation>[]) => kinds(observe(...conversations)),
    agent: (execution_status: string | null) => kinds(observe({ execution_status })),
  };
}

describe('attention', () => {
  it('reports nothing for the states seen first', () => {
    for (const status of ['waiting_for_confirmation', 'finished', 'error', 'stuck']) {
      assert.deepEqual(looking().agent(status), [], status);
    }
  });

  it('reports a new conversation’s state when first seen', () => {
    const later = { id: 'new', created_at: '2026-01-01T00:01:00Z' };
    const { see } = looking();
    see({});
    assert.deepEqual(see({}, { ...later, execution_status: 'waiting_for_confirmation' }), ['agentWaits new']);
    assert.deepEqual(see({}, { ...later, execution_status: 'waiting_for_confirmation' }), []);
    const slow = looking();
    slow.see({});
    slow.see({}, { ...later, execution_status: null });
    assert.deepEqual(slow.see({}, { ...later, execution_status: 'finished' }), ['agentEnded new']);
  });

  it('reports new conversations although one has a time in the future', () => {
    for (const [broken, ahead] of [
      ['2031-01-01T00:00:00Z', 0],
      ['9999-12-31T23:59:59Z', 0],
      // The service’s clock is ahead by hours, or by years, for all of them.
      ['2026-01-01T05:00:00Z', 5 * 60 * minute],
      ['2035-01-01T00:00:00Z', 9 * 365 * 24 * 60 * minute],
    ] as const) {
      const attention = new Attention();
      const start = Date.parse('2026-01-01T00:00:00Z');
      const at = (ms: number) => new Date(start + ahead + ms).toISOString();
      const old = { id: 'old', created_at: at(-minute), execution_status: 'finished' };
      const odd = { id: 'odd', created_at: broken, execution_status: 'finished' };
      const see = (now: number, ...all: Partial<Conversation>[]) =>
        kinds(
          attention.observe(
            all.map((values) => aConversation(values)),
            start + now,
          ),
        );
      assert.deepEqual(see(minute, old, ...(ahead === 0 ? [odd] : [])), [], 'at first');
      const fresh = { id: 'new', created_at: at(2 * minute), execution_status: 'waiting_for_confirmation' };
      assert.deepEqual(see(3 * minute, old, odd, fresh).at(-1), 'agentWaits new', broken);
    }
  });

  it('reports nothing for older conversations from a later page', () => {
    const { see } = looking();
    see({});
    const older = { id: 'old', created_at: '2025-12-31T00:00:00Z' };
    assert.deepEqual(see({}, { ...older, execution_status: 'waiting_for_confirmation' }), []);
    assert.deepEqual(see({}, { id: 'dateless', created_at: null, execution_status: 'finished' }), []);
  });

  it('records when an event began and whether it still applies', () => {
    const { attention, observe } = looking();
    observe({ execution_status: 'running' });
    const [event] = observe({ execution_status: 'finished' });
    assert.equal(event?.since, 15_000);
    assert.equal(event.title, 'Mend the login test');
    assert.equal(attention.isStill(event), true);
    observe({ execution_status: 'running' });
    assert.equal(attention.isStill(event), false);
  });

  it('reports once that an agent waits, ended, or failed, in any case', () => {
    for (const [status, kind] of [
      ['WAITING_FOR_CONFIRMATION', 'agentWaits'],
      ['finished', 'agentEnded'],
      ['error', 'agentFailed'],
      ['stuck', 'agentFailed'],
    ] as const) {
      const { agent } = looking();
      agent('running');
      assert.deepEqual(agent(status), [`${kind} c-1`]);
      assert.deepEqual(agent(status), []);
    }
  });

  it('reports a repeated event after the agent ran again', () => {
    const { agent } = looking();
    agent('running');
    agent('waiting_for_confirmation');
    assert.deepEqual(agent('running'), []);
    assert.deepEqual(agent('waiting_for_confirmation'), ['agentWaits c-1']);
  });

  it('doesn’t repeat an event that a pause interrupted', () => {
    const { agent } = looking();
    agent('running');
    agent('waiting_for_confirmation');
    for (const none of [null, 'paused']) {
      assert.deepEqual(agent(none), []);
      assert.deepEqual(agent('waiting_for_confirmation'), []);
    }
  });

  it('reports nothing for the first agent state after a paused sandbox', () => {
    const { agent } = looking();
    agent(null);
    assert.deepEqual(agent('finished'), []);
  });

  it('remembers conversations that leave the list and return', () => {
    const { agent, see } = looking();
    agent('running');
    assert.deepEqual(see(), []);
    assert.deepEqual(agent('finished'), ['agentEnded c-1']);
    see();
    assert.deepEqual(agent('finished'), []);
  });
});

describe('attention in random sequences', () => {
  const agentStates = [
    null,
    'idle',
    'running',
    'paused',
    'waiting_for_confirmation',
    'finished',
    'error',
    'x',
  ];
  const index = fc.nat(2);
  const step = fc.oneof(
    fc.record({ do: fc.constant('agent' as const), index, status: fc.constantFrom(...agentStates) }),
    /** The records in this refresh; filters, paging and failed reads can hide some. */
    fc.record({ do: fc.constant('look' as const), shown: fc.array(index), ms: fc.nat(5 * minute) }),
  );

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  it('reports each event once, and nothing for states seen first', () => {
    let cases = 0;
    let told = 0;
    const world = (steps: readonly Step[]) => {
      cases += 1;
      const attention = new Attention();
      attention.observe([aConversation({ id: 'first' })], 0);
      const agents: (string | null)[] = ['running', 'running', null];
      /** How often each record entered each state since that state was last reported. */
      const entered = new Map<string, number>();
      const seen = new Set<string>();
      let now = 0;
      const enter = (key: string) => entered.set(key, (entered.get(key) ?? 0) + 1);
      const look = (shown: readonly number[], ms: number) => {
        now += ms;
        const conversations = shown.map((i) =>
          aConversation({ id: `c${i}`, execution_status: agents[i] ?? null }),
        );
        for (const { kind, id } of attention.observe(conversations, now)) {
          told += 1;
          const i = Number(id[1]);
          assert.ok(seen.has(id), `${kind} ${id} at first sight`);
          const key = `${id} ${String(agents[i])}`;
          assert.ok((entered.get(key) ?? 0) > 0, `${kind} ${id} told twice`);
          entered.set(key, 0);
        }
        for (const { id } of conversations) seen.add(id);
      };
      for (const one of steps) {
        if (one.do === 'look') look(one.shown, one.ms);
        else {
          agents[one.index] = one.status;
          enter(`c${one.index} ${String(one.status)}`);
        }
      }
    };
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), world),
      seeded('ATTENTION_SEED', { numRuns: 2_000 }),
    );
    console.log(`        ${cases} cases, ${told} events`);
    assert.ok(told > 1_000, 'too few events in the cases');
  });
});
