import assert from 'node:assert/strict';
import type { FlatClient } from '../../../support/builders/client';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { mask } from '../../../../src/api/service/schemas/secret';
import type { ServiceSettings, SettingsBody } from '../../../../src/api/service/schemas/settings';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { startService } from '../../../service/service';
import { failureOf, testClient } from '../support/client';

type Members = Record<string, unknown>;

for (const release of ['1.49.1', '1.58.0'] as const)
  describe(`settings of a standalone agent server (${release})`, () => {
    let server: AgentServerByItself;
    let client: FlatClient;
    beforeEach(async () => {
      server = await startAgentServer({ release });
      ({ client } = testClient(server.url, { sessionKey: server.sessionKey }));
      await checkConnection(client);
      Object.assign(server.starts.agentSettings, {
        mcp_config: {
          web: { url: 'https://web.example.com/mcp', auth: { strategy: 'bearer', value: 'web-token' } },
          tool: {
            command: 'npx',
            args: ['tool'],
            env: { TOKEN: 'tool-token', MODE: 'fast' },
            enabled: false,
          },
        },
      });
      (server.starts.agentSettings['llm'] as Members)['api_key'] = 'stored-key';
    });
    afterEach(() => server.close());

    const servers = () => server.starts.agentSettings['mcp_config'] as Record<string, Members>;
    const llm = () => server.starts.agentSettings['llm'] as Members;
    const read = () => client.getSettings(undefined, true);
    /** Saves what `change` does to the lists of servers, as the form would. */
    async function saveServers(change: (lists: Record<string, Members[]>) => void) {
      const before = await read();
      const lists = structuredClone(before.mcp_config) as Record<string, Members[]>;
      change(lists);
      const body = { ...before, mcp_config: lists } as SettingsBody;
      await client.postSettings(body, ['mcp_config'], undefined, before);
    }
    const save = async (body: SettingsBody, before?: ServiceSettings) =>
      client.postSettings(body, undefined, undefined, before ?? (await read()));

    it('reads them for editing in the shape of the form, secrets as masks', async () => {
      const settings = await read();
      assert.deepEqual(
        [settings.llm_model, settings.llm_api_key, settings['llm_api_key_set'], settings.max_iterations],
        ['demo', mask, true, 500],
      );
      const { shttp_servers: web, stdio_servers: tool } = settings.mcp_config ?? {};
      assert.equal(web?.[0]?.api_key, mask);
      assert.deepEqual(tool?.[0]?.env, { TOKEN: mask, MODE: mask });
      assert.doesNotMatch(JSON.stringify(settings), /stored-key|web-token|tool-token/);
    });

    it('still says what kind of server it is to whoever only checks it', async () => {
      assert.equal((await failureOf(client.getSettings())).reason, 'agentServer');
    });

    it('finds a service that took its place', async () => {
      const { url, sessionKey } = server;
      await server.close();
      const service = await startService({
        profile: 'observed',
        port: Number(new URL(url).port),
        sessionKey,
      });
      service.reset({ seed: 'lifelike' });
      assert.equal((await read()).language, 'en');
      assert.ok(client.sandboxes);
      await service.close();
      server = await startAgentServer({ release });
    });

    it('sends only the leaves that change (0.7 and C: lost updates)', async () => {
      const before = await read();
      llm()['num_retries'] = 9;
      server.starts.conversationSettings['confirmation_mode'] = true;
      await save({ llm_model: 'openai/other', max_iterations: 40 }, before);
      assert.deepEqual(
        [llm()['model'], llm()['num_retries'], llm()['api_key']],
        ['openai/other', 9, 'stored-key'],
      );
      const { max_iterations: most, confirmation_mode: asks } = server.starts.conversationSettings;
      assert.deepEqual([most, asks], [40, true]);
    });

    it('refuses a mask in place of a key (0.6: a mask clears)', async () => {
      for (const value of [mask, '***', '<redacted>', '  ']) {
        assert.equal((await failureOf(save({ llm_api_key: value }))).reason, 'invalid', value);
        assert.equal(llm()['api_key'], 'stored-key');
      }
    });

    it('clears a key only if asked to', async () => {
      await save({ llm_api_key: '' });
      assert.equal(llm()['api_key'], null);
    });

    it('never sends agent_kind (C: it resets the other kind’s everything)', async () => {
      const body = { 'agent_settings.agent_kind': 'acp' } as SettingsBody;
      assert.equal((await failureOf(save(body))).reason, 'invalid');
      assert.equal(server.starts.agentSettings['agent_kind'], 'openhands');
    });

    it('never sends a null that would wipe the model, or that a conversation’s settings refuse (C: null removes)', async () => {
      for (const body of [
        { llm_model: null },
        { max_iterations: null },
        { confirmation_mode: null },
      ] as const)
        assert.equal((await failureOf(save(body))).reason, 'invalid', JSON.stringify(body));
      assert.equal(llm()['model'], 'demo');
    });

    it('refuses what only services have, instead of losing it (C: unknown keys are ignored with 200)', async () => {
      for (const body of [{ language: 'de' }, { search_api_key: 'k' }, { git_user_name: 'Ada' }] as const)
        assert.equal((await failureOf(save(body))).reason, 'invalid', JSON.stringify(body));
    });

    it('sends no model to an ACP agent (J: refused, or stored in silence)', async () => {
      Object.assign(server.starts.agentSettings, { agent_kind: 'acp', llm: undefined });
      assert.equal((await failureOf(save({ llm_model: 'openai/other' }))).reason, 'invalid');
      await save({ max_iterations: 30 });
      assert.equal(server.starts.conversationSettings['max_iterations'], 30);
    });

    it('changes one MCP server, and the others keep their secrets (C: the whole GET posted back clears them)', async () => {
      await saveServers(({ stdio_servers: list = [] }) => {
        Object.assign(list[0] ?? {}, { args: ['other'] });
      });
      assert.deepEqual(servers(), {
        web: { url: 'https://web.example.com/mcp', auth: { strategy: 'bearer', value: 'web-token' } },
        tool: { command: 'npx', args: ['other'], env: { TOKEN: 'tool-token', MODE: 'fast' }, enabled: false },
      });
    });

    it('replaces one variable, removes another, and keeps the rest (0.6 and C)', async () => {
      servers()['tool'] = { command: 'npx', args: [], env: { A: '1', B: '2', C: '3' } };
      await saveServers(({ stdio_servers: list = [] }) => {
        Object.assign(list[0] ?? {}, { env: { A: mask, B: 'new', D: '4' } });
      });
      assert.deepEqual(servers()['tool']?.['env'], { A: '1', B: 'new', D: '4' });
    });

    it('removes a server by null, and adds one', async () => {
      await saveServers((lists) => {
        lists['stdio_servers'] = [{ name: 'added', command: 'uvx', args: [], env: { X: 'y' } }];
      });
      assert.deepEqual(Object.keys(servers()), ['web', 'added']);
      assert.deepEqual(servers()['added'], { command: 'uvx', args: [], env: { X: 'y' }, enabled: true });
    });

    it('keeps a server that another client added in the meantime', async () => {
      const before = await read();
      servers()['theirs'] = { url: 'https://theirs.example.com/mcp', headers: { 'X-Key': 'k' } };
      await client.postSettings(
        { ...before, mcp_config: { ...before.mcp_config, stdio_servers: [] } } as SettingsBody,
        ['mcp_config'],
        undefined,
        before,
      );
      assert.deepEqual(Object.keys(servers()), ['web', 'theirs']);
      assert.deepEqual(servers()['theirs']?.['headers'], { 'X-Key': 'k' });
    });

    it('clears a token, wherever it was', async () => {
      servers()['header'] = {
        url: 'https://header.example.com/mcp',
        headers: { authorization: 'Bearer old' },
      };
      servers()['both'] = {
        url: 'https://both.example.com/mcp',
        auth: 'old',
        headers: { 'X-Other': 'kept' },
      };
      await saveServers(({ shttp_servers: list = [] }) => {
        for (const one of list) Reflect.deleteProperty(one, 'api_key');
      });
      for (const name of ['web', 'header'])
        assert.deepEqual(servers()[name], { url: `https://${name}.example.com/mcp` }, name);
      assert.deepEqual(servers()['both'], {
        url: 'https://both.example.com/mcp',
        headers: { 'X-Other': 'kept' },
      });
    });

    it('leaves no old token beside a new one, wherever it was', async () => {
      servers()['header'] = {
        url: 'https://header.example.com/mcp',
        headers: { authorization: 'Bearer old', 'X-Other': 'kept' },
      };
      await saveServers(({ shttp_servers: list = [] }) => {
        for (const one of list) one['api_key'] = 'new';
      });
      const { web, header } = servers();
      assert.deepEqual([web?.['auth'], web?.['headers']], [undefined, { Authorization: 'Bearer new' }]);
      assert.deepEqual(header?.['headers'], { 'X-Other': 'kept', Authorization: 'Bearer new' });
      await saveServers(({ shttp_servers: list = [] }) => {
        for (const one of list) delete one['api_key'];
      });
      assert.deepEqual([servers()['web']?.['auth'], servers()['web']?.['headers']], [undefined, undefined]);
      assert.deepEqual(servers()['header']?.['headers'], { 'X-Other': 'kept' });
    });

    it('refuses a mask that would move to another server (0.6)', async () => {
      const failing = saveServers(({ stdio_servers: list = [] }) => {
        Object.assign(list[0] ?? {}, { name: 'renamed' });
      });
      assert.equal((await failureOf(failing)).reason, 'invalid');
      assert.deepEqual(Object.keys(servers()), ['web', 'tool']);
    });

    it('passes on a refusal that names no field, and changes nothing', async () => {
      const before = structuredClone(server.starts.agentSettings);
      const path = 'agent_settings.llm.num_retries';
      const failed = await failureOf(save({ llm_model: 'openai/other', [path]: 'many' }));
      assert.equal(failed.status, 422);
      assert.deepEqual(server.starts.agentSettings, before);
    });

    it('describes the fields that the form doesn’t have, and suggests models', async () => {
      const { fields } = await client.describeFields('openhands');
      assert.ok(fields.some(({ path }) => path === 'agent_settings.llm.num_retries'));
      assert.deepEqual(await client.listModels(), ['openai/gpt-5.6', 'anthropic/claude-opus-5']);
    });

    it('replaces the value of a custom secret and keeps its description (C: an absent one is cleared)', async () => {
      await client.saveSecret({ name: 'TOKEN', value: 'one', description: 'For npm' });
      await client.saveSecret({ name: 'TOKEN', value: 'two', description: undefined });
      assert.deepEqual(server.starts.secrets.get('TOKEN'), { value: 'two', description: 'For npm' });
      await client.deleteSecret('TOKEN');
      assert.equal(server.starts.secrets.size, 0);
    });

    it('stores no empty or masked custom secret (J: 1.49 would)', async () => {
      await client.saveSecret({ name: 'TOKEN', value: 'one', description: '' });
      for (const value of ['', '  ', mask]) {
        const failed = await failureOf(client.saveSecret({ name: 'TOKEN', value, description: '' }));
        assert.equal(failed.reason, 'invalid');
        assert.equal(server.starts.secrets.get('TOKEN')?.value, 'one');
      }
    });

    it('neither changes nor deletes Agent Canvas’s own secret, and never asks for a value', async () => {
      const name = 'OPENHANDS_AUTOMATION_API_KEY';
      server.starts.secrets.set(name, { value: 'session-key', description: null });
      assert.deepEqual(
        (await client.listSecrets()).map((secret) => [secret.name, secret.isOwn]),
        [[name, true]],
      );
      await failureOf(client.saveSecret({ name, value: 'x', description: '' }));
      await failureOf(client.deleteSecret(name));
      await failureOf(client.describeSecret(name, 'x'));
      assert.equal(server.starts.secrets.get(name)?.value, 'session-key');
      assert.ok(!server.asked.includes(`/api/settings/secrets/${name}`));
    });

    it('saves the model as a profile with its key, which is never seen (0.7: without it, it would be wiped)', async () => {
      await client.saveProfile('work');
      const { profiles } = await client.listProfiles();
      assert.deepEqual(
        profiles.map((profile) => [profile.name, profile.model, profile.api_key_set]),
        [['work', 'demo', true]],
      );
      assert.equal(server.starts.models.get('work')?.llm?.['api_key'], 'stored-key');
      await client.saveProfile('work');
      assert.equal(server.starts.models.get('work')?.llm?.['api_key'], 'stored-key');
    });

    it('checks a model by the server, without quoting its key, and saves it for the agent that names it', async () => {
      const { agents: calls } = client;
      assert.ok(calls);
      const model = { model: 'demo/large', key: 'typed-key', baseUrl: '' };
      assert.deepEqual(await calls.checkModel(model), { isSupported: true, problem: undefined });
      const { problem } = await calls.checkModel({ ...model, model: 'openai/other' });
      assert.match(problem ?? '', /^Invalid API key/);
      assert.doesNotMatch(problem ?? '', /typed-key/);
      assert.equal(server.starts.models.size, 0);
      await calls.saveModel('default', model);
      await client.activateProfile('default');
      assert.deepEqual(server.starts.models.get('default')?.llm, {
        model: 'demo/large',
        api_key: 'typed-key',
        // Without it, answers show once they are complete.
        stream: true,
      });
      assert.deepEqual([llm()['model'], llm()['api_key']], ['demo/large', 'typed-key']);
    });

    it('switches to a profile, renames, and deletes it', async () => {
      await client.saveProfile('work');
      await save({ llm_model: 'openai/other', llm_api_key: 'other-key' });
      await client.activateProfile('work');
      assert.deepEqual([llm()['model'], llm()['api_key']], ['demo', 'stored-key']);
      await client.renameProfile('work', 'home');
      assert.equal((await client.listProfiles()).active_profile, 'home');
      await client.deleteProfile('home');
      assert.deepEqual((await client.listProfiles()).profiles, []);
    });

    it('asks for no profile whose name could reach another route', async () => {
      const before = server.asked.length;
      for (const name of ['a/b', '..', '', 'a b']) {
        assert.equal((await failureOf(client.deleteProfile(name))).reason, 'badId');
        assert.equal((await failureOf(client.renameProfile(name, 'home'))).reason, 'badId');
      }
      assert.equal(server.asked.length, before);
    });

    it('tests MCP servers and keeps hidden secrets, but no git provider tokens', async () => {
      const { testsServers, hasProviders, keepsHidden, replaces } = client.abilities(await read());
      assert.deepEqual(
        { testsServers, hasProviders, keepsHidden, replaces },
        { testsServers: true, hasProviders: false, keepsHidden: true, replaces: false },
      );
    });

    it('doesn’t delete a profile that an agent profile uses, and says so', async () => {
      await client.saveProfile('default');
      server.starts.agents.push({ id: 'a', name: 'default', kind: 'openhands', model: 'default' });
      const failed = await failureOf(client.deleteProfile('default'));
      assert.deepEqual([failed.status, failed.reason], [409, 'conflict']);
      assert.match(failed.serverText ?? '', /referenced by agent profiles/);
    });
  });
