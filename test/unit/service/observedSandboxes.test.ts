import assert from 'node:assert/strict';
import { makeSandbox } from '../../service/service';
import { at, listAt, pick, useService, type Reply } from './support';

describe('reference service, observed: sandboxes', () => {
  const running = useService({
    profile: 'observed',
    clock: 'manual',
    delays: { sandboxStart: 1000, sandboxHealthy: 500, pause: 200, resume: 300 },
  });

  const list = async (query = '') => (await running.caller.get(`/api/v1/sandboxes/search${query}`)).json;
  const start = () => running.caller.post('/api/v1/sandboxes');
  const status = (id: unknown) => running.service.state.sandboxes.get(String(id))?.status;
  const ids = (page: unknown) => listAt(page, 'items').map((item) => at(item, 'id'));

  it('starts one, which runs after a while, and shows key and addresses only then', async () => {
    const started = await start();
    assert.equal(started.status, 200);
    assert.deepEqual(pick(started.json, 'status', 'session_api_key', 'exposed_urls'), {
      status: 'STARTING',
      session_api_key: null,
      exposed_urls: null,
    });
    await running.service.advance(999);
    assert.equal(at(await list(), 'items', 0, 'status'), 'STARTING');
    await running.service.advance(1);
    const shown = at(await list(), 'items', 0);
    const key = at(shown, 'session_api_key');
    assert.ok(typeof key === 'string' && key !== '');
    const editor = listAt(shown, 'exposed_urls').find((exposed) => at(exposed, 'name') === 'VSCODE');
    assert.ok(String(at(editor, 'url')).includes(`?tkn=${key}`));
  });

  it('answers a start later where the service is slow', async () => {
    running.service.behaviour.delays.startAnswer = 5000;
    const arrived = running.service.waitForRequest((request) => request.method === 'POST', {
      phase: 'arrived',
    });
    const started = start();
    const request = await arrived;
    await running.service.advance(4999);
    assert.equal(request.outcome, 'pending');
    await running.service.advance(1);
    assert.equal((await started).status, 200);
  });

  it('takes the spec from the query, and crashes in plain text on an unknown one', async () => {
    running.service.patch({ specs: [{ id: 'image:2' }] });
    const started = await running.caller.post('/api/v1/sandboxes?sandbox_spec_id=image%3A2');
    assert.equal(at(started.json, 'sandbox_spec_id'), 'image:2');
    const crashed = await running.caller.post('/api/v1/sandboxes?sandbox_spec_id=none');
    assert.equal(crashed.status, 500);
    assert.equal(crashed.text, 'Internal Server Error');
  });

  it('shows ERROR until healthy where it does', async () => {
    running.service.behaviour.errorUntilHealthy = true;
    const id = at((await start()).json, 'id');
    await running.service.advance(1000);
    assert.equal(status(id), 'ERROR');
    await running.service.advance(500);
    assert.equal(status(id), 'RUNNING');
  });

  it('answers pause and resume at once; the state follows', async () => {
    running.service.patch({ sandboxes: [{ id: 'one' }] });
    const call = async (verb: string): Promise<Reply> => running.caller.post(`/api/v1/sandboxes/one/${verb}`);
    assert.deepEqual((await call('pause')).json, { success: true });
    assert.equal(status('one'), 'RUNNING');
    await running.service.advance(200);
    assert.equal(status('one'), 'PAUSED');
    assert.deepEqual((await call('resume')).json, { success: true });
    assert.equal(status('one'), 'PAUSED');
    await running.service.advance(300);
    assert.equal(status('one'), 'RUNNING');
  });

  it('obeys the later of two wishes', async () => {
    running.service.patch({ sandboxes: [{ id: 'one' }] });
    await running.caller.post('/api/v1/sandboxes/one/pause');
    await running.caller.post('/api/v1/sandboxes/one/resume');
    await running.service.advance(10_000);
    assert.equal(status('one'), 'RUNNING');
  });

  it('answers 404 for an unknown or missing sandbox', async () => {
    running.service.patch({ sandboxes: [{ id: 'lost', status: 'MISSING' }] });
    for (const id of ['none', 'lost'])
      for (const verb of ['pause', 'resume'])
        assert.equal((await running.caller.post(`/api/v1/sandboxes/${id}/${verb}`)).status, 404);
  });

  it('silently pauses the oldest when a sixth runs', async () => {
    const started: unknown[] = [];
    for (let count = 0; count < 6; count++) {
      started.push(at((await start()).json, 'id'));
      await running.service.advance(1000);
    }
    assert.deepEqual(started.map(status), ['PAUSED', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING']);
  });

  it('lists newest first, in pages', async () => {
    for (const [id, day] of [
      ['a', '01'],
      ['c', '03'],
      ['b', '02'],
    ])
      running.service.state.sandboxes.set(
        String(id),
        makeSandbox({ id: String(id), created_at: `2025-11-${day}T00:00:00Z` }),
      );
    const first = await list('?limit=2');
    assert.deepEqual(ids(first), ['c', 'b']);
    const next = at(first, 'next_page_id');
    assert.ok(typeof next === 'string');
    const second = await list(`?limit=2&page_id=${next}`);
    assert.deepEqual(ids(second), ['a']);
    assert.equal(at(second, 'next_page_id'), null);
  });

  it('crashes above a limit of 100 and refuses one that is no number above 0', async () => {
    const limited = (limit: string) => running.caller.get(`/api/v1/sandboxes/search?limit=${limit}`);
    assert.equal((await limited('100')).status, 200);
    assert.equal((await limited('101')).status, 500);
    assert.equal((await limited('0')).status, 422);
    assert.deepEqual(at((await limited('many')).json, 'detail', 0, 'loc'), ['query', 'limit']);
  });

  it('lists specs with all their fields', async () => {
    const page = (await running.caller.get('/api/v1/sandbox-specs/search')).json;
    assert.deepEqual(Object.keys(at(page, 'items', 0) as object), [
      'id',
      'command',
      'created_at',
      'initial_env',
      'working_dir',
    ]);
  });

  it('answers any other path with the web page, and other methods and API paths with JSON', async () => {
    const page = await running.caller.get('/conversations/123');
    assert.equal(page.status, 200);
    assert.ok(page.headers.get('content-type')?.startsWith('text/html'));
    for (const path of ['/api', '/api/none', '/api/v1/none', '/api/v1/settings']) {
      const missing = await running.caller.get(path);
      assert.equal(missing.status, 404, path);
      assert.deepEqual(missing.json, { detail: 'Not Found' });
    }
    assert.equal((await running.caller.get('/api/v1/sandboxes')).status, 405);
  });
});
