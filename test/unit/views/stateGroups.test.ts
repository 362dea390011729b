import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { stateGroups, stateGroupWords } from '../../../src/state/lists/stateGroups';
import { conversationRows, type ConversationsState } from '../../../src/views/conversations/list';
import { aConversation, aList, aStart } from '../../support/builders/records';

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

  it('are in the same order, whatever the order of the list', () => {
    const labels = ['Needs You', 'Working', 'Failed', 'Idle', 'Other', 'Finished', 'Paused'];
    for (const order of ['updated', 'created', 'title'] as const) {
      for (const items of [all, all.toReversed()])
        assert.deepEqual(
          rowsOf(items, { order }).map(({ label }) => label),
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
    assert.equal(row?.description, 'Waiting below · Working');
    assert.equal(row.children?.[0]?.description, '', 'the group says it');
  });

  it('come after the starts', () => {
    const [first] = rowsOf(all, { starts: [aStart({ id: 's-1' })] });
    assert.deepEqual(first?.ref, { kind: 'start', id: 's-1' });
  });
});
