import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { toolIds, type ToolId } from '../../../src/ids';
import type { ServiceModel } from '../../../src/core/lists/serviceModel';
import type { SessionStore } from '../../../src/core/session/session';
import { ConversationSearch } from '../../../src/features/search/model/search';
import type { StartTasks } from '../../../src/features/start/model/startTasks';
import { ToolError } from '../../../src/features/tools/errors';
import { searchConversations } from '../../../src/features/tools/searchConversations';
import type { ToolContext } from '../../../src/features/tools/tool';
import { Toolbox } from '../../../src/features/tools/toolbox';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { aClient, anError, type FlatClient } from '../../support/builders/client';
import { aConversation } from '../../support/builders/records';
import { message, terminal } from '../../support/conversation/entries';
import { FakeModel } from '../../support/conversation/fakeModel';
import { aMessage } from '../transcript/events';

const never = new AbortController().signal;
const service = 'https://one.example';
const connection = { name: 'Team', baseUrl: service, origin: service };
const secret = 'canary-0123456789';

/** A window whose service has these conversations, and tools for a model. */
function aWindow(records: readonly Conversation[], more: Partial<FlatClient> = {}) {
  const models = new Map(records.map(({ id }) => [id, new FakeModel()]));
  for (const model of models.values()) {
    model.set({ head: { readAt: 1, execution: 'finished' } });
    model.keepCurrent();
  }
  const client = aClient({
    baseUrl: service,
    getConversation: (id) => Promise.resolve(records.find((one) => one.id === id) ?? null),
    listConversations: () => Promise.resolve({ items: [...records], nextPageId: null }),
    ...more,
  });
  const secrets: string[] = [];
  let isEverySecretKnown = true;
  const messages = new Map<string, string[] | Error | 'never'>();
  const kept = new Map<string, string>();
  const newSearch = () =>
    Promise.resolve(
      new ConversationSearch({
        reach: () => Promise.resolve({ connection, client }),
        pagesOf: (_, { id }) =>
          Promise.resolve(() => {
            const said = messages.get(id) ?? [];
            if (said === 'never') return new Promise(() => undefined);
            if (said instanceof Error) return Promise.reject(said);
            return Promise.resolve({ items: said.map((text) => aMessage(text)), nextPageId: null });
          }),
        readSecrets: () => Promise.resolve(isEverySecretKnown),
        mask: createSecretMask(() => secrets),
        store: {
          read: (_, id) => Promise.resolve(JSON.parse(kept.get(id) ?? 'null') as unknown),
          write: (_, id, texts) => Promise.resolve(void kept.set(id, JSON.stringify(texts))),
          remove: (_, id) => Promise.resolve(void kept.delete(id)),
          tidy: () => Promise.resolve(),
        },
        now: () => Date.parse('2027-01-01T00:00:00Z'),
      }),
    );
  const tools = new Toolbox({
    session: { current: { kind: 'ready', connection, client } } as unknown as SessionStore,
    model: {} as unknown as ServiceModel,
    starts: {} as unknown as StartTasks,
    openFolder: () => undefined,
    conversations: () => Promise.resolve({ service, model: (id) => models.get(id) }),
    newSearch,
  });
  const invoke = async (id: ToolId, input: object, signal = never) => {
    const { question } = await tools.prepare(id, input, never);
    assert.equal(question, undefined, 'a tool that reads asks nothing');
    return tools.invoke(id, input, signal).catch((failure: unknown) => {
      assert.ok(failure instanceof ToolError, String(failure));
      return `refused: ${failure.message}`;
    });
  };
  return {
    ...{ models, invoke, messages, secrets, kept, newSearch, client },
    someSecretsAreUnread: () => (isEverySecretKnown = false),
  };
}

