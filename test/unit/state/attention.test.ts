import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Attention, type AttentionEvent, type Sight } from '../../../src/state/attention';
import type { PendingAction } from '../../../src/state/pendingActions';
import { aConversation, aSandbox } from '../../support/builders/records';

const minute = 60_000;
const kinds = (events: readonly AttentionEvent[]) => events.map(({ kind, id }) => `${kind} ${id}`);

/** Looks again and again, at one conversation and one sandbox. */
function looking() {
  const attention = new Attention();
  let now = 0;
  const see = (sight: Partial<Sight>, ms = 15_000) => {
    now += ms;
    return kinds(attention.observe({ pending: () => undefined, now, ...sight }));
  };
  return {
    see,
    agent: (execution_status: string | null) => see({ conversations: [aConversation({ execution_status })] }),
    sandbox: (status: string, pending?: PendingAction, ms?: number) =>
      see({ sandboxes: [aSandbox({ status })], pending: () => pending }, ms),
  };
}

describe('attention', () => {
  it('takes what is so at first for no news', () => {
    for (const status of ['waiting_for_confirmation', 'finished', 'error', 'stuck']) {
      assert.deepEqual(looking().agent(status), [], status);
    }
    assert.deepEqual(looking().sandbox('ERROR'), []);
    assert.deepEqual(looking().sandbox('PAUSED'), []);
  });

  it('tells once that an agent waits, ended or failed, whatever the letters', () => {
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

  it('tells it again after the agent went on', () => {
    const { agent } = looking();
    agent('running');
    agent('waiting_for_confirmation');
    agent('running');
    assert.deepEqual(agent('waiting_for_confirmation'), ['agentWaits c-1']);
  });

  it('does not tell again what a pause only interrupted', () => {
    const { agent } = looking();
    agent('running');
    agent('waiting_for_confirmation');
    for (const none of [null, 'paused']) {
      assert.deepEqual(agent(none), []);
      assert.deepEqual(agent('waiting_for_confirmation'), []);
    }
  });

  it('takes the first state that an agent shows for no news, when its sandbox was paused before', () => {
    const { agent } = looking();
    agent(null);
    assert.deepEqual(agent('finished'), []);
  });

  it('knows a conversation that was out of the list for a while', () => {
    const { agent, see } = looking();
    agent('running');
    assert.deepEqual(see({ conversations: [] }), []);
    assert.deepEqual(agent('finished'), ['agentEnded c-1']);
    see({ conversations: [] });
    assert.deepEqual(agent('finished'), []);
  });

  it('tells that a sandbox was paused, and not when that was asked for here', () => {
    const { sandbox } = looking();
    sandbox('RUNNING');
    assert.deepEqual(sandbox('PAUSED'), ['sandboxPaused sb-1']);
    sandbox('RUNNING', 'resuming');
    sandbox('RUNNING', 'pausing');
    assert.deepEqual(sandbox('PAUSED'), []);
    sandbox('RUNNING');
    assert.deepEqual(sandbox('PAUSED'), ['sandboxPaused sb-1'], 'the next one was not asked for');
  });

  it('does not take a pause for its own that comes long after it was asked for', () => {
    const { sandbox } = looking();
    sandbox('RUNNING', 'pausing');
    sandbox('RUNNING');
    assert.deepEqual(sandbox('PAUSED', undefined, 10 * minute), ['sandboxPaused sb-1']);
  });

  it('tells at once that a running sandbox failed', () => {
    const { sandbox } = looking();
    sandbox('RUNNING');
    assert.deepEqual(sandbox('ERROR'), ['sandboxFailed sb-1']);
    assert.deepEqual(sandbox('ERROR', undefined, 10 * minute), []);
  });

  it('lets one that comes up show an error until it is healthy, for two minutes', () => {
    for (const before of ['STARTING', 'PAUSED', 'MISSING']) {
      const healthy = looking();
      healthy.sandbox(before);
      assert.deepEqual(healthy.sandbox('ERROR'), []);
      assert.deepEqual(healthy.sandbox('RUNNING'), []);
      const broken = looking();
      broken.sandbox(before);
      broken.sandbox('ERROR');
      assert.deepEqual(broken.sandbox('ERROR', undefined, minute), []);
      assert.deepEqual(broken.sandbox('ERROR', undefined, minute), ['sandboxFailed sb-1']);
      assert.deepEqual(broken.sandbox('ERROR', undefined, minute), []);
    }
  });

  it('says nothing of a state that it does not know', () => {
    const { sandbox } = looking();
    sandbox('RUNNING');
    assert.deepEqual(sandbox('HIBERNATED'), []);
    assert.deepEqual(sandbox('RUNNING'), []);
  });
});

describe('attention, whatever happens', () => {
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
  const sandboxStates = ['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING', 'X'];
  const index = fc.nat(2);
  const step = fc.oneof(
    fc.record({ do: fc.constant('agent' as const), index, status: fc.constantFrom(...agentStates) }),
    fc.record({ do: fc.constant('sandbox' as const), index, status: fc.constantFrom(...sandboxStates) }),
    fc.record({ do: fc.constant('pauseHere' as const), index }),
    /** Which records this refresh shows: a filter, a further page, a list that could not be read. */
    fc.record({ do: fc.constant('look' as const), shown: fc.array(index), ms: fc.nat(5 * minute) }),
  );

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  it('tells each event once, no first sight, and no pause asked for here', () => {
    let cases = 0;
    let told = 0;
    const world = (steps: readonly Step[]) => {
      cases += 1;
      const attention = new Attention();
      const agents: (string | null)[] = ['running', 'running', null];
      const sandboxes = ['RUNNING', 'RUNNING', 'STARTING'];
      const asked = new Map<number, number>();
      /** How often each record entered each state since it was last told of it. */
      const entered = new Map<string, number>();
      const seen = new Set<string>();
      let now = 0;
      const enter = (key: string) => entered.set(key, (entered.get(key) ?? 0) + 1);
      const look = (shown: readonly number[], ms: number) => {
        now += ms;
        const records = {
          conversations: shown.map((i) =>
            aConversation({ id: `c${i}`, execution_status: agents[i] ?? null }),
          ),
          sandboxes: shown.map((i) => aSandbox({ id: `s${i}`, status: sandboxes[i] ?? '' })),
        };
        const pending = (id: string) => (asked.get(Number(id[1])) === now ? ('pausing' as const) : undefined);
        for (const { kind, id } of attention.observe({ ...records, pending, now })) {
          told += 1;
          const i = Number(id[1]);
          assert.ok(seen.has(id), `${kind} ${id} at first sight`);
          const state = kind.startsWith('agent') ? agents[i] : sandboxes[i];
          const key = `${id} ${String(state)}`;
          assert.ok((entered.get(key) ?? 0) > 0, `${kind} ${id} told twice`);
          entered.set(key, 0);
          if (kind === 'sandboxPaused') {
            assert.ok(!(now - (asked.get(i) ?? -Infinity) < 2 * minute), `${id} was paused from here`);
          }
        }
        for (const { id } of [...records.conversations, ...records.sandboxes]) seen.add(id);
      };
      for (const one of steps) {
        if (one.do === 'look') look(one.shown, one.ms);
        else if (one.do === 'agent') {
          agents[one.index] = one.status;
          enter(`c${one.index} ${String(one.status)}`);
        } else if (one.do === 'sandbox') {
          sandboxes[one.index] = one.status;
          enter(`s${one.index} ${one.status}`);
        } else {
          asked.set(one.index, now);
          look([one.index], 0);
          if (sandboxes[one.index] === 'RUNNING') {
            sandboxes[one.index] = 'PAUSED';
            look([one.index], 1_000);
          }
        }
      }
    };
    fc.assert(fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), world), {
      numRuns: 2_000,
      seed: 20_260_102,
    });
    console.log(`        ${cases} cases, ${told} events`);
    assert.ok(told > 1_000, 'the cases have events in them');
  });
});
