import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AgentServerCalls, AgentStart } from '../../src/api/service/agentServerStart';
import { hasWorktreeBase } from '../../src/api/service/agentServerStart';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { contractOf, misfits, recordingFetch, type Contract } from '../support/contract';
import { failureOf } from '../unit/api/support/client';
import { workFile } from './support/conversations';
import { real, realClient, realSuite } from './support/suite';

/** What the description leaves out: the older release ignores it. */
const known = ['POST /api/conversations/agent_launch_additions/llm_profile_ref: unknown'];

const waiting = {
  signal: new AbortController().signal,
  wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
};

realSuite('starts on an agent server', ['agentServer'], function () {
  this.timeout(300_000);
  const sent = new Map<string, unknown[]>();
  let contract: Contract;
  let calls: AgentServerCalls;
  let client: ReturnType<typeof realClient>;
  let place: string;
  let agentProfileId: string;

  before(async () => {
    const { url, sessionKey } = real().service;
    const answer = await fetch(`${url}/openapi.json`, { headers: { 'X-Session-API-Key': sessionKey } });
    contract = contractOf(await answer.json());
    client = realClient({ fetch: recordingFetch(Object.keys(contract.routes), sent) });
    await checkConnection(client);
    assert.ok(client.agents);
    calls = client.agents;
    place = `${path.dirname(workFile('any'))} of starts`;
    await mkdir(place, { recursive: true });
    const model = { model: 'openai/scripted', baseUrl: real().modelUrl, key: 'key-of-the-model' };
    await calls.saveModel('default', model);
    agentProfileId = (await calls.listAgentProfiles()).active_agent_profile_id ?? '';
  });
  const started: string[] = [];
  after(async () => {
    for (const id of started) await client.deleteConversation(id, true).catch(() => undefined);
    await calls.deleteAgentProfile('real-foreign');
    await rm(place, { recursive: true, force: true });
  });

  const start = (more: Partial<AgentStart>) => {
    const conversationId = randomUUID();
    // A start that’s refused may leave its conversation.
    started.push(conversationId);
    const own = { conversationId, folder: place, isWorktree: false, message: '' };
    return calls.start({ ...own, agentProfileId, ...more });
  };

  it('look at folders, make them, and clone into them as a whole', async () => {
    const source = path.join(place, "it's a source");
    assert.deepEqual(await calls.readFolder(source), { kind: 'missing' });
    await calls.createFolder(source);
    assert.deepEqual(await calls.readFolder(source), { kind: 'folder' });
    await start({ folder: source });
    const { kind, hasCommit } = await calls.readFolder(source);
    assert.deepEqual([kind, hasCommit], ['repository', false]);
    const clone = path.join(place, 'deep', 'clone');
    const { exitCode, stderr } = await calls.clone(source, clone, waiting);
    assert.equal(exitCode, 0, stderr);
    assert.equal((await calls.readFolder(clone)).origin, source);
    assert.notEqual((await calls.clone(source, clone, waiting)).exitCode, 0);
  });

  it('begin a worktree where they are told to, and say in git’s words why not', async () => {
    const folder = path.join(place, 'deep', 'clone');
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    const commit = ['commit', '--quiet', '--allow-empty', '--message', 'First'];
    await promisify(execFile)('git', ['-C', folder, ...author, ...commit]);
    const id = await start({ folder, isWorktree: true, worktreeBase: { kind: 'head' } });
    const worktree = (await client.getConversation(id))?.folder ?? '';
    assert.notEqual(worktree, folder);
    const state = await calls.readFolder(worktree);
    assert.deepEqual([state.kind, state.changed], ['repository', 0]);
    assert.match(state.branch ?? '', /^openhands\//);
    if (!hasWorktreeBase(await calls.about())) return;
    const unknown = await failureOf(
      start({ folder, isWorktree: true, worktreeBase: { kind: 'ref', ref: 'no-such-branch' } }),
    );
    assert.match(unknown.serverText ?? '', /no-such-branch/);
    const docker = await failureOf(start({ runtime: 'docker' }));
    assert.match(docker.serverText ?? '', /only runs local conversations/);
  });

  it('give an ACP agent its model before it begins', async () => {
    const agent = { agent_kind: 'acp', acp_server: 'custom', acp_command: '/bin/false' };
    await calls.addAgentProfile('real-foreign', agent);
    const { profiles } = await calls.listAgentProfiles();
    const foreign = profiles.find(({ name }) => name === 'real-foreign');
    assert.ok(foreign);
    const id = await start({ agentProfileId: foreign.id, agentModel: 'opus' });
    await calls.beginWith(id, 'opus', false);
    assert.equal((await calls.listModelsOf(id)).current, 'opus');
    assert.equal(await calls.listAgentModels(foreign), undefined);
  });

  it('and all before them have only what the server’s own description allows', () => {
    assert.ok(sent.has('POST /api/conversations'));
    const found = [...sent].flatMap(([route, bodies]) =>
      bodies.flatMap((body) =>
        misfits(body, contract.routes[route] ?? {}, contract.schemas).map((one) => `${route}${one}`),
      ),
    );
    const isOlder = (one: string) => one.startsWith('POST /api/conversations/worktree_options');
    assert.deepEqual(
      [...new Set(found)].filter((one) => !known.includes(one) && !isOlder(one)),
      [],
    );
  });
});
