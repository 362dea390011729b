import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Clock, systemClock } from '../../../src/api/http/clock';
import { type ApiClient, createClient } from '../../../src/api/service/client';
import { ownMemory } from '../../../src/api/service/generation';
import { AgentServer } from '../../service/agent/agentServer';
import { realClock } from '../../service/clock';
import { render } from '../../service/http';
import { settled } from '../../support/settled';
import { noLimits } from '../api/support/client';
import { fuzz } from './support';

const sessionKey = 'key-of-nobody';
const baseUrl = 'https://agents.example';

/** Lets requests through one at a time in a drawn order; time passes only when none is on its way. */
class Turns {
  private readonly waiting: (() => void)[] = [];
  private timers: { due: number; act: () => void }[] = [];
  private time = 0;
  private under: Promise<unknown> | undefined;

  constructor(
    private readonly server: AgentServer,
    private readonly draw: (below: number) => number,
  ) {}

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

  readonly fetch: typeof globalThis.fetch = async (url, init) => {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    const { pathname: path, searchParams: query } = new URL(url as string);
    const value: unknown = init?.body ? JSON.parse(init.body as string) : undefined;
    const call = { method: init?.method ?? 'GET', path, params: {}, query, body: { value } };
    const answered = this.server.handle(call, sessionKey);
    this.under = answered;
    const { status, headers, text } = render(await answered);
    return new Response(text, { status, headers });
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
  const time = realClock();
  const server = new AgentServer('1.58.0', sessionKey, time, {});
  const conversation = server.add({ id: '0123456789abcdef0123456789abcdef' });
  after(() => {
    time.stop();
    server.dispose();
  });

  fuzz('are all kept, whichever order requests arrive in', inputs, async ({ before, changes, draws }) => {
    const other = { other: 'of nobody here' };
    const tags = Object.fromEntries(before.map((name) => [name, 'yes']));
    conversation.tags = { ...other, ...tags };
    let drawn = 0;
    const turns = new Turns(server, (below) => (draws[drawn++ % draws.length] ?? 0) % Math.max(below, 1));
    const client = (): ApiClient => {
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
