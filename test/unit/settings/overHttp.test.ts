import assert from 'node:assert/strict';
import { createClient } from '../../../src/api/service/client';
import { createLimiter } from '../../../src/api/http/limiter';
import { connectProvider, disconnectAll } from '../../../src/features/settings/model/providers';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { startService, type Effect, type ProfileName, type ReferenceService } from '../../service/service';
import { accessTo, safeguards } from '../core/settings/safeguards';
import { plainFields, secretFields } from '../../../src/shared/settings';
import { edits, newServer, refuseSave, saveAs, serverAt, withServer } from './support';
import { otherValues, values } from './values';

for (const profile of ['observed', 'documented'] satisfies ProfileName[]) {
  describe(`settings over HTTP, profile ${profile}`, () => {
    let service: ReferenceService;
    before(async () => {
      service = await startService({ profile });
    });
    beforeEach(() => {
      service.reset({ seed: 'lifelike' });
      // A service that only follows the specification can’t store or return other members.
      const servers = service.state.settings?.mcp_config?.shttp_servers ?? [];
      if (profile === 'documented') for (const server of servers) delete server.timeout;
    });
    after(() => service.close());

    // Each test has its own limiter, so none waits for another's requests.
    const client = () =>
      createClient({ baseUrl: service.url, sessionKey: service.sessionKey, limiter: createLimiter() });
    const posts = () =>
      service.requests.filter(({ method, path }) => method === 'POST' && path === '/api/settings').length;

    it('saves a field, a secret, and servers, and changes nothing else', async () => {
      const before = structuredClone(service.state.settings);
      const document = await SettingsDocument.load(client(), safeguards());
      document.setSecret({ at: 'field', field: 'search_api_key' }, 'typed-search-key');
      const added = newServer({ id: 'new-1', url: 'https://new.example.com/mcp' });
      const { document: after } = await saveAs('saved', document, {
        values: { language: 'it' },
        secrets: { search_api_key: 'replace', llm_api_key: 'clear' },
        mcpServers: [...withServer(document, 'fetch', () => ({ args: ['other'] })), added],
      });
      const { mcp_config, ...rest } = service.state.settings ?? {};
      const { mcp_config: config, ...previous } = before ?? {};
      assert.deepEqual(rest, {
        ...previous,
        language: 'it',
        search_api_key: 'typed-search-key',
        llm_api_key: null,
        sandbox_api_key: null,
      });
      assert.deepEqual(mcp_config?.stdio_servers, [
        { ...config?.stdio_servers[0], args: ['other'] },
        config?.stdio_servers[1],
      ]);
      assert.deepEqual(mcp_config.sse_servers, config?.sse_servers);
      assert.equal(mcp_config.shttp_servers[1]?.url, added.url);
      assert.equal(serverAt(after, added.url).url, added.url);
      assert.equal(after.model.secrets.llm_api_key, 'notSet');
    });

    for (const name of plainFields) {
      it(`changes ${name} and nothing else`, async () => {
        const before = structuredClone(service.state.settings);
        const value = [values[name], otherValues[name]].find((one) => one !== before?.[name]);
        const document = await SettingsDocument.load(client(), safeguards());
        await saveAs('saved', document, { values: { [name]: value } });
        assert.deepEqual(service.state.settings, { ...before, sandbox_api_key: null, [name]: value });
      });
    }

    for (const name of secretFields) {
      it(`replaces ${name} and nothing else`, async () => {
        const before = structuredClone(service.state.settings);
        const document = await SettingsDocument.load(client(), safeguards());
        document.setSecret({ at: 'field', field: name }, 'typed-key');
        await saveAs('saved', document, { secrets: { [name]: 'replace' } });
        // The observed service stores a mask for a posted sandbox API key.
        const stored = name === 'sandbox_api_key' && profile === 'observed' ? '**********' : 'typed-key';
        assert.deepEqual(service.state.settings, { ...before, sandbox_api_key: null, [name]: stored });
      });
    }

    it('takes a save back, and nothing else', async () => {
      const before = structuredClone(service.state.settings);
      const document = await SettingsDocument.load(client(), safeguards());
      const changed = { git_user_email: 'grace@example.com', language: 'pt' };
      const { document: after } = await saveAs('saved', document, { values: changed });
      assert.deepEqual(service.state.settings, { ...before, sandbox_api_key: null, ...changed });
      const undo = after.undo();
      assert.ok(undo);
      await saveAs('saved', after, undo.edits);
      assert.deepEqual(service.state.settings, { ...before, sandbox_api_key: null });
    });

    it('adds a server of each kind, and loses none of the others', async () => {
      const before = structuredClone(service.state.settings?.mcp_config);
      const document = await SettingsDocument.load(client(), safeguards());
      const added = [
        newServer({ id: 'new-1', kind: 'sse', url: 'https://one.example.com/sse' }),
        newServer({ id: 'new-2', kind: 'shttp', url: 'https://two.example.com/mcp' }),
        newServer({ id: 'new-3', kind: 'stdio', name: 'tool', command: 'uvx' }),
      ];
      await saveAs('saved', document, { mcpServers: [...document.model.mcpServers, ...added] });
      const after = service.state.settings?.mcp_config;
      for (const list of ['sse_servers', 'shttp_servers', 'stdio_servers'] as const)
        assert.deepEqual(after?.[list].slice(0, -1), before?.[list], list);
      assert.equal(after?.sse_servers.at(-1)?.url, 'https://one.example.com/sse');
      assert.equal(after.shttp_servers.at(-1)?.url, 'https://two.example.com/mcp');
      assert.equal(after.stdio_servers.at(-1)?.name, 'tool');
    });

    it('moves a server with its key, and deletes another, without losing a key', async () => {
      const before = structuredClone(service.state.settings?.mcp_config);
      const [moved] = before?.sse_servers ?? [];
      assert.ok(moved?.api_key);
      const document = await SettingsDocument.load(client(), safeguards());
      const servers = withServer(document, moved.url, () => ({ url: 'https://moved.example.com/sse' }));
      const left = servers.filter(({ name }) => name !== 'fetch');
      await saveAs('saved', document, { mcpServers: left });
      const after = service.state.settings?.mcp_config;
      assert.deepEqual(after?.sse_servers[0], { ...moved, url: 'https://moved.example.com/sse' });
      assert.deepEqual(after.sse_servers.slice(1), before?.sse_servers.slice(1));
      assert.deepEqual(after.shttp_servers, before?.shttp_servers);
      assert.deepEqual(
        after.stdio_servers,
        before?.stdio_servers.filter(({ name }) => name !== 'fetch'),
      );
    });

    it('shows a refusal on its field', async () => {
      const document = await SettingsDocument.load(client(), safeguards());
      refuseSave(service, ['max_iterations'], 'Too many');
      const { errors } = await saveAs('invalid', document, { values: { max_iterations: 5 } });
      assert.deepEqual(errors, [{ target: { at: 'field', field: 'max_iterations' }, message: 'Too many' }]);
    });

    const lost: [effect: Effect, applied: string][] = [
      [{ kind: 'performThenReset' }, 'yes'],
      [{ kind: 'resetBeforeAnswer' }, 'no'],
      [{ kind: 'truncated' }, 'yes'],
      [{ kind: 'html' }, 'no'],
      [{ kind: 'redirect', to: 'http://127.0.0.1:9/' }, 'no'],
      [{ kind: 'answer', status: 500, text: 'Internal Server Error' }, 'no'],
      [{ kind: 'answer', status: 403, body: { detail: 'Forbidden' } }, 'no'],
    ];
    for (const [effect, applied] of lost) {
      it(`posts once and checks the outcome after ${JSON.stringify(effect)}: applied ${applied}`, async () => {
        const document = await SettingsDocument.load(client(), safeguards());
        service.fail({ method: 'POST', path: '/api/settings', effect });
        const outcome = await document.save(edits({ values: { language: 'it' } }), {
          confirmed: [{ about: 'sandboxApiKey' }],
        });
        assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
        assert.equal(outcome.applied, applied);
        assert.equal(posts(), 1);
        assert.equal(service.state.settings?.language, applied === 'yes' ? 'it' : 'en');
      });
    }

    it('detects an accepted but unapplied post by reading back', async () => {
      const document = await SettingsDocument.load(client(), safeguards());
      service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'empty' } });
      const { notes } = await saveAs('saved', document, { values: { language: 'it' } });
      assert.deepEqual(
        notes.map(({ kind, label }) => [kind, label]),
        [['kept', 'language']],
      );
    });

    it('connects a provider next to the others, then disconnects all', async () => {
      const outcome = await connectProvider(accessTo(client()), {
        name: 'gitlab',
        token: 'good-token',
        host: 'git.example.com',
      });
      assert.equal(outcome.kind, 'done');
      assert.equal(service.state.providerTokens['github']?.token, 'ghp_seedGithubToken0001');
      assert.equal(service.state.providerTokens['gitlab']?.token, 'good-token');
      assert.equal((await disconnectAll(accessTo(client()))).kind, 'done');
      assert.deepEqual(service.state.providerTokens, {});
    });
  });
}
