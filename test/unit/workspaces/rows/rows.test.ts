import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../src/api/service/client';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import type { Row } from '../../../../src/core/rows/row';
import { Attempts } from '../../../../src/features/start/model/attempts';
import { workspaceRows } from '../../../../src/features/workspaces/rows/rows';
import { workspacesView } from '../../../../src/features/workspaces/rows/view';
import { aClient, anError } from '../../../support/builders/client';
import { aConversation, aList } from '../../../support/builders/records';
import { windowWith } from '../../../support/builders/window';

const hour = (hours: number) => `2026-01-01T${String(hours).padStart(2, '0')}:00:00Z`;
const folder = (path: string, name = path.split('/').at(-1) ?? '') => ({ id: path, name, path });
let made = 0;
const within = (path: string | null, more: Partial<Conversation> = {}) =>
  aConversation({ id: `c-${++made}`, title: `In ${path}`, folder: path, updated_at: hour(1), ...more });
const rowsOf = (saved: ReturnType<typeof folder>[], conversations: Conversation[]) => [
  ...workspaceRows({
    workspaces: aList(saved),
    conversations,
    pausedByService: () => false,
    now: Date.parse(hour(3)),
  }),
];
/** Each row with those below, by label. */
const outline = (rows: readonly Row[]): unknown[] =>
  rows.map(({ label, children = [] }) => (children.length === 0 ? label : [label, outline(children)]));

