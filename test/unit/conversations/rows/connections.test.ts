import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/http/errors';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import { commandIds } from '../../../../src/ids';
import { connectionRow, type ConnectionRows } from '../../../../src/features/conversations/rows/connections';
import { conversationRows } from '../../../../src/features/conversations/rows/list';
import type { Row } from '../../../../src/core/rows/row';
import type { Attempt } from '../../../../src/features/start/model/attempts';
import { anError } from '../../../support/builders/client';
import { aConversation, aList } from '../../../support/builders/records';
import { tooltipText } from '../../../support/builders/rows';

const connection = { name: 'Lab', baseUrl: 'https://lab.example', origin: 'https://lab.example' };
const agents = [
  aConversation({ id: 'a', title: 'Parent', execution_status: 'running' }),
  aConversation({
    id: 'b',
    title: 'Below',
    execution_status: 'waiting_for_confirmation',
    parent_conversation_id: 'a',
  }),
];

function rowsOf(
  items: readonly Conversation[],
  nextPageId: string | null = null,
  attemptOf?: (one: Conversation) => Attempt | undefined,
): Iterable<Row> {
  const list = { ...aList([...items]), nextPageId };
  return conversationRows({
    ...{ list, starts: [], group: 'none', order: 'updated', now: 0, attemptOf },
    pausedByService: () => false,
    sandboxName: String,
  });
}

function row(values: Partial<ConnectionRows> = {}, items = agents, nextPageId: string | null = null): Row {
  const list = { ...aList(items), nextPageId };
  return connectionRow({ connection, list, rows: rowsOf(items, nextPageId), ...values });
}

const all = (one: Row): Row[] => [one, ...(one.children ?? []).flatMap(all)];

