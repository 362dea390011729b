import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import type { Page } from '../../../src/api/page';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import type { Connection } from '../../../src/shared/connection';
import { ConversationSearch, type TextStore } from '../../../src/features/search/model/search';
import { sliceMs } from '../../../src/features/search/model/texts';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { aClient, anError } from '../../support/builders/client';
import { aConversation } from '../../support/builders/records';
import { aCommand, aMessage, anEvent, aResult } from '../transcript/events';

const connectionTo = (baseUrl: string): Connection => ({
  name: new URL(baseUrl).hostname,
  baseUrl,
  origin: baseUrl,
});
const [one, two] = ['https://one.example', 'https://two.example'];
const secret = 'canary-0123456789';

describe('the search of all conversations', () => {
  let asked: string[];
  let queries: object[];
  /** Pages of conversations, by service. */
  let lists: Map<string, Conversation[][]>;
  /** Pages of events, newest first, by service and id. */
  let events: Map<string, AgentEvent[][] | Error | (() => Promise<Page<AgentEvent>>)>;
  let gone: Set<string>;
  /** Conversations whose events nobody can be asked for. */
  let asleep: Set<string>;
  let kept: Map<string, string>;
  let areAllSecretsKnown: boolean;
  /** Ends the connections. */
  let ending: AbortController;
  let secrets: string[];
  /** Called whenever something is masked. */
  let masking: () => void;
  /** What each list has and can’t be read, and what happens before it answers. */
  let skipped: number;
  let listing: () => Promise<void>;
  let search: ConversationSearch;

  const store: TextStore = {
    read: (service, id) => Promise.resolve(JSON.parse(kept.get(`${service} ${id}`) ?? 'null')),
    write: (service, id, texts) => Promise.resolve(void kept.set(`${service} ${id}`, JSON.stringify(texts))),
    remove: (service, id) => Promise.resolve(void kept.delete(`${service} ${id}`)),
    tidy: () => Promise.resolve(),
  };
  const clientOf = (baseUrl: string) =>
    aClient({
      baseUrl,
      ended: ending.signal,
      listConversations: async (query) => {
        asked.push(`list ${baseUrl}`);
        queries.push(query ?? {});
        await listing();
        const pages = lists.get(baseUrl);
        if (!pages) throw anError('reset');
        const at = Number(query?.pageId ?? 0);
        return {
          items: pages[at] ?? [],
          nextPageId: at + 1 < pages.length ? String(at + 1) : null,
          ...(skipped > 0 && { skipped }),
        };
      },
      getConversation: (id) => Promise.resolve(gone.has(id) ? null : aConversation({ id })),
    });
  const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`;
  const conversation = (id: string, day: number, more: Partial<Conversation> = {}) =>
    aConversation({ id, title: `Job ${id}`, updated_at: at(day), execution_status: 'finished', ...more });
  const run = (query: string, ...services: string[]) =>
    search.search(query, (services.length > 0 ? services : [one]).map(connectionTo));
  const found = () =>
    search.state.found.map(({ service, conversation: { id }, entries }) =>
      [service === one ? '' : `${service} `, id, ...entries.map(({ excerpt }) => ` | ${excerpt}`)].join(''),
    );

  beforeEach(() => {
    queries = [];
    [asked, secrets, areAllSecretsKnown, masking] = [[], [], true, () => undefined];
    [skipped, listing] = [0, () => Promise.resolve()];
    ending = new AbortController();
    lists = new Map();
    events = new Map();
    gone = new Set();
    asleep = new Set();
    kept = new Map();
    const clients = new Map([one, two].map((service) => [service, clientOf(service)]));
    search = new ConversationSearch({
      reach: (connection) => {
        const client = clients.get(connection.baseUrl);
        return Promise.resolve(client && { connection, client });
      },
      pagesOf: ({ client }, { id }) => {
        if (asleep.has(id)) return Promise.resolve(undefined);
        return Promise.resolve(async (pageId) => {
          asked.push(`read ${client.baseUrl} ${id}`);
          const pages = events.get(`${client.baseUrl} ${id}`) ?? [];
          if (typeof pages === 'function') return pages();
          if (pages instanceof Error) throw pages;
          const place = Number(pageId ?? 0);
          return {
            items: pages[place] ?? [],
            nextPageId: place + 1 < pages.length ? String(place + 1) : null,
          };
        });
      },
      readSecrets: () => Promise.resolve(areAllSecretsKnown),
      mask: createSecretMask(() => {
        masking();
        return secrets;
      }),
      startedAs: (id) => (id === '3cd7b' || id === 'a' ? 'Fix the rounding' : undefined),
      store,
      now: () => Date.parse(at(31)),
    });
  });

  it('finds titles, messages, and steps, newest first, on all pages of all connections', async () => {
    lists.set(one, [[conversation('a', 1, { title: 'Rounding' })], [conversation('b', 3)]]);
    lists.set(two, [[conversation('a', 2), conversation('c', 9)]]);
    const [wrong, again] = [aMessage('The rounding is wrong'), aMessage('Again: rounding')];
    events.set(`${one} b`, [[again], [wrong]]);
    const command = aCommand('grep rounding');
    events.set(`${two} a`, [[aResult(command, { text: 'nothing' }), command]]);
    await run('ROUNDING', one, two);
    const [first, second, third] = found();
    assert.match(first ?? '', /^b \| Again: rounding \| The rounding is wrong/);
    assert.match(second ?? '', /^https:\/\/two\.example a \| grep rounding/);
    assert.equal(third, 'a');
    assert.equal(found().length, 3);
    assert.deepEqual(
      search.state.progress.map(({ searched, known, hasMore }) => [searched, known, hasMore]),
      [
        [2, 2, false],
        [2, 2, false],
      ],
    );
    assert.equal(search.state.isGoing, false);
  });

  it('reads the newest of a page first, and asks for each page once', async () => {
    lists.set(one, [[conversation('a', 1), conversation('b', 3), conversation('c', 2)], []]);
    await run('job');
    const list = { limit: 100, includeSubConversations: true };
    assert.deepEqual(queries, [list, { ...list, pageId: '1' }]);
    const read = asked.flatMap((ask) => /^read \S+ (.*)/.exec(ask)?.[1] ?? []);
    assert.deepEqual(read, ['b', 'c', 'a']);
  });

  it('lists the 500 newest that it finds, and says if there are more', async () => {
    const many = Array.from({ length: 500 }, (_, at) => conversation(`c${at}`, 2));
    for (const id of many.keys()) asleep.add(`c${id}`);
    lists.set(one, [many]);
    await run('job');
    assert.deepEqual([search.state.found.length, search.state.isCut], [500, false]);
    lists.set(one, [many, [conversation('new', 9), conversation('old', 1)]]);
    await run('job');
    const ids = found();
    assert.deepEqual(
      [ids.length, ids[0], ids.includes('old'), search.state.isCut],
      [500, 'new', false, true],
    );
  });

  it('finds a conversation by the name it was started with, until the service has a title', async () => {
    const made = conversation('3cd7b', 2, { title: 'Conversation 3cd7b' });
    lists.set(one, [[made, conversation('a', 1, { title: 'Decimals' })]]);
    await run('rounding');
    assert.deepEqual(
      search.state.found.map((found) => found.conversation.title),
      ['Fix the rounding'],
    );
  });

  it('reads nothing again that hasn’t changed', async () => {
    lists.set(one, [[conversation('a', 1), conversation('b', 2)]]);
    events.set(`${one} a`, [[aMessage('needle')]]);
    await run('needle');
    const before = found();
    asked = [];
    await run('needle');
    assert.deepEqual([found(), asked], [before, [`list ${one}`]]);
    lists.set(one, [[conversation('a', 3), conversation('b', 2)]]);
    await run('needle');
    assert.ok(asked.includes(`read ${one} a`) && !asked.includes(`read ${one} b`));
  });

  it('keeps nothing of agents that work, or that have just ended', async () => {
    const ahead = conversation('ahead', 1, { updated_at: '2026-02-09T00:00:00Z' });
    lists.set(one, [[conversation('a', 1, { execution_status: 'running' }), conversation('b', 31), ahead]]);
    await run('needle');
    assert.deepEqual([...kept.keys()], [`${one} ahead`]);
  });

  it('keeps nothing of a connection that was removed while it was read', async () => {
    lists.set(one, [[conversation('a', 1)]]);
    events.set(`${one} a`, () => {
      ending.abort();
      return Promise.resolve({ items: [aMessage('needle')], nextPageId: null });
    });
    await run('needle');
    assert.deepEqual([...kept], []);
  });

  it('keeps and shows no secret, also one that becomes known later', async () => {
    const later = 'later-0123456789';
    secrets = [secret];
    lists.set(one, [[conversation('a', 1)]]);
    events.set(`${one} a`, [[aMessage(`needle ${secret} ${later}`)]]);
    await run('needle');
    assert.ok(![...kept.values()].join().includes(secret));
    assert.ok(!JSON.stringify(search.state).includes(secret));
    secrets = [secret, later];
    await run('needle');
    assert.ok(found()[0]?.includes('needle'));
    assert.ok(!JSON.stringify(search.state.found).includes(later));
    await run(later);
    assert.deepEqual(found(), []);
  });

  it('keeps nothing while some secrets may not be known', async () => {
    areAllSecretsKnown = false;
    lists.set(one, [[conversation('a', 1)]]);
    events.set(`${one} a`, [[aMessage('needle')]]);
    await run('needle');
    assert.deepEqual([found().length, kept.size], [1, 0]);
    const areUnread = () => search.state.progress.map(({ areSecretsUnread }) => areSecretsUnread);
    assert.deepEqual(areUnread(), [true]);
    areAllSecretsKnown = true;
    await run('needle');
    assert.deepEqual([areUnread(), kept.size], [[false], 1]);
  });

  it('continues past conversations that can’t be read, and drops those that were deleted in the meantime', async () => {
    lists.set(one, [
      [conversation('bad', 3, { title: 'needle' }), conversation('gone', 2), conversation('a', 1)],
    ]);
    events.set(`${one} bad`, anError('reset'));
    events.set(`${one} gone`, anError('notFound'));
    events.set(`${one} a`, [[aMessage('needle')]]);
    gone.add('gone');
    kept.set(`${one} gone`, '{"stamp": 7}');
    await run('needle');
    assert.deepEqual(found(), ['bad', 'a | needle']);
    assert.deepEqual([search.state.progress[0]?.titlesOnly, kept.has(`${one} gone`)], [1, false]);
  });

  for (const reason of ['notFound', 'methodNotAllowed', 'unauthorized', 'forbidden', 'reset'] as const)
    it(`searches titles, and what it has kept, if transcripts can’t be read: ${reason}`, async () => {
      const all = Array.from({ length: 20 }, (_, at_) => conversation(`c${at_}`, 20 - at_));
      lists.set(one, [[...all.slice(0, 5)]]);
      for (const { id } of all.slice(0, 5)) events.set(`${one} ${id}`, [[aMessage('needle')]]);
      await run('needle');
      assert.equal(kept.size, 5);
      lists.set(one, [all.slice(0, 10), all.slice(10)]);
      for (const { id } of all) events.set(`${one} ${id}`, anError(reason));
      asked.length = 0;
      await run('needle');
      const [of] = search.state.progress;
      assert.equal(asked.filter((ask) => ask.startsWith('read')).length, 3);
      assert.deepEqual([found().length, of?.titlesOnly, of?.searched], [5, 15, 20]);
      assert.ok(of?.transcriptError && !of.error);
      await run('job');
      assert.equal(found().length, 20);
    });

  it('searches the titles of conversations whose transcripts nobody can be asked for, which is no failure', async () => {
    const all = Array.from({ length: 5 }, (_, at_) => conversation(`c${at_}`, 20 - at_, { title: 'Errand' }));
    lists.set(one, [[...all, conversation('untitled', 1, { title: null })]]);
    asleep = new Set([...all.map(({ id }) => id), 'untitled']);
    await run('r');
    const [of] = search.state.progress;
    assert.deepEqual([found(), of?.titlesOnly, of?.transcriptError], [all.map(({ id }) => id), 6, undefined]);
  });

  it('gives everything else its turn while it reads a long transcript, and while it searches that', async () => {
    lists.set(one, [[conversation('a', 1)]]);
    events.set(`${one} a`, [Array.from({ length: 10 }, (_, index) => aMessage(`needle ${index}`))]);
    // Each text takes longer to mask than the search may keep others waiting.
    masking = () => {
      const end = performance.now() + sliceMs + 1;
      while (performance.now() < end);
    };
    for (const [query, count] of [
      ['absent', 0],
      ['needle', 1],
    ] as const) {
      let turns = 0;
      let isOver = false;
      const turn = () => {
        turns += 1;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      await run(query);
      isOver = true;
      assert.equal(found().length, count);
      assert.ok(turns >= 9, `${turns} turns`);
    }
  });

  it('asks for transcripts again after some that can’t be read, if others can', async () => {
    const all = Array.from({ length: 12 }, (_, at_) => conversation(`c${at_}`, 20 - at_));
    lists.set(one, [all]);
    for (const [place, { id }] of all.entries())
      events.set(`${one} ${id}`, place % 3 === 2 ? [[aMessage('needle')]] : anError('serverError'));
    await run('needle');
    const [of] = search.state.progress;
    assert.deepEqual([found().length, of?.titlesOnly, of?.transcriptError], [4, 8, undefined]);
  });

  it('says which conversations were read only in part', async () => {
    lists.set(one, [
      [conversation('a', 4), conversation('b', 3), conversation('c', 2), conversation('d', 1)],
    ]);
    events.set(`${one} a`, () =>
      Promise.resolve({ items: [aMessage('needle')], nextPageId: null, skipped: 1 }),
    );
    events.set(`${one} b`, [[aMessage(`needle${'x'.repeat(30_000)}`)]]);
    let number = 0;
    const endless = () =>
      Promise.resolve({ items: [aMessage(`needle ${(number += 1)}`)], nextPageId: String(number) });
    events.set(`${one} c`, endless);
    events.set(`${one} d`, [[aMessage('needle')]]);
    await run('needle');
    assert.deepEqual([search.state.progress[0]?.partial, found().length, number], [3, 4, 100]);
    assert.deepEqual([search.state.found[1]?.entries.length, search.state.found[2]?.more], [1, 50]);
  });

  it('says so, too, of events that can’t be read, of long outputs, and of too much altogether', async () => {
    lists.set(one, [['a', 'b', 'c', 'd'].map((id, index) => conversation(id, 9 - index))]);
    const [command, old] = [aCommand('ls'), aMessage('needle')];
    events.set(`${one} a`, [[anEvent({ kind: 'unread', why: 'large' }), aMessage('needle')]]);
    events.set(`${one} b`, [[aResult(command, { text: 'x'.repeat(9_000) }), command, aMessage('needle')]]);
    const long = Array.from({ length: 60 }, () => aMessage('y'.repeat(19_000)));
    events.set(`${one} c`, [[...long, old]]);
    events.set(`${one} d`, [[anEvent({ kind: 'condensation', summary: 'needle' })]]);
    await run('needle');
    assert.deepEqual([found(), search.state.progress[0]?.partial], [['a | needle', 'b | needle'], 3]);
    const most = Array.from({ length: 50 }, () => aMessage('z'.repeat(20_000)));
    events.set(`${one} e`, [most]);
    lists.set(one, [[conversation('e', 9)]]);
    await run('zzz');
    const [all] = search.state.found;
    assert.deepEqual([all?.entries.length, all?.more, search.state.progress[0]?.partial], [50, 0, 0]);
  });

  it('says how many conversations of a list couldn’t be read', async () => {
    lists.set(one, [[conversation('a', 2)], [conversation('b', 1)]]);
    skipped = 2;
    await run('job');
    const [of] = search.state.progress;
    assert.deepEqual([found(), of?.known, of?.unread], [['a', 'b'], 2, 4]);
    skipped = 0;
    await run('job');
    assert.equal(search.state.progress[0]?.unread, 0);
  });

  it('doesn’t take an end by the user for a failure of the service', async () => {
    lists.set(one, [[conversation('a', 1)]]);
    listing = () => {
      search.cancel();
      return Promise.reject(new DOMException('Canceled', 'AbortError'));
    };
    await run('job');
    const { isCanceled, progress } = search.state;
    assert.deepEqual([isCanceled, progress[0]?.error], [true, undefined]);
  });

  it('ends where a list repeats itself', async () => {
    lists.set(
      one,
      Array.from({ length: 50 }, () => [conversation('a', 1)]),
    );
    await run('job');
    assert.deepEqual([asked.filter((ask) => ask.startsWith('list')).length, found()], [2, ['a']]);
  });

  it('says which service can’t be read, and searches the others', async () => {
    lists.set(two, [[conversation('a', 1)]]);
    await run('job', one, two, 'https://without.example');
    assert.deepEqual(found(), [`${two} a`]);
    assert.deepEqual(
      search.state.progress.map(({ error }) => error?.message.includes('reset')),
      [true, undefined, undefined],
    );
    const [, , without] = search.state.progress;
    assert.deepEqual([without?.hasMore, without?.isWithoutKey], [false, true]);
  });

  it('ends when it is canceled, and keeps what it found', async () => {
    lists.set(one, [[conversation('a', 3), conversation('b', 2), conversation('c', 1)]]);
    let arrived: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (arrived = resolve));
    let answer: (page: Page<AgentEvent>) => void = () => undefined;
    events.set(`${one} b`, () => {
      arrived();
      return new Promise((resolve) => (answer = resolve));
    });
    const searched = run('job');
    await reading;
    search.cancel();
    answer({ items: [], nextPageId: null });
    await searched;
    search.cancel();
    assert.deepEqual(found(), ['a']);
    assert.ok(!asked.includes(`read ${one} c`));
    assert.deepEqual([search.state.isGoing, search.state.isCanceled], [false, true]);
    search.clear();
    assert.deepEqual([found(), search.state.query], [[], '']);
  });

  it('adds nothing that it was looking at when it was canceled', async () => {
    lists.set(one, [[conversation('a', 1)]]);
    events.set(`${one} a`, [[aMessage('the job')]]);
    await run('job');
    search.cancel();
    assert.deepEqual([found().length, search.state.isCanceled], [1, false], 'it had ended');
    masking = () => search.cancel();
    await run('job');
    assert.deepEqual([found(), search.state.isCanceled], [[], true]);
  });

  it('gives way to another, and their results stay separate', async () => {
    lists.set(one, [[conversation('a', 1, { title: 'first' }), conversation('b', 2, { title: 'second' })]]);
    await Promise.all([run('first'), run('second')]);
    assert.deepEqual([found(), search.state.query, search.state.isGoing], [['b'], 'second', false]);
  });

  it('survives whatever is kept', async () => {
    lists.set(one, [[conversation('a', 1)]]);
    events.set(`${one} a`, [[aMessage('needle')]]);
    for (const stored of ['null', '7', '[]', '{}', '{"stamp":"x","entries":[7],"isPartial":false}']) {
      kept.set(`${one} a`, stored);
      await run('needle');
      assert.deepEqual(found(), ['a | needle'], stored);
    }
  });
});
