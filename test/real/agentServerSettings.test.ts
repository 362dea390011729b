import assert from 'node:assert/strict';
import type { FlatClient } from '../support/builders/client';
import type { ModelProfileChange } from '../../src/api/service/modelProfiles';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { mask } from '../../src/api/service/schemas/secret';
import { ownSecret } from '../../src/api/service/schemas/agentServer';
import { SettingsDocument } from '../../src/features/settings/model/document';
import { failureOf } from '../unit/api/support/client';
import { safeguards } from '../unit/core/settings/safeguards';
import { newEntry, newServer, saveAs, serverAt, withoutServer, withServer } from '../unit/settings/support';
import { itWithout, real, realClient, realSuite } from './support/suite';

type Members = Record<string, unknown>;

/** The settings with their secrets in clear, as only a test asks for them. */
async function truth(): Promise<{ llm: Members; servers: Record<string, Members> }> {
  const { url, sessionKey } = real().service;
  const answer = await fetch(`${url}/api/settings`, {
    headers: { 'X-Session-API-Key': sessionKey, 'X-Expose-Secrets': 'plaintext' },
  });
  const { agent_settings: agent } = (await answer.json()) as { agent_settings: Members };
  return { llm: agent['llm'] as Members, servers: agent['mcp_config'] as Record<string, Members> };
}

