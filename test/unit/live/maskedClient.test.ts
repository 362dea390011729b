import assert from 'node:assert/strict';
import { createAgentClient } from '../../../src/api/agent/client';
import { describeError } from '../../../src/editor/errorText';
import { logLine } from '../../../src/editor/logLine';
import { errorForModel } from '../../../src/features/tools/errors';
import { conversationText } from '../../../src/features/tools/rows';
import { conversationName } from '../../../src/core/lists/names';
import { KnownSecrets } from '../../../src/features/transcript/model/knownSecrets';
import { maskedClient } from '../../../src/features/live/model/maskedClient';
import { flat } from '../../support/builders/client';
import { failureOf, testClient } from '../api/support/client';
import { closeServers, json, serve } from '../api/support/servers';

const secret = 'canary-mcp-key-1';

describe('a client whose answers are masked', () => {
  afterEach(closeServers);

  it('shows no known secret in titles, in lists and alone', async () => {
    const record = { id: 'c1', title: `Use ${secret} for the API`, session_api_key: 'canary-sandbox-key' };
    const known = new KnownSecrets();
    const server = await serve((_request, response) =>
      json(response, { items: [record], next_page_id: null }),
    );
    const one = await serve((_request, response) => json(response, [record]));
    known.learn([secret]);
    const { items } = await maskedClient(testClient(server.origin).client, known).listConversations();
    const alone = await maskedClient(testClient(one.origin).client, known).getConversation('c1');
    for (const conversation of [items[0]!, alone!]) {
      assert.equal(conversation.title, 'Use •••••••• for the API');
      for (const shown of [conversationName(conversation), conversationText(conversation)])
        assert.doesNotMatch(shown, /canary/);
    }
    assert.equal(known.mask('canary-sandbox-key'), '••••••••');
  });

  it('shows none in what a server says about automations, starts, and checks, in whatever form', async () => {
    const known = new KnownSecrets();
    known.learn([secret]);
    const hidden = [secret, encodeURIComponent(`${secret}/`), Buffer.from(secret).toString('base64')].join(
      ' \u001b[1m',
    );
    const answers: Record<string, unknown> = {
      '/api/automation/v1': { automations: [{ id: 'a', name: hidden, prompt: hidden }], total: 1 },
      '/api/automation/v1/a': { id: 'a', name: hidden, prompt: hidden },
      '/api/mcp/test': { ok: false, error: hidden },
      '/api/automation/v1/a/runs': { runs: [{ id: 'r', current_phase: hidden, error_detail: hidden }] },
      '/api/profiles/new/validate': { valid: false, error: { message: hidden } },
      '/api/profiles/a': { config: { model: 'm' } },
      '/api/profiles/a/validate': { valid: false, error: { message: hidden } },
      '/api/agent-profiles/a/materialize': { valid: false, errors: [hidden] },
      '/api/v1/app-conversations/start-tasks': [{ id: 't', status: 'ERROR', detail: hidden }],
      '/api/v1/app-conversations': { id: 't', status: 'ERROR', detail: hidden, request: {} },
      '/api/v1/sandboxes/search': { items: [{ id: 's', status: 'ERROR', status_detail: hidden }] },
      '/api/skills': { skills: [{ name: 's', description: hidden, content: hidden }] },
      '/api/skills/installed': { skills: [{ name: 's', description: hidden }] },
      '/api/plugins/installed': { plugins: [] },
      '/api/canvas-extensions/installed': { canvas_extensions: [] },
      '/api/sub-agents': { agents: [{ name: 'a', description: hidden, system_prompt: hidden }] },
    };
    const server = await serve(({ url = '' }, response) => json(response, answers[url.split('?')[0] ?? '']));
    const agentServer = testClient(server.origin, { known: 'agentServer' }).client;
    const at = maskedClient(agentServer, known).agents!;
    const client = flat(maskedClient(testClient(server.origin).client, known));
    const said = [
      await at.listAutomations(),
      await at.listAutomationRuns('a', 5),
      await at.turnAutomation({ id: 'a' }, true),
      await at.testServer({ kind: 'sse', server: { url: 'https://a.example' }, heldName: undefined }),
      await at.checkModel({ model: 'm', key: '', baseUrl: '' }),
      await at.checkModelProfile('a'),
      await at.checkAgentProfile('a'),
      await client.getStartTask('t'),
      await client.createConversation({}),
      await client.searchSandboxes(),
      await at.listSkills(undefined),
      await at.listAddOns(),
      await at.listSubAgents(undefined),
    ];
    for (const [index, one] of said.entries()) {
      const shown = JSON.stringify(one);
      assert.ok(shown.includes('••••••••') && known.mask(shown) === shown, `${index}: ${shown}`);
    }
  });

  it('learns the secrets of the service’s MCP servers, but not what stands for one', async () => {
    const known = new KnownSecrets();
    const server = await serve((_request, response) =>
      json(response, {
        llm_model: 'm',
        mcp_config: {
          sse_servers: [{ url: `https://a.example/?key=${secret}`, api_key: '**********' }],
          shttp_servers: [],
          stdio_servers: [
            { name: 'a', command: 'b', args: ['--token', 'canary-arg-1'], env: { X: 'canary-env-1' } },
          ],
        },
      }),
    );
    await maskedClient(testClient(server.origin).client, known).getSettings();
    assert.deepEqual([...known.values].sort(), ['canary-arg-1', 'canary-env-1', secret]);
    assert.equal(known.mask('**********'), '**********');
  });

  it('says that more is known only if it is', () => {
    const known = new KnownSecrets();
    let told = 0;
    const following = known.onDidChange(() => (told += 1));
    known.learn([secret, '', null, undefined, 'short']);
    known.learn([secret]);
    assert.equal(told, 1);
    following.dispose();
    known.learn(['canary-other-1']);
    assert.deepEqual([told, known.mask(`${secret} canary-other-1`)], [1, '•••••••• ••••••••']);
  });
});

