import assert from 'node:assert/strict';
import type { Row } from '../../../../src/core/rows/row';
import { sandboxActions } from '../../../../src/features/sandboxes/model/actions';
import { changeSandboxes } from '../../../../src/features/sandboxes/model/changeSandboxes';
import type { SandboxesState } from '../../../../src/features/sandboxes/rows/rows';
import { specRows, specsView } from '../../../../src/features/sandboxes/rows/specs/view';
import { sandboxesView } from '../../../../src/features/sandboxes/rows/view';
import { Attempts } from '../../../../src/features/start/model/attempts';
import { aClient, anError } from '../../../support/builders/client';
import { aConversation, aList, aSandbox } from '../../../support/builders/records';
import { sandboxRowsOf as rowsOf, shownAt as now, tooltipText } from '../../../support/builders/rows';
import { windowWith } from '../../../support/builders/window';
import { settled } from '../../../support/settled';

const labels = (rows: Iterable<Row>) => [...rows].map(({ label }) => label);

describe('the Sandboxes view', () => {
  let dispose: () => void;
  afterEach(() => dispose());

  async function setUp(methods: Parameters<typeof aClient>[0]) {
    const client = aClient({
      baseUrl: 'https://one.example.com',
      listConversations: () => Promise.resolve({ items: [], nextPageId: null }),
      ...methods,
    });
    const window = await windowWith(client);
    ({ dispose } = window);
    const kept = new Map<string, unknown>();
    const attempts = new Attempts(
      {
        get: (key) => kept.get(key),
        update: (key, value) => Promise.resolve(void kept.set(key, value)),
      },
      String,
    );
    const view = sandboxesView(window.session, window.model, attempts);
    return { ...window, client, attempts, view, rows: () => [...view.rows()] };
  }

  it('names the sandboxes of attempts by what these differ in, and is drawn again when that is known', async () => {
    const ids = ['a', 'b'];
    const { model, attempts, view, rows, client } = await setUp({
      searchSandboxes: () => Promise.resolve({ items: ids.map((id) => aSandbox({ id })), nextPageId: null }),
      listConversations: () =>
        Promise.resolve({
          items: ids.map((id) => aConversation({ id, title: 'Fix it', sandbox_id: id })),
          nextPageId: null,
        }),
    });
    await model.refresh('sandboxes', 'conversations');
    assert.deepEqual(labels(rows()), ['Fix it', 'Fix it']);
    let drawn = 0;
    for (const event of view.events ?? []) event(() => (drawn += 1));
    attempts.keep(client.baseUrl, 'b', { group: 'g', label: 'GPT' });
    assert.deepEqual([drawn, labels(rows())], [1, ['Fix it', 'GPT – Fix it']]);
  });

  it('shows what this window is doing to a sandbox, and what the service did', async () => {
    let status = 'RUNNING';
    let answer: () => void = () => undefined;
    const { model, view, rows, client } = await setUp({
      searchSandboxes: () => Promise.resolve({ items: [aSandbox({ status })], nextPageId: null }),
      pauseSandbox: () => new Promise<void>((resolve) => (answer = resolve)),
    });
    model.setVisible('sandboxes', true);
    await settled();
    void changeSandboxes(model, client, [aSandbox()], sandboxActions.pause);
    await settled();
    assert.match(rows()[0]?.description ?? '', /^Pausing…/);
    answer();
    status = 'PAUSED';
    await settled();
    await model.refresh('sandboxes');
    assert.match(rows()[0]?.description ?? '', /^Paused ·/);
    assert.equal(view.message(), undefined);
  });

  it('says that the service paused one, and why it does that', async () => {
    let status = 'RUNNING';
    const { model, rows } = await setUp({
      searchSandboxes: () => Promise.resolve({ items: [aSandbox({ status })], nextPageId: null }),
    });
    await model.refresh('sandboxes');
    assert.doesNotMatch(tooltipText(rows()[0]!), /pauses the oldest/);
    status = 'PAUSED';
    await model.refresh('sandboxes');
    assert.match(rows()[0]?.description ?? '', /^Paused by the service/);
    assert.match(tooltipText(rows()[0]!), /The service pauses the oldest sandbox when too many are running/);
  });

  it('says why its rows are out of date', async () => {
    let fails = false;
    const { model, view, rows } = await setUp({
      searchSandboxes: () =>
        fails ? Promise.reject(anError('reset')) : Promise.resolve({ items: [aSandbox()], nextPageId: null }),
    });
    model.setVisible('sandboxes', true);
    await settled();
    assert.equal(view.message(), undefined);
    fails = true;
    await model.refresh('sandboxes');
    assert.match(view.message() ?? '', /^Out of date: can’t reach Team/);
    assert.equal(rows().length, 1);
  });
});