const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('tool to compare conversations', () => {
  const attempt = (id: string, more: Partial<Conversation> = {}) =>
    aConversation({ id, title: 'Mend the rounding', selected_repository: 'acme/shop', ...more });
  const compare = (window: ReturnType<typeof aWindow>, ...conversationIds: string[]) =>
    window.invoke(toolIds.compareConversations, { conversationIds });

  it('returns state, time, cost, checks, and last words of each, and changes nothing', async () => {
    const window = aWindow([attempt('a', { llm_model: 'swift' }), attempt('b', { llm_model: 'deep' })]);
    const begin = { at: 1_000 };
    window.models.get('a')?.set({
      head: { cost: 0.25, tokens: 1_200 },
      entries: [
        message('user', 'Mend it', begin),
        terminal('npm test', 'ok', 1, { at: 3_000, took: 500 }),
        terminal('npm test', 'ok', 0, { at: 60_000, took: 1_000 }),
        terminal('make | tail', 'ok', 0, { at: 61_000, took: 0 }),
        message('agent', 'All tests pass.', { at: 62_000 }),
      ],
    });
    const text = await compare(window, 'a', 'b');
    assert.match(text, /^2 conversations, .* not instructions:\n/);
    const [a, b] = rowsOf(text);
    assert.deepEqual(
      [a?.['llm_model'], a?.['agent_state'], a?.['seconds'], a?.['cost'], a?.['tokens'], a?.['last_words']],
      ['swift', 'finished', 61, 0.25, 1_200, 'All tests pass.'],
    );
    assert.deepEqual(a?.['checks'], [
      { command: 'npm test', exitCode: 0, runs: 2 },
      { command: 'make | tail', exitCode: 0, runs: 1, exitCodeMayBeOfAnotherCommand: true },
    ]);
    assert.deepEqual([b?.['id'], b?.['changes_problem'], b?.['checks']], ['b', 'The sandbox is gone.', []]);
    for (const { calls } of window.models.values()) assert.deepEqual(calls, []);
  });

  it('reads whole transcripts, and says where it couldn’t', async () => {
    const window = aWindow([attempt('a'), attempt('b')]);
    const [a, b] = [...window.models.values()];
    a?.older.push([terminal('npm run lint', '')]);
    a?.set({ entries: [message('agent', 'Done')], head: { hasOlder: true } });
    b?.set({ entries: [message('agent', 'Done')], head: { hasOlder: true } });
    if (b) b.failing = new Error('boom');
    const [first, second] = rowsOf(await compare(window, 'a', 'b'));
    assert.deepEqual(first?.['checks'], [{ command: 'npm run lint', exitCode: 0, runs: 1 }]);
    assert.equal(first['notes'], undefined);
    assert.match(String(second?.['notes']), /Not all of the transcript could be read/);
  });

  it('says that an agent waits for the user, whom no tool replaces', async () => {
    const window = aWindow([attempt('a'), attempt('b')]);
    window.models.get('b')?.set({ head: { proof: 'missing' } });
    const [, waiting] = rowsOf(await compare(window, 'a', 'b'));
    assert.match(String(waiting?.['notes']), /waiting for the user’s approval\. No tool can approve/);
  });

  it('hides secrets, and is bounded, whatever the transcripts', async () => {
    const records = Array.from({ length: 8 }, (_, at) => attempt(`c-${at}`));
    const window = aWindow(records);
    for (const model of window.models.values()) {
      model.changes.mask = (text) => text.replaceAll(secret, '•••');
      model.set({
        entries: [
          ...Array.from({ length: 100 }, (_, at) =>
            terminal(`TOKEN=${secret} npm test ${at} "${'"\u202e'.repeat(100)}"`, ''),
          ),
          message('agent', `${secret} ${'\u0007"'.repeat(10_000)}`),
        ],
      });
    }
    const text = await compare(window, ...records.map(({ id }) => id));
    assert.equal(rowsOf(text).length, 8);
    assert.ok(text.length < 60_000, `${text.length}`);
    assert.ok(!text.includes(secret) && text.includes('•••'));
    assert.doesNotMatch(text, /[\u0007\u202e]/);
    assert.ok(rowsOf(text).every((row) => Number(row['more_checks']) > 0));
  });

  it('refuses one conversation twice, an unknown one, and different repositories', async () => {
    const window = aWindow([attempt('a'), attempt('b', { selected_repository: 'acme/docs' })]);
    assert.match(await compare(window, 'a', 'a'), /^refused: Nothing was compared: these are ids of one/);
    assert.match(await compare(window, 'a', 'z'), /^refused: .*no conversation with the id “z”/);
    assert.match(await compare(window, 'a', 'b'), /^refused: Nothing was compared: .* different reposit/);
  });

  it('ends with the call', async () => {
    const window = aWindow([attempt('a'), attempt('b')]);
    window.models.get('a')?.set({ head: { readAt: null, problem: '' } });
    const calling = new AbortController();
    const called = window.invoke(
      toolIds.compareConversations,
      { conversationIds: ['a', 'b'] },
      calling.signal,
    );
    calling.abort();
    assert.match(await called, /^refused: /);
  });
});

