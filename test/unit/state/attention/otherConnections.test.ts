import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/http/errors';
import type { ApiClient } from '../../../../src/api/service/client';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import { Attention } from '../../../../src/state/attention/attention';
import type { News } from '../../../../src/state/attention/attentionFeed';
import { OtherConnections } from '../../../../src/state/attention/otherConnections';
import { ToldNews } from '../../../../src/state/attention/toldNews';
import { aClient, anError } from '../../../support/builders/client';
import { aConversation } from '../../../support/builders/records';
import { settled } from '../../../support/settled';
import { FakeClock } from '../../api/support/clock';

const minute = 60_000;
const connectionTo = (baseUrl: string) => ({ name: new URL(baseUrl).hostname, baseUrl, origin: baseUrl });
const [one, two] = ['https://one.example', 'https://two.example'];

describe('the connections that the window isn’t on', () => {
  let clock: FakeClock;
  let asked: string[];
  let agents: Map<string, Conversation[] | Error>;
  /** Those with a key, and their clients. */
  let clients: Map<string, ApiClient>;
  let starting: Set<string>;
  let looked: string;
  let intervalMs: number;
  let attentions: Map<string, Attention>;
  let news: News[];
  let changes: number;
  let others: OtherConnections;

  const clientOf = (baseUrl: string) =>
    aClient({
      baseUrl,
      listConversations: () => {
        asked.push(baseUrl);
        const found = agents.get(baseUrl) ?? [];
        return found instanceof Error
          ? Promise.reject(found)
          : Promise.resolve({ items: found, nextPageId: null });
      },
    });
  const add = (baseUrl: string) => void clients.set(baseUrl, clientOf(baseUrl));
  const agent = (id: string, state: string) =>
    aConversation({ id, title: `Job ${id}`, execution_status: state });
  const waits = (id: string) => agent(id, 'waiting_for_confirmation');
  const follow = async () => {
    await others.follow();
    await settled();
  };
  const counts = () =>
    others.waiting.map(({ connection, conversations }) => `${connection.name} ${conversations.length}`);
  const told = () =>
    news.map(({ baseUrl, connection, events }) => [
      baseUrl,
      connection,
      events.map(({ kind, id }) => `${kind} ${id}`),
    ]);

  beforeEach(() => {
    clock = new FakeClock();
    [asked, news, changes, intervalMs] = [[], [], 0, minute];
    agents = new Map();
    clients = new Map();
    attentions = new Map();
    starting = new Set();
    looked = '';
    const store = new Map<string, unknown>();
    others = new OtherConnections({
      others: () =>
        Promise.resolve(
          [...clients].map(([baseUrl, client]) => ({ client, connection: connectionTo(baseUrl) })),
        ),
      intervalMs: () => intervalMs,
      attentionOf: (baseUrl) => {
        const attention = attentions.get(baseUrl) ?? new Attention();
        attentions.set(baseUrl, attention);
        return attention;
      },
      told: new ToldNews(
        { get: (key) => store.get(key), update: (key, value) => Promise.resolve(void store.set(key, value)) },
        'told',
        clock.date,
      ),
      starts: { underWay: () => starting },
      isLookedAt: (service, id) => looked === `${service} ${id}`,
      clock,
    });
    others.onDidHappen((happened) => news.push(happened));
    others.onDidChange(() => (changes += 1));
  });
  afterEach(() => others.dispose());

  it('cost nothing where there are none', async () => {
    await follow();
    assert.deepEqual([clock.running, asked], [[], []]);
  });

  it('cost one request a minute each, and one in five minutes without the focus', async () => {
    for (let number = 0; number < 20; number += 1) add(`https://${number}.example`);
    await follow();
    assert.equal(asked.length, 20);
    await clock.pass(10 * minute);
    assert.equal(asked.length, 20 + 20 * 10);
    others.setFocused(false);
    asked = [];
    await clock.pass(10 * minute);
    assert.equal(asked.length, 20 * 2);
  });

  it('are asked five times less often while they fail, and no sooner than they said', async () => {
    add(one);
    agents.set(one, anError('reset'));
    await follow();
    await clock.pass(10 * minute);
    assert.equal(asked.length, 3);
    agents.set(one, new ApiError('rateLimited', 'GET', '/', { retryAfterMs: 10 * minute }));
    await clock.pass(5 * minute);
    assert.equal(asked.length, 4);
    await clock.pass(10 * minute - 1);
    assert.equal(asked.length, 4);
    agents.set(one, [waits('a')]);
    await clock.pass(1);
    assert.deepEqual([asked.length, counts()], [5, ['one.example 1']]);
    await clock.pass(minute);
    assert.equal(asked.length, 6);
  });

  it('aren’t asked while that is turned off', async () => {
    add(one);
    intervalMs = 0;
    await follow();
    assert.deepEqual([asked, clock.running], [[], []]);
    intervalMs = minute;
    agents.set(one, [waits('a')]);
    await follow();
    assert.deepEqual(counts(), ['one.example 1']);
    intervalMs = 0;
    await follow();
    assert.deepEqual([counts(), clock.running], [[], []]);
  });

  it('say whose agents wait, and nothing of those that can’t be read now', async () => {
    [one, two].forEach(add);
    agents.set(one, [waits('a'), agent('b', 'running'), waits('c')]).set(two, [waits('a')]);
    await follow();
    assert.deepEqual([counts(), changes], [['one.example 2', 'two.example 1'], 2]);
    await clock.pass(minute);
    assert.equal(changes, 2, 'nothing has changed');
    agents.set(one, anError('reset'));
    await clock.pass(minute);
    assert.deepEqual(counts(), ['two.example 1']);
  });

  it('tell what happened since they were first read, once, with their names', async () => {
    add(one);
    agents.set(one, [waits('a'), agent('b', 'running'), agent('c', 'running')]);
    await follow();
    assert.deepEqual(news, []);
    agents.set(one, [waits('a'), waits('b'), agent('c', 'finished')]);
    await clock.pass(minute);
    const expected = [one, 'one.example', ['agentWaits b', 'agentEnded c']];
    assert.deepEqual(told(), [expected]);
    await clock.pass(minute);
    assert.deepEqual(told(), [expected]);
  });

  it('tell nothing of a start that this window reports itself', async () => {
    add(one);
    agents.set(one, [agent('a', 'running')]);
    starting.add('a');
    await follow();
    agents.set(one, [waits('a')]);
    await clock.pass(minute);
    assert.deepEqual(news, []);
  });

  it('tell nothing of a conversation that is on screen, also where another has its id', async () => {
    [one, two].forEach(add);
    const runs = [agent('a', 'running')];
    agents.set(one, runs).set(two, runs);
    await follow();
    looked = `${one} a`;
    agents.set(one, [waits('a')]).set(two, [waits('a')]);
    await clock.pass(minute);
    assert.deepEqual(told(), [[two, 'two.example', ['agentWaits a']]]);
  });

  it('tell what still applies once the window has the focus', async () => {
    add(one);
    agents.set(one, [agent('a', 'running'), agent('b', 'running')]);
    await follow();
    others.setFocused(false);
    agents.set(one, [waits('a'), waits('b')]);
    await clock.pass(5 * minute);
    agents.set(one, [waits('a'), agent('b', 'running')]);
    await clock.pass(5 * minute);
    assert.deepEqual(news, []);
    others.setFocused(true);
    assert.deepEqual(told(), [[one, 'one.example', ['agentWaits a']]]);
  });

  it('know what was known of their agents when the window was on them', async () => {
    const attention = new Attention();
    attentions.set(one, attention);
    attention.observe([agent('a', 'running')], clock.date());
    add(one);
    agents.set(one, [waits('a')]);
    clock.advance(1_000);
    await follow();
    assert.deepEqual(told(), [[one, 'one.example', ['agentWaits a']]]);
  });

  it('keep no number of one that was removed, or that the window switched to', async () => {
    [one, two].forEach(add);
    agents.set(one, [waits('a')]).set(two, [waits('b')]);
    await follow();
    clients.delete(one);
    await follow();
    assert.deepEqual(counts(), ['two.example 1']);
    asked = [];
    await clock.pass(minute);
    assert.deepEqual(asked, [two]);
  });

  it('drop an answer to a key that was replaced meanwhile', async () => {
    let answer: (() => void) | undefined;
    let signal: AbortSignal | undefined;
    clients.set(
      one,
      aClient({
        baseUrl: one,
        listConversations: (_query, asking) => {
          signal = asking;
          return new Promise(
            (resolve) => (answer = () => resolve({ items: [waits('old')], nextPageId: null })),
          );
        },
      }),
    );
    await follow();
    assert.deepEqual([signal?.aborted, asked], [false, []]);
    add(one);
    agents.set(one, []);
    await follow();
    assert.deepEqual([signal?.aborted, asked], [true, [one]]);
    answer?.();
    await settled();
    assert.deepEqual(counts(), []);
  });

  it('are right at once about an agent whose tab is open', async () => {
    add(one);
    agents.set(one, [waits('a'), waits('b')]);
    await follow();
    others.hear(one, 'a', 'unknown');
    others.hear(two, 'a', 'running');
    assert.deepEqual(counts(), ['one.example 2']);
    others.hear(one, 'a', 'running');
    assert.deepEqual([counts(), asked.length], [['one.example 1'], 1]);
  });

  it('are left alone once the window closes', async () => {
    add(one);
    await follow();
    others.dispose();
    await follow();
    assert.deepEqual([clock.running, asked.length], [[], 1]);
  });
});
