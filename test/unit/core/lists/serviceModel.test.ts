import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/http/errors';
import { sandboxActions } from '../../../../src/features/sandboxes/model/actions';
import { transitionIntervalMs } from '../../../../src/core/lists/refresher';
import { ServiceModel, type ServiceModelDependencies } from '../../../../src/core/lists/serviceModel';
import { SessionStore } from '../../../../src/core/session/session';
import {
  conversationsView,
  type ConversationsViewNeeds,
} from '../../../../src/features/conversations/rows/view';
import { aClient, anError, type FlatClient } from '../../../support/builders/client';
import { quiet } from '../../../support/builders/quiet';
import { aConversation, aSandbox } from '../../../support/builders/records';
import { settled } from '../../../support/settled';
import { FakeClock } from '../../api/support/clock';

const connection = { name: 'Team', baseUrl: 'https://one.example.com', origin: 'https://one.example.com' };

/** A model with a service that records its requests. */
async function setUp(
  methods: Partial<FlatClient> = {},
  watchMs = 0,
  startedAs?: (id: string) => string | undefined,
  timing: Partial<ServiceModelDependencies> = {},
) {
  const asked: string[] = [];
  const counted = <T>(name: string, answer: T) => {
    asked.push(name);
    return Promise.resolve(answer);
  };
  const client = () =>
    aClient({
      getSettings: () => counted('settings', { llm_api_key_set: false }),
      searchSandboxes: () => counted('sandboxes', { items: [aSandbox()], nextPageId: null }),
      listConversations: () => counted('conversations', { items: [aConversation()], nextPageId: null }),
      searchSandboxSpecs: () => counted('specs', { items: [{ id: 'agent:1.0' }], nextPageId: null }),
      ...methods,
    });
  const target = { connection, sessionKey: 'k1' };
  const session = new SessionStore({
    readTarget: () => Promise.resolve({ ...target }),
    createClient: client,
  });
  const model = new ServiceModel({
    session,
    ...quiet,
    watchMs: () => watchMs,
    clock: { ...quiet.clock, date: () => 0 },
    startedAs,
    ...timing,
  });
  await session.reload();
  return { asked, session, model, target };
}

const nothingSaved = () =>
  Promise.reject(
    new ApiError('notFound', 'GET', '/api/settings', { status: 404, serverText: 'Settings not found' }),
  );
const neverSaved = ({ current }: SessionStore) => current.kind === 'ready' && current.neverSaved === true;

