import assert from 'node:assert/strict';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import { stateGroups, stateGroupWords } from '../../../../src/core/lists/stateGroups';
import { conversationRows, type ConversationsState } from '../../../../src/features/conversations/rows/list';
import { tooltipText } from '../../../support/builders/rows';
import { aConversation, aList, aStart } from '../../../support/builders/records';

const now = Date.parse('2026-01-01T03:00:00Z');

describe('conversations by state', () => {
  const rowsOf = (items: Conversation[], values: Partial<ConversationsState> = {}) => [
    ...conversationRows({
      list: aList(items),
      starts: [],
      group: 'state',
      order: 'updated',
      pausedByService: () => false,
      sandboxName: (id) => id,
      now,
      ...values,
    }),
  ];
  const inState = (execution_status: string | null, values: Partial<Conversation> = {}) =>
    aConversation({
      id: `c-${execution_status}`,
      title: `c-${execution_status}`,
      execution_status,
      ...values,
    });
  const all = [
    inState('paused'),
    inState('finished'),
    inState('pondering'),
    inState('idle'),
    inState('stuck'),
    inState('running'),
    inState('waiting_for_confirmation'),
  ];

  const archived = inState('finished', { id: 'old', title: 'old' });
  const isArchived = ({ id }: Conversation) => id === 'old';
  const shown = { isArchived, showsArchived: true };

  it('are in the same order, whatever the order of the list', () => {
    const labels = ['Needs You', 'Working', 'Failed', 'Idle', 'Other', 'Finished', 'Paused', 'Archived'];
    for (const order of ['updated', 'created', 'title'] as const) {
      for (const items of [all, all.toReversed()])
        assert.deepEqual(
          rowsOf([...items, archived], { order, ...shown }).map(({ label }) => label),
          labels,
        );
    }
    assert.deepEqual(stateGroups.map(stateGroupWords), labels);
  });

  it('have an icon of their own', () => {
    const icons = rowsOf(all).map(({ icon }) => icon?.name);
    assert.equal(new Set(icons).size, icons.length, icons.join());
    assert.ok(icons.every((name) => name && !/spin|sync|refresh/.test(name)));
  });

  it('are open, except the tail', () => {
    const open = rowsOf(all).filter(({ expanded }) => expanded);
    assert.deepEqual(
      open.map(({ label }) => label),
      ['Needs You', 'Working', 'Failed', 'Idle', 'Other'],
    );
  });

  it('say the state once, and rows only what differs', () => {
    const sandbox = (sandbox_status: string) =>
      inState(null, { id: sandbox_status, title: sandbox_status, sandbox_status });
    const rows = rowsOf([
      ...all,
      inState('error'),
      ...['STARTING', 'ERROR', 'PAUSED', 'MISSING'].map(sandbox),
    ]);
    const said = Object.fromEntries(
      rows.flatMap(({ children = [] }) => children.map(({ label, description }) => [label, description])),
    );
    assert.deepEqual(said, {
      'c-waiting_for_confirmation': '',
      'c-running': '',
      STARTING: 'Sandbox starting…',
      'c-error': '',
      'c-stuck': 'Stuck',
      ERROR: 'Sandbox failed',
      'c-idle': '',
      'c-pondering': 'Pondering',
      'c-finished': '',
      'c-paused': '',
      PAUSED: '',
      MISSING: 'Sandbox missing',
    });
  });

  it('show by the icon what the container of a conversation does, which a narrow row has no room to say', () => {
    const icons = ['paused', 'starting', 'error', 'archived', 'running', 'constructor'].map((container) => {
      const [group] = rowsOf([inState('idle', { container })]);
      return group?.children?.[0]?.icon?.name;
    });
    assert.deepEqual(icons, [
      'debug-pause',
      'rocket',
      'error',
      'history',
      'circle-large-outline',
      'circle-large-outline',
    ]);
    const [needsYou] = rowsOf([inState('waiting_for_confirmation', { container: 'paused' })]);
    assert.equal(needsYou?.children?.[0]?.icon?.name, 'bell-dot');
  });

  it('say who paused a sandbox if that wasn’t this window', () => {
    const paused = inState(null, { sandbox_status: 'PAUSED' });
    const [group] = rowsOf([paused], { pausedByService: () => true });
    assert.equal(group?.children?.[0]?.description, 'Sandbox paused by the service');
  });

  it('count all members, with a plus while more may follow', () => {
    const many = Array.from({ length: 73 }, (_, index) => inState('paused', { id: `p-${index}` }));
    const counted = (nextPageId: string | null) => {
      const [group] = rowsOf(many, { list: aList(many, { nextPageId, limit: 20 }) });
      return [group?.description, group?.accessibilityLabel, group?.children?.length];
    };
    assert.deepEqual(counted(null), ['73', 'Paused, 73 conversations', 20]);
    assert.deepEqual(counted('next'), ['73+', 'Paused, 73 or more conversations', 20]);
  });

  it('have those that wait below where the waiting ones are', () => {
    const parent = inState('running', { id: 'parent', title: 'parent' });
    const child = inState('waiting_for_confirmation', { title: 'child', parent_conversation_id: 'parent' });
    const [group, ...others] = rowsOf([parent, child]);
    assert.deepEqual(others, []);
    assert.equal(group?.label, 'Needs You');
    const [row] = group.children ?? [];
    assert.equal(row?.description, 'Sub-agent waiting · Working');
    assert.equal(row.children?.[0]?.description, '', 'the group says it');
  });

  it('come after the starts', () => {
    const [first] = rowsOf(all, { starts: [aStart({ id: 's-1' })] });
    assert.deepEqual(first?.ref, { kind: 'start', id: 's-1' });
  });

  it('hide archived ones, except those that wait', () => {
    const labels = (items: Conversation[], values = {}) =>
      rowsOf(items, { isArchived, ...values }).map(({ label }) => label);
    assert.deepEqual(labels([inState('idle'), archived]), ['Idle']);
    assert.deepEqual(labels([{ ...archived, execution_status: 'waiting_for_confirmation' }]), ['Needs You']);
    assert.deepEqual(labels([inState('idle'), archived], { showsArchived: true }), ['Idle', 'Archived']);
    assert.deepEqual(labels([archived]), ['Show Archived'], 'not as if there were none');
  });

  it('have pinned ones first, and say so', () => {
    const items = ['a', 'b', 'c'].map((id, index) =>
      inState('idle', { id, title: id, updated_at: `2026-01-01T0${3 - index}:00:00Z` }),
    );
    const [group] = rowsOf(items, { isPinned: ({ id }) => id === 'c' });
    assert.deepEqual(
      group?.children?.map(({ label, description }) => [label, description]),
      [
        ['c', 'Pinned'],
        ['a', ''],
        ['b', ''],
      ],
    );
  });

  it('count the unread, whose rows stand out', () => {
    const items = ['a', 'b', 'c'].map((id) => inState('finished', { id, title: id }));
    const [group] = rowsOf(items, { isUnread: ({ id }) => id !== 'b' });
    assert.ok(group);
    assert.deepEqual(
      [group.description, group.accessibilityLabel],
      ['3 · 2 unread', 'Finished, 3 conversations, 2 unread'],
    );
    assert.deepEqual(
      group.children?.map(({ isNew }) => isNew === true),
      [true, false, true],
    );
    assert.match(group.children[0]?.accessibilityLabel ?? '', /Unread/);
    assert.match(group.children[0]?.contextValue ?? '', /unread/);
  });

  it('say what came of finished work', () => {
    const metrics = { accumulated_cost: 0.834 };
    const about = { metrics, selected_repository: 'acme/shop' };
    const resultOf = () => ({ added: 12, removed: 3, lastWords: 'All green.' });
    const row = (status: string, values = {}) => rowsOf([inState(status, about)], values)[0]?.children?.[0];
    assert.equal(row('finished', { resultOf })?.description, '+12 −3 · $0.83 · acme/shop');
    assert.match(tooltipText(row('finished', { resultOf })!), /Changes: \+12 −3\nLast message: All green\./);
    assert.equal(row('finished')?.description, '$0.83 · acme/shop');
    assert.equal(row('idle')?.description, 'acme/shop');
  });
});