describe('Workspaces view rows', () => {
  it('show saved folders and those of conversations, each once, with its conversations', () => {
    const rows = rowsOf(
      [folder('/w/shop'), folder('/w/docs', 'The docs')],
      [within('/w/shop'), within('/w/shop/'), within('/w/tools')],
    );
    assert.deepEqual(outline(rows), [
      ['shop', ['In /w/shop', 'In /w/shop/']],
      ['tools', ['In /w/tools']],
      'The docs',
    ]);
    assert.deepEqual(
      rows.map(({ description, contextValue }) => [description, contextValue]),
      [
        ['2 conversations', 'workspace.saved'],
        ['1 conversation', 'workspace'],
        ['/w/docs', 'workspace.saved'],
      ],
    );
    assert.deepEqual(rows[0]?.ref, { kind: 'workspace', path: '/w/shop' });
  });

  it('put folders first in which an agent waits, then those that were used last, all folded', () => {
    const waiting = { execution_status: 'waiting_for_confirmation', updated_at: hour(0) };
    const rows = rowsOf(
      [folder('/w/a')],
      [
        within('/w/old', { updated_at: hour(1) }),
        within('/w/new', { updated_at: hour(2) }),
        within('/w/wait', waiting),
        within('/w/wait', { updated_at: hour(2) }),
      ],
    );
    assert.deepEqual(
      rows.map(({ label, expanded }) => [label, expanded]),
      [
        ['wait', undefined],
        ['new', undefined],
        ['old', undefined],
        ['a', undefined],
      ],
    );
    assert.equal(rows[0]?.description, '1 waiting for you · 2 conversations');
    assert.equal(rows[0].children?.[0]?.contextValue, 'conversation.waiting');
    const [several] = rowsOf([], [within('/w/wait', waiting), within('/w/wait', waiting)]);
    assert.equal(several?.description, '2 waiting for you · 2 conversations');
  });

  it('show 200 conversations and 200 worktrees of a folder at most, and how many more there are', () => {
    const many = (count: number, path: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => within(path(at)));
    const [row, ...others] = rowsOf(
      [folder('/w/shop')],
      [...many(203, () => '/w/shop'), ...many(201, (at) => `/tmp/conversation-worktrees/${at}/shop`)],
    );
    assert.equal(others.length, 0);
    const below = row?.children ?? [];
    assert.equal(below.length, 200 + 1 + 200 + 1);
    assert.deepEqual(
      [below[200]?.label, below.at(-1)?.label].map((label) => label?.match(/\d+/)?.[0]),
      ['3', '1'],
    );
    assert.equal(new Set(below.map(({ id }) => id)).size, below.length, 'the tree has each ID once');
  });

  it('put conversations first whose agents wait, then the latest', () => {
    const waiting = { execution_status: 'waiting_for_confirmation' };
    const rows = rowsOf(
      [],
      [
        within('/w/a', { title: 'Old', updated_at: hour(1) }),
        within('/w/a', { title: 'New', updated_at: hour(2) }),
        within('/w/a', { title: 'Waits', updated_at: hour(0), ...waiting }),
      ],
    );
    assert.deepEqual(outline(rows), [['a', ['Waits', 'New', 'Old']]]);
  });

  it('put a worktree below its repository, if there’s one of that name only', () => {
    const tree = '/tmp/conversation-worktrees/1f/shop';
    const below = rowsOf([folder('/w/shop'), folder('/w/docs')], [within(tree), within('/w/shop')]);
    assert.deepEqual(outline(below), [['shop', ['In /w/shop', ['shop', [`In ${tree}`]]]], 'docs']);
    assert.equal(below[0]?.description, '2 conversations');
    assert.equal(below[0].children?.[1]?.description, `Worktree · In ${tree}`);
    const beside = rowsOf([folder('/w/shop'), folder('/v/shop')], [within(tree)]);
    assert.deepEqual(
      beside.map(({ ref }) => ref),
      [tree, '/w/shop', '/v/shop'].map((path) => ({ kind: 'workspace', path })),
    );
    const windows = 'C:\\Temp\\conversation-worktrees\\1f\\shop';
    assert.deepEqual(outline(rowsOf([folder('C:\\work\\shop', 'shop')], [within(windows)])), [
      ['shop', [['shop', [`In ${windows}`]]]],
    ]);
  });

  it('tell the worktrees of attempts apart by what these differ in', () => {
    const trees = ['1', '2'].map((one) => `/tmp/conversation-worktrees/${one}/shop`);
    const conversations = trees.map((tree) => within(tree, { title: 'Mend it' }));
    const differenceOf = (one: Conversation) => (one === conversations[0] ? 'claude' : '');
    const rows = workspaceRows({
      ...{ workspaces: aList([]), conversations, pausedByService: () => false, now: 0 },
      differenceOf,
    });
    assert.deepEqual(
      [...rows].map(({ description }) => description),
      ['Worktree · claude – Mend it', 'Worktree · Mend it'],
    );
  });

  it('have sub-agents below the one that started them, wherever they work, and wait with them', () => {
    const parent = within('/w/shop', { title: 'Parent' });
    const child = (more: Partial<Conversation>) =>
      within('/tmp/conversation-worktrees/1/shop', { parent_conversation_id: parent.id, ...more });
    const rows = rowsOf(
      [],
      [
        parent,
        child({ title: 'Works', execution_status: 'running' }),
        child({ title: 'Asks', execution_status: 'waiting_for_confirmation' }),
      ],
    );
    assert.deepEqual(outline(rows), [['shop', [['Parent', ['Asks', 'Works']]]]]);
    const [shop] = rows;
    const [row] = shop?.children ?? [];
    assert.equal(row?.expanded, true);
    assert.match(shop?.description ?? '', /^1 waiting for you/);
    assert.match(row.description ?? '', /^Sub-agent waiting/);
    assert.deepEqual(
      row.children?.map(({ description = '' }) => description.split(' · ')[0]),
      ['Waiting', 'Working'],
    );
  });

  it('say what the container of a conversation does, unless it just runs', () => {
    const words = (container: string | null) =>
      rowsOf([], [within('/w/a', { container, execution_status: 'finished' })])[0]?.children?.[0]
        ?.description;
    assert.deepEqual([null, 'other', 'paused', 'starting', 'error', 'archived'].map(words), [
      'Finished',
      'Finished',
      'Finished · Sandbox paused',
      'Finished · Sandbox starting…',
      'Finished · Sandbox failed',
      'Finished · Only its history is left',
    ]);
  });

  it('keep odd folders apart and their names plain', () => {
    const odd = ['/', 'C:\\', '/w/a b', '/w/ü', '/w/\u202egnp.exe', '/w/$(error)', '/w/__proto__', '/W/ü'];
    const rows = rowsOf([], [...odd.map((path) => within(path)), within(null), within('')]);
    assert.equal(rows.length, odd.length);
    assert.equal(new Set(rows.map(({ id }) => id)).size, odd.length);
    for (const { label } of rows) assert.doesNotMatch(label, /\u202e|\$\(/);
  });

  it('stop at the limit of the list', () => {
    const many = Array.from({ length: 250 }, (_, at) => folder(`/w/${at}`));
    const rows = rowsOf(many, []);
    assert.deepEqual([rows.length, rows.at(-1)?.ref], [201, { kind: 'loadMore', list: 'workspaces' }]);
    assert.equal(rowsOf(many.slice(0, 200), []).length, 200);
  });
});

describe('the Workspaces view', () => {
  it('tells worktrees of attempts apart once it’s known what these differ in, and says why it’s out of date', async () => {
    let fails = false;
    const trees = ['1', '2'].map((one) => `/tmp/conversation-worktrees/${one}/shop`);
    const conversations = trees.map((tree) => within(tree, { title: 'Mend it' }));
    const client = aClient({
      baseUrl: 'https://one.example.com',
      agents: {
        listWorkspaces: () => (fails ? Promise.reject(anError('reset')) : Promise.resolve([])),
      } as unknown as ApiClient['agents'],
      listConversations: () => Promise.resolve({ items: conversations, nextPageId: null }),
    });
    const { session, model, dispose } = await windowWith(client);
    const kept = new Map<string, unknown>();
    const store = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    const attempts = new Attempts(store, String);
    const view = workspacesView(session, model, attempts);
    model.setVisible('workspaces', true);
    await model.refresh('workspaces', 'conversations');
    let drawn = 0;
    for (const event of view.events ?? []) event(() => (drawn += 1));
    const [first] = conversations;
    attempts.keep(client.baseUrl, first!.id, { group: 'g', label: 'claude' });
    assert.equal(drawn, 1);
    assert.deepEqual(
      [...view.rows()].map(({ description }) => description),
      ['Worktree · claude – Mend it', 'Worktree · Mend it'],
    );
    assert.equal(view.message(), undefined);
    fails = true;
    await model.refresh('workspaces');
    assert.match(view.message() ?? '', /^Out of date: can’t reach Team/);
    dispose();
  });
});
