import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Clock, systemClock } from '../../../src/api/http/clock';
import { type ApiClient, createClient } from '../../../src/api/service/client';
import { ownMemory } from '../../../src/api/service/generation';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import { settled } from '../../support/settled';
import { noLimits } from '../api/support/client';
import { fuzz } from './support';

/** Lets requests through one at a time in a drawn order; time passes only when none is on its way. */
class Turns {
  private readonly waiting: (() => void)[] = [];
  private timers: { due: number; act: () => void }[] = [];
  private time = 0;
  private under: Promise<unknown> | undefined;

  constructor(private readonly draw: (below: number) => number) {}

  readonly clock: Clock = {
    ...systemClock,
    now: () => this.time,
    after: (ms, act) => {
      // The limits of requests never run out here.
      const timer = { due: this.time + ms, act };
      if (ms < 30_000) this.timers.push(timer);
      return () => void (this.timers = this.timers.filter((one) => one !== timer));
    },
  };

  readonly fetch: typeof globalThis.fetch = async (...call) => {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    const answered = fetch(...call).then(async (answer) => new Response(await answer.text(), answer));
    this.under = answered;
    return answered;
  };

  /** Goes on until the work is done. */
  async run(work: Promise<unknown>): Promise<void> {
    const state = { isDone: false };
    const done = work.finally(() => (state.isDone = true));
    done.catch(() => undefined);
    while (!state.isDone) {
      await this.under?.catch(() => undefined);
      this.under = undefined;
      for (let turn = 0; turn < 3; turn += 1) await settled();
      const [next] = this.waiting.splice(this.draw(this.waiting.length), 1);
      if (next) next();
      else this.pass();
      await settled();
    }
    await done;
  }

  private pass(): void {
    const [first] = this.timers.toSorted((a, b) => a.due - b.due);
    if (!first) return;
    this.timers = this.timers.filter((one) => one !== first);
    this.time = first.due;
    first.act();
  }
}

const names = ['agentworkspacepinned', 'agentworkspacearchived', 'clientsource'] as const;
const values = ['yes', null] as const;
const change = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values));
/** What each client changes at the same time as the others, one after the other. */
const changes = fc.array(fc.array(change, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 });
const inputs = fc.record({
  before: fc.uniqueArray(fc.constantFrom(...names)),
  changes,
  draws: fc.array(fc.nat(5), { minLength: 40, maxLength: 40 }),
});

describe('tags that clients change at once', () => {
  let server: AgentServerByItself;
  before(async () => (server = await startAgentServer({ release: '1.58.0', seed: true })));
  after(() => server.close());

  fuzz('are all kept, whichever order requests arrive in', inputs, async ({ before, changes, draws }) => {
    const conversation = [...server.conversations.values()][0] ?? assert.fail();
    const other = { other: 'of nobody here' };
    const tags = Object.fromEntries(before.map((name) => [name, 'yes']));
    conversation.tags = { ...other, ...tags };
    let drawn = 0;
    const turns = new Turns((below) => (draws[drawn++ % draws.length] ?? 0) % Math.max(below, 1));
    const client = (): ApiClient => {
      const { url: baseUrl, sessionKey } = server;
      const generations = ownMemory();
      generations.set(baseUrl, 'agentServer');
      const { clock, fetch } = turns;
      return createClient({ baseUrl, sessionKey, generations, clock, fetch, limiter: noLimits });
    };
    const expected = new Map<string, string | null>(Object.entries({ ...other, ...tags }));
    const met = new Set<string>();
    const work = changes.map(async (all) => {
      const one = client();
      // Each tag is changed by one client.
      const own = new Map(all.filter(([name]) => !met.has(name)));
      for (const [name, value] of own) {
        met.add(name);
        if (value === null) expected.delete(name);
        else expected.set(name, value);
      }
      const settling: Promise<unknown>[] = [];
      for (const [name, value] of own) {
        assert.ok(await one.tagConversation(conversation.id, { [name]: value }));
        settling.push(one.settleTags(conversation.id));
      }
      await Promise.all(settling);
    });
    await turns.run(Promise.all(work));
    assert.deepEqual(new Map(Object.entries(conversation.tags)), expected);
  });
});
