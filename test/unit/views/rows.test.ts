import assert from 'node:assert/strict';
import { conversationRows, type ConversationsState } from '../../../src/views/conversations/list';
import type { Row } from '../../../src/views/row';
import type { Conversation } from '../../../src/api/schemas/conversation';
import type { ConversationFilter } from '../../../src/state/conversationFilter';
import type { ListState } from '../../../src/state/resourceList';
import { sandboxRows, type SandboxesState } from '../../../src/views/sandboxes/rows';
import { startRow } from '../../../src/views/conversations/startRow';
import { specRows } from '../../../src/views/specs/rows';
import { aConversation, aList, aSandbox, aStart } from '../../support/builders/records';

const now = Date.parse('2026-01-01T03:00:00Z');
const rowsOf = (values: Partial<SandboxesState>) => [
  ...sandboxRows({
    sandboxes: aList([]),
    conversations: [],
    pending: () => undefined,
    pausedByService: () => false,
    now,
    ...values,
  }),
];
const conversationsOf = (list: ListState<Conversation>, values: Partial<ConversationsState> = {}) => [
  ...conversationRows({
    list,
    starts: [],
    group: 'none',
    order: 'created',
    pausedByService: () => false,
    now,
    ...values,
  }),
];
const ids = (rows: readonly Row[]) => rows.map(({ ref }) => ('id' in ref ? ref.id : ref.kind));

