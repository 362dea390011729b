import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import type { ApiClient } from '../../../src/api/service/client';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { Attention } from '../../../src/core/lists/attention';
import type { News } from '../../../src/features/attention/model/attentionFeed';
import { OtherConnections } from '../../../src/features/attention/model/otherConnections';
import { ToldNews } from '../../../src/features/attention/model/toldNews';
import { aClient, anError } from '../../support/builders/client';
import { aConversation } from '../../support/builders/records';
import { settled } from '../../support/settled';
import { FakeClock } from '../api/support/clock';

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
  let here: Set<string>;
  let looked: string;
  let intervalMs: number;
  let showsAll: boolean;
  let attentions: Map<string, Attention>;
  let news: News[];
  let changes: number;
  let others: OtherConnections;

  const clientOf = (baseUrl: string) =>
    aClient({
      baseUrl,
      listConversations: (query) => {
        asked.push(baseUrl);
        const found = agents.get(baseUrl) ?? [];
        if (found instanceof Error) return Promise.reject(found);
        // As services do it: those of subagents come only to who asks for them.
        const isListed = (child: Conversation) =>
          query?.includeSubConversations === true || !child.parent_conversation_id;
        return Promise.resolve({ items: found.filter(isListed), nextPageId: null });
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
    [asked, news, changes, intervalMs, showsAll] = [[], [], 0, minute, false];
    agents = new Map();
    clients = new Map();
    attentions = new Map();
    starting = new Set();
    here = new Set();
    looked = '';
    const store = new Map<string, unknown>();
    others = new OtherConnections({
      others: () =>
        Promise.resolve(
          [...clients].map(([baseUrl, client]) => ({ client, connection: connectionTo(baseUrl) })),
        ),
      intervalMs: () => intervalMs,
      showsAll: () => showsAll,
      shownMs: () => minute / 2,
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
      isKnownHere: (id) => here.has(id),
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

  it('say whose agents wait, and nothing about those that can’t be read now', async () => {
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

  it('say that a subagent waits', async () => {
    add(one);
    agents.set(one, [agent('parent', 'running'), { ...waits('child'), parent_conversation_id: 'parent' }]);
    await follow();
    assert.deepEqual(counts(), ['one.example 1']);
  });

  it('count and tell a conversation once that several addresses lead to', async () => {
    const [x, y] = ['1', '2'].map((digit) => digit.repeat(32)) as [string, string];
    [one, two].forEach(add);
    agents.set(one, [agent(x, 'running'), waits(y)]).set(two, [agent(x, 'running'), waits(y)]);
    await follow();
    assert.deepEqual(counts(), ['one.example 1']);
    agents.set(one, [waits(x), waits(y)]).set(two, [waits(x), waits(y)]);
    await clock.pass(minute);
    assert.deepEqual(counts(), ['one.example 2']);
    assert.deepEqual(told(), [[one, 'one.example', [`agentWaits ${x}`]]]);
    here.add(y);
    assert.deepEqual(counts(), ['one.example 1']);
    // Only one of the addresses answers.
    agents.set(one, anError('reset'));
    await clock.pass(minute);
    assert.deepEqual(counts(), ['two.example 1']);
  });

  it('say nothing of a conversation that the window’s own connection tells', async () => {
    const x = '1'.repeat(32);
    add(one);
    agents.set(one, [agent(x, 'running')]);
    await follow();
    here.add(x);
    agents.set(one, [waits(x)]);
    await clock.pass(minute);
    assert.deepEqual([told(), counts()], [[], []]);
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

  it('say nothing about a start that this window reports itself', async () => {
    add(one);
    agents.set(one, [agent('a', 'running')]);
    starting.add('a');
    await follow();
    agents.set(one, [waits('a')]);
    await clock.pass(minute);
    assert.deepEqual(news, []);
  });

  it('say nothing about a conversation that is on screen, also where another has its id', async () => {
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

  it('keep what was read of the others when one is added', async () => {
    add(one);
    agents.set(one, [waits('a')]);
    await follow();
    add(two);
    await follow();
    assert.deepEqual([asked, counts()], [[one, two], ['one.example 1']]);
  });

  it('drop an answer to a key that was replaced in the meantime', async () => {
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

  describe('shown together with it', () => {
    const show = async () => {
      showsAll = true;
      others.setVisible(true);
      await follow();
    };
    /** Requests a minute, once everything was read. */
    const perMinute = async () => {
      asked = [];
      await clock.pass(10 * minute);
      return asked.length / 10;
    };
    const rows = () =>
      others.shown?.map(({ connection, list }) => [
        connection.name,
        list.error instanceof ApiError ? list.error.reason : undefined,
        ...list.items.map(({ id, execution_status }) => `${id} ${execution_status}`),
      ]);
    /** A service with this many pages of one conversation each. */
    const paged = (baseUrl: string, pages: number) => {
      const page = (number: number) => ({
        items: [agent(`p${number}`, 'idle')],
        nextPageId: number < pages ? String(number + 1) : null,
      });
      const listConversations: ApiClient['listConversations'] = (query) => {
        asked.push(`${baseUrl} ${query?.pageId ?? '1'}`);
        return Promise.resolve(page(Number(query?.pageId ?? 1)));
      };
      clients.set(baseUrl, aClient({ baseUrl, listConversations }));
    };

    for (const count of [1, 5, 20])
      it(`cost ${count} of them two requests a minute each on screen, one hidden, and 0.2 without the focus`, async () => {
        for (let number = 0; number < count; number += 1) add(`https://${number}.example`);
        await show();
        assert.equal(await perMinute(), 2 * count);
        others.setVisible(false);
        assert.equal(await perMinute(), count);
        others.setVisible(true);
        others.setFocused(false);
        assert.equal(await perMinute(), 0.2 * count);
      });

    it('cost nothing while hidden, unfocused, or turned off, if they aren’t watched', async () => {
      intervalMs = 0;
      add(one);
      showsAll = true;
      await follow();
      assert.deepEqual(asked, []);
      agents.set(one, [waits('a')]);
      await show();
      assert.deepEqual([rows(), counts()], [[['one.example', undefined, 'a waiting_for_confirmation']], []]);
      assert.equal(await perMinute(), 2);
      others.setVisible(false);
      assert.equal(await perMinute(), 0);
      others.setVisible(true);
      others.setFocused(false);
      assert.equal(await perMinute(), 0);
      others.setFocused(true);
      showsAll = false;
      await follow();
      assert.deepEqual([await perMinute(), clock.running, others.shown, news], [0, [], undefined, []]);
    });

    it('aren’t asked again because a view is hidden and shown', async () => {
      add(one);
      await show();
      for (let times = 0; times < 20; times += 1) {
        others.setVisible(false);
        others.setVisible(true);
      }
      await settled();
      assert.equal(asked.length, 1);
    });

    it('say each for itself why they can’t be read, and keep what was read', async () => {
      [one, two].forEach(add);
      agents.set(one, [agent('a', 'idle')]).set(two, [agent('a', 'running')]);
      await show();
      agents.set(one, anError('unauthorized')).set(two, anError('reset'));
      await clock.pass(minute);
      assert.deepEqual(rows(), [
        ['one.example', 'unauthorized', 'a idle'],
        ['two.example', 'reset', 'a running'],
      ]);
      agents.set(one, [agent('b', 'idle')]);
      await clock.pass(minute);
      assert.deepEqual(rows()?.[0], ['one.example', undefined, 'b idle']);
    });

    it('read more of one of them, and no more often with more pages', async () => {
      paged(one, 3);
      paged(two, 3);
      await show();
      await others.loadMore(one);
      await others.loadMore('https://gone.example');
      assert.deepEqual(
        others.shown?.map(({ list }) => [list.items.length, list.nextPageId]),
        [
          [2, '3'],
          [1, '2'],
        ],
      );
      assert.equal(await perMinute(), 4);
      const ofOne = asked.filter((ask) => ask.startsWith(one));
      assert.deepEqual([...new Set(ofOne)].sort(), [`${one} 1`, `${one} 2`]);
    });

    it('are read at once when somebody asks, all of them only on screen', async () => {
      [one, two].forEach(add);
      await show();
      asked = [];
      await others.refresh();
      assert.deepEqual(asked, [one, two]);
      await others.refresh(two);
      assert.deepEqual(asked, [one, two, two]);
      others.setVisible(false);
      await others.refresh();
      assert.equal(asked.length, 3);
    });

    it('find a conversation on its own service only', async () => {
      [one, two].forEach(add);
      agents.set(one, [agent('a', 'idle')]).set(two, [agent('a', 'running')]);
      await show();
      const found = others.find(two, 'a');
      assert.deepEqual([found?.client.baseUrl, found?.chosen.execution_status], [two, 'running']);
      assert.equal(others.find('https://gone.example', 'a'), undefined);
      assert.equal(others.find(one, 'b'), undefined);
    });

    it('show what an open tab says about its agent', async () => {
      [one, two].forEach(add);
      agents.set(one, [agent('a', 'idle')]).set(two, [agent('a', 'idle')]);
      await show();
      others.hear(two, 'a', 'waiting_for_confirmation');
      assert.deepEqual([rows()?.[0]?.[2], rows()?.[1]?.[2]], ['a idle', 'a waiting_for_confirmation']);
      assert.deepEqual(counts(), ['two.example 1']);
    });
  });

  it('are left alone once the window closes', async () => {
    add(one);
    await follow();
    others.dispose();
    await follow();
    assert.deepEqual([clock.running, asked.length], [[], 1]);
  });
});
