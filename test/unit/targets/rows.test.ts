import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import type { Row } from '../../../src/core/rows/row';
import {
  conversationRow,
  type ConversationRowState,
  forest,
  type Branch,
} from '../../../src/features/targets';
import { aConversation } from '../../support/builders/records';
import { shownAt, tooltipText } from '../../support/builders/rows';

const waits = { execution_status: 'waiting_for_confirmation' };
const idle = (id: string, more: Partial<Conversation> = {}) =>
  aConversation({ id, execution_status: 'idle', ...more });

const state = (more: Partial<ConversationRowState> = {}): ConversationRowState => ({
  pausedByService: () => false,
  now: shownAt,
  ...more,
});

/** The row of the first conversation, above the others. */
function rowOf(
  conversations: readonly Conversation[],
  more: Partial<ConversationRowState> = {},
  place: Parameters<typeof conversationRow>[2] = {},
) {
  const [branch] = forest(conversations);
  assert.ok(branch);
  return conversationRow(branch, state(more), place);
}

const everything: Partial<ConversationRowState> = {
  isUnread: () => true,
  isPinned: () => true,
  isArchived: () => true,
};

describe('the row of a conversation', () => {
  const contexts: [values: Partial<Conversation>, context: string, more?: Partial<ConversationRowState>][] = [
    [{ execution_status: 'idle' }, 'conversation'],
    [{ execution_status: 'RUNNING' }, 'conversation.running'],
    [{ execution_status: 'running', isUninterruptible: true }, 'conversation.running.uninterruptible'],
    [{ execution_status: 'idle', isUninterruptible: true }, 'conversation'],
    [
      { ...waits, pr_number: [1], git_provider: 'github', selected_repository: 'a/b' },
      'conversation.pullRequest.waiting',
    ],
    [{ execution_status: 'idle', container: 'running' }, 'conversation.inContainer'],
    [{ execution_status: 'idle', container: 'paused' }, 'conversation.inPausedContainer'],
    [{ execution_status: 'idle', container: 'starting' }, 'conversation'],
    [{ execution_status: 'idle' }, 'conversation.unread.pinned.archived', everything],
  ];
  for (const [values, context, more] of contexts)
    it(`has the menus of ${context}: ${JSON.stringify(values)}`, () => {
      assert.equal(rowOf([aConversation(values)], more).contextValue, context);
    });

  it('is the same until something that it says changes', () => {
    const result = { added: 1, removed: 0, lastWords: '' };
    const paused = aConversation({ execution_status: null, sandbox_status: 'PAUSED' });
    const finished = aConversation({ execution_status: 'finished' });
    const child = idle('child', { ...waits, parent_conversation_id: paused.id });
    const first = () => rowOf([paused]);
    const changes: (() => Row)[] = [
      () => rowOf([paused], { now: shownAt + 24 * 60 * 60_000 }),
      () => rowOf([paused], { pausedByService: (id) => id === 'sb-1' }),
      () => rowOf([paused], {}, { group: 'paused' }),
      () => rowOf([paused], { isUnread: () => true }),
      () => rowOf([paused], { isPinned: () => true }),
      () => rowOf([paused], { isArchived: () => true }),
    ];
    for (const changed of changes) {
      const before = first();
      assert.equal(first(), before);
      assert.notDeepEqual(changed(), before);
    }
    // Its badge and its tooltip say something else at different times.
    const after = (minutes: number) => {
      const row = rowOf([finished], { now: Date.parse('2026-01-01T00:00:00Z') + minutes * 60_000 });
      return [row.badge, /Last active: (.*)/.exec(tooltipText(row))?.[1]];
    };
    assert.deepEqual(
      [after(15), after(16.1), after(22.1), after(22.9)],
      [
        ['¼h', '15 min ago'],
        ['¼h', '16 min ago'],
        ['¼h', '22 min ago'],
        ['½h', '22 min ago'],
      ],
    );
    const alone = rowOf([paused]);
    assert.match(rowOf([paused, child]).description ?? '', /^Sub-agent waiting/);
    assert.deepEqual(rowOf([paused]), alone);
    assert.doesNotMatch(rowOf([finished]).description ?? '', /\+1/);
    assert.match(rowOf([finished], { resultOf: () => result }).description ?? '', /\+1/);
  });

  it('says in its tooltip, and to screen readers, all that its place and its look say', () => {
    const conversation = idle('c', {
      ...{ container: 'paused', pr_number: [7], git_provider: 'github', selected_repository: 'acme/shop' },
      ...{ execution_status: 'Finished', selected_branch: 'main', llm_model: 'demo/large\nx' },
    });
    const result = { added: 2, removed: 1, lastWords: 'Done\nnow' };
    const row = rowOf([conversation], { ...everything, resultOf: () => result });
    const text = tooltipText(row);
    for (const line of [
      'State: Finished',
      'Changed since you last looked',
      'Pinned · Archived',
      'Sandbox paused',
      'Changes: +2 −1',
      'Last message: Done now',
      'Pull request: #7',
      'Branch: main',
      'Model: demo/large x',
      'Last active: 3 h ago',
    ])
      assert.ok(text.split('\n').includes(line), `${line}\n--- not in ---\n${text}`);
    assert.match(row.accessibilityLabel ?? '', /, Unread · Finished · Pinned · Archived · Sandbox paused · /);
    assert.match(row.description ?? '', /^Finished · Pinned · Archived · Sandbox paused · \+2 −1 · #7 · /);
    const plain = rowOf([conversation]);
    assert.doesNotMatch(tooltipText(plain), /look|Pinned|Archived|Changes|Last message/);
    assert.doesNotMatch(plain.accessibilityLabel ?? '', /Unread/);
    assert.doesNotMatch(tooltipText(rowOf([idle('d')])), /Branch|Model|Pull request/);
    assert.match(
      rowOf([conversation], everything, { group: 'archived' }).description ?? '',
      /Pinned · Sandbox/,
    );
  });

  it('says what its group doesn’t: who paused its sandbox, and by its icon what its container does', () => {
    const paused = aConversation({ execution_status: null, sandbox_status: 'PAUSED' });
    const byService = { pausedByService: () => true };
    assert.equal(rowOf([paused], {}, { group: 'paused' }).description, '');
    assert.equal(
      rowOf([paused], byService, { group: 'paused' }).description,
      'Sandbox paused by the service',
    );
    // The agent had nothing to do anymore.
    const finished = aConversation({ execution_status: 'finished', sandbox_status: 'PAUSED' });
    assert.equal(rowOf([finished], byService).description, 'Finished');
    const icon = (values: Partial<Conversation>, group?: 'idle' | 'needsYou') =>
      rowOf([idle('c', values)], {}, { group }).icon?.name;
    assert.notEqual(icon({ container: 'paused' }, 'idle'), icon({}, 'idle'));
    assert.equal(icon({ container: 'paused' }), icon({}));
    assert.equal(icon({ ...waits, container: 'paused' }, 'needsYou'), icon(waits, 'needsYou'));
  });

  it('says nothing that isn’t known, or that its name says', () => {
    const unknown = rowOf([{ id: 'c-9', selected_repository: 'acme/shop', title: 'acme/shop' }]);
    assert.deepEqual([unknown.description, 'badge' in unknown, 'isNew' in unknown], ['', false, false]);
    // What came of work counts once it’s finished.
    const result = { added: 1, removed: 0, lastWords: '' };
    assert.doesNotMatch(rowOf([idle('c')], { resultOf: () => result }).description ?? '', /\+1/);
    const used = (prompt_tokens?: number, completion_tokens?: number) =>
      tooltipText(
        rowOf([idle('c', { metrics: { accumulated_token_usage: { prompt_tokens, completion_tokens } } })]),
      );
    assert.match(used(1, 2), /Tokens: 1 input, 2 output/);
    assert.doesNotMatch(used(1) + used(undefined, 2), /Tokens/);
  });

  it('has the age of its last change, or of itself if it never changed', () => {
    const badge = (updated_at: string | null) => rowOf([aConversation({ updated_at })]).badge;
    assert.deepEqual([badge('2026-01-01T01:00:00Z'), badge(null)], ['2h', '3h']);
  });

  it('has its children in the same place, at most 200 of them', () => {
    const children = Array.from({ length: 201 }, (_, index) =>
      idle(`n${index}`, { parent_conversation_id: 'parent' }),
    );
    const row = rowOf([idle('parent'), ...children], {}, { idPrefix: 'in-group/' });
    assert.equal(row.children?.length, 201);
    assert.equal(row.children[0]?.id, 'in-group/conversation/n0');
    assert.match(row.children.at(-1)?.label ?? '', / 1 more$/);
    assert.equal('expanded' in row, false);
    const open = rowOf([idle('parent'), idle('below', { ...waits, parent_conversation_id: 'parent' })]);
    assert.equal(open.expanded, true);
    const both = rowOf([
      idle('parent', waits),
      idle('below', { ...waits, parent_conversation_id: 'parent' }),
    ]);
    assert.deepEqual([both.expanded, both.description], [undefined, 'Waiting']);
  });
});

describe('the tree of conversations', () => {
  const tree = (branches: readonly Branch[]): unknown[] =>
    branches.map(({ conversation: { id }, children }) => (children.length > 0 ? [id, tree(children)] : id));
  const chain = (length: number) =>
    Array.from({ length }, (_, index) =>
      idle(`n${index}`, index > 0 ? { parent_conversation_id: `n${index - 1}` } : {}),
    );

  it('has those that are too deep beside what started them, in whatever order they’re listed', () => {
    const above = (below: unknown[]) =>
      [6, 5, 4, 3, 2, 1, 0].reduce<unknown>((rest, level) => [`n${level}`, [rest]], ['n7', below]);
    const listed = chain(12);
    assert.deepEqual(tree(forest(listed)), [above(['n8', 'n9', 'n10', 'n11'])]);
    const others = [...listed.slice(10), ...listed.slice(0, 10)];
    assert.deepEqual(tree(forest(others)), [above(['n10', 'n11', 'n8', 'n9'])]);
  });

  it('knows an id with and without hyphens, and believes a child more than its parents', () => {
    const [bare, other] = ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];
    const hyphens = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    assert.deepEqual(tree(forest([idle(hyphens(bare)), idle('c', { parent_conversation_id: bare })])), [
      [hyphens(bare), ['c']],
    ]);
    assert.deepEqual(tree(forest([idle(bare), idle('c', { parent_conversation_id: hyphens(bare) })])), [
      [bare, ['c']],
    ]);
    const listed = idle(hyphens(bare), { sub_conversation_ids: [hyphens(other), 'c'] });
    assert.deepEqual(
      tree(forest([listed, idle(other), idle('c', { parent_conversation_id: 'elsewhere' })])),
      [[hyphens(bare), [other]], 'c'],
    );
  });

  it('has titles to sort by, whatever their case', () => {
    const titles = ['Zebra', 'apple', 'ÄPFEL'].map((title) => idle(title, { title }));
    assert.deepEqual(
      forest(titles).map(({ title }) => title),
      ['zebra', 'apple', 'äpfel'],
    );
  });

  it('breaks a circle where it closes', () => {
    const circle = ['a', 'b', 'c'].map((id, index, all) =>
      idle(id, { parent_conversation_id: all[(index + 1) % 3]! }),
    );
    const below = idle('d', { parent_conversation_id: 'a' });
    assert.deepEqual(tree(forest([...circle, below])), [['c', [['b', [['a', ['d']]]]]]]);
  });

  it('has those first that wait, or have one below that waits', () => {
    const below = (id: string, parent: string, more: Partial<Conversation> = {}) =>
      idle(id, { parent_conversation_id: parent, ...more });
    const [root] = forest([
      idle('root'),
      below('quiet', 'root'),
      below('above', 'root'),
      below('waiting', 'root', waits),
      below('quieter', 'root'),
      below('between', 'above'),
      below('deep', 'between', waits),
    ]);
    assert.deepEqual(tree([root!]), [
      ['root', [['above', [['between', ['deep']]]], 'waiting', 'quiet', 'quieter']],
    ]);
    const told = (branch: Branch): string[] => [
      ...(branch.waits ? [branch.conversation.id] : []),
      ...branch.children.flatMap(told),
    ];
    assert.deepEqual(told(root!), ['root', 'above', 'between', 'deep', 'waiting']);
  });

  it('has no time where a conversation tells none', () => {
    const [none, some] = forest([{ id: 'a' }, idle('b')]);
    assert.deepEqual([none?.created, none?.updated], [0, 0]);
    assert.equal(some?.created, Date.parse('2026-01-01T00:00:00Z'));
  });
});