describe('connections in the Conversations view', () => {
  it('have their conversations below, those that agents started below these', () => {
    const { label, description, accessibilityLabel, expanded, children } = row();
    assert.deepEqual([label, description, expanded], ['Lab', '2', true]);
    assert.equal(accessibilityLabel, 'Connection Lab, 2 conversations');
    const [parent] = children ?? [];
    const [below] = parent?.children ?? [];
    assert.deepEqual([children?.length, parent?.label, below?.label], [1, 'Parent', 'Below']);
    assert.match(parent?.description ?? '', /^Sub-agent waiting/);
  });

  it('count one, and know of more than the list shows', () => {
    const [one, ...more] = ['a', 'b', 'c'].map((id) => aConversation({ id, title: id }));
    assert.ok(one);
    assert.equal(row({}, [one]).accessibilityLabel, 'Connection Lab, 1 conversation');
    const list = { ...aList([one, ...more]), limit: 2 };
    const rows = conversationRows({
      ...{ list, starts: [], group: 'none', order: 'updated', now: 0 },
      pausedByService: () => false,
      sandboxName: String,
    });
    assert.equal(row({ list, rows }).description, '2+');
  });

  it('say to which service each row belongs, however many have its id', () => {
    const here = row({ isHere: true });
    const there = row({ connection: { ...connection, baseUrl: 'https://other.example' } });
    assert.deepEqual(
      all(here)
        .slice(1)
        .map(({ ref }) => ref),
      ['a', 'b'].map((id) => ({ kind: 'conversation', id })),
    );
    assert.deepEqual(
      all(there)
        .slice(1)
        .map(({ ref }) => ref),
      ['a', 'b'].map((id) => ({ kind: 'conversation', id, service: 'https://other.example' })),
    );
    const ids = [...all(here), ...all(there), ...all(row())].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length - 1, 'only the row of the connection itself is there twice');
    for (const one of all(there).slice(1)) assert.match(one.contextValue, /^conversation\b.*\belsewhere$/);
    assert.equal(here.description, '2 · current');
  });

  it('count what stands below them: not what is archived', () => {
    const items = ['a', 'b', 'c'].map((id) => aConversation({ id, title: id }));
    const shown = conversationRows({
      ...{ list: aList(items), starts: [], group: 'state', order: 'updated', now: 0 },
      isArchived: ({ id }) => id === 'b',
      pausedByService: () => false,
      sandboxName: String,
    });
    assert.equal(row({ rows: shown, isHere: true }, items).description, '2 · current');
  });

  it('have attempts under one row, which says how many have finished, and where they are', () => {
    const attempts = ['a', 'b', 'c'].map((id) =>
      aConversation({ id, title: 'Fix it', execution_status: id === 'a' ? 'running' : 'finished' }),
    );
    const rows = rowsOf(attempts, null, ({ id }) => ({ group: 'g', label: `Model ${id}` }));
    const [bundle] = row({ rows }, attempts).children ?? [];
    assert.equal(bundle?.description, '2 of 3 finished');
    assert.deepEqual(bundle.ref, { kind: 'attempts', ids: ['a', 'b', 'c'], service: connection.baseUrl });
    assert.equal(bundle.contextValue, 'attempts.several.running');
    assert.deepEqual(
      bundle.children?.map(({ label, ref }) => [label, ref]),
      ['a', 'b', 'c'].map((id) => [`Model ${id}`, { kind: 'conversation', id, service: connection.baseUrl }]),
    );
  });

  it('have their own “Load more”', () => {
    const there = row({}, agents, 'next');
    assert.equal(there.description, '2+');
    assert.equal(there.accessibilityLabel, 'Connection Lab, 2 or more conversations');
    assert.deepEqual(there.children?.at(-1)?.ref, {
      kind: 'loadMore',
      list: 'conversations',
      service: connection.baseUrl,
    });
    const here = row({ isHere: true }, agents, 'next');
    assert.deepEqual(here.children?.at(-1)?.ref, { kind: 'loadMore', list: 'conversations' });
  });

  for (const isHere of [true, false])
    for (const [error, words] of [
      [anError('unauthorized'), 'Session key refused'],
      [anError('forbidden'), 'Session key refused'],
      [anError('reset'), 'Can’t be reached'],
      [new ApiError('serverError', 'GET', '/', { status: 503 }), 'HTTP error 503'],
      [new ApiError('badShape', 'GET', '/', { status: 200 }), 'Answer can’t be read'],
      [new Error('unreadable'), 'Answer can’t be read'],
      [new ApiError('unauthorized', 'GET', '/', { status: 401, signIn: true }), 'Not signed in'],
    ] as const)
      it(`say “${words}”${isHere ? ' of the current one' : ''}, and dim only their own rows (${error.message})`, () => {
        const list = { ...aList(agents), error };
        const old = row({ list, isHere });
        assert.equal(old.description?.split(' · ')[0], words);
        assert.ok(old.accessibilityLabel?.includes(words));
        assert.ok(tooltipText(old).includes(words));
        const setKey = isHere ? commandIds.sessionSetKey : commandIds.connectionSwitch;
        assert.equal(old.command, /key|signed/.test(words) ? setKey : commandIds.logsShow);
        for (const { icon } of all(old).slice(1)) assert.equal(icon?.color, 'disabledForeground');
        for (const { icon } of all(row()).slice(1)) assert.notEqual(icon?.color, 'disabledForeground');
      });

  it('lead to a key where there is none', () => {
    const without = { list: undefined, rows: [] };
    const there = row(without);
    assert.deepEqual(
      [there.description, there.command, there.icon?.name, row().icon?.name],
      ['No session key on this computer', commandIds.connectionSwitch, 'key', 'plug'],
    );
    assert.equal(row({ ...without, isHere: true }).command, commandIds.sessionSetKey);
    assert.equal(row().command, undefined);
    const signedIn = { ...connection, authentication: 'signIn' as const };
    const out = row({ ...without, isHere: true, connection: signedIn });
    assert.deepEqual([out.description, out.command], ['Not signed in · current', commandIds.sessionSignIn]);
  });

  it('are being read at first', () => {
    assert.equal(row({ list: { ...aList([]), loaded: false } }, []).description, 'Loading…');
    assert.equal(row({}, []).description, '0');
  });

  it('show hostile names as plain text', () => {
    const hostile = row({ connection: { ...connection, name: 'a\u202e$(bell)\n# b' } });
    assert.doesNotMatch(hostile.label, /[\u202e\n]/);
  });

  it('keep rows that haven’t changed', () => {
    const [first, second] = [row(), row()];
    const below = (one: Row) => one.children?.[0]?.children?.[0];
    assert.equal(below(first), below(second));
  });
});