describe('service model', () => {
  it('sends no request before a view is visible', async () => {
    const { asked } = await setUp();
    await settled();
    assert.deepEqual(asked, []);
  });

  it('tells of another connection only once nothing is left of the last one', async () => {
    const { session, model, target } = await setUp();
    await model.refresh('sandboxes', 'conversations', 'specs');
    const { current } = session;
    const left: number[] = [];
    model.onDidChange(() => {
      if (session.current === current) return;
      left.push(
        ...[model.sandboxes, model.conversations, model.specs].map(({ state }) => state.items.length),
      );
    });
    target.sessionKey = 'k2';
    await session.reload();
    assert.deepEqual(left, [0, 0, 0]);
  });

  it('labels a conversation started here until the service has a title', async () => {
    let title = 'Conversation 3cd7b';
    const items = () => [aConversation({ id: '3cd7b0', title }), aConversation({ id: '3cd7b1', title })];
    const { model } = await setUp(
      { listConversations: () => Promise.resolve({ items: items(), nextPageId: null }) },
      0,
      (id) => (id === '3cd7b0' ? 'Mend it' : undefined),
    );
    const titles = async () => {
      await model.refresh('conversations');
      return model.conversations.state.items.map((one) => one.title);
    };
    assert.deepEqual(await titles(), ['Mend it', 'Conversation 3cd7b']);
    title = 'Fix Login';
    assert.deepEqual(await titles(), ['Fix Login', 'Fix Login']);
  });

  it('sends no request while the window has no focus', async () => {
    const { asked, model } = await setUp();
    model.setFocused(false);
    model.setVisible('sandboxes', true);
    await settled();
    assert.deepEqual(asked, []);
  });

  it('keeps its numbers up to date while a view is visible, or while the conversations are watched', async () => {
    let watchMs = 0;
    const { model } = await setUp({}, 0, undefined, { watchMs: () => watchMs });
    const told: boolean[] = [];
    model.onDidChange(() => told.push(model.isFollowed));
    assert.equal(model.isFollowed, false);
    model.setVisible('sandboxes', true);
    assert.equal(told.at(-1), true);
    await settled();
    model.setVisible('sandboxes', false);
    assert.equal(told.at(-1), false);
    watchMs = 60_000;
    model.reschedule();
    assert.equal(told.at(-1), true);
    model.dispose();
  });

  it('checks the key and reads the visible view’s data once', async () => {
    const { asked, session, model } = await setUp();
    model.setVisible('sandboxes', true);
    await settled();
    assert.deepEqual(asked.toSorted(), ['conversations', 'sandboxes', 'settings']);
    assert.equal(session.current.kind, 'ready');
    asked.length = 0;
    await model.refresh('sandboxes');
    assert.deepEqual(asked.toSorted(), ['conversations', 'sandboxes']);
  });

  it('reads a view’s data without waiting for a view that appeared just before', async () => {
    const { asked, model } = await setUp({
      listConversations: (_query, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(anError('canceled')));
        }),
    });
    model.setVisible('conversations', true);
    await settled();
    assert.equal(asked.includes('sandboxes'), false);
    model.setVisible('sandboxes', true);
    await settled();
    assert.ok(asked.includes('sandboxes'));
    model.dispose();
  });

  it('reads what an action is about while no view shows the sandboxes', async () => {
    let status = 'RUNNING';
    const { asked, model } = await setUp({
      searchSandboxes: () => {
        asked.push('sandboxes');
        return Promise.resolve({ items: [aSandbox({ status })], nextPageId: null });
      },
    });
    const now = async () => (await model.sandboxesNow(['sb-1', 'sb-9'])).map((one) => [one.id, one.status]);
    assert.deepEqual(await now(), [['sb-1', 'RUNNING']], 'it was never read');
    status = 'PAUSED';
    assert.deepEqual(await now(), [['sb-1', 'PAUSED']], 'it was read long ago');
    model.setVisible('sandboxes', true);
    await settled();
    asked.length = 0;
    assert.equal((await model.sandboxesNow(['sb-1'])).length, 1);
    assert.deepEqual(await model.sandboxesNow([]), []);
    assert.deepEqual(asked, [], 'it is on screen');
    model.dispose();
  });

  it('reads what was asked for during a refresh even if the user then looks at another view', async () => {
    let answer: (() => void) | undefined;
    const { model } = await setUp({
      listConversations: () =>
        new Promise((resolve) => {
          const end = () => resolve({ items: [], nextPageId: null });
          if (answer) end();
          else answer = end;
        }),
      searchSandboxes: async (_query, signal) => {
        await settled();
        if (signal?.aborted) throw anError('canceled');
        return { items: [aSandbox()], nextPageId: null };
      },
    });
    void model.refresh('conversations');
    const refreshed = model.refresh('sandboxes');
    model.setVisible('specs', true);
    await settled();
    answer?.();
    await refreshed;
    assert.equal(model.sandboxes.state.loaded, true);
    model.dispose();
  });

  it('reads the specs when their view appears, without automatic refresh', async () => {
    const { asked, model } = await setUp();
    model.setVisible('specs', true);
    await settled();
    assert.equal(asked.filter((name) => name === 'specs').length, 1);
    await model.refresh();
    assert.equal(asked.filter((name) => name === 'specs').length, 1);
    await model.refresh('specs');
    assert.equal(asked.filter((name) => name === 'specs').length, 2);
  });

  it('reads the specs again after the service recovers', async () => {
    let fail = false;
    const { asked, model } = await setUp({
      listConversations: () =>
        fail ? Promise.reject(anError('refused')) : Promise.resolve({ items: [], nextPageId: null }),
    });
    const specsRead = () => asked.filter((name) => name === 'specs').length;
    model.setVisible('specs', true);
    await settled();
    assert.equal(specsRead(), 1);
    fail = true;
    await model.refresh();
    fail = false;
    await model.refresh();
    assert.equal(specsRead(), 2);
    await model.refresh();
    assert.equal(specsRead(), 2);
  });

  it('watches only conversations when no view is visible', async () => {
    const { asked, model } = await setUp({}, 60_000);
    await settled();
    assert.deepEqual(asked.toSorted(), ['conversations', 'settings']);
    assert.equal(model.runningSandboxes, 0);
  });

  it('detects running and paused sandboxes from conversations alone', async () => {
    let sandbox_status = 'RUNNING';
    const { model, session, target } = await setUp({
      listConversations: () =>
        Promise.resolve({
          items: ['c-1', 'c-2'].map((id) => aConversation({ id, sandbox_status })),
          nextPageId: null,
        }),
    });
    await model.refresh('conversations');
    assert.equal(model.runningSandboxes, 1);
    sandbox_status = 'PAUSED';
    await model.refresh('conversations');
    assert.equal(model.runningSandboxes, 0);
    assert.deepEqual(
      model.sandboxHistory.takeNews().map(({ kind, id }) => [kind, id]),
      [['sandboxPaused', 'sb-1']],
    );
    target.sessionKey = 'k2';
    await session.reload();
    assert.equal(model.runningSandboxes, undefined);
  });

  it('reports which list is out of date, and since when', async () => {
    let fail = false;
    const { model } = await setUp({
      listConversations: () =>
        fail ? Promise.reject(anError('refused')) : Promise.resolve({ items: [], nextPageId: null }),
    });
    await model.refresh('conversations');
    assert.equal(model.outOfDate('conversations'), undefined);
    fail = true;
    await model.refresh('conversations');
    assert.equal(model.outOfDate('conversations')?.since, 0);
    assert.equal(model.outOfDate('sandboxes'), undefined);
  });

  it('reports that the numbers are out of date, whatever the filter found before', async () => {
    let fail = false;
    const items = [aConversation({ execution_status: 'waiting_for_confirmation' })];
    const listConversations = () =>
      fail ? Promise.reject(anError('refused')) : Promise.resolve({ items, nextPageId: null });
    const clock = new FakeClock();
    const { model, session } = await setUp({ listConversations }, 60_000, undefined, { clock });
    const { badge } = conversationsView({
      ...{ session, model, arrangement: {}, starts: {}, marks: {}, shelf: {}, attempts: {} },
      others: { waiting: [] },
    } as unknown as ConversationsViewNeeds);
    await model.setFilter({ title: 'login' });
    await model.refresh('conversations');
    assert.equal(model.outOfDate('conversations', 'numbers'), undefined);
    assert.equal(badge?.()?.value, 1);
    fail = true;
    await clock.pass(60_000);
    assert.ok(model.outOfDate('conversations', 'numbers'));
    assert.equal(badge(), undefined);
    assert.equal(model.outOfDate('conversations'), undefined, 'the rows weren’t read');
    model.dispose();
  });

  it('reads no lists while the key is refused, then reads them again', async () => {
    let refuse = true;
    const { asked, session, model } = await setUp({
      getSettings: () =>
        refuse ? Promise.reject(anError('unauthorized', 401)) : Promise.resolve({ llm_api_key_set: false }),
    });
    model.setVisible('sandboxes', true);
    await settled();
    assert.equal(session.current.kind, 'refused');
    asked.length = 0;
    await model.refresh();
    assert.deepEqual(asked, []);
    refuse = false;
    await model.refresh();
    assert.equal(session.current.kind, 'ready');
    assert.equal(model.sandboxes.state.loaded, true);
  });

  it('reads the lists at once when the same key is accepted again', async () => {
    let refuse = false;
    const clock = new FakeClock();
    const { session, model } = await setUp(
      {
        searchSandboxes: () =>
          refuse
            ? Promise.reject(anError('unauthorized', 401))
            : Promise.resolve({ items: [aSandbox()], nextPageId: null }),
      },
      0,
      undefined,
      { clock },
    );
    model.setVisible('sandboxes', true);
    await settled();
    refuse = true;
    await model.refresh();
    assert.equal(session.current.kind, 'refused');
    assert.ok(model.outOfDate('sandboxes'));
    refuse = false;
    // As Set Session Key does; no time passes.
    await session.verify();
    await settled();
    assert.equal(model.outOfDate('sandboxes'), undefined);
    model.dispose();
  });

  it('treats a 401 on a list as a refused key, and keeps the rows', async () => {
    let refuse = false;
    const { session, model } = await setUp({
      searchSandboxes: () =>
        refuse
          ? Promise.reject(anError('unauthorized', 401))
          : Promise.resolve({ items: [aSandbox()], nextPageId: null }),
    });
    model.setVisible('sandboxes', true);
    await settled();
    refuse = true;
    await model.refresh();
    assert.equal(session.current.kind, 'refused');
    assert.equal(model.sandboxes.state.items.length, 1);
  });

  it('keeps the rows and stays ready when a refresh fails', async () => {
    let fail = false;
    const { session, model } = await setUp({
      searchSandboxes: () =>
        fail ? Promise.reject(anError('reset')) : Promise.resolve({ items: [aSandbox()], nextPageId: null }),
    });
    await model.refresh('sandboxes');
    fail = true;
    await model.refresh('sandboxes');
    assert.equal(session.current.kind, 'ready');
    assert.equal(model.sandboxes.state.items.length, 1);
    assert.ok(model.sandboxes.state.error);
  });

  for (const [what, method] of [
    ['a list', 'listConversations'],
    ['the service', 'getSettings'],
  ] as const) {
    it(`asks no sooner than an error of ${what} says`, async () => {
      const clock = new FakeClock();
      const busy = new ApiError('serverError', 'GET', '/', { status: 503, retryAfterMs: 300_000 });
      const { model } = await setUp({ [method]: () => Promise.reject(busy) }, 60_000, undefined, { clock });
      await model.refresh('conversations');
      assert.equal(clock.nextIn, 300_000);
    });
  }

  it('forgets everything from the previous session', async () => {
    const { session, model, target } = await setUp();
    await model.refresh('sandboxes', 'conversations');
    model.pending.begin(aSandbox(), sandboxActions.pause);
    target.sessionKey = 'k2';
    await session.reload();
    assert.equal(session.current.kind, 'connecting');
    assert.equal(model.pending.any, false);
  });

  it('is in transition while a sandbox starts or an action is pending', async () => {
    let status = 'STARTING';
    let created_at = '1970-01-01T00:00:00Z';
    const { model } = await setUp({
      searchSandboxes: () => Promise.resolve({ items: [aSandbox({ status, created_at })], nextPageId: null }),
    });
    await model.refresh('sandboxes');
    assert.equal(model.inTransition, true);
    created_at = '1969-12-31T23:50:00Z';
    await model.refresh('sandboxes');
    assert.equal(model.inTransition, false, 'a ten-minute start isn’t a transition');
    status = 'RUNNING';
    await model.refresh('sandboxes');
    assert.equal(model.inTransition, false);
    model.pending.begin(aSandbox({ status }), sandboxActions.pause);
    assert.equal(model.inTransition, true);
    status = 'PAUSED';
    await model.refresh('sandboxes');
    assert.equal(model.inTransition, false);
  });

  it('refreshes what is on screen soon while a sandbox starts', async () => {
    let status = 'STARTING';
    const clock = new FakeClock();
    const created_at = new Date(clock.date()).toISOString();
    const { model } = await setUp(
      {
        searchSandboxes: () =>
          Promise.resolve({ items: [aSandbox({ status, created_at })], nextPageId: null }),
      },
      0,
      undefined,
      { clock, intervalMs: () => 15_000 },
    );
    model.setVisible('sandboxes', true);
    await clock.pass(0);
    assert.equal(clock.nextIn, transitionIntervalMs);
    status = 'RUNNING';
    await clock.pass(transitionIntervalMs);
    assert.equal(clock.nextIn, 15_000);
    model.pending.begin(aSandbox({ status, created_at }), sandboxActions.pause);
    assert.equal(clock.nextIn, transitionIntervalMs);
    model.dispose();
  });

  it('refreshes no sooner when a view is hidden', async () => {
    const clock = new FakeClock();
    const { asked, model } = await setUp({}, 0, undefined, { clock, intervalMs: () => 15_000 });
    model.setVisible('sandboxes', true);
    model.setVisible('conversations', true);
    await clock.pass(5_000);
    asked.length = 0;
    model.setVisible('sandboxes', false);
    await clock.pass(5_000);
    assert.deepEqual(asked, []);
    await clock.pass(5_000);
    assert.deepEqual(asked, ['conversations']);
    model.dispose();
  });

  it('reads only what was asked for while the window has no focus', async () => {
    const { asked, model } = await setUp();
    model.setVisible('sandboxes', true);
    await settled();
    model.setFocused(false);
    asked.length = 0;
    await model.refresh('conversations');
    assert.deepEqual(asked, ['conversations']);
  });

  it('knows no sandbox’s history without a connection', () => {
    const session = new SessionStore({
      readTarget: () => Promise.resolve(undefined),
      createClient: () => aClient(),
    });
    const model = new ServiceModel({ session, ...quiet });
    assert.deepEqual(model.sandboxHistory.takeNews(), []);
    assert.equal(model.pausedByService('sb-1'), false);
  });

  it('shows conversations with their sandbox’s previous state while an error of it is in doubt', async () => {
    let sandbox_status = 'RUNNING';
    const { model } = await setUp({
      listConversations: () =>
        Promise.resolve({
          items: [
            aConversation({ sandbox_status }),
            aConversation({ id: 'c-2', sandbox_id: '', sandbox_status }),
          ],
          nextPageId: null,
        }),
    });
    const shown = async () => {
      await model.refresh('conversations');
      return model.conversations.state.items.map((one) => [one.title, one.sandbox_status]);
    };
    const title = 'Mend the login test';
    await shown();
    sandbox_status = 'ERROR';
    assert.deepEqual(await shown(), [
      [title, 'RUNNING'],
      [title, 'ERROR'],
    ]);
    sandbox_status = 'PAUSED';
    await shown();
    assert.deepEqual(
      model.sandboxHistory.takeNews().map(({ id }) => id),
      ['sb-1'],
      'a conversation without a sandbox is news of none',
    );
  });

  it('reads the first page at each interval, and one of the others in turn', async () => {
    const pages: (string | undefined)[] = [];
    const clock = new FakeClock();
    const { model } = await setUp(
      {
        listConversations: ({ pageId } = {}) => {
          pages.push(pageId);
          const place = Number(pageId ?? 1);
          const items = [aConversation({ id: `c-${place}` })];
          return Promise.resolve({ items, nextPageId: place < 3 ? String(place + 1) : null });
        },
      },
      0,
      undefined,
      { clock, intervalMs: () => 15_000 },
    );
    model.setVisible('conversations', true);
    await clock.pass(0);
    await model.loadMore('conversations');
    await model.loadMore('conversations');
    pages.length = 0;
    await clock.pass(30_000);
    assert.deepEqual(pages, [undefined, '2', undefined, '3']);
    model.dispose();
  });

  it('reads what a view shows at once if it was never read, whatever else was', async () => {
    const { asked, model } = await setUp();
    await model.refresh('conversations');
    asked.length = 0;
    model.setVisible('sandboxes', true);
    await settled();
    assert.ok(asked.includes('sandboxes'));
  });

  it('shows and reads what the service finds for a filter, in the view of the conversations alone', async () => {
    const { asked, model } = await setUp({
      listConversations: ({ titleContains } = {}) => {
        asked.push(titleContains === undefined ? 'conversations' : `conversations with ${titleContains}`);
        const id = titleContains === undefined ? 'c-1' : 'c-2';
        return Promise.resolve({ items: [aConversation({ id })], nextPageId: null });
      },
    });
    const shown = () => model.filteredConversations.items.map(({ id }) => id);
    await model.refresh('conversations');
    const filtered = model.setFilter({ title: 'login' });
    assert.deepEqual(shown(), ['c-1'], 'the list is there until the service has answered');
    await filtered;
    assert.deepEqual(shown(), ['c-2']);
    assert.equal(model.conversation('c-2')?.id, 'c-2');
    asked.length = 0;
    await model.refresh('conversations');
    assert.deepEqual(asked.toSorted(), ['conversations', 'conversations with login']);
    asked.length = 0;
    await model.refresh('sandboxes');
    assert.equal(asked.includes('conversations with login'), false);
    await model.setFilter({ state: 'running' });
    assert.deepEqual(shown(), ['c-1'], 'the service can’t apply this one');
    await model.setFilter(undefined);
    assert.deepEqual(shown(), ['c-1']);
  });

  it('counts the running sandboxes by what was read last', async () => {
    const sandboxes = [aSandbox(), aSandbox({ id: 'sb-2' })];
    let sandbox_status = 'RUNNING';
    const { model } = await setUp({
      searchSandboxes: () => Promise.resolve({ items: sandboxes, nextPageId: null }),
      listConversations: () =>
        Promise.resolve({ items: [aConversation({ sandbox_status })], nextPageId: null }),
    });
    model.setVisible('sandboxes', true);
    await settled();
    assert.equal(model.runningSandboxes, 2, 'one has no conversation');
    model.setVisible('sandboxes', false);
    sandbox_status = 'PAUSED';
    await model.refresh('conversations');
    assert.equal(model.runningSandboxes, 0);
  });

  it('forgets that nothing was ever saved once a list was read', async () => {
    const { session, model } = await setUp({
      getSettings: nothingSaved,
    });
    await model.refresh();
    assert.equal(neverSaved(session), true);
    await model.refresh();
    assert.equal(neverSaved(session), true, 'nothing was read');
    await model.refresh('conversations');
    assert.equal(neverSaved(session), false);
  });

  it('remembers that nothing was ever saved while the lists fail', async () => {
    const { session, model } = await setUp({
      getSettings: nothingSaved,
      listConversations: () => Promise.reject(anError('serverError', 500)),
    });
    await model.refresh();
    await model.refresh('conversations', 'sandboxes');
    assert.equal(neverSaved(session), true);
  });

  it('remembers that nothing was ever saved when a refresh is canceled', async () => {
    const answers: (() => void)[] = [];
    const { session, model } = await setUp({
      getSettings: nothingSaved,
      listConversations: () =>
        new Promise((_resolve, reject) => answers.push(() => reject(anError('canceled')))),
    });
    await model.refresh();
    model.setVisible('conversations', true);
    assert.equal(answers.length, 1);
    model.setFocused(false);
    answers[0]?.();
    await settled();
    assert.equal(neverSaved(session), true);
  });

  it('distinguishes pauses by the service from those requested here', async () => {
    const sandboxes = [aSandbox(), aSandbox({ id: 'sb-2' }), aSandbox({ id: 'sb-3', status: 'PAUSED' })];
    const shown = () => Promise.resolve({ items: sandboxes.map((one) => ({ ...one })), nextPageId: null });
    const { session, model, target } = await setUp({ searchSandboxes: shown });
    const unasked = () => ['sb-1', 'sb-2', 'sb-3'].filter((id) => model.pausedByService(id));
    await model.refresh('sandboxes');
    model.pending.begin(sandboxes[0]!, sandboxActions.pause);
    // The answer was lost, but the service received the request.
    model.pending.end('sb-1');
    for (const sandbox of sandboxes) sandbox.status = 'PAUSED';
    await model.refresh('sandboxes');
    assert.deepEqual(unasked(), ['sb-2'], 'neither the sandbox paused here nor the one found paused');
    await model.refresh('sandboxes');
    assert.deepEqual(unasked(), ['sb-2'], 'the pause isn’t remembered');
    sandboxes[1]!.status = 'RUNNING';
    await model.refresh('sandboxes');
    assert.deepEqual(unasked(), []);
    sandboxes[1]!.status = 'PAUSED';
    await model.refresh('sandboxes');
    assert.deepEqual(unasked(), ['sb-2']);
    target.sessionKey = 'k2';
    await session.reload();
    assert.deepEqual(unasked(), [], 'data of the previous session remains');
  });

  it('counts running sandboxes and waiting conversations', async () => {
    const { model } = await setUp({
      searchSandboxes: () =>
        Promise.resolve({
          items: [aSandbox(), aSandbox({ id: 'sb-2', status: 'PAUSED' })],
          nextPageId: null,
        }),
      listConversations: () =>
        Promise.resolve({
          items: [
            aConversation({ execution_status: 'waiting_for_confirmation' }),
            aConversation({ id: 'c-2' }),
          ],
          nextPageId: null,
        }),
    });
    await model.refresh('sandboxes', 'conversations');
    assert.equal(model.runningSandboxes, 1);
    assert.equal(model.waitingConversations.length, 1);
  });

  it('fires no events after it is disposed', async () => {
    const { session, model, target } = await setUp();
    let heard = 0;
    model.onDidChange(() => (heard += 1));
    model.dispose();
    heard = 0;
    target.sessionKey = 'k2';
    await session.reload();
    assert.equal(session.current.kind, 'connecting');
    assert.equal(heard, 0);
  });
});