describe('tool to search conversations', () => {
  const job = (id: string, day: number, more: Partial<Conversation> = {}) =>
    aConversation({
      ...{ id, title: `Job ${id}`, execution_status: 'finished' },
      updated_at: `2026-01-0${day}T00:00:00Z`,
      ...more,
    });
  const search = (window: ReturnType<typeof aWindow>, words: string, limit = 20) =>
    window.invoke(toolIds.searchConversations, { words, limit });

  it('returns the conversations with all of the words, last active first, with excerpts', async () => {
    const window = aWindow([job('a', 1), job('b', 3), job('c', 2)]);
    window.messages.set('a', [
      'The rounding of VAT',
      'no',
      '1 rounding VAT',
      '2 rounding VAT',
      '3 VAT rounding',
    ]);
    window.messages.set('b', ['VAT rounding']);
    const text = await search(window, 'Rounding vat');
    assert.match(text, /^2 of 2 matching .* not instructions:/);
    assert.match(text, /\nSearched 3 of 3 conversations\.$/);
    const rows = rowsOf(text);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['b', 'a'],
    );
    assert.equal((rows[1]?.['matches'] as string[]).length, 3);
    assert.equal(rows[1]?.['moreMatches'], 1);
    assert.match(await search(window, 'vat', 1), /^1 of 2 matching/);
    assert.match(await search(window, 'nowhere'), /^No conversation matches\.\nSearched 3 of 3/);
  });

  it('neither shows nor finds a secret, also one that becomes known later', async () => {
    const window = aWindow([job('a', 1)]);
    window.messages.set('a', [`needle ${secret}`]);
    await search(window, 'needle');
    assert.equal(window.kept.size, 1);
    window.secrets.push(secret);
    const text = await search(window, 'needle');
    assert.ok(text.includes('needle') && !text.includes(secret));
    assert.match(await search(window, secret), /^No conversation matches/);
    window.someSecretsAreUnread();
    assert.match(await search(window, 'needle'), /\nKnown secrets couldn’t be read on this computer/);
  });

  it('says how far it got, and what couldn’t be read', async () => {
    const window = aWindow([job('a', 1), job('b', 2, { title: 'The needle' })]);
    window.messages.set('b', anError('reset'));
    const text = await search(window, 'needle');
    assert.deepEqual(
      rowsOf(text).map(({ id }) => id),
      ['b'],
    );
    assert.match(text, /\nThe messages and steps of 1 conversations couldn’t be read\.$/);
    const many = aWindow(['a', 'b', 'c', 'd'].map((id, at) => job(id, at + 1)));
    for (const id of ['a', 'b', 'c', 'd']) many.messages.set(id, anError('notFound', 404));
    assert.match(
      await search(many, 'needle'),
      /\nTranscripts weren’t asked for anymore after several had failed\. \S/,
    );
    const refusing = aWindow([], { listConversations: () => Promise.reject(anError('unauthorized', 401)) });
    assert.match(await search(refusing, 'needle'), /^refused: .*Set Session Key/);
  });

  it('ends by itself with what it found, and with the call', async () => {
    const window = aWindow([job('a', 1), job('b', 2)]);
    window.messages.set('b', ['needle']);
    window.messages.set('a', 'never');
    const context = { ...window, connection } as unknown as ToolContext;
    const input = { words: 'needle' };
    const text = await searchConversations(50).run(toolIds.searchConversations, input, context, never);
    assert.match(text, /^1 of 1 matching[^]*Searched 1 of 2 conversations\.\nThe search took too long/);
    const calling = new AbortController();
    const called = window.invoke(toolIds.searchConversations, input, calling.signal);
    calling.abort();
    assert.match(await called, /^refused: /);
  });

  it('is bounded, whatever matches', async () => {
    const records = Array.from({ length: 100 }, (_, at) => job(`${at}`, 1, { title: '"'.repeat(1_000) }));
    const window = aWindow(records);
    for (const { id } of records) window.messages.set(id, Array(9).fill(`needle ${'"'.repeat(1_000)}`));
    const text = await search(window, 'needle', 100);
    assert.ok(text.length < 32_000, `${text.length}`);
    assert.match(text, /^\d+ of 100 matching/);
  });
});

describe('tool to read usage', () => {
  const used = (id: string, model: string, day: number, cost: number) =>
    aConversation({
      ...{ id, llm_model: model, selected_repository: 'acme/shop' },
      created_at: `2026-01-0${day}T12:00:00Z`,
      metrics: {
        accumulated_cost: cost,
        accumulated_token_usage: { prompt_tokens: 10, completion_tokens: 5 },
      },
    });

  it('returns the total, and sums by day, model, or repository', async () => {
    const window = aWindow([
      used('a', 'swift', 1, 0.5),
      used('b', 'deep', 2, 2),
      used('c', 'swift', 2, 1),
      aConversation({ id: 'd', llm_model: null, created_at: null }),
    ]);
    const by = async (kind: string) =>
      rowsOf(await window.invoke(toolIds.readUsage, { by: kind })).map((row) => [
        ...[row['name'] ?? row[kind], row['conversations'], row['cost'], row['input'], row['output']],
      ]);
    const total = ['total', 3, 3.5, 30, 15];
    assert.deepEqual(await by('model'), [total, ['deep', 1, 2, 10, 5], ['swift', 2, 1.5, 20, 10]]);
    assert.deepEqual(await by('day'), [total, ['2026-01-02', 2, 3, 20, 10], ['2026-01-01', 1, 0.5, 10, 5]]);
    assert.deepEqual(await by('repository'), [total, ['acme/shop', 3, 3.5, 30, 15]]);
    const text = await window.invoke(toolIds.readUsage, { limit: 1 });
    assert.match(text, /\n1 more aren’t listed\.[^]*Conversations that report no cost: 1\./);
  });

  it('says why it can’t read, and what is missing', async () => {
    const none = aWindow([], { listConversations: () => Promise.reject(anError('unauthorized', 401)) });
    assert.match(await none.invoke(toolIds.readUsage, {}), /^refused: .*Set Session Key/);
    const some = aWindow([], {
      listConversations: (query) =>
        query?.pageId
          ? Promise.reject(anError('reset'))
          : Promise.resolve({ items: [used('a', 'swift', 1, 0.5)], nextPageId: '2' }),
    });
    assert.match(await some.invoke(toolIds.readUsage, {}), /Team couldn’t be read to the end\./);
  });
});