describe('sandbox rows', () => {
  it('begin with the newest, and those without a time come last', () => {
    const at = (id: string, created_at: string | null) => aSandbox({ id, created_at });
    const sandboxes = aList([
      at('unknown', null),
      at('old', '2025-12-01T00:00:00Z'),
      at('odd', 'yesterday'),
      at('new', '2026-01-01T00:00:00Z'),
    ]);
    const ids = rowsOf({ sandboxes }).map(({ ref }) => 'id' in ref && ref.id);
    assert.deepEqual(ids, ['new', 'old', 'unknown', 'odd']);
  });

  it('have the conversation first that waits, then the latest', () => {
    const conversations = [
      aConversation({ id: 'old', updated_at: '2025-12-01T00:00:00Z' }),
      aConversation({ id: 'new' }),
      aConversation({
        id: 'waits',
        execution_status: 'waiting_for_confirmation',
        updated_at: '2025-11-01T00:00:00Z',
      }),
    ];
    const [row] = rowsOf({ sandboxes: aList([aSandbox()]), conversations });
    assert.deepEqual(
      row?.children?.map(({ ref }) => 'id' in ref && ref.id),
      ['waits', 'new', 'old'],
    );
  });

  it('turn while the state changes, and have an icon of their own in each state', () => {
    const icon = (status: string, values: Partial<SandboxesState> = {}, created?: number) => {
      const created_at = new Date(created ?? now - 3_600_000).toISOString();
      return rowsOf({ sandboxes: aList([aSandbox({ status, created_at })]), ...values })[0]?.icon?.name;
    };
    const still = ['RUNNING', 'PAUSED', 'ERROR', 'MISSING', 'ODD'].map((status) => icon(status));
    assert.equal(new Set(still).size, still.length, still.join());
    assert.ok(!still.some((name) => name?.includes('spin')), still.join());
    const turning = 'loading~spin';
    assert.equal(icon('STARTING'), turning);
    assert.equal(icon('RUNNING', { pending: () => sandboxActions.pause }), turning);
    assert.equal(icon('ERROR', {}, now - 30_000), turning, 'it may be healthy in a moment');
  });

  it('show the first exposed URLs, say how to see the others, and never show one that’s ambiguous', () => {
    const exposed_urls = Array.from({ length: 600 }, (_, index) => ({
      name: `WORKER_${index}`,
      url: index === 0 ? 'https://one.example\\@two.example' : 'https://one.example:1234/a?secret',
    }));
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ exposed_urls })]) });
    const { children = [] } = row ?? {};
    const last = children.at(-1);
    assert.equal(children.length - 1 + Number(/\d+/.exec(last?.label ?? '')), exposed_urls.length);
    assert.match(`${last?.label} ${last?.description}`, /Open Exposed URL…/);
    assert.deepEqual(
      children.slice(0, 2).map(({ description }) => description),
      ['invalid address', 'one.example:1234'],
    );
    assert.equal(children[1]?.accessibilityLabel, 'Exposed URL Web app 1, one.example:1234');
    assert.equal(tooltipText(children[1]), 'Web app 1\none.example:1234');
  });

  it('say more of what the service says in the tooltip than there’s room for in a row', () => {
    const status_detail = `because ${'x'.repeat(200)} it is so`;
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ status: 'ERROR', status_detail })]) });
    assert.ok((row?.description ?? '').length < 120);
    assert.ok(tooltipText(row!).includes(`Details: ${status_detail}`));
  });
});

describe('the Sandbox Specs view', () => {
  it('reads the specs and says why they’re out of date', async () => {
    let fails = false;
    const client = aClient({
      searchSandboxSpecs: () =>
        fails
          ? Promise.reject(anError('reset'))
          : Promise.resolve({ items: [{ id: 'acme/agent:1.0' }], nextPageId: null }),
    });
    const { session, model, dispose } = await windowWith(client);
    const view = specsView(session, model);
    model.setVisible('specs', true);
    await settled();
    assert.deepEqual([labels(view.rows()), view.message()], [['agent:1.0'], undefined]);
    fails = true;
    await model.refresh('specs');
    assert.match(view.message() ?? '', /^Out of date: can’t reach Team/);
    assert.deepEqual(labels(view.rows()), ['agent:1.0']);
    dispose();
  });

  it('says when a spec was added, and ends with “Load more” if there are more', () => {
    const specs = ['a', 'b'].map((id) => ({ id, created_at: '2026-01-01T00:00:00Z' }));
    const rows = (values: Parameters<typeof aList>[1] = {}) => [
      ...specRows({ ...aList(specs), ...values, items: specs }, now),
    ];
    const [row] = rows();
    assert.match(tooltipText(row!), /\nAdded: 3 h ago$/);
    assert.match(row?.accessibilityLabel ?? '', /^Sandbox spec a.* 3 h ago$/);
    const kinds = (of: readonly Row[]) => of.map(({ ref }) => ref.kind);
    assert.deepEqual(kinds(rows()), ['spec', 'spec']);
    assert.deepEqual(kinds(rows({ limit: 2 })), ['spec', 'spec']);
    assert.deepEqual(kinds(rows({ limit: 1 })), ['spec', 'loadMore']);
    assert.deepEqual(kinds(rows({ nextPageId: 'next' })), ['spec', 'spec', 'loadMore']);
  });
});
