import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../src/api/service/client';
import type { Entry, Head } from '../../../../src/shared/transcript';
import { Emitter } from '../../../../src/core/basics/emitter';
import { ServiceModel } from '../../../../src/core/lists/serviceModel';
import { SessionStore } from '../../../../src/core/session/session';
import { resultOf, tellLists, type Telling } from '../../../../src/core/lists/telling';
import { aClient } from '../../../support/builders/client';
import { quiet } from '../../../support/builders/quiet';
import { aConversation } from '../../../support/builders/records';
import { rowsOf } from '../../../support/builders/rows';

const id = '0123456789abcdef0123456789abcdef';
const hyphened = '01234567-89ab-cdef-0123-456789abcdef';

/** A model whose list of conversations says what `record` says, and an open conversation beside it. */
async function setUp(record: Parameters<typeof aConversation>[0] = {}) {
  const asked = { lists: 0, looks: 0 };
  const service = { now: 0, record: { id: hyphened, execution_status: 'running', ...record } };
  const list: ApiClient['listConversations'] = () => {
    asked.lists += 1;
    return Promise.resolve({ items: [aConversation({ ...service.record })], nextPageId: null });
  };
  const session = new SessionStore({
    readTarget: () =>
      Promise.resolve({
        connection: { name: 'Team', baseUrl: 'https://one.example', origin: 'https://one.example' },
        sessionKey: 'k',
      }),
    createClient: () => aClient({ listConversations: list }),
  });
  const model = new ServiceModel({
    session,
    ...quiet,
    clock: { ...quiet.clock, date: () => service.now },
  });
  await session.reload();
  await model.refresh('conversations');
  const head = {
    ...{ execution: 'running', limit: 'none', problem: '', hasOlder: false, cost: null, tokens: null },
  } as Head;
  const entries: Entry[] = [];
  const open = { id, head, entries, isFresh: true, lookAgain: () => (asked.looks += 1) };
  const told = new Emitter<Telling>();
  tellLists({ onDidTell: told.event }, model);
  const say = (change: Partial<Head>) => {
    service.now += 1;
    open.head = { ...open.head, ...change };
    told.fire(open);
  };
  const read = async () => {
    service.now += 1;
    await model.refresh('conversations');
    service.now += 1;
  };
  const row = () => {
    const { execution_status, sandbox_status } = model.conversations.state.items[0] ?? {};
    return [execution_status, sandbox_status];
  };
  return { model, asked, service, open, say, read, row };
}

