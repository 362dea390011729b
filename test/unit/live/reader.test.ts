import assert from 'node:assert/strict';
import type { AgentClient } from '../../../src/api/agent/client';
import type { AgentEvent } from '../../../src/api/events/event';
import { EventReader } from '../../../src/features/live/model/reader';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { aClient } from '../../support/builders/client';
import { aCommand, aMessage, aResult } from '../transcript/events';

interface Query {
  pageId?: string | undefined;
  newestFirst?: boolean | undefined;
  from?: string | undefined;
}

/** A place that has events, in pages of two; notes how they were asked for. */
function place(some: readonly AgentEvent[]) {
  const events = [...some];
  const asked: Query[] = [];
  const searchEvents = (query: Query) => {
    asked.push(query);
    const { pageId = '0', newestFirst = false, from = '' } = query;
    const later = events.filter(({ timestamp }) => timestamp >= from);
    const all = newestFirst ? later.toReversed() : later;
    const start = Number(pageId);
    const nextPageId = start + 2 < all.length ? String(start + 2) : null;
    return Promise.resolve({ items: all.slice(start, start + 2), nextPageId });
  };
  return { asked, events, agent: { searchEvents } as unknown as AgentClient, searchEvents };
}

describe('reading events from both places', () => {
  const events = Array.from({ length: 9 }, (_, number) => aMessage(String(number)));
  let told: [ids: string, isLive: boolean][];
  const ids = (some: readonly AgentEvent[]) =>
    some.map((event) => (event.kind === 'message' ? event.text : event.kind)).join('');

  /** A reader of a store that has so many of the events. */
  function reader(stored = 0) {
    const store = place(events.slice(0, stored));
    told = [];
    const made = new EventReader(
      'c',
      aClient({ searchEvents: (_id, query) => store.searchEvents(query ?? {}) }),
      createSecretMask(() => []),
      (added, isLive) => told.push([ids(added), isLive]),
    );
    return { made, store };
  }

  it('begins with the newest page of the agent server, and continues from what it knows', async () => {
    const { made } = reader();
    assert.deepEqual([made.hasOlder, made.events], [false, []]);
    const first = place(events.slice(0, 5));
    assert.equal(ids(await made.readLive(first.agent)), '43');
    assert.deepEqual([made.hasOlder, made.events.at(-1)?.timestamp], [true, events[4]?.timestamp]);
    const later = place(events);
    assert.equal(ids(await made.readLive(later.agent)), '5678');
    assert.equal(ids(made.events), '345678');
    assert.deepEqual(
      later.asked.map(({ from, pageId }) => [from, pageId]),
      [undefined, '2', '4'].map((pageId) => [events[3]?.timestamp, pageId]),
    );
    assert.equal(ids(await made.readLive(later.agent)), '');
    assert.deepEqual(told, [
      ['43', true],
      ['5678', true],
    ]);
  });

  it('ends when a server’s pages bring nothing new, whatever page it names next', async () => {
    const { made } = reader();
    await made.readLive(place(events.slice(0, 1)).agent);
    let asked = 0;
    const circling = {
      searchEvents: () => {
        asked += 1;
        return Promise.resolve({ items: [events[Math.min(asked, 2)]], nextPageId: `again${asked}` });
      },
    } as unknown as AgentClient;
    assert.equal(ids(await made.readLive(circling)), '12');
    assert.equal(asked, 3);
  });

  it('takes what it hears once', () => {
    const { made } = reader();
    made.hear(events[1]!);
    made.hear(events[1]!);
    made.hear(events[0]!);
    assert.equal(ids(made.events), '01');
    assert.deepEqual(told, [
      ['1', true],
      ['0', true],
    ]);
  });

  it('reads the store until it meets what is known', async () => {
    const { made, store } = reader(9);
    await made.readStored();
    assert.equal(ids(made.events), '78');
    assert.deepEqual([made.hasOlder, told], [true, [['87', false]]]);
    store.asked.length = 0;
    await made.readStored();
    assert.equal(store.asked.length, 1);
    const { made: behind, store: whole } = reader(9);
    behind.hear(events[2]!);
    await behind.readStored();
    assert.equal(ids(behind.events), '12345678');
    assert.deepEqual([whole.asked.length, behind.hasOlder], [4, false]);
    const { made: strange } = reader(9);
    strange.hear(aMessage('x'));
    await strange.readStored();
    assert.equal(ids(strange.events), '012345678x');
  });

  it('reads older events from where it began, page by page to the end', async () => {
    const { made } = reader();
    const { agent } = place(events.slice(0, 5));
    await made.readLive(agent);
    await made.readOlder(agent);
    assert.deepEqual([ids(made.events), made.hasOlder], ['1234', true]);
    await made.readOlder(agent);
    assert.deepEqual([ids(made.events), made.hasOlder], ['01234', false]);
    await made.readOlder(agent);
    assert.equal(ids(made.events), '01234');
    assert.deepEqual(
      told.map(([, isLive]) => isLive),
      [true, false, false],
    );
    const { made: empty } = reader(9);
    await empty.readOlder(undefined);
    assert.equal(ids(empty.events), '');
  });

  it('continues in the store once the agent server is gone, without a gap where they meet', async () => {
    const { made } = reader(8);
    await made.readLive(place(events).agent);
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), made.gaps.size], ['678', 0]);
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), made.hasOlder], ['45678', true]);
  });

  it('reads on in the store where its first reading ended', async () => {
    const { made, store } = reader(5);
    await made.readStored();
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), store.asked.length], ['1234', 2]);
  });

  it('reads on in the store although more than a page of events has shifted what is older', async () => {
    const { made, store } = reader(6);
    await made.readStored();
    await made.readOlder(undefined);
    store.events.push(...events.slice(6));
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), made.hasOlder], ['12345', true]);
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), made.hasOlder], ['012345', false]);
  });

  it('begins in the store where the agent server had nothing', async () => {
    const { made } = reader(3);
    await made.readLive(place([]).agent);
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), made.gaps.size], ['12', 0]);
    assert.deepEqual(told, [['21', false]]);
  });

  it('marks no gap where the store has what is newer', async () => {
    const { made } = reader(9);
    await made.readLive(place([events[5]!]).agent);
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), made.gaps.size], ['578', 0]);
  });

  it('marks a gap where all that the store has is older, even by as little as nothing', async () => {
    const late = { ...events[5]!, id: 'late', timestamp: events[4]!.timestamp };
    const { made } = reader(5);
    await made.readLive(place([late]).agent);
    await made.readOlder(undefined);
    assert.deepEqual([...made.gaps], ['late']);
  });

  it('counts a masked secret once, however often its event is read', () => {
    const mask = createSecretMask(() => ['secret-12345']);
    const made = new EventReader(
      'c',
      aClient({ searchEvents: () => Promise.reject(new Error()) }),
      mask,
      () => undefined,
    );
    const event = aMessage('secret-12345');
    made.hear(event);
    made.hear(event);
    assert.deepEqual([mask.count, made.events.length], [1, 1]);
  });

  it('reads on at once where the store begins with what is known', async () => {
    const { made } = reader(6);
    await made.readLive(place(events.slice(0, 6)).agent);
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), made.gaps.size], ['2345', 0]);
  });

  it('marks a gap where the store ends before what is known', async () => {
    const { made } = reader(3);
    await made.readLive(place(events).agent);
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), [...made.gaps]], ['1278', [events[7]?.id]]);
    const { made: none } = reader(0);
    await none.readLive(place(events).agent);
    await none.readOlder(undefined);
    assert.deepEqual([[...none.gaps], none.hasOlder], [[events[7]?.id], false]);
  });

  it('marks it, too, where the store was read before', async () => {
    const { made, store } = reader(3);
    await made.readLive(place(events).agent);
    await made.readStored();
    assert.deepEqual([ids(made.events), store.asked.length], ['78', 1]);
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), [...made.gaps]], ['1278', [events[7]?.id]]);
    await made.readStored();
    await made.readOlder(undefined);
    assert.deepEqual([ids(made.events), made.gaps.size], ['01278', 1]);
    const { made: later, store: behind } = reader(3);
    await later.readLive(place(events).agent);
    await later.readStored();
    behind.events.push(...events.slice(3));
    await later.readStored();
    await later.readOlder(undefined);
    assert.deepEqual([ids(later.events), later.gaps.size], ['5678', 0]);
  });

  it('reads back no more than twenty pages for messages, however often they’re looked for', async () => {
    const { made } = reader();
    const { agent } = place(Array.from({ length: 200 }, (_, number) => aMessage(String(number))));
    await made.readLive(agent);
    let pages = 0;
    const readPage = () => {
      pages += 1;
      return made.readOlder(agent);
    };
    for (let times = 0; times < 3; times += 1) await made.readBack(() => '2020-01-01T00:00:00', readPage);
    assert.deepEqual([pages, made.hasOlder], [20, true]);
  });

  it('reads back to a time that is looked for, also after a page that couldn’t be read', async () => {
    const { made } = reader();
    const { agent } = place(events);
    await made.readLive(agent);
    const sought = () => events[4]?.timestamp ?? '';
    await made.readBack(sought, () => Promise.reject(new Error('Unavailable')));
    assert.equal(ids(made.events), '78');
    await made.readBack(sought, () => made.readOlder(agent));
    assert.equal(ids(made.events), '345678');
    await made.readBack(
      () => '',
      () => assert.fail('Nothing is looked for.'),
    );
    assert.equal(ids(made.events), '345678');
  });

  it('knows which actions have no answer yet', () => {
    const { made } = reader();
    const action = aCommand('ls');
    made.hear(action);
    assert.deepEqual(made.unanswered(true), [action]);
    made.hear(aResult(action));
    assert.deepEqual(made.unanswered(true), []);
  });
});
