import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FlatClient } from '../support/builders/client';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { type AgentServerCalls, hasWorktreeBase } from '../../src/api/service/agentServerStart';
import { changeAgent } from '../../src/features/start/model/agentProblem';
import { addAgent, addProvider } from '../../src/features/managing/model/adding';
import { failureOf } from '../unit/api/support/client';
import { real, realClient, realSuite } from './support/suite';

realSuite('what an agent server keeps for agents', ['agentServer'], function () {
  this.timeout(120_000);
  let client: FlatClient;
  let calls: AgentServerCalls;
  before(async () => {
    client = realClient();
    await checkConnection(client);
    calls = client.agents!;
    await calls.saveModel('real-model', {
      model: 'openai/scripted',
      key: 'key-of-the-model',
      baseUrl: real().modelUrl,
    });
  });
  after(() => client.deleteProfile('real-model'));

  it('are profiles, created, changed member by member, checked, used, renamed, and deleted', async () => {
    const tries = { mayHaveStored: false };
    await addAgent(calls, 'real-agent', { agent_kind: 'openhands', llm_profile_ref: 'real-model' }, tries);
    await addAgent(calls, 'real-other', { agent_kind: 'acp', acp_server: 'claude-code' }, tries);
    const before = await calls.readAgentProfile('real-agent');
    await changeAgent(calls, 'real-agent', { system_message_suffix: 'Write tests.\nKeep it short.' });
    await changeAgent(calls, 'real-agent', { secret_refs: [] });
    const { revision, ...after } = await calls.readAgentProfile('real-agent');
    assert.deepEqual(after, {
      ...Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'revision')),
      system_message_suffix: 'Write tests.\nKeep it short.',
      secret_refs: [],
    });
    assert.equal(revision, 2);
    const { isValid, hasKey } = await calls.checkAgentProfile('real-agent');
    assert.deepEqual([isValid, hasKey], [true, true]);
    await changeAgent(calls, 'real-agent', { mcp_server_refs: ['not-there'] });
    const check = await calls.checkAgentProfile('real-agent');
    assert.deepEqual([check.isValid, check.missingServers], [false, ['not-there']]);
    await changeAgent(calls, 'real-other', { acp_model: 'sonnet' });

    await calls.renameAgentProfile('real-agent', 'real-renamed');
    const { profiles, active_agent_profile_id: active } = await calls.listAgentProfiles();
    const made = profiles.find(({ name }) => name === 'real-renamed');
    assert.ok(made && active);
    await calls.activateAgentProfile(made.id);
    assert.equal((await calls.listAgentProfiles()).active_agent_profile_id, made.id);
    await calls.activateAgentProfile(active);
    await calls.deleteAgentProfile('real-renamed');
    await calls.deleteAgentProfile('real-other');
    const failure = await failureOf(changeAgent(calls, 'real-renamed', { secret_refs: null }));
    assert.equal(failure.status, 404);
    const left = (await calls.listAgentProfiles()).profiles;
    assert.ok(left.every(({ name }) => !name.startsWith('real-')));
  });

  it('are provider connections, added once, with another key, and deleted', async () => {
    const connection = { name: 'real-provider', provider: 'openai', key: 'first-key', baseUrl: '' };
    await addProvider(calls, connection, { mayHaveStored: false });
    const found = async () =>
      (await calls.listProviders())?.find(({ display_name: name }) => name === 'real-provider');
    const { id = '', api_key_set: hasKey } = (await found()) ?? {};
    assert.equal(hasKey, true);
    await calls.replaceProviderKey(id, 'second-key');
    await calls.deleteProvider(id);
    assert.equal(await found(), undefined);
    assert.equal((await failureOf(calls.deleteProvider(id))).status, 404);
  });

  it('are plugins for a start, looked for first where the release can', async () => {
    const folder = path.join(real().service.folder, 'real-plugin');
    await mkdir(path.join(folder, '.plugin'), { recursive: true });
    const about = { name: 'real-plugin', version: '1.0.0', description: 'How to test' };
    await writeFile(path.join(folder, '.plugin', 'plugin.json'), JSON.stringify(about));
    await calls.findPlugin({ source: folder });
    const canLook = hasWorktreeBase(await calls.about());
    const missing = calls.findPlugin({ source: path.join(folder, 'missing') });
    if (canLook) assert.ok(((await failureOf(missing)).status ?? 0) >= 400);
    else await missing;
    for (const kind of ['skill', 'plugin'] as const)
      assert.ok(Array.isArray(await calls.listOffered(kind)), kind);
  });

  it('are skills and plugins, installed from a folder, switched, refreshed, and removed', async () => {
    const folder = path.join(real().service.folder, 'real-skill');
    const text = '---\nname: real-skill\ndescription: How to test\n---\n\nTest it.\n';
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'SKILL.md'), text);
    await calls.install('skill', { source: folder });
    const found = async () => (await calls.listAddOns()).find(({ name }) => name === 'real-skill');
    assert.deepEqual([(await found())?.kind, (await found())?.isOn], ['skill', true]);
    assert.equal((await failureOf(calls.install('skill', { source: folder }))).status, 409);
    await calls.switchAddOn({ kind: 'skill', name: 'real-skill' }, false);
    assert.equal((await found())?.isOn, false);
    await calls.refreshAddOn({ kind: 'skill', name: 'real-skill' });
    await calls.removeAddOn({ kind: 'skill', name: 'real-skill' });
    assert.equal(await found(), undefined);

    const project = path.join(real().service.folder, 'real-project');
    await mkdir(path.join(project, '.agents', 'skills', 'own-skill'), { recursive: true });
    const own = text.replace('real-skill', 'own-skill');
    await writeFile(path.join(project, '.agents', 'skills', 'own-skill', 'SKILL.md'), own);
    const skills = await calls.listSkills(project);
    assert.match(skills.find(({ name }) => name === 'own-skill')?.content ?? '', /Test it/);
  });

  it('are subagents: the server’s own, and those of a folder, with what they’re told', async () => {
    const project = path.join(real().service.folder, 'real-agents');
    await mkdir(path.join(project, '.agents', 'agents'), { recursive: true });
    const own = '---\nname: real-agent\ndescription: How to test\ntools: [terminal]\n---\n\nTest it.\n';
    await writeFile(path.join(project, '.agents', 'agents', 'real-agent.md'), own);
    const [first, ...others] = await calls.listSubAgents(project);
    assert.deepEqual([first?.name, first?.is_builtin, first?.tools], ['real-agent', false, ['terminal']]);
    assert.deepEqual([first?.description, first?.content.trim()], ['How to test', 'Test it.']);
    const elsewhere = await calls.listSubAgents(undefined);
    assert.deepEqual(
      elsewhere.map(({ name }) => name),
      others.map(({ name }) => name),
    );
    assert.ok(elsewhere.length > 0 && elsewhere.every((one) => one.is_builtin && one.content !== ''));
  });

  it('are no extensions of Agent Canvas until one is installed, and no meta profile until one is used', async () => {
    assert.ok((await calls.listAddOns()).every(({ kind }) => kind !== 'canvas-extension'));
    const post = async (below: string, body?: object) => {
      const { url, sessionKey } = real().service;
      const headers = { 'X-Session-API-Key': sessionKey, 'Content-Type': 'application/json' };
      const method = body ? 'POST' : 'DELETE';
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${url}/api/meta-profiles/${below}`, init)).status;
    };
    assert.equal((await calls.activeMetaProfile()) ?? null, null);
    const classes = [{ description: 'Anything', model: 'real-model' }];
    const created = await post('real-router', { classifier_model: 'real-model', classes });
    const has = hasWorktreeBase(await calls.about());
    assert.equal(created, has ? 201 : 404);
    await post('real-router/activate', {});
    assert.equal(await calls.activeMetaProfile(), has ? 'real-router' : undefined);
    await post('real-router');
  });

  it('are no ChatGPT subscription: nobody is signed in, and without a network, nobody can', async () => {
    assert.equal((await calls.readSubscription())?.connected, false);
    const failure = await failureOf(calls.subscriptionSignIn.begin());
    assert.equal(failure.status, 500);
    assert.notEqual(failure.serverText ?? '', '');
    const gone = { deviceCode: 'gone', userCode: '', page: undefined, intervalMs: 0, expiresAt: Infinity };
    const { signal } = new AbortController();
    assert.equal((await calls.subscriptionSignIn.finish(gone, signal)).kind, 'expired');
    await calls.signOutOfSubscription();
  });

  it('are folders, and those that hold projects', async () => {
    const { url, sessionKey, folder } = real().service;
    const headers = { 'X-Session-API-Key': sessionKey, 'Content-Type': 'application/json' };
    const parent = { id: folder, name: 'real-parent', path: folder };
    const route = `${url}/api/workspaces/parents`;
    await fetch(route, { method: 'POST', headers, body: JSON.stringify({ parents: [parent] }) });
    const found = async () => (await calls.listWorkspaceParents()).filter(({ path: at }) => at === folder);
    assert.deepEqual(await found(), [{ name: 'real-parent', path: folder }]);
    await fetch(`${route}?path=${encodeURIComponent(folder)}`, { method: 'DELETE', headers });
    assert.deepEqual(await found(), []);
  });
});
