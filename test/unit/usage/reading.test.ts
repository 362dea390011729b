import assert from 'node:assert/strict';
import type { ConversationQuery } from '../../../src/api/http/query';
import type { Page } from '../../../src/api/page';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { UsageReading } from '../../../src/features/usage/model/reading';
import { uncountedWords } from '../../../src/features/usage/model/words';
import { aConversation } from '../../support/builders/records';

const metrics = { accumulated_cost: 1, accumulated_token_usage: { prompt_tokens: 2, completion_tokens: 3 } };
const record = (id: string) => aConversation({ id, metrics });
const never = new AbortController().signal;

/** A connection with as many pages of one conversation each. */
function pages(connection: string, count: number) {
  const asked: (string | undefined)[] = [];
  const listConversations = ({ pageId }: ConversationQuery = {}): Promise<Page<Conversation>> => {
    asked.push(pageId);
    const at = Number(pageId ?? 0);
    return Promise.resolve({
      items: [record(`c-${at}`)],
      nextPageId: at + 1 < count ? String(at + 1) : null,
    });
  };
  return { source: { connection, client: { listConversations } }, asked };
}

const wordsOf = (reading: UsageReading) => uncountedWords(reading, [], String);

describe('reading usage', () => {
  it('reads ten pages of each connection, and more when asked', async () => {
    const [long, short] = [pages('Long', 12), pages('Short', 2)];
    const reading = new UsageReading([long.source, short.source]);
    let changes = 0;
    await reading.readOn(never, () => (changes += 1));
    assert.deepEqual([long.asked.length, short.asked.length, changes], [10, 2, 12]);
    assert.deepEqual(wordsOf(reading), ['Long has older conversations than the 10 read.']);
    await reading.readOn(never, () => undefined);
    assert.deepEqual([long.asked.length, short.asked.length], [12, 2]);
    assert.equal(reading.hasMore, false);
    assert.deepEqual(wordsOf(reading), []);
    assert.equal(reading.totals.total.cost, 14);
  });

  it('counts a conversation once, though it moved to another page', async () => {
    const client = {
      listConversations: ({ pageId }: ConversationQuery = {}) =>
        Promise.resolve({ items: [record('moved'), record(pageId ?? '0')], nextPageId: pageId ? null : '1' }),
    };
    const reading = new UsageReading([{ connection: 'Team', client }]);
    await reading.readOn(never, () => undefined);
    assert.deepEqual([reading.totals.total.conversations, reading.progress[0]?.read], [3, 3]);
  });

  it('counts a conversation once, though two connections lead to its service', async () => {
    const ids = ['0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcde0', 'c-1'];
    const hyphens = (id: string) =>
      id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toUpperCase();
    const to = (connection: string, spell: (id: string) => string) => ({
      connection,
      client: {
        listConversations: () =>
          Promise.resolve({
            items: ids.map((id) => record(id.length === 32 ? spell(id) : id)),
            nextPageId: null,
          }),
      },
    });
    const reading = new UsageReading([to('localhost', String), to('127.0.0.1', hyphens)]);
    await reading.readOn(never, () => undefined);
    // What isn’t a UUID may be another conversation there.
    assert.deepEqual([reading.totals.total.conversations, reading.totals.total.cost], [4, 4]);
    assert.deepEqual(wordsOf(reading), ['Conversations on several connections, counted once: 2.']);
  });

  it('names a connection that fails, counts the others, and tries that page again', async () => {
    let fails = true;
    const client = {
      listConversations: ({ pageId }: ConversationQuery = {}) =>
        pageId && fails
          ? Promise.reject(new Error('No answer.'))
          : Promise.resolve({ items: [record(pageId ?? '0')], nextPageId: pageId ? null : '1', skipped: 2 }),
    };
    const reading = new UsageReading([{ connection: 'Team', client }, pages('Other', 1).source]);
    await reading.readOn(never, () => undefined);
    assert.deepEqual(wordsOf(reading), [
      'Team couldn’t be read to the end. Error: No answer.',
      'Conversations that couldn’t be read: 2.',
    ]);
    assert.ok(reading.hasMore);
    fails = false;
    await reading.readOn(never, () => undefined);
    assert.deepEqual(wordsOf(reading), ['Conversations that couldn’t be read: 4.']);
    assert.equal(reading.totals.total.conversations, 3);
  });

  it('ends with a list that repeats a page', async () => {
    let asked = 0;
    const listConversations = () => {
      asked += 1;
      return Promise.resolve({ items: [record('same')], nextPageId: 'again' });
    };
    const reading = new UsageReading([{ connection: 'Team', client: { listConversations } }]);
    await reading.readOn(never, () => undefined);
    assert.deepEqual([asked, reading.hasMore, reading.totals.total.conversations], [2, false, 1]);
  });

  it('stops when asked, without reporting a failure', async () => {
    const stop = new AbortController();
    const { source, asked } = pages('Team', 5);
    const reading = new UsageReading([source]);
    await reading.readOn(stop.signal, () => stop.abort());
    assert.equal(asked.length, 1);
    assert.deepEqual(wordsOf(reading), ['Team has older conversations than the 1 read.']);
    const canceled = new AbortController();
    const listConversations = () => {
      canceled.abort();
      return Promise.reject(new Error('canceled'));
    };
    const other = new UsageReading([{ connection: 'Team', client: { listConversations } }]);
    await other.readOn(canceled.signal, () => undefined);
    assert.deepEqual(wordsOf(other), ['Team has older conversations than the 0 read.']);
  });

  it('counts what agents have started, too, a hundred at a time', async () => {
    const asked: unknown[] = [];
    const listConversations = (query?: ConversationQuery) => {
      asked.push(query);
      return Promise.resolve({ items: [], nextPageId: null });
    };
    await new UsageReading([{ connection: 'Team', client: { listConversations } }]).readOn(
      never,
      () => undefined,
    );
    assert.deepEqual(asked, [{ limit: 100, includeSubConversations: true, pageId: undefined }]);
  });

  it('says what conversations don’t report, and which connections have no key', () => {
    const reading = new UsageReading([]);
    reading.totals.add('Team', aConversation({ metrics: { accumulated_cost: -1 } }));
    assert.deepEqual(uncountedWords(reading, ['Mine'], String), [
      'Mine has no session key on this computer.',
      'Conversations that report no cost: 1.',
      'Conversations that don’t report all of their tokens: 1.',
      'Conversations that report an amount that can’t be right: 1.',
    ]);
  });
});