describe('what open conversations tell the lists', () => {
  it('is in the rows, the badge, and the status bar before the next line of code', async () => {
    const { model, asked, say, row } = await setUp();
    let changes = 0;
    model.onDidChange(() => (changes += 1));
    const before = asked.lists;
    say({ execution: 'waiting_for_confirmation' });
    assert.equal(row()[0], 'waiting_for_confirmation');
    assert.equal(model.waitingConversations.length, 1);
    say({ execution: 'finished' });
    assert.deepEqual([row()[0], model.waitingConversations.length], ['finished', 0]);
    say({ execution: 'finished' });
    assert.deepEqual([changes, asked.lists - before, asked.looks], [2, 0, 0]);
  });

  it('is whether a running agent can be interrupted, which its row offers or not', async () => {
    const { model, say } = await setUp();
    const offers = () => rowsOf({ conversations: [...model.conversations.state.items] })[0]?.contextValue;
    say({ canInterrupt: false });
    assert.equal(offers(), 'conversation.running.uninterruptible');
    say({ execution: 'idle' });
    assert.equal(offers(), 'conversation');
    say({ execution: 'running', canInterrupt: true });
    assert.equal(offers(), 'conversation.running');
  });

  it('holds against lists that are behind, and looks again once for each of their states', async () => {
    const { asked, say, read, row, service } = await setUp();
    say({ execution: 'finished' });
    for (let times = 0; times < 3; times += 1) await read();
    assert.deepEqual([row()[0], asked.looks], ['finished', 1]);
    service.record.execution_status = 'error';
    await read();
    await read();
    assert.deepEqual([row()[0], asked.looks], ['finished', 2]);
  });

  it('ends when nobody follows it, with the next list', async () => {
    const { open, say, read, row } = await setUp();
    say({ execution: 'finished' });
    open.isFresh = false;
    assert.equal(row()[0], 'finished');
    await read();
    assert.equal(row()[0], 'running');
  });

  it('ends the same way if the clock was set back in between', async () => {
    const { open, say, read, row, service } = await setUp();
    service.now = 3_600_000;
    say({ execution: 'finished' });
    service.now = 0;
    await read();
    assert.equal(row()[0], 'finished', 'while it’s followed');
    open.isFresh = false;
    await read();
    assert.equal(row()[0], 'running');
  });

  for (const [title, change] of [
    ['its last reading failed', { problem: 'It’s down.' }],
    ['its state is unknown', { execution: 'unknown' }],
    ['it can’t be reached', { limit: 'unreachable' }],
    ['only stored events are known', { limit: 'stored' }],
  ] as const) {
    it(`is nothing while ${title}`, async () => {
      const { say, row } = await setUp();
      say({ execution: 'finished', ...change });
      assert.equal(row()[0], 'running');
    });
  }

  it('is nothing before it was read', async () => {
    const { open, say, row } = await setUp();
    open.isFresh = false;
    say({ execution: 'finished' });
    assert.equal(row()[0], 'running');
  });

  for (const [limit, status] of [
    ['asleep', 'PAUSED'],
    ['gone', 'MISSING'],
  ] as const) {
    it(`says that its sandbox is ${status}`, async () => {
      const { say, row } = await setUp();
      say({ limit, execution: 'unknown' });
      assert.deepEqual(row(), [null, status]);
    });
  }

  it('includes what was used, if that is more than the list says', async () => {
    const { model, say } = await setUp({ metrics: { accumulated_cost: 0.83 } });
    const cost = () => model.conversations.state.items[0]?.metrics?.['accumulated_cost'];
    say({ cost: 0, tokens: 0 });
    assert.equal(cost(), 0.83);
    say({ cost: 1.5 });
    assert.equal(cost(), 1.5);
  });

  it('includes the outcome of the work, until it continues', async () => {
    const { model, open, say } = await setUp();
    open.entries.push(edit(3, 1));
    const record = () => model.conversations.state.items[0]!;
    assert.equal(model.resultOf(record()), undefined);
    say({ execution: 'finished' });
    assert.deepEqual(model.resultOf(record()), { added: 3, removed: 1, lastWords: '' });
    say({ execution: 'running' });
    assert.equal(model.resultOf(record()), undefined);
  });
});

const base = { id: 'e', at: 0 };
const text = (words: string) => ({ text: words, length: words.length });
const message = (from: 'user' | 'agent', words: string): Entry => ({
  ...base,
  kind: 'message',
  from,
  text: text(words),
  images: 0,
  thought: '',
});
const step = (detail: object, state = 'done'): Entry => ({ ...base, kind: 'step', state, detail }) as Entry;
const edit = (added: number, removed: number, state?: string) =>
  step({ step: 'edit', path: '/a', added, removed }, state);

describe('what came of an agent’s work', () => {
  const of = (entries: Entry[], hasOlder = false) => resultOf({ entries, head: { hasOlder } as Head });

  it('counts the lines since the last message, without edits that failed', () => {
    const entries = [edit(100, 100), message('user', 'Go on'), edit(12, 3), edit(5, 5, 'failed'), edit(1, 0)];
    assert.deepEqual(of(entries), { added: 13, removed: 3, lastWords: '' });
  });

  it('has the last words, of a message or of finishing', () => {
    const asked = message('user', 'Mend it');
    assert.equal(of([asked, message('agent', 'One'), message('agent', 'Two')])?.lastWords, 'Two');
    assert.equal(
      of([asked, message('agent', 'One'), step({ step: 'finish', text: 'Done.' })])?.lastWords,
      'Done.',
    );
    assert.equal(of([asked, message('agent', 'One'), step({ step: 'finish', text: '' })])?.lastWords, 'One');
  });

  it('is unknown if the last message isn’t there', () => {
    assert.equal(of([edit(1, 1)], true), undefined);
    assert.deepEqual(of([edit(1, 1)]), { added: 1, removed: 1, lastWords: '' });
  });
});