describe('addresses that are only shown', () => {
  afterEach(closeServers);

  it('have no user name, password, or query, of which the window knows nothing', async () => {
    const address = 'https://me:canary-password@models.example/v1?api-key=canary-query#canary';
    const answers: Record<string, unknown> = {
      '/api/llm/provider-connections': [{ id: 'p', display_name: 'P', base_url: address }],
      '/api/profiles': { profiles: [{ name: 'a', model: 'm', base_url: address }], active_profile: null },
      '/api/skills/installed': { skills: [{ name: 's', source: address }] },
      '/api/plugins/installed': { plugins: [{ name: 't', source: 'github:me/tools' }] },
      '/api/canvas-extensions/installed': { canvas_extensions: [{ name: 'e', source: address }] },
      '/api/sub-agents': { agents: [{ name: 'a', source: address }] },
    };
    const server = await serve(({ url = '' }, response) => json(response, answers[url.split('?')[0] ?? '']));
    const at = testClient(server.origin, { known: 'agentServer' }).client.agents!;
    const providers = await at.listProviders();
    const { profiles } = await at.listModelProfiles();
    const [skill, plugin, extension] = await at.listAddOns();
    const [agent] = await at.listSubAgents(undefined);
    const shown = [providers?.[0]?.base_url, profiles[0]?.base_url, skill?.source, extension?.source];
    assert.deepEqual(
      [...shown, agent?.source, plugin?.source],
      [...Array.from({ length: 5 }, () => 'https://models.example/v1'), 'github:me/tools'],
    );
  });
});

describe('words of a failure', () => {
  afterEach(closeServers);

  it('have no secret that the window knows, wherever they’re shown', async () => {
    const known = new KnownSecrets();
    const lines: string[] = [];
    const server = await serve((_request, response) =>
      json(
        response,
        { detail: `canary-mcp-\u001b[mkey-1 and ${Buffer.from(`u:${secret}`).toString('base64')}` },
        400,
      ),
    );
    const { client } = testClient(server.origin, {
      known: 'current',
      knownSecrets: known,
      log: (event) => lines.push(logLine(event)),
    });
    known.learn([secret]);
    const error = await failureOf(client.getConversation('c1'));
    const shown = [error.serverText, describeError(error).message, errorForModel(error), ...lines];
    assert.equal(shown.length, 4);
    for (const text of shown) {
      assert.match(String(text), /•••/);
      assert.doesNotMatch(String(text), /canary|mcp|Y2FuYXJ5|jYW5hcnk/);
    }
  });

  it('have no secret that a request before has sent', async () => {
    const known = new KnownSecrets();
    const server = await serve((request, response) =>
      request.method === 'POST' ? json(response, {}) : json(response, { detail: `bad ${secret}` }, 400),
    );
    const { client } = testClient(server.origin, {
      known: 'current',
      knownSecrets: known,
    });
    await client.saveSecret({ name: 'A', value: secret, description: '' }).catch(() => undefined);
    assert.match(String((await failureOf(client.getConversation('c1'))).serverText), /bad •••/);
    const agent = createAgentClient(
      { baseUrl: server.origin, origin: server.origin, id: 'c1' },
      'key',
      '1.58.0',
      {
        knownSecrets: known,
      },
    );
    await agent.giveSecret('B', 'canary-given-1').catch(() => undefined);
    assert.equal(known.mask('echo canary-given-1'), 'echo ••••••••');
  });
});
