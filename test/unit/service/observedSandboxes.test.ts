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
  const status = (id: unknown) => running.service.state.sandboxes.get(String(id))?.status;
  const ids = (page: unknown) => listAt(page, 'items').map((item) => at(item, 'id'));

  /** Starts a sandbox and waits until the request reaches the service. */
  const begin = async (query = '') => {
    const arrived = running.service.waitForRequest((request) => request.method === 'POST', {
      phase: 'arrived',
    });
    const answer = running.caller.post(`/api/v1/sandboxes${query}`);
    const request = await arrived;
    return { answer, request };
  };
  const start = async (query = '') => {
    const { answer } = await begin(query);
    await running.service.advance(1000);
    return answer;
  };

  it('responds to a start once the sandbox runs, and lists ERROR until then', async () => {
    const { answer, request } = await begin();
    await running.service.advance(999);
    assert.equal(request.outcome, 'pending');
    const listed = at(await list(), 'items', 0);
    assert.deepEqual(pick(listed, 'status', 'session_api_key', 'exposed_urls'), {
      status: 'ERROR',
      session_api_key: null,
      exposed_urls: null,
    });
    await running.service.advance(1);
    const started = await answer;
    assert.equal(started.status, 200);
    assert.equal(at(started.json, 'status'), 'RUNNING');
    const key = at(started.json, 'session_api_key');
    assert.ok(typeof key === 'string' && key !== '');
    const editor = listAt(started.json, 'exposed_urls').find((exposed) => at(exposed, 'name') === 'VSCODE');
    assert.ok(String(at(editor, 'url')).includes(`?tkn=${key}`));
  });

  it('returns 500 for a failed start and removes the sandbox', async () => {
    running.service.behaviour.startsFail = true;
    const failed = await start();
    assert.equal(failed.status, 500);
    assert.deepEqual(failed.json, { detail: 'Agent Server Failed to start properly' });
    assert.deepEqual(ids(await list()), []);
  });

  it('loses its sandboxes but keeps conversations on restart', async () => {
    const id = String(at((await start()).json, 'id'));
    running.service.patch({ conversations: [{ id: 'c', sandbox_id: id }] });
    const { answer } = await begin();
    running.service.restart();
    assert.equal((await answer).status, 500);
    assert.deepEqual(ids(await list()), []);
    const conversations = (await running.caller.get('/api/v1/app-conversations/search')).json;
    assert.equal(at(conversations, 'items', 0, 'sandbox_status'), 'MISSING');
  });

  it('can list a sandbox as ERROR while it pauses', async () => {
    running.service.behaviour.errorWhilePausing = true;
    running.service.patch({ sandboxes: [{ id: 'one' }] });
    await running.caller.post('/api/v1/sandboxes/one/pause');
    assert.equal(at(await list(), 'items', 0, 'status'), 'ERROR');
    await running.service.advance(200);
    assert.equal(at(await list(), 'items', 0, 'status'), 'PAUSED');
  });

  it('reads the spec from the query and crashes in plain text on an unknown spec', async () => {
    running.service.patch({ specs: [{ id: 'image:2' }] });
    const started = await start('?sandbox_spec_id=image%3A2');
    assert.equal(at(started.json, 'sandbox_spec_id'), 'image:2');
    const crashed = await running.caller.post('/api/v1/sandboxes?sandbox_spec_id=none');
    assert.equal(crashed.status, 500);
    assert.equal(crashed.text, 'Internal Server Error');
  });

  it('returns sandboxes by ID, null for missing sandboxes, and 422 without IDs', async () => {
    running.service.patch({ sandboxes: [{ id: 'one' }] });
    const found = (await running.caller.get('/api/v1/sandboxes?id=none&id=one')).json;
    assert.deepEqual([at(found, 0), at(found, 1, 'id')], [null, 'one']);
    const refused = await running.caller.get('/api/v1/sandboxes');
    assert.equal(refused.status, 422);
    assert.deepEqual(at(refused.json, 'detail'), [
      { type: 'missing', loc: ['query', 'id'], msg: 'Field required', input: null },
    ]);
  });

  it('responds to pause and resume before the state changes', async () => {
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

  it('follows the later of two requests', async () => {
    running.service.patch({ sandboxes: [{ id: 'one' }] });
    await running.caller.post('/api/v1/sandboxes/one/pause');
    await running.caller.post('/api/v1/sandboxes/one/resume');
    await running.service.advance(10_000);
    assert.equal(status('one'), 'RUNNING');
  });

  it('returns 404 for an unknown or missing sandbox', async () => {
    running.service.patch({ sandboxes: [{ id: 'lost', status: 'MISSING' }] });
    for (const id of ['none', 'lost'])
      for (const verb of ['pause', 'resume'])
        assert.equal((await running.caller.post(`/api/v1/sandboxes/${id}/${verb}`)).status, 404);
  });

  it('pauses the oldest sandbox silently when a sixth starts', async () => {
    const started: unknown[] = [];
    for (let count = 0; count < 6; count++) {
      started.push(at((await start()).json, 'id'));
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

  it('crashes above a limit of 100, and refuses non-numeric and non-positive limits', async () => {
    const limited = (limit: string) => running.caller.get(`/api/v1/sandboxes/search?limit=${limit}`);
    assert.equal((await limited('100')).status, 200);
    assert.equal((await limited('101')).status, 500);
    assert.equal((await limited('1.0')).status, 200);
    assert.deepEqual(at((await limited('0')).json, 'detail'), [
      {
        type: 'greater_than',
        loc: ['query', 'limit'],
        msg: 'Input should be greater than 0',
        input: '0',
        ctx: { gt: 0 },
      },
    ]);
    assert.deepEqual(pick(at((await limited('many')).json, 'detail', 0), 'loc', 'type', 'input'), {
      loc: ['query', 'limit'],
      type: 'int_parsing',
      input: 'many',
    });
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

  it('returns the web page for other paths, and JSON for other methods and API paths', async () => {
    const page = await running.caller.get('/conversations/123');
    assert.equal(page.status, 200);
    assert.ok(page.headers.get('content-type')?.startsWith('text/html'));
    for (const path of ['/api', '/api/none', '/api/v1/none', '/api/v1/settings']) {
      const missing = await running.caller.get(path);
      assert.equal(missing.status, 404, path);
      assert.deepEqual(missing.json, { detail: 'Not Found' });
    }
    assert.equal((await running.caller.get('/api/add-git-providers')).status, 405);
  });
});

describe('reference service, observed: container sandboxes', () => {
  const running = useService({
    profile: 'observed',
    clock: 'manual',
    sandboxKind: 'container',
    delays: { sandboxStart: 1000, sandboxHealthy: 500 },
  });
  const start = () => running.caller.post('/api/v1/sandboxes');
  const status = (id: unknown) => running.service.state.sandboxes.get(String(id))?.status;

  it('responds to a start immediately, runs the sandbox later, and keeps it on restart', async () => {
    const started = await start();
    assert.equal(at(started.json, 'status'), 'STARTING');
    await running.service.advance(1000);
    assert.equal(status(at(started.json, 'id')), 'RUNNING');
    running.service.restart();
    assert.equal(status(at(started.json, 'id')), 'RUNNING');
  });

  it('delays the response to a start if configured', async () => {
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

  it('shows ERROR until healthy if configured', async () => {
    running.service.behaviour.errorUntilHealthy = true;
    const id = at((await start()).json, 'id');
    await running.service.advance(1000);
    assert.equal(status(id), 'ERROR');
    await running.service.advance(500);
    assert.equal(status(id), 'RUNNING');
  });
});
