import assert from 'node:assert/strict';
import type { Row } from '../../../../src/core/rows/row';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import { startRow } from '../../../../src/features/conversations/rows/startRow';
import { aConversation, aList, aStart } from '../../../support/builders/records';
import { conversationRowsOf } from '../../../support/builders/rows';

const ids = (rows: readonly Row[]) => rows.map(({ ref }) => ('id' in ref ? ref.id : ref.kind));

describe('start rows', () => {
  const { begunAt } = aStart();
  const justBegun = begunAt + 1_000;

  it('are marked slow after 3 minutes', () => {
    const start = aStart({ step: { kind: 'task', status: 'WAITING_FOR_SANDBOX', detail: undefined } });
    const words = (ms: number) => startRow(start, begunAt + ms).description;
    assert.equal(words(179_999), 'Starting… · Waiting for the sandbox…');
    assert.equal(words(180_000), 'Slow to start · Waiting for the sandbox…');
  });

  it('replace their conversations until the start is done', () => {
    const state = {
      starts: [aStart({ step: { kind: 'task', status: 'STARTING_CONVERSATION', detail: undefined } })],
      underWay: new Set(['c-2']),
    };
    const rows = conversationRowsOf(
      aList([aConversation({ id: 'c-1' }), aConversation({ id: 'c-2' })]),
      state,
    );
    assert.deepEqual(ids(rows), ['s-1', 'c-1']);
  });

  it('show the progress of a start', () => {
    const row = startRow(
      aStart({ step: { kind: 'task', status: 'PREPARING_REPOSITORY', detail: undefined } }),
      justBegun,
    );
    assert.equal(row.label, 'Mend the login test');
    assert.equal(row.description, 'Starting… · Preparing repository…');
    assert.equal(row.contextValue, 'start.going');
    assert.equal(row.accessibilityLabel, `Conversation ${row.label}, ${row.description}`);
  });

  it('show why a start failed, with the service’s text sanitized', () => {
    const row = startRow(aStart({ label: '', failure: 'no\u0000such\nrepository \u202e' }), justBegun);
    assert.equal(row.label, 'New conversation');
    assert.equal(row.description, 'Not started · no such repository');
    assert.equal(row.contextValue, 'start.failed');
  });

  it('say whether pausing a sandbox helps against a failure', () => {
    const row = startRow(aStart({ failure: 'At most 5.', overLimit: true }), justBegun);
    assert.equal(row.contextValue, 'start.failed.overLimit');
  });

  it('show when it is unknown whether the service began the start', () => {
    const row = startRow(aStart({ failure: 'The connection was lost.', unknown: true }), justBegun);
    assert.equal(row.description, 'May have started · The connection was lost.');
    assert.equal(row.contextValue, 'start.failed');
  });
});

