import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { ReadMarks } from '../../../src/features/attention/model/readMarks';
import { aConversation } from '../../support/builders/records';

const service = 'https://one.example';
const start = Date.parse('2026-01-01T00:00:00Z');
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();

const store = (kept: Map<string, unknown>) => ({
  get: (key: string) => kept.get(key),
  update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
});

/** Conversations a, b, and c of a service, all of them known for an hour. */
function setUp(
  kept = new Map<string, unknown>(),
  first: Partial<Conversation> = { execution_status: 'finished' },
  stepMs = 60_000,
) {
  const clock = { now: start };
  const marks = new ReadMarks(
    store(kept),
    (of) => `marks ${of}`,
    () => clock.now,
  );
  let items = ['a', 'b', 'c'].map((id) => aConversation({ id, updated_at: at(-60), ...first }));
  marks.observe(service, items);
  const get = (id: string) => items.find((one) => one.id === id)!;
  const change = (id: string, values: Partial<Conversation>) => {
    clock.now += stepMs;
    const updated_at = new Date(clock.now).toISOString();
    items = items.map((one) => (one.id === id ? { ...one, updated_at, ...values } : one));
    marks.observe(service, items);
  };
  const unread = () => items.filter((one) => marks.isUnread(service, one)).map(({ id }) => id);
  return { marks, kept, clock, get, change, unread };
}