describe('rows of the view Sandboxes', () => {
  for (const [status, words, context] of [
    ['RUNNING', 'Running', 'sandbox.running'],
    ['running', 'Running', 'sandbox.running'],
    ['PAUSED', 'Paused', 'sandbox.paused'],
    ['STARTING', 'Starting…', 'sandbox.starting'],
    ['ERROR', 'Error', 'sandbox.other'],
    ['MISSING', 'Missing', 'sandbox.missing'],
    ['HIBERNATING', 'HIBERNATING', 'sandbox.other'],
    [null, 'State unknown', 'sandbox.other'],
  ] as const) {
    it(`says ${words} for the status ${status}`, () => {
      const [row] = rowsOf({ sandboxes: aList([aSandbox({ status })]) });
      assert.ok(row);
      assert.equal(row.description, `${words} · agent:1.0 · 3 h ago`);
      assert.equal(row.contextValue, context);
      assert.equal(row.accessibilityLabel, `Sandbox sb-1, ${row.description}`);
    });
  }

  it('shows a pending action instead of the status', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox()]), pending: () => 'pausing' });
    assert.ok(row);
    assert.match(row.description ?? '', /^Pausing…/);
    assert.equal(row.contextValue, 'sandbox.pending');
  });

  it('tells a pause that was not asked for from one that was', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ status: 'PAUSED' })]), pausedByService: () => true });
    assert.ok(row);
    assert.match(row.description ?? '', /^Paused by the service/);
    assert.equal(row.contextValue, 'sandbox.paused');
  });

  it('holds the sandbox’s conversations and exposed URLs, without the query that may carry a secret', () => {
    const [row] = rowsOf({
      sandboxes: aList([
        aSandbox({ exposed_urls: [{ name: 'VSCODE', url: 'https://one.example.com:8443/x?tkn=canary' }] }),
      ]),
      conversations: [aConversation(), aConversation({ id: 'c-2', sandbox_id: 'other' })],
    });
    assert.ok(row);
    assert.deepEqual(
      row.children?.map(({ id }) => id),
      ['sandbox/sb-1/conversation/c-1', 'sandbox/sb-1/url/VSCODE'],
    );
    assert.equal(row.children[1]?.description, 'one.example.com:8443');
    assert.doesNotMatch(JSON.stringify(row), /canary/);
  });

  it('leaves room for the state beside a long id, which stays in tooltip and description', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ id: 'oh-agent-server-7Qm2xVbT' })]) });
    assert.ok(row);
    assert.equal(row.label, '…7Qm2xVbT');
    assert.equal(row.description, 'Running · agent:1.0 · 3 h ago · oh-agent-server-7Qm2xVbT');
    assert.match(row.tooltip ?? '', /^oh-agent-server-7Qm2xVbT\n/);
    assert.match(row.accessibilityLabel ?? '', /^Sandbox oh-agent-server-7Qm2xVbT, Running/);
    assert.equal(row.id, 'sandbox/oh-agent-server-7Qm2xVbT');
    const [uuid] = rowsOf({ sandboxes: aList([aSandbox({ id: '0123456789abcdef0123456789abcdef' })]) });
    assert.equal(uuid?.label, '…6789abcdef');
  });

  it('says what a start waits for, and nothing of old details once it runs', () => {
    const words = (status: string) =>
      rowsOf({ sandboxes: aList([aSandbox({ status, status_detail: 'pulling the image' })]) })[0]
        ?.description;
    assert.match(words('STARTING') ?? '', /^Starting… · pulling the image · /);
    assert.match(words('ERROR') ?? '', /^Error · pulling the image · /);
    assert.match(words('RUNNING') ?? '', /^Running · agent/);
  });

  it('does not call a sandbox failed that may only not be healthy yet', () => {
    const created_at = new Date(now - 30_000).toISOString();
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ status: 'ERROR', created_at })]) });
    assert.match(row?.description ?? '', /^Error, or not ready yet/);
  });

  it('shows some of very many conversations under one sandbox, and how many more there are', () => {
    const conversations = Array.from({ length: 60 }, (_, index) => aConversation({ id: `c-${index}` }));
    const [row] = rowsOf({ sandboxes: aList([aSandbox()]), conversations });
    assert.equal(row?.children?.length, 51);
    assert.equal(row.children.at(-1)?.label, 'and 10 more');
  });

  it('shows so many at first and “Load more” where a service answers everything at once', () => {
    const sandboxes = Array.from({ length: 500 }, (_, index) => aSandbox({ id: `sb-${index}` }));
    assert.equal(rowsOf({ sandboxes: aList(sandboxes) }).length, 201);
    assert.equal(rowsOf({ sandboxes: aList(sandboxes, { limit: 500 }) }).length, 500);
  });

  it('makes no row anew that is as before', () => {
    const state = { sandboxes: aList([aSandbox(), aSandbox({ id: 'sb-2' })]) };
    const before = rowsOf(state);
    const [first, second] = state.sandboxes.items;
    const after = rowsOf({ sandboxes: aList([first!, { ...second!, status: 'PAUSED' }]) });
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.notEqual(rowsOf({ ...state, now: now + 86_400_000 })[0], before[0], 'its age is another');
  });

  it('ends with “Load more” while the service has more', () => {
    const rows = rowsOf({ sandboxes: aList([aSandbox()], { nextPageId: 'next' }) });
    assert.deepEqual(rows.at(-1)?.ref, { kind: 'loadMore', list: 'sandboxes' });
    assert.equal(rowsOf({ sandboxes: aList([aSandbox()]) }).length, 1);
  });

  it('shows no control character and no endless text of the service', () => {
    const [row] = rowsOf({
      sandboxes: aList([aSandbox({ id: `x\u001b[31m\u202e${'y'.repeat(1_000_000)}`, status: '\u0007odd' })]),
    });
    assert.ok(row);
    for (const text of [row.label, row.description, row.tooltip]) {
      // Lines of the tooltip are ours.
      assert.doesNotMatch(text ?? '', /[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
      assert.ok((text ?? '').length < 1000);
    }
  });
});