describe('attempts in the Conversations view', () => {
  const attemptOf = ({ id }: Conversation) =>
    id.startsWith('a') ? { group: 'g', label: id === 'a1' ? 'Claude' : 'GPT' } : undefined;
  const at = (id: string, execution_status: string, hour: number) =>
    aConversation({ id, execution_status, title: 'Fix it', created_at: `2026-01-01T0${hour}:00:00Z` });
  const all = [at('a1', 'finished', 1), at('other', 'idle', 1), at('a2', 'running', 2)];

  it('are one row, which says how many have finished', () => {
    const starts = [aStart({ id: 's', failure: 'No room.', attempt: { group: 'g', label: 'Gemini' } })];
    const rows = conversationRowsOf(aList(all), { attemptOf, starts });
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ['1/3 Fix it', '1 of 3 finished · 1 not started'],
        ['Fix it', rows[1]?.description],
      ],
    );
    assert.deepEqual(rows[0]?.ref, { kind: 'attempts', ids: ['a1', 'a2'] });
    assert.deepEqual(
      rows[0].children?.map(({ label, ref }) => [label, 'id' in ref && ref.id]),
      [
        ['Claude', 'a1'],
        ['GPT', 'a2'],
        ['Gemini', 's'],
      ],
    );
    assert.equal(rows[0].accessibilityLabel, 'Attempts at Fix it, 1 of 3 finished · 1 not started');
  });

  it('don’t say that one hasn’t started that may have', () => {
    const start = { failure: 'HTTP 500', unknown: true, attempt: { group: 'g', label: 'Gemini' } };
    const [row] = conversationRowsOf(aList(all), { attemptOf, starts: [aStart({ id: 's', ...start })] });
    assert.equal(row?.description, '1 of 3 finished');
    assert.match(String(row.children?.at(-1)?.description), /^May have started/);
  });

  it('say which of them failed, and which the service paused to stay within its limit', () => {
    const paused = {
      ...at('a2', 'x', 2),
      execution_status: null,
      sandbox_status: 'PAUSED',
      sandbox_id: 'sb-2',
    };
    const some = [at('a1', 'error', 1), paused, at('a3', 'finished', 3)];
    const of = (id: string) =>
      conversationRowsOf(aList(some), { attemptOf, pausedByService: (one) => one === id })[0];
    assert.equal(of('sb-2')?.description, '1 of 3 finished · 1 failed · 1 paused by the service');
    assert.match(of('sb-2')?.children?.[1]?.description ?? '', /^Sandbox paused by the service/);
    // Whoever paused it knows.
    assert.equal(of('')?.description, '1 of 3 finished · 1 failed');
  });

  it('are pinned and unread like any of them, and archived like all of them', () => {
    const look = { attemptOf, group: 'state' as const, showsArchived: true };
    const isArchived = ({ id }: Conversation) => id === 'a2';
    const isFirst = ({ id }: Conversation) => id === 'a1';
    const groups = conversationRowsOf(aList(all), { ...look, isArchived, isUnread: isFirst });
    assert.deepEqual(
      groups.map(({ label, description }) => [label, description]),
      [
        ['Working', '1 · 1 unread'],
        ['Idle', '1'],
      ],
    );
    const [, archived] = conversationRowsOf(aList(all), { ...look, isArchived: ({ id }) => id !== 'other' });
    assert.equal(archived?.label, 'Archived');
    const rows = conversationRowsOf(aList(all.toReversed()), { attemptOf, isPinned: isFirst });
    assert.equal(rows[0]?.id, 'attempts/g');
  });

  it('offer what can be done to any of them, and only what can be done while they start', () => {
    const contextOf = (state: Partial<Parameters<typeof conversationRowsOf>[1]>) =>
      conversationRowsOf(aList(all), { attemptOf, showsArchived: true, ...state })[0]?.contextValue;
    const isFirst = ({ id }: Conversation) => id === 'a1';
    assert.equal(contextOf({}), 'attempts.several.running');
    const look = { isUnread: isFirst, isPinned: isFirst };
    assert.equal(contextOf({ ...look, isArchived: isFirst }), 'attempts.several.running.unread.pinned');
    assert.equal(contextOf({ isArchived: () => true }), 'attempts.several.running.archived');
    const starts = ['s-1', 's-2'].map((id) => aStart({ id, attempt: { group: 'g', label: id } }));
    assert.equal(conversationRowsOf(aList([]), { attemptOf, starts })[0]?.contextValue, 'starts');
  });

  it('stand where the most urgent of them would', () => {
    const rows = conversationRowsOf(aList(all), { attemptOf, group: 'state' });
    assert.deepEqual(
      rows.map(({ label, children }) => [label, children?.map(({ id }) => id)]),
      [
        ['Working', ['attempts/g']],
        ['Idle', ['conversation/other']],
      ],
    );
    const waits = [at('a1', 'finished', 1), at('other', 'idle', 1), at('a2', 'waiting_for_confirmation', 2)];
    const [first] = conversationRowsOf(aList(waits), { attemptOf });
    assert.equal(first?.description, '1 of 2 finished · 1 waiting for you');
    const below = { ...at('below', 'waiting_for_confirmation', 3), parent_conversation_id: 'a1' };
    const newer = [...all, below, at('newest', 'idle', 9)];
    assert.deepEqual(ids(conversationRowsOf(aList(newer), { attemptOf })), ['attempts', 'newest', 'other']);
  });

  it('are ordinary rows once only one is left, and together while they start', () => {
    assert.deepEqual(ids(conversationRowsOf(aList(all.slice(0, 2)), { attemptOf })), ['a1', 'other']);
    const isArchived = ({ id }: Conversation) => id === 'a2';
    assert.deepEqual(ids(conversationRowsOf(aList(all), { attemptOf, isArchived })), ['a1', 'other']);
    const starts = ['s-1', 's-2'].map((id) => aStart({ id, attempt: { group: 'g', label: id } }));
    const [row] = conversationRowsOf(aList([]), { attemptOf, starts });
    assert.deepEqual([row?.description, row?.children?.length], ['0 of 2 finished', 2]);
    assert.equal(row?.label, `0/2 ${aStart().label}`);
    const unnamed = starts.map((start) => ({ ...start, label: '' }));
    const [other] = conversationRowsOf(aList([]), { attemptOf, starts: unnamed });
    assert.equal(other?.label, '0/2 New conversation');
  });
});