/** An MCP server whose only tool says what its token is. */
const toolServer = `
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tested', version: '1' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'got_' + process.env.TOKEN.replace('-', '_'), inputSchema: { type: 'object' } }],
    }),
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = (answers[method] ?? (() => ({})))(params);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;

const profileRoute = '/api/profiles/real-edit';

/** A profile with its secrets in clear, as only a test asks for them. */
async function profile(): Promise<Members> {
  const { url, sessionKey } = real().service;
  const headers = { 'X-Session-API-Key': sessionKey, 'X-Expose-Secrets': 'plaintext' };
  const answer = await fetch(`${url}${profileRoute}`, { headers });
  return ((await answer.json()) as { config: Members }).config;
}

/** What another client stores as the profile. */
async function postProfile(llm: Members): Promise<void> {
  const { url, sessionKey } = real().service;
  const headers = { 'X-Session-API-Key': sessionKey, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ llm, include_secrets: true });
  const answer = await fetch(`${url}${profileRoute}`, { method: 'POST', headers, body });
  assert.equal(answer.status, 201, await answer.text());
}

/** What another client stores. */
async function patch(diff: Members): Promise<void> {
  const { url, sessionKey } = real().service;
  const answer = await fetch(`${url}/api/settings`, {
    method: 'PATCH',
    headers: { 'X-Session-API-Key': sessionKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ agent_settings_diff: diff }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

realSuite('settings of a standalone agent server', ['agentServer'], function () {
  this.timeout(120_000);
  let client: FlatClient;
  let document: SettingsDocument;
  const load = () => SettingsDocument.load(client, safeguards());

  before(async () => {
    client = realClient();
    assert.equal((await checkConnection(client)).kind, 'agentServer');
    await patch({
      llm: { model: 'openai/first', api_key: 'stored-key' },
      mcp_config: {
        bearer: { url: 'https://one.example.com/mcp', auth: { strategy: 'bearer', value: 'one-token' } },
        header: {
          url: 'https://two.example.com/mcp',
          headers: { authorization: 'Bearer two', 'X-Key': 'k' },
        },
        tool: { command: 'npx', args: ['tool'], env: { A: 'a', B: 'b' }, enabled: false },
      },
    });
  });
  beforeEach(async () => (document = await load()));
  after(() => patch({ mcp_config: null, llm: { api_key: null } }));

  it('are read with all fields that the server describes', () => {
    const { values, secrets, mcpServers, more } = document.model;
    assert.deepEqual([values.llm_model, secrets.llm_api_key, mcpServers.length], ['openai/first', 'set', 3]);
    const paths = more.fields.map(({ path }) => path);
    for (const path of ['agent_settings.llm.num_retries', 'agent_settings.condenser.max_size'])
      assert.ok(paths.includes(path), `${path} in ${paths.join()}`);
  });

  itWithout(
    'keepsWorktreesOut',
    'nothing in its settings is about them',
    'say how worktrees are made',
    () => {
      const prefix = 'conversation_settings.worktree_branch_prefix';
      assert.ok(document.model.more.fields.some(({ path }) => path === prefix));
    },
  );

  it('are saved leaf by leaf, and what another client stored in the meantime stays', async () => {
    await patch({ llm: { num_retries: 9 } });
    const { notes } = await saveAs('saved', document, {
      values: { llm_model: 'openai/second', max_iterations: 44, confirmation_mode: true },
      more: { 'agent_settings.llm.temperature': 0.5 },
    });
    assert.deepEqual(notes, []);
    const { llm } = await truth();
    assert.deepEqual(
      [llm['model'], llm['temperature'], llm['num_retries'], llm['api_key']],
      ['openai/second', 0.5, 9, 'stored-key'],
    );
  });

  it('keep every secret of the servers that aren’t touched', async () => {
    const { servers: before } = await truth();
    const { notes } = await saveAs('saved', document, {
      mcpServers: withServer(document, 'tool', () => ({ args: ['other'] })),
    });
    assert.deepEqual(notes, []);
    assert.deepEqual((await truth()).servers, { ...before, tool: { ...before['tool'], args: ['other'] } });
  });

  it('get a token, one variable, a new server, and lose another one, in one save', async () => {
    const replace = { presence: 'set', intention: 'replace' } as const;
    for (const label of ['https://one.example.com/mcp', 'https://two.example.com/mcp'])
      document.setSecret({ at: 'mcpApiKey', id: serverAt(document, label).id }, `new ${label}`);
    document.setSecret({ at: 'mcpEnv', id: 'new-1', name: 'T' }, 'added-token');
    const added = newServer({
      id: 'new-1',
      kind: 'stdio',
      name: 'added',
      command: 'uvx',
      env: [newEntry('T')],
    });
    const { notes } = await saveAs('saved', document, {
      mcpServers: [
        ...withoutServer(document, 'tool').map((server) => ({ ...server, apiKey: replace })),
        added,
      ],
    });
    assert.deepEqual(notes, []);
    const { servers } = await truth();
    assert.deepEqual(Object.keys(servers).sort(), ['added', 'bearer', 'header']);
    assert.deepEqual(servers['bearer']?.['headers'], {
      Authorization: 'Bearer new https://one.example.com/mcp',
    });
    assert.equal(servers['bearer']['auth'], undefined);
    assert.deepEqual(servers['header']?.['headers'], {
      'X-Key': 'k',
      Authorization: 'Bearer new https://two.example.com/mcp',
    });
    assert.deepEqual(servers['added']?.['env'], { T: 'added-token' });
  });

  it('lose a token, wherever it was', async () => {
    await patch({
      mcp_config: {
        bearer: { headers: null, auth: { strategy: 'bearer', value: 'one-token' } },
        header: { headers: { Authorization: null, authorization: 'Bearer two' } },
      },
    });
    const clear = { presence: 'set', intention: 'clear' } as const;
    const now = await load();
    const cleared = now.model.mcpServers.map((server) =>
      server.kind === 'stdio' ? server : { ...server, apiKey: clear },
    );
    assert.deepEqual((await saveAs('saved', now, { mcpServers: cleared })).notes, []);
    const { servers } = await truth();
    assert.deepEqual([servers['bearer']?.['auth'], servers['bearer']?.['headers']], [undefined, undefined]);
    assert.deepEqual(servers['header']?.['headers'], { 'X-Key': 'k' });
  });

  it('turn a server on and off, and nothing else of it changes', async () => {
    await patch({ mcp_config: { idle: { command: 'npx', env: { A: 'a' }, enabled: false } } });
    const { servers: before } = await truth();
    const loaded = await load();
    assert.equal(serverAt(loaded, 'idle').enabled, false);
    const turned = (to: boolean) => (of: SettingsDocument) => withServer(of, 'idle', () => ({ enabled: to }));
    const on = await saveAs('saved', loaded, { mcpServers: turned(true)(loaded) });
    assert.deepEqual(on.notes, []);
    assert.deepEqual((await truth()).servers, { ...before, idle: { ...before['idle'], enabled: true } });
    await saveAs('saved', on.document, { mcpServers: turned(false)(on.document) });
    assert.deepEqual((await truth()).servers, before);
    await patch({ mcp_config: { idle: null } });
  });

  it('have servers that the server itself tests, with secrets that nobody sees', async () => {
    const { agents: calls } = client;
    assert.ok(calls);
    const args = ['-e', toolServer];
    const server = { name: 'tested', command: process.execPath, args };
    await patch({ mcp_config: { tested: { ...server, name: undefined, env: { TOKEN: 'stored-canary' } } } });
    const about = { kind: 'stdio', heldName: 'tested' } as const;
    const stored = await calls.testServer({ ...about, server: { ...server, env: { TOKEN: mask } } });
    assert.deepEqual(stored, { ok: true, tools: ['got_stored_canary'] });
    const typed = await calls.testServer({ ...about, server: { ...server, env: { TOKEN: 'typed' } } });
    assert.deepEqual(typed, { ok: true, tools: ['got_typed'] });
    const wrong = { ...server, command: '/no/such/program', env: { TOKEN: 'typed-canary' } };
    const failed = await calls.testServer({ ...about, server: wrong });
    assert.ok(!failed.ok && failed.reason === 'failed' && failed.error !== '', JSON.stringify(failed));
    assert.doesNotMatch(failed.error, /canary/);
    const http = { name: 'nowhere', url: 'http://127.0.0.1:9/mcp', api_key: 'typed-canary' };
    const unreached = await calls.testServer({ kind: 'shttp', server: http, heldName: undefined });
    assert.ok(!unreached.ok && !JSON.stringify(unreached).includes('canary'), JSON.stringify(unreached));
    await patch({ mcp_config: { tested: null } });
  });

  it('take a key, and lose it only when that’s meant', async () => {
    document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed-key');
    const { document: after } = await saveAs('saved', document, { secrets: { llm_api_key: 'replace' } });
    assert.equal((await truth()).llm['api_key'], 'typed-key');
    const { document: last } = await saveAs('saved', after, { secrets: { llm_api_key: 'clear' } });
    assert.deepEqual([last.model.secrets.llm_api_key, (await truth()).llm['api_key']], ['notSet', null]);
    await patch({ llm: { api_key: 'stored-key' } });
  });

  it('say what the server refuses without a name', async () => {
    const more = { 'agent_settings.llm.num_retries': -1 };
    const outcome = await document.save({ values: {}, secrets: {}, mcpServers: null, more });
    assert.ok(['invalid', 'failed'].includes(outcome.kind), JSON.stringify(outcome));
  });

  it('keep custom secrets, with their descriptions', async () => {
    await client.saveSecret({ name: 'REAL_TOKEN', value: 'one', description: 'For npm' });
    await client.saveSecret({ name: 'REAL_TOKEN', value: 'two', description: undefined });
    const listed = (await client.listSecrets()).find(({ name }) => name === 'REAL_TOKEN');
    assert.equal(listed?.description, 'For npm');
    await client.deleteSecret('REAL_TOKEN');
    assert.equal((await failureOf(client.deleteSecret('REAL_TOKEN'))).status, 404);
  });

  it('show the secret of Agent Canvas itself as its own, and leave it alone', async () => {
    const { isCanvas = false } = real().release;
    const own = (await client.listSecrets()).filter((secret) => secret.isOwn);
    assert.deepEqual(
      own.map(({ name }) => name),
      isCanvas ? [ownSecret] : [],
    );
    assert.equal((await failureOf(client.deleteSecret(ownSecret))).reason, 'badId');
  });

  it('get a model that the server has checked', async () => {
    const { agents: calls } = client;
    assert.ok(calls);
    const { model: script, modelUrl } = real();
    const model = { model: 'openai/scripted', key: 'key-of-the-model', baseUrl: modelUrl };
    assert.deepEqual(await calls.checkModel(model), { isSupported: true, problem: undefined });
    const { problem: wrong } = await calls.checkModel({ ...model, model: 'nobody/has-this' });
    assert.ok(wrong !== undefined && wrong !== '');
    assert.ok(!wrong.includes(model.key));
    await calls.saveModel('real-new', model);
    await client.activateProfile('real-new');
    const { llm } = await truth();
    assert.deepEqual(
      [llm['model'], llm['api_key'], llm['base_url'], llm['stream']],
      ['openai/scripted', model.key, modelUrl, true],
    );
    await client.deleteProfile('real-new');
    await patch({ llm: { api_key: 'stored-key' } });
    script.script();
  });

  it('have profiles that are checked and edited, whose secrets nobody sees and no edit loses', async () => {
    const { agents: calls } = client;
    assert.ok(calls);
    const { model: script, modelUrl: baseUrl } = real();
    await calls.saveModel('real-edit', { model: 'openai/scripted', key: 'key-of-the-model', baseUrl });
    assert.deepEqual(await calls.checkModelProfile('real-edit'), { isSupported: true, problem: undefined });
    const more = { temperature: 0.5, aws_secret_access_key: 'aws-secret', num_retries: 3 };
    await postProfile({ ...(await profile()), ...more });
    const before = await profile();
    assert.deepEqual(
      [before['api_key'], before['aws_secret_access_key']],
      ['key-of-the-model', 'aws-secret'],
    );
    const change = (to: ModelProfileChange) => calls.changeModelProfile('real-edit', to);
    assert.equal(await change({ member: 'model', was: 'openai/scripted', to: 'nobody/has-this' }), 'kept');
    assert.deepEqual(await profile(), { ...before, model: 'nobody/has-this' });
    const { problem } = await calls.checkModelProfile('real-edit');
    assert.ok(problem !== undefined && !problem.includes('key-of-the-model'), problem);
    assert.equal(await change({ member: 'model', was: 'openai/scripted', to: 'other' }), 'elsewhere');
    assert.equal(await change({ member: 'base_url', was: baseUrl, to: null }), 'kept');
    assert.equal(await change({ member: 'api_key', to: 'other-key' }), 'kept');
    const after = { ...before, model: 'nobody/has-this', base_url: null, api_key: 'other-key' };
    assert.deepEqual(await profile(), after);
    assert.equal(await change({ member: 'api_key', to: null }), 'kept');
    assert.deepEqual(await profile(), { ...after, api_key: null });
    assert.deepEqual(await calls.readModelProfile('real-edit'), { model: 'nobody/has-this', baseUrl: null });
    await client.deleteProfile('real-edit');
    script.script();
  });

  // Behind Agent Canvas, automations don’t start with another key.
  const itAlone = real().release.isCanvas ? it.skip : it;
  itAlone('keep the key of a profile that a server with another secret key can’t read', async () => {
    const { service, modelUrl: baseUrl } = real();
    const restart = async (more: NodeJS.ProcessEnv = {}) => {
      await service.kill();
      await service.start(more);
      client = realClient();
      await checkConnection(client);
      return client.agents;
    };
    await client.agents?.saveModel('real-edit', { model: 'openai/scripted', key: 'model-key', baseUrl });
    const other = await restart({ OH_SECRET_KEY: 'another-secret-key' });
    const change = { member: 'model', was: 'openai/scripted', to: 'openai/other' } as const;
    assert.equal(await other?.changeModelProfile('real-edit', change), 'unreadable');
    await restart();
    const { model, api_key: key } = await profile();
    assert.deepEqual([model, key], ['openai/scripted', 'model-key']);
    await client.deleteProfile('real-edit');
    document = await load();
  }).timeout(600_000);

  it('are saved as a profile with the key, switched to, renamed, and deleted', async () => {
    const { model } = (await truth()).llm;
    await client.saveProfile('real-work');
    const saved = (await client.listProfiles()).profiles.find(({ name }) => name === 'real-work');
    assert.deepEqual([saved?.model, saved?.api_key_set], [model, true]);
    await patch({ llm: { model: 'openai/third', api_key: 'third-key' } });
    await client.activateProfile('real-work');
    const { llm } = await truth();
    assert.deepEqual([llm['model'], llm['api_key']], [model, 'stored-key']);
    await client.renameProfile('real-work', 'real-home');
    await client.deleteProfile('real-home');
    assert.ok((await client.listProfiles()).profiles.every(({ name }) => !name.startsWith('real-')));
  });
});
