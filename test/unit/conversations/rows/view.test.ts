import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../src/api/service/client';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import type { ConversationFilter } from '../../../../src/core/lists/conversationFilter';
import type { ListState } from '../../../../src/core/lists/resourceList';
import type { Row } from '../../../../src/core/rows/row';
import { ReadMarks } from '../../../../src/features/attention/model/readMarks';
import { Arrangement } from '../../../../src/features/conversations/model/arrangement';
import { Shelf } from '../../../../src/features/conversations/model/shelf';
import { conversationsView } from '../../../../src/features/conversations/rows/view';
import { Attempts } from '../../../../src/features/start/model/attempts';
import { StartTasks } from '../../../../src/features/start/model/startTasks';
import { aClient, anError } from '../../../support/builders/client';
import { aConversation, aList, aSandbox } from '../../../support/builders/records';
import { windowWith } from '../../../support/builders/window';
import { settled } from '../../../support/settled';

const [here, there] = ['https://here.example', 'https://there.example'];
const connectionTo = (baseUrl: string) => ({ name: new URL(baseUrl).hostname, baseUrl, origin: baseUrl });
const idle = (id: string, values: Partial<Conversation> = {}) =>
  aConversation({ id, title: id, execution_status: 'idle', ...values });

function newStore() {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
}