describe('unread conversations', () => {
  it('are none at first, then those that changed', () => {
    const { unread, change } = setUp();
    assert.deepEqual(unread(), []);
    change('b', { execution_status: 'waiting_for_confirmation' });
    assert.deepEqual(unread(), ['b']);
  });

  it('aren’t what somebody watched, also after the window closed', () => {
    const { marks, kept, change, get } = setUp();
    marks.setVisible(service, 'b', true);
    marks.markUnread(service, [get('b')]);
    change('b', {});
    const reopened = () => setUp(kept).marks.isUnread(service, get('b'));
    assert.equal(reopened(), true, 'marked as unread on purpose');
    marks.markRead(service, [get('b')]);
    change('b', { execution_status: 'running' });
    change('b', { execution_status: 'finished' });
    assert.equal(reopened(), false);
    marks.setFocused(false);
    change('b', {});
    assert.equal(reopened(), true);
  });

  it('aren’t hidden for years by one time that a broken clock gave', () => {
    const marks = new ReadMarks(
      store(new Map()),
      (of) => `marks ${of}`,
      () => start,
    );
    const of = (id: string, updated_at: string) =>
      aConversation({ id, execution_status: 'finished', updated_at });
    marks.observe(service, [of('broken', '2099-01-01T00:00:00Z'), of('a', at(-60))]);
    assert.deepEqual(
      [of('a', at(-60)), of('a', at(1))].map((one) => marks.isUnread(service, one)),
      [false, true],
    );
  });

  it('are news again once this computer’s clock, which was years ahead, is right', () => {
    const kept = new Map<string, unknown>();
    const year = 365 * 24 * 60 * 60_000;
    const before = setUp(kept);
    before.clock.now += 3 * year;
    before.marks.setVisible(service, 'a', true);
    before.marks.setVisible(service, 'a', false);
    before.marks.markRead(service, [before.get('b')]);
    before.marks.markUnread(service, [before.get('c')]);
    kept.set(`marks ${service}`, { ...(kept.get(`marks ${service}`) as object), since: start + 3 * year });
    const { unread, change } = setUp(kept);
    assert.deepEqual(unread(), ['c'], 'nothing else is new');
    for (const id of ['a', 'b']) change(id, {});
    assert.deepEqual(unread(), ['a', 'b', 'c']);
    const created = aConversation({ id: 'd', execution_status: 'finished', updated_at: at(5) });
    assert.equal(setUp(kept).marks.isUnread(service, created), true);
  });

  it('can be read although the service’s clock is years ahead', () => {
    const { marks, change, unread, get } = setUp();
    change('a', { updated_at: '2099-01-01T00:00:00Z' });
    marks.markRead(service, [get('a')]);
    change('b', {});
    assert.deepEqual(unread(), ['b']);
    change('a', { updated_at: '2099-01-02T00:00:00Z' });
    assert.deepEqual(unread(), ['a', 'b']);
  });

  it('don’t include what was looked at, though the service’s clock is ahead', () => {
    const { marks, change, unread, clock } = setUp();
    clock.now += 10 * 60_000;
    change('b', {});
    clock.now -= 10 * 60_000;
    assert.deepEqual(unread(), ['b']);
    marks.setVisible(service, 'b', true);
    marks.setVisible(service, 'b', false);
    assert.deepEqual(unread(), []);
  });

  it('don’t include what was looked at before its service was first read', () => {
    const marks = new ReadMarks(
      store(new Map()),
      (of) => `marks ${of}`,
      () => start,
    );
    marks.setVisible(service, 'a', true);
    marks.observe(service, [aConversation({ id: 'b', updated_at: at(-60) })]);
    const seen = aConversation({ id: 'a', execution_status: 'finished', updated_at: at(-1) });
    marks.observe(service, [seen]);
    assert.equal(marks.isUnread(service, seen), false);
  });

  it('include what changes after a list that was there before it was known whose it is', () => {
    const marks = new ReadMarks(store(new Map()), (of) => `marks ${of}`, Date.now);
    const before = [aConversation({ id: 'a', execution_status: 'finished', updated_at: at(-60) })];
    for (const of of ['', service]) marks.observe(of, before);
    const after = [aConversation({ id: 'a', execution_status: 'stuck', updated_at: at(0) })];
    marks.observe(service, after);
    assert.equal(marks.isUnread(service, after[0]!), true);
  });

  for (const execution_status of ['finished', 'error', 'stuck', 'waiting_for_confirmation', 'idle', 'odd']) {
    it(`include one that is ${execution_status}`, () => {
      const { unread, change } = setUp();
      change('a', { execution_status });
      assert.deepEqual(unread(), ['a']);
    });
  }

  it('aren’t those whose agents work: they change all the time', () => {
    const { unread, change } = setUp();
    change('a', { execution_status: 'running' });
    change('b', { execution_status: null, sandbox_status: 'STARTING' });
    assert.deepEqual(unread(), []);
  });

  it('are told of only when they change', () => {
    const { marks, change, kept } = setUp();
    let told = 0;
    marks.onDidChange(() => (told += 1));
    const before = structuredClone([...kept]);
    change('a', {});
    assert.deepEqual([told, [...kept]], [0, before]);
  });

  it('are read after somebody looked, and unread when they change later', () => {
    const { marks, unread, change } = setUp();
    change('a', {});
    marks.setVisible(service, 'a', true);
    assert.deepEqual(unread(), []);
    change('a', { execution_status: 'error' });
    assert.deepEqual(unread(), [], 'it’s on screen');
    marks.setVisible(service, 'a', false);
    assert.deepEqual(unread(), []);
    change('a', { execution_status: 'finished' });
    assert.deepEqual(unread(), ['a']);
  });

  it('include one on screen while the window isn’t focused', () => {
    const { marks, unread, change } = setUp();
    marks.setVisible(service, 'a', true);
    marks.setFocused(false);
    change('a', {});
    assert.deepEqual(unread(), ['a']);
    marks.setFocused(true);
    assert.deepEqual(unread(), []);
  });

  it('are marked as read and unread, several at once', () => {
    const { marks, unread, change, get } = setUp();
    change('a', {});
    change('b', {});
    marks.markRead(service, [get('a'), get('b')]);
    assert.deepEqual(unread(), []);
    marks.markUnread(service, [get('b'), get('c')]);
    assert.deepEqual(unread(), ['b', 'c']);
    change('c', { execution_status: 'running' });
    assert.deepEqual(unread(), ['b', 'c'], 'the user said so');
  });

  it('aren’t those that were read before their sandboxes were paused', () => {
    const { unread, change } = setUp();
    const paused = { execution_status: null, sandbox_status: 'PAUSED' };
    change('a', paused);
    assert.deepEqual(unread(), []);
    change('b', {});
    change('b', paused);
    assert.deepEqual(unread(), ['b']);
  });

  const asleep = { execution_status: null, sandbox_status: 'PAUSED' };
  const starting = { execution_status: null, sandbox_status: 'STARTING' };
  const values = (state: string | Partial<Conversation>) =>
    typeof state === 'string' ? { execution_status: state, sandbox_status: 'RUNNING' } : state;
  for (const [what, before, after, isNews] of [
    ['pausing an agent', 'running', ['running', 'paused'], false],
    ['pausing an agent and its sandbox', 'running', ['paused', asleep], false],
    ['interrupting an agent', 'running', ['idle'], false],
    ['pausing a sandbox', 'running', [asleep], false],
    ['rejecting', 'waiting_for_confirmation', ['waiting_for_confirmation', 'idle'], false],
    ['approving', 'waiting_for_confirmation', ['running'], false],
    ['renaming', 'finished', ['finished'], false],
    ['resuming', asleep, [asleep, starting, 'finished'], false],
    ['resuming one that asks', asleep, [starting, 'waiting_for_confirmation'], false],
    ['an error instead of a pause', 'running', ['error'], true],
    ['finishing before a pause', 'running', ['finished'], true],
    ['asking before a pause', 'running', ['waiting_for_confirmation'], true],
    ['an error after a pause', 'running', ['paused', 'error'], true],
    ['finishing after a pause', 'running', ['paused', 'running', 'finished'], true],
    ['an error while resuming', asleep, [starting, { sandbox_status: 'ERROR' }], true],
    ['finishing after an approval', 'waiting_for_confirmation', ['running', 'finished'], true],
    ['asking again', 'waiting_for_confirmation', ['running', 'waiting_for_confirmation'], true],
    ['work after renaming', 'finished', ['running', 'finished'], true],
  ] as const) {
    it(`${isNews ? 'include' : 'don’t include'} what the user changed here: ${what}`, () => {
      const { marks, unread, change } = setUp(new Map(), values(before), 10_000);
      marks.acted(service, ({ id }) => id === 'a', true);
      for (const state of after) change('a', values(state));
      assert.deepEqual(unread(), isNews ? ['a'] : []);
    });
  }

  it('include what changes long after the user changed it here, and what was unread before', () => {
    const { marks, unread, change, clock } = setUp();
    marks.acted(service, ({ id }) => id === 'a', true);
    clock.now += 10 * 60_000;
    change('a', {});
    change('b', {});
    marks.acted(service, ({ id }) => id === 'b');
    change('b', asleep);
    assert.deepEqual(unread(), ['a', 'b']);
  });

  it('don’t include an agent that pauses only after a long step', () => {
    const { marks, unread, change, clock } = setUp(new Map(), { execution_status: 'running' });
    marks.acted(service, ({ id }) => id === 'a', true);
    clock.now += 10 * 60_000;
    change('a', { execution_status: 'running' });
    change('a', { execution_status: 'paused' });
    assert.deepEqual(unread(), []);
  });

  it('don’t depend on the clock of the service', () => {
    const { marks, unread, change, get } = setUp();
    change('a', { updated_at: at(500) });
    marks.markRead(service, [get('a')]);
    assert.deepEqual(unread(), []);
    change('a', { updated_at: at(501) });
    assert.deepEqual(unread(), ['a']);
  });

  it('are remembered, by either form of an id, and for each service', () => {
    const { marks, kept, change, get, unread } = setUp();
    change('a', {});
    marks.markRead(service, [get('a')]);
    marks.markUnread(service, [get('b')]);
    assert.deepEqual(setUp(kept).unread(), ['b']);
    assert.equal(marks.isUnread('https://other.example', get('b')), false);
    assert.deepEqual(unread(), ['b']);
    const id = '0123456789abcdef0123456789abcdef';
    marks.markUnread(service, [aConversation({ id })]);
    assert.ok(marks.isUnread(service, aConversation({ id: '01234567-89ab-cdef-0123-456789abcdef' })));
  });

  it('never take more than 500 places, the marked ones last to go', () => {
    const { marks, kept, clock, get } = setUp();
    marks.markUnread(service, [get('a')]);
    for (let index = 0; index < 600; index += 1) {
      clock.now += 1;
      marks.markRead(service, [aConversation({ id: `x-${index}` })]);
    }
    const { seen } = kept.get(`marks ${service}`) as { seen: Record<string, number> };
    assert.equal(Object.keys(seen).length, 500);
    assert.ok('a' in seen && 'x-599' in seen && !('x-0' in seen));
  });

  it('survive whatever is stored', () => {
    for (const stored of [
      null,
      7,
      'x',
      [],
      {},
      { since: 'x' },
      { since: start, seen: 7 },
      { since: 0, seen: { a: 'x' } },
    ]) {
      const { unread, marks, get } = setUp(new Map([[`marks ${service}`, stored]]));
      unread();
      marks.markRead(service, [get('a'), get('b'), get('c')]);
      assert.deepEqual(unread(), [], JSON.stringify(stored));
    }
  });
});
