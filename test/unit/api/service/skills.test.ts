import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { agentCalls, failureOf, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

describe('skills and plugins of an agent server', () => {
  let server: AgentServerByItself;
  let calls: AgentServerCalls;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.49.1' });
    calls = await agentCalls(server);
  });
  afterEach(() => Promise.all([server.close(), closeServers()]));

  for (const kind of ['skill', 'plugin'] as const)
    it(`installs a ${kind}, switches it, refreshes and removes it`, async () => {
      await calls.install(kind, { source: 'github:a/notes' });
      const [added] = await calls.listAddOns();
      assert.deepEqual(added, {
        ...{ kind, name: 'notes', description: '', source: 'github:a/notes', isOn: true },
      });
      assert.equal((await failureOf(calls.install(kind, { source: 'github:a/notes' }))).status, 409);
      await calls.switchAddOn(added, false);
      assert.equal((await calls.listAddOns())[0]?.isOn, false);
      await calls.refreshAddOn(added);
      await calls.removeAddOn(added);
      assert.deepEqual(await calls.listAddOns(), []);
      assert.equal((await failureOf(calls.removeAddOn(added))).status, 404);
    });

  it('lists what the catalog offers, with where to get it, and what is installed of it', async () => {
    const [skill] = await calls.listOffered('skill');
    assert.deepEqual([skill?.source, skill?.isInstalled], ['github:catalog/release-check', false]);
    const [plugin] = await calls.listOffered('plugin');
    assert.ok(plugin);
    assert.deepEqual([plugin.ref, plugin.repoPath], ['v2', 'plugins/reviewer']);
    await calls.install('plugin', plugin);
    assert.equal((await calls.listOffered('plugin'))[0]?.isInstalled, true);
  });

  it('looks for a plugin where the server can, and takes it for there elsewhere', async () => {
    await calls.findPlugin({ source: 'github:a/missing' });
    const newer = await startAgentServer({ release: '1.58.0' });
    try {
      const { client } = testClient(newer.url, { sessionKey: newer.sessionKey, known: 'agentServer' });
      await client.agents!.findPlugin({ source: 'github:a/tools' });
      const missing = await failureOf(client.agents!.findPlugin({ source: 'github:a/missing' }));
      assert.equal(missing.status, 502);
    } finally {
      await newer.close();
    }
  });

  it('lists what applies to a folder, with its text', async () => {
    assert.deepEqual(await calls.listSkills(undefined), []);
    const [skill] = await calls.listSkills('/workspace/shop');
    assert.deepEqual([skill?.name, skill?.content], ['release-notes', '# Release notes']);
  });

  it('lists the agents that can be given tasks: the server’s own, and those of a folder', async () => {
    const [general, ...none] = await calls.listSubAgents(undefined);
    assert.deepEqual([general?.name, general?.is_builtin, none], ['general-purpose', true, []]);
    const [own] = await calls.listSubAgents('/workspace/shop');
    assert.deepEqual(own, {
      ...{ name: 'reviewer', description: 'Reviews changes', source: '/workspace/shop/.agents/agents' },
      ...{ tools: ['terminal', 'file_editor'], is_builtin: false, content: 'Read the changes first.' },
    });
  });

  it('lists extensions of Agent Canvas, which are off at first', async () => {
    const board = { name: 'board', source: 'github:a/board', enabled: false, refreshed: 0 };
    server.starts.addOns.set('canvas-extensions/board', board);
    const [listed] = await calls.listAddOns();
    assert.deepEqual([listed?.kind, listed?.name, listed?.isOn], ['canvas-extension', 'board', false]);
  });

  it('lists none of what a server doesn’t know yet', async () => {
    const old = await serve(({ url = '' }, response) =>
      url === '/api/skills/installed'
        ? json(response, { skills: [{ name: 'notes' }] })
        : json(response, { detail: 'Not Found' }, 404),
    );
    const { agents } = testClient(old.origin, { known: 'agentServer' }).client;
    const names = (await agents!.listAddOns()).map(({ name }) => name);
    assert.deepEqual([names, await agents!.listSubAgents(undefined)], [['notes'], []]);
  });

  for (const [what, odd] of [
    ['no object', null],
    ['another list', { agents: {}, skills: [] }],
    ['the name of a prototype', JSON.parse('{"__proto__":{"agents":[],"skills":[]}}')],
  ] as const)
    it(`takes ${what} for no list`, async () => {
      const server = await serve((_request, response) => json(response, odd));
      const { agents } = testClient(server.origin, { known: 'agentServer' }).client;
      assert.equal((await failureOf(agents!.listSubAgents(undefined))).reason, 'badShape');
      assert.equal((await failureOf(agents!.listAddOns())).reason, 'badShape');
    });

  it('reaches nothing else by the name of a skill', async () => {
    for (const name of ['..', '.', ''])
      assert.equal((await failureOf(calls.removeAddOn({ kind: 'skill', name }))).reason, 'badId');
  });
});
