import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/client';
import { ServiceModel } from '../../../src/state/serviceModel';
import { SessionStore } from '../../../src/state/session';
import { aClient, anError } from '../../support/builders/client';
import { aConversation, aSandbox } from '../../support/builders/records';

const connection = { name: 'Team', baseUrl: 'https://one.example.com', origin: 'https://one.example.com' };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A model over a service that counts what it is asked. */
async function setUp(methods: Partial<ApiClient> = {}) {
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
    intervalMs: () => 0,
    timer: { setTimeout: () => undefined, clearTimeout: () => undefined },
    now: () => 0,
  });
  await session.reload();
  return { asked, session, model, target };
}

describe('service model', () => {
  it('asks nothing before somebody looks', async () => {
    const { asked } = await setUp();
    await settled();
    assert.deepEqual(asked, []);
  });

  it('asks nothing while the window has no focus', async () => {
    const { asked, model } = await setUp();
    model.setFocused(false);
    model.setVisible('sandboxes', true);
    await settled();
    assert.deepEqual(asked, []);
  });

  it('checks the key and reads what the visible view shows, once', async () => {
    const { asked, session, model } = await setUp();
    model.setVisible('sandboxes', true);
    await settled();
    assert.deepEqual(asked.toSorted(), ['conversations', 'sandboxes', 'settings']);
    assert.equal(session.current.kind, 'ready');
    asked.length = 0;
    await model.refresh('sandboxes');
    assert.deepEqual(asked.toSorted(), ['conversations', 'sandboxes']);
  });

  it('reads the specs when their view appears, and not again by itself', async () => {
    const { asked, model } = await setUp();
    model.setVisible('specs', true);
    await settled();
    assert.equal(asked.filter((name) => name === 'specs').length, 1);
    await model.refresh();
    assert.equal(asked.filter((name) => name === 'specs').length, 1);
    await model.refresh('specs');
    assert.equal(asked.filter((name) => name === 'specs').length, 2);
  });

  it('reads nothing of the lists while the key is refused, and all of them once it is not', async () => {
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

  it('takes a 401 on a list as a refusal, and keeps the rows', async () => {
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

  it('forgets everything of a former session', async () => {
    const { session, model, target } = await setUp();
    await model.refresh('sandboxes', 'conversations');
    model.pending.begin(aSandbox(), 'pausing');
    target.sessionKey = 'k2';
    await session.reload();
    assert.equal(session.current.kind, 'connecting');
    assert.equal(model.pending.any, false);
  });

  it('is in transition while a sandbox starts or an action is pending', async () => {
    let status = 'STARTING';
    let created_at = '2026-01-01T00:00:00Z';
    const { model } = await setUp({
      searchSandboxes: () => Promise.resolve({ items: [aSandbox({ status, created_at })], nextPageId: null }),
    });
    await model.refresh('sandboxes');
    assert.equal(model.inTransition, true);
    created_at = '1969-12-31T23:50:00Z';
    await model.refresh('sandboxes');
    assert.equal(model.inTransition, false, 'a start that takes ten minutes is no transition');
    status = 'RUNNING';
    await model.refresh('sandboxes');
    assert.equal(model.inTransition, false);
    model.pending.begin(aSandbox({ status }), 'pausing');
    assert.equal(model.inTransition, true);
    status = 'PAUSED';
    await model.refresh('sandboxes');
    assert.equal(model.inTransition, false);
  });

  it('tells a pause by the service from one that was asked for here', async () => {
    const sandboxes = [aSandbox(), aSandbox({ id: 'sb-2' }), aSandbox({ id: 'sb-3', status: 'PAUSED' })];
    const shown = () => Promise.resolve({ items: sandboxes.map((one) => ({ ...one })), nextPageId: null });
    const { session, model, target } = await setUp({ searchSandboxes: shown });
    const unasked = () => ['sb-1', 'sb-2', 'sb-3'].filter((id) => model.pausedByService(id));
    await model.refresh('sandboxes');
    model.pending.begin(sandboxes[0]!, 'pausing');
    // Its answer was lost, but the service has heard it.
    model.pending.end('sb-1');
    for (const sandbox of sandboxes) sandbox.status = 'PAUSED';
    await model.refresh('sandboxes');
    assert.deepEqual(unasked(), ['sb-2'], 'neither the one paused from here nor the one found paused');
    await model.refresh('sandboxes');
    assert.deepEqual(unasked(), ['sb-2'], 'it stays known');
    sandboxes[1]!.status = 'RUNNING';
    await model.refresh('sandboxes');
    assert.deepEqual(unasked(), []);
    sandboxes[1]!.status = 'PAUSED';
    await model.refresh('sandboxes');
    assert.deepEqual(unasked(), ['sb-2']);
    target.sessionKey = 'k2';
    await session.reload();
    assert.deepEqual(unasked(), [], 'nothing is left of a former session');
  });

  it('counts what runs and who waits', async () => {
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
    assert.equal(model.waitingConversations, 1);
  });

  it('hears nothing more after it was disposed', async () => {
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