/** The view in a window on a service with these conversations, and one more connection. */
async function setUp(items: readonly Conversation[], more: Parameters<typeof aClient>[0] = {}) {
  const client: ApiClient = aClient({
    baseUrl: here,
    listConversations: () => Promise.resolve({ items: [...items], nextPageId: null }),
    searchSandboxes: () => Promise.resolve({ items: [aSandbox()], nextPageId: null }),
    ...more,
  });
  const { session, model, dispose } = await windowWith(client, here);
  const arrangement = new Arrangement(newStore(), 'arrangement');
  const marks = new ReadMarks(newStore(), String, Date.now);
  const shelf = new Shelf(newStore(), String);
  const attempts = new Attempts(newStore(), String);
  let made = 0;
  const starts = new StartTasks({
    ...{ read: () => undefined, write: () => undefined, newId: () => `s-${++made}`, now: Date.now },
    ...{ wait: () => new Promise<void>(() => undefined), describe: String },
  });
  const others = {
    waiting: [] as { connection: ReturnType<typeof connectionTo>; conversations: Conversation[] }[],
    shown: undefined as
      { connection: ReturnType<typeof connectionTo>; list: ListState<Conversation> }[] | undefined,
    setVisible: () => undefined,
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const view = conversationsView({
    ...{ session, model, arrangement, starts, marks, shelf, attempts, others },
    connections: () => [here, there].map(connectionTo),
  });
  await model.refresh('conversations', 'sandboxes');
  const rows = () => [...view.rows()];
  return { client, model, arrangement, marks, shelf, attempts, starts, others, view, rows, dispose };
}

const outline = (rows: readonly Row[]): unknown[] =>
  rows.map(({ label, children = [] }) => (children.length === 0 ? label : [label, outline(children)]));

describe('the Conversations view', () => {
  let window: Awaited<ReturnType<typeof setUp>>;
  afterEach(() => window.dispose());

  it('shows what is known here of each conversation: what’s unread, pinned, archived, or an attempt', async () => {
    const client = { tagConversation: () => Promise.resolve(undefined), baseUrl: here };
    window = await setUp(['a', 'b', 'c', 'd', 'e'].map((id) => idle(id)));
    const { shelf, marks, attempts, arrangement, rows } = window;
    await arrangement.choose({ group: 'none', order: 'title' });
    await shelf.put(client, 'pinned', idle('c'), true);
    await shelf.put(client, 'archived', idle('b'), true);
    marks.observe(
      here,
      ['a', 'b', 'c', 'd', 'e'].map((id) => idle(id)),
    );
    marks.markUnread(here, [idle('a')]);
    for (const id of ['d', 'e']) attempts.keep(here, id, { group: 'g', label: `Model ${id}` });
    assert.deepEqual(outline(rows()), ['c', 'a', ['0/2 d', ['Model d', 'Model e']]]);
    assert.deepEqual(
      rows().map(({ isNew }) => isNew === true),
      [false, true, false],
    );
    await arrangement.choose({ showsArchived: true });
    assert.deepEqual(outline(rows()), ['c', 'a', 'b', ['0/2 d', ['Model d', 'Model e']]]);
  });

  it('names groups of sandboxes by the work in them, and says what filter and order hide', async () => {
    window = await setUp([idle('a', { updated_at: '2026-01-02T00:00:00Z' }), idle('b')]);
    const { arrangement, model, rows, view } = window;
    const described = async (filter?: ConversationFilter) => {
      await model.setFilter(filter);
      return view.description?.();
    };
    assert.equal(await described(), undefined, 'the usual arrangement needs no words');
    await arrangement.choose({ group: 'none' });
    assert.equal(await described(), undefined, 'anybody sees that there are no groups');
    await arrangement.choose({ group: 'sandbox', order: 'created' });
    assert.deepEqual(outline(rows()), [['a +1', ['a', 'b']]]);
    assert.equal(await described(), 'By sandbox · Newest first');
    await arrangement.choose({ group: 'state', order: 'updated' });
    assert.equal(await described({ title: 'A' }), '“A”');
    assert.deepEqual(outline(rows()), [['Idle', ['a']]]);
    assert.equal(await described({ repository: 'acme/shop', state: 'running' }), 'acme/shop · Working');
    assert.equal(await described({ state: 'sandbox:' }), 'State unknown');
    assert.equal(
      await described({ createdWithinDays: 1, updatedWithinDays: 1 }),
      'created in the last day · active in the last day',
    );
    assert.equal(
      await described({ createdWithinDays: 30, updatedWithinDays: 7 }),
      'created in the last 30 days · active in the last 7 days',
    );
  });

  it('shows conversations that are starting in place of those that they lead to', async () => {
    const created_at = '2026-01-02T00:00:00Z';
    const task = { id: 't-1', status: 'WORKING', sandbox_id: 'sb-1', created_at };
    window = await setUp([idle('a'), idle('b', { created_at })], {
      createConversation: () => Promise.resolve({ kind: 'task', task }),
      getStartTask: () => Promise.resolve(task),
    });
    const { client, starts, arrangement, rows } = window;
    await arrangement.choose({ group: 'none' });
    starts.begin({ client, choice: { place: { kind: 'default' } }, label: 'New', message: 'Mend it' });
    await settled();
    assert.deepEqual(outline(rows()), ['New', 'a']);
  });

  it('says that the service paused a sandbox', async () => {
    let status = 'RUNNING';
    window = await setUp([idle('a', { execution_status: null, sandbox_status: 'PAUSED' })], {
      searchSandboxes: () => Promise.resolve({ items: [aSandbox({ status })], nextPageId: null }),
    });
    status = 'PAUSED';
    await window.model.refresh('sandboxes');
    const [group] = window.rows();
    assert.equal(group?.children?.[0]?.description, 'Sandbox paused by the service');
  });

  it('has a row for each connection once all are shown, the window’s own among them', async () => {
    const waiting = { execution_status: 'waiting_for_confirmation' };
    window = await setUp([idle('a')]);
    const { others, attempts, arrangement, rows, view } = window;
    await arrangement.choose({ group: 'none' });
    others.shown = [
      { connection: connectionTo('https://third.example'), list: aList([]) },
      { connection: connectionTo(there), list: aList([idle('x'), idle('y', waiting)]) },
    ];
    assert.deepEqual(outline(rows()), [
      ['here.example', ['a']],
      ['there.example', ['y', 'x']],
    ]);
    assert.deepEqual(
      rows().map(({ description }) => description),
      ['1 · current', '2'],
    );
    for (const id of ['x', 'y']) attempts.keep(there, id, { group: 'g', label: id.toUpperCase() });
    assert.deepEqual(outline(rows()[1]?.children ?? []), [['0/2 x', ['X', 'Y']]]);
    await arrangement.choose({ group: 'sandbox' });
    assert.deepEqual(
      rows().map(({ children = [] }) => children.map(({ label }) => label)),
      [['a'], ['x +1']],
    );
    others.shown = [];
    assert.deepEqual(
      rows().map(({ description }) => description),
      ['1 · current', 'No session key on this computer'],
    );
    assert.equal(view.message(), undefined);
  });

  it('tells that its rows are out of date once: for each connection, or for all', async () => {
    let fails = false;
    window = await setUp([], {
      listConversations: () =>
        fails ? Promise.reject(anError('reset')) : Promise.resolve({ items: [idle('a')], nextPageId: null }),
    });
    const { model, others, rows, view } = window;
    model.setVisible('conversations', true);
    await settled();
    assert.deepEqual([view.message(), view.isDimmed?.()], [undefined, false]);
    fails = true;
    await model.refresh('conversations');
    assert.match(view.message() ?? '', /^Out of date: can’t reach Team/);
    assert.equal(view.isDimmed?.(), true);
    others.shown = [];
    assert.deepEqual([view.message(), view.isDimmed()], [undefined, false]);
    assert.equal(rows()[0]?.description, 'Can’t be reached · current');
  });

  it('counts the agents that wait, of all connections', async () => {
    const waiting = { execution_status: 'waiting_for_confirmation' };
    window = await setUp([idle('a', waiting), idle('b')]);
    const { model, others, view } = window;
    assert.equal(view.badge?.(), undefined, 'nothing keeps the number up to date');
    model.setVisible('conversations', true);
    await settled();
    assert.deepEqual(view.badge?.(), { value: 1, tooltip: '1 agent waiting for you' });
    others.waiting = [{ connection: connectionTo(there), conversations: [idle('x', waiting)] }];
    assert.deepEqual(view.badge(), { value: 2, tooltip: '2 agents waiting for you' });
  });
});
