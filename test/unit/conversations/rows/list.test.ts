import assert from 'node:assert/strict';
import type { Row } from '../../../../src/core/rows/row';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import { commandIds } from '../../../../src/ids';
import type { ConversationFilter } from '../../../../src/core/lists/conversationFilter';
import { conversationRowsOf, tooltipText } from '../../../support/builders/rows';
import { aConversation, aList, aStart } from '../../../support/builders/records';

const ids = (rows: readonly Row[]) => rows.map(({ ref }) => ('id' in ref ? ref.id : ref.kind));

describe('Conversations view rows', () => {
  it('lists waiting conversations first, then starts, then by last activity', () => {
    const rows = conversationRowsOf(
      aList([
        aConversation({ id: 'old', updated_at: '2025-12-01T00:00:00Z' }),
        aConversation({ id: 'new', created_at: '2020-01-01T00:00:00Z' }),
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

  it('shows the state, repository, and branch', () => {
    const [row] = conversationRowsOf(
      aList([aConversation({ selected_repository: 'acme/shop', selected_branch: 'main' })]),
    );
    assert.ok(row);
    assert.equal(row.description, 'Working · acme/shop · main');
    assert.equal(row.badge, '3h');
    const now = Date.parse(aConversation().updated_at ?? '') + 15 * 60_000;
    const [later] = conversationRowsOf(aList([aConversation({ selected_repository: 'acme/shop' })]), { now });
    assert.deepEqual([later?.badge, later?.description], ['¼h', 'Working · acme/shop']);
    assert.match(row.accessibilityLabel ?? '', /Working · acme\/shop · main · 3 h ago$/);
    assert.match(later?.accessibilityLabel ?? '', /Working · acme\/shop · 15 min ago$/);
  });

  it('has its own icon for each state', () => {
    const icon = (values: Partial<Conversation>) => {
      const [row] = conversationRowsOf(aList([aConversation(values)]));
      return row?.icon?.name;
    };
    const icons = [
      ...['idle', 'running', 'waiting_for_confirmation', 'finished', 'error', 'stuck', 'paused', 'odd'].map(
        (execution_status) => icon({ execution_status }),
      ),
      icon({ execution_status: null, sandbox_status: 'STARTING' }),
      icon({ execution_status: null, sandbox_status: 'MISSING' }),
    ];
    assert.equal(new Set(icons).size, icons.length, icons.join());
    assert.ok(
      !icons.some((name) => /^(sync|refresh)/.test(name ?? '')),
      'the button Refresh looks like that',
    );
    assert.equal(
      icon({ execution_status: null, sandbox_status: 'ERROR' }),
      icon({ execution_status: 'error' }),
    );
    assert.equal(
      icon({ execution_status: null, sandbox_status: 'PAUSED' }),
      icon({ execution_status: 'paused' }),
    );
  });

  it('shows pull requests after the state, and opens them for known providers', () => {
    const about = { selected_repository: 'acme/shop', pr_number: [318] };
    const [known] = conversationRowsOf(aList([aConversation({ ...about, git_provider: 'gitlab' })]));
    assert.equal(known?.description, 'Working · #318 · acme/shop');
    assert.equal(known.contextValue, 'conversation.pullRequest.running');
    const [unknown] = conversationRowsOf(aList([aConversation({ ...about, git_provider: null })]));
    assert.match(unknown?.description ?? '', /#318/);
    assert.equal(unknown?.contextValue, 'conversation.running');
  });

  it('opens its conversation on Enter', () => {
    const [row] = conversationRowsOf(aList([aConversation()]));
    assert.equal(row?.command, commandIds.conversationShow);
  });

  it('falls back to the sandbox’s state if the agent has none', () => {
    const [row] = conversationRowsOf(
      aList([aConversation({ execution_status: null, sandbox_status: 'PAUSED' })]),
    );
    assert.ok(row);
    assert.match(row.description ?? '', /^Sandbox paused/);
  });

  const tree = (rows: readonly Row[]): unknown[] =>
    rows.map((row) => (row.children ? [row.label, tree(row.children)] : row.label));
  const titled = (id: string, values: Partial<Conversation> = {}) =>
    aConversation({ id, title: id, ...values });

  it('nests conversations under their parent, whichever side lists the relation', () => {
    const rows = conversationRowsOf(
      aList([
        titled('a', { sub_conversation_ids: ['b'] }),
        titled('b'),
        titled('c', { parent_conversation_id: 'b' }),
        titled('lost', { parent_conversation_id: 'elsewhere' }),
      ]),
    );
    assert.deepEqual(tree(rows), [['a', [['b', ['c']]]], 'lost']);
  });

  it('shows cyclic conversations once, and limits the depth', () => {
    const circle = ['a', 'b', 'c'].map((id, index, all) =>
      titled(id, { parent_conversation_id: all[(index + 1) % 3]!, sub_conversation_ids: [id] }),
    );
    const flat = (rows: readonly Row[]): string[] =>
      rows.flatMap((row) => [row.label, ...flat(row.children ?? [])]);
    assert.deepEqual(flat(conversationRowsOf(aList(circle))).toSorted(), ['a', 'b', 'c']);
    const chain = Array.from({ length: 150 }, (_, index) =>
      titled(`n${index}`, { parent_conversation_id: `n${index - 1}` }),
    );
    assert.equal(new Set(flat(conversationRowsOf(aList(chain)))).size, 150);
  });

  it('lists parents of waiting conversations first, labeled and expanded', () => {
    const rows = conversationRowsOf(
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
    assert.match(rows[0]?.description ?? '', /^Sub-agent waiting · Working/);
    assert.equal(rows[0]?.expanded, true);
  });

  it('doesn’t list parents first whose sub-agents only work', () => {
    const at = (id: string, hour: number, more: Partial<Conversation> = {}) =>
      aConversation({ id, execution_status: 'idle', updated_at: `2026-01-01T0${hour}:00:00Z`, ...more });
    const below = at('below', 3, { execution_status: 'running', parent_conversation_id: 'parent' });
    const rows = conversationRowsOf(aList([at('parent', 1), at('later', 2), below]));
    assert.deepEqual(ids(rows), ['later', 'parent']);
    assert.equal(rows[1]?.expanded, undefined);
  });

  it('has all that is known in its tooltip, and nothing that isn’t', () => {
    const known = {
      selected_repository: 'acme/shop',
      selected_branch: 'main',
      llm_model: 'anthropic/claude',
    };
    const [row, other] = conversationRowsOf(
      aList([aConversation({ id: 'a', ...known }), aConversation({ id: 'b', llm_model: null })]),
    );
    assert.ok(row && other);
    assert.match(tooltipText(row), /\nRepository: acme\/shop\nBranch: main\nModel: anthropic\/claude\n/);
    assert.doesNotMatch(tooltipText(other), /Repository|Branch|Model/);
  });

  it('sorts as selected, with waiting conversations first', () => {
    const list = aList([
      titled('Bee', { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T02:00:00Z' }),
      titled('ant', { created_at: '2026-01-01T01:00:00Z', updated_at: '2026-01-01T01:00:00Z' }),
      titled('zebra', { execution_status: 'waiting_for_confirmation', created_at: '2020-01-01T00:00:00Z' }),
    ]);
    assert.deepEqual(ids(conversationRowsOf(list)), ['zebra', 'Bee', 'ant']);
    assert.deepEqual(ids(conversationRowsOf(list, { order: 'created' })), ['zebra', 'ant', 'Bee']);
    assert.deepEqual(ids(conversationRowsOf(list, { order: 'title' })), ['zebra', 'ant', 'Bee']);
  });

  it('groups as selected, and rows keep their identity', () => {
    const list = aList([
      titled('a', { selected_repository: 'acme/shop', created_at: '2026-01-01T02:00:00Z' }),
      titled('b', { selected_repository: null, execution_status: 'finished' }),
      titled('c', { selected_repository: 'acme/shop', sandbox_id: 'oh-agent-server-7Qm2xVbT' }),
    ]);
    assert.deepEqual(tree(conversationRowsOf(list, { group: 'repository' })), [
      ['acme/shop', ['a', 'c']],
      ['No repository', ['b']],
    ]);
    assert.deepEqual(tree(conversationRowsOf(list, { group: 'state' })), [
      ['Working', ['a', 'c']],
      ['Finished', ['b']],
    ]);
    assert.deepEqual(tree(conversationRowsOf(list, { group: 'sandbox' })), [
      ['Work in sb-1', ['a', 'b']],
      ['Work in oh-agent-server-7Qm2xVbT', ['c']],
    ]);
    const [group] = conversationRowsOf(list, { group: 'repository' });
    assert.equal(group?.children?.[0], conversationRowsOf(list)[0]);
  });

  it('shows only matching rows, even if the service didn’t filter', () => {
    const list = aList([
      titled('Login test', { selected_repository: 'acme/shop', updated_at: '2025-12-31T23:00:00Z' }),
      titled('Invoice', { created_at: '2025-11-01T00:00:00Z', updated_at: null, execution_status: null }),
    ]);
    const passing = (filter: ConversationFilter) => ids(conversationRowsOf(list, { filter }));
    assert.deepEqual(passing({ title: 'LOGIN' }), ['Login test']);
    assert.deepEqual(passing({ repository: 'Acme/Shop' }), ['Login test']);
    assert.deepEqual(passing({ state: 'sandbox:' }), ['Invoice']);
    assert.deepEqual(passing({ createdWithinDays: 7 }), ['Login test']);
    assert.deepEqual(passing({ updatedWithinDays: 90 }), ['Login test', 'Invoice']);
    assert.deepEqual(passing({ updatedWithinDays: 7, title: 'i' }), ['Login test']);
  });

  it('shows cost and tokens if known, and pauses by the service', () => {
    const metrics = {
      accumulated_cost: 1.234,
      accumulated_token_usage: { prompt_tokens: 120_400, completion_tokens: 900 },
    };
    const [row] = conversationRowsOf(aList([aConversation({ metrics })]));
    assert.match(tooltipText(row!), /\nCost: \$1\.23\nTokens: 120\.4K input, 900 output\n/);
    const [odd] = conversationRowsOf(
      aList([aConversation({ metrics: { accumulated_cost: 'much', accumulated_token_usage: [] } })]),
    );
    assert.doesNotMatch(tooltipText(odd!), /Cost|Tokens/);
    const [paused] = conversationRowsOf(
      aList([aConversation({ execution_status: null, sandbox_status: 'PAUSED' })]),
      { pausedByService: (id) => id === 'sb-1' },
    );
    assert.match(paused?.description ?? '', /^Sandbox paused by the service/);
    // The agent had nothing to do anymore.
    const [finished] = conversationRowsOf(
      aList([aConversation({ execution_status: 'finished', sandbox_status: 'PAUSED' })]),
      { pausedByService: () => true },
    );
    assert.match(finished?.description ?? '', /^Finished/);
  });

  it('shows a record with only an id', () => {
    const [row] = conversationRowsOf(aList([{ id: 'c-9' }]));
    assert.ok(row);
    assert.equal(row.label, 'Untitled conversation');
    assert.equal(row.description, '');
  });
});