describe('rows of the view Conversations', () => {
  it('puts those that wait for the user first, then the starts, then the newest', () => {
    const rows = conversationsOf(
      aList([
        aConversation({ id: 'old', created_at: '2025-12-01T00:00:00Z' }),
        aConversation({ id: 'new', created_at: '2026-01-01T00:00:00Z' }),
        aConversation({
          id: 'waits',
          created_at: '2025-11-01T00:00:00Z',
          execution_status: 'waiting_for_confirmation',
        }),
      ]),
      { starts: [aStart({ id: 's-1' })] },
    );
    assert.deepEqual(
      rows.map(({ ref }) => 'id' in ref && ref.id),
      ['waits', 's-1', 'new', 'old'],
    );
  });

  it('says state, repository and branch in words', () => {
    const [row] = conversationsOf(
      aList([aConversation({ selected_repository: 'acme/shop', selected_branch: 'main' })]),
    );
    assert.ok(row);
    assert.equal(row.description, 'Working · acme/shop · main · 3 h ago');
  });

  it('falls back on the sandbox’s state where the agent has none', () => {
    const [row] = conversationsOf(
      aList([aConversation({ execution_status: null, sandbox_status: 'PAUSED' })]),
    );
    assert.ok(row);
    assert.match(row.description ?? '', /^Sandbox paused/);
  });

  const tree = (rows: readonly Row[]): unknown[] =>
    rows.map((row) => (row.children ? [row.label, tree(row.children)] : row.label));
  const titled = (id: string, values: Partial<Conversation> = {}) =>
    aConversation({ id, title: id, ...values });

  it('puts conversations under the one that began them, whichever of the two says so', () => {
    const rows = conversationsOf(
      aList([
        titled('a', { sub_conversation_ids: ['b'] }),
        titled('b'),
        titled('c', { parent_conversation_id: 'b' }),
        titled('lost', { parent_conversation_id: 'elsewhere' }),
      ]),
    );
    assert.deepEqual(tree(rows), [['a', [['b', ['c']]]], 'lost']);
  });

  it('shows each once where they say to be within one another, and bounds the depth', () => {
    const circle = ['a', 'b', 'c'].map((id, index, all) =>
      titled(id, { parent_conversation_id: all[(index + 1) % 3]!, sub_conversation_ids: [id] }),
    );
    const flat = (rows: readonly Row[]): string[] =>
      rows.flatMap((row) => [row.label, ...flat(row.children ?? [])]);
    assert.deepEqual(flat(conversationsOf(aList(circle))).toSorted(), ['a', 'b', 'c']);
    const chain = Array.from({ length: 5_000 }, (_, index) =>
      titled(`n${index}`, { parent_conversation_id: `n${index - 1}` }),
    );
    assert.equal(new Set(flat(conversationsOf(aList(chain)))).size, 5_000);
  });

  it('puts one first in which another waits, says so and unfolds it', () => {
    const rows = conversationsOf(
      aList([
        titled('new', { created_at: '2026-01-01T02:00:00Z' }),
        titled('parent'),
        titled('child', {
          parent_conversation_id: 'parent',
          execution_status: 'waiting_for_confirmation',
        }),
      ]),
    );
    assert.deepEqual(tree(rows), [['parent', ['child']], 'new']);
    assert.match(rows[0]?.description ?? '', /^A conversation within waits for you · Working/);
    assert.equal(rows[0]?.expanded, true);
  });

  it('sorts as chosen, those that wait first in every order', () => {
    const list = aList([
      titled('Bee', { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T02:00:00Z' }),
      titled('ant', { created_at: '2026-01-01T01:00:00Z', updated_at: '2026-01-01T01:00:00Z' }),
      titled('zebra', { execution_status: 'waiting_for_confirmation', created_at: '2020-01-01T00:00:00Z' }),
    ]);
    assert.deepEqual(ids(conversationsOf(list)), ['zebra', 'ant', 'Bee']);
    assert.deepEqual(ids(conversationsOf(list, { order: 'updated' })), ['zebra', 'Bee', 'ant']);
    assert.deepEqual(ids(conversationsOf(list, { order: 'title' })), ['zebra', 'ant', 'Bee']);
  });

  it('groups as chosen, the rows keeping their identity', () => {
    const list = aList([
      titled('a', { selected_repository: 'acme/shop', created_at: '2026-01-01T02:00:00Z' }),
      titled('b', { selected_repository: null, execution_status: 'finished' }),
      titled('c', { selected_repository: 'acme/shop', sandbox_id: 'oh-agent-server-7Qm2xVbT' }),
    ]);
    assert.deepEqual(tree(conversationsOf(list, { group: 'repository' })), [
      ['acme/shop', ['a', 'c']],
      ['No repository', ['b']],
    ]);
    assert.deepEqual(tree(conversationsOf(list, { group: 'state' })), [
      ['Working', ['a', 'c']],
      ['Finished', ['b']],
    ]);
    assert.deepEqual(tree(conversationsOf(list, { group: 'sandbox' })), [
      ['sb-1', ['a', 'b']],
      ['…7Qm2xVbT', ['c']],
    ]);
    const [group] = conversationsOf(list, { group: 'state' });
    assert.equal(group?.children?.[0], conversationsOf(list)[0]);
  });

  it('shows only what passes the filter, also where the service has not filtered', () => {
    const list = aList([
      titled('Login test', { selected_repository: 'acme/shop', updated_at: '2025-12-31T23:00:00Z' }),
      titled('Invoice', { created_at: '2025-11-01T00:00:00Z', updated_at: null, execution_status: null }),
    ]);
    const passing = (filter: ConversationFilter) => ids(conversationsOf(list, { filter }));
    assert.deepEqual(passing({ title: 'LOGIN' }), ['Login test']);
    assert.deepEqual(passing({ repository: 'Acme/Shop' }), ['Login test']);
    assert.deepEqual(passing({ state: 'sandbox:' }), ['Invoice']);
    assert.deepEqual(passing({ createdWithinDays: 7 }), ['Login test']);
    assert.deepEqual(passing({ updatedWithinDays: 90 }), ['Login test', 'Invoice']);
    assert.deepEqual(passing({ updatedWithinDays: 7, title: 'i' }), ['Login test']);
  });

  it('tells cost and tokens where the service does, and a pause of the sandbox by the service', () => {
    const metrics = {
      accumulated_cost: 1.234,
      accumulated_token_usage: { prompt_tokens: 120_400, completion_tokens: 900 },
    };
    const [row] = conversationsOf(aList([aConversation({ metrics })]));
    assert.match(row?.tooltip ?? '', /\nCost: \$1\.23\nTokens: 120\.4K read, 900 written\n/);
    const [odd] = conversationsOf(
      aList([aConversation({ metrics: { accumulated_cost: 'much', accumulated_token_usage: [] } })]),
    );
    assert.doesNotMatch(odd?.tooltip ?? '', /Cost|Tokens/);
    const [paused] = conversationsOf(
      aList([aConversation({ execution_status: null, sandbox_status: 'PAUSED' })]),
      { pausedByService: (id) => id === 'sb-1' },
    );
    assert.match(paused?.description ?? '', /^Sandbox paused by the service/);
  });

  it('manages with a record that has only an id', () => {
    const [row] = conversationsOf(aList([{ id: 'c-9' }]));
    assert.ok(row);
    assert.equal(row.label, 'c-9');
    assert.equal(row.description, '');
  });
});

describe('rows of starts', () => {
  it('say how far a start has got', () => {
    const row = startRow(
      aStart({ step: { kind: 'task', status: 'PREPARING_REPOSITORY', detail: undefined } }),
    );
    assert.equal(row.label, 'Mend the login test');
    assert.equal(row.description, 'Being started · Preparing the repository…');
    assert.equal(row.contextValue, 'start.going');
    assert.equal(row.accessibilityLabel, `Conversation ${row.label}, ${row.description}`);
  });

  it('say why a start failed, in the service’s words made safe to show', () => {
    const row = startRow(aStart({ label: '', failure: 'no\u0000such\nrepository \u202e' }));
    assert.equal(row.label, 'New conversation');
    assert.equal(row.description, 'Not started · no such repository');
    assert.equal(row.contextValue, 'start.failed');
  });

  it('say when nobody knows whether the service has begun it', () => {
    const row = startRow(aStart({ failure: 'The connection was lost.', unknown: true }));
    assert.equal(row.description, 'Not known whether it was started · The connection was lost.');
    assert.equal(row.contextValue, 'start.failed');
  });
});

describe('rows of the view Sandbox Specs', () => {
  it('shows a spec by its id', () => {
    const [row] = [...specRows(aList([{ id: 'agent:1.0', working_dir: '/workspace' }]), now)];
    assert.ok(row);
    assert.equal(row.label, 'agent:1.0');
    assert.equal(row.description, '/workspace');
    assert.equal(row.contextValue, 'spec');
  });
});
