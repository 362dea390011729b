import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FlatClient } from '../support/builders/client';
import { createAgentClient, readAgentServer } from '../../src/api/agent/client';
import type { WrittenPart } from '../../src/api/agent/socket';
import type { AgentEvent } from '../../src/api/events/event';
import { createLimiter } from '../../src/api/http/limiter';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { isSameFolder } from '../../src/core/sameFolder';
import { createOpenSocket } from '../../src/editor/networkFetch';
import { startOnAgentServer } from '../../src/features/start/model/agentStart';
import type { LiveConversation } from '../../src/features/live/model/liveConversation';
import { failureOf } from '../unit/api/support/client';
import { startOnServer, workFile, writingStep, written } from './support/conversations';
import { follow, until } from './support/followed';
import { real, realClient, realSuite } from './support/suite';

realSuite('standalone agent server', ['agentServer'], function () {
  this.timeout(300_000);
  let client: FlatClient;
  let id: string;
  let model: LiveConversation | undefined;

  before(async () => {
    client = realClient();
    assert.equal((await checkConnection(client)).kind, 'agentServer');
  });
  after(() => model?.dispose());

  it('is recognized, with its release', async () => {
    const check = await checkConnection(realClient());
    assert.match(String('release' in check && check.release), /^\d+\.\d+\.\d+/);
  });

  it('isn’t mistaken for a service with settings', async () => {
    assert.equal((await failureOf(realClient().getSettings())).reason, 'agentServer');
  });

  it('reports a wrong key, and is recognized anyway', async () => {
    const stranger = realClient({ sessionKey: 'wrong' });
    const { reason, status } = await failureOf(stranger.getSettings());
    assert.deepEqual([reason, status], ['unauthorized', 401]);
    assert.match(String((await stranger.recognizeAgentServer())?.release), /^\d+\.\d+/);
  });

  it('has no sandboxes', async () => {
    assert.equal((await failureOf(realClient().searchSandboxes())).reason, 'notFound');
    assert.equal(client.sandboxes, undefined);
  });

  it('lists its conversations, page by page', async () => {
    const all = async () => (await client.listConversations({ limit: 100 })).items.length;
    const before = await all();
    const other = await startOnServer();
    id = await startOnServer();
    const first = await client.listConversations({ limit: 1 });
    assert.ok(first.nextPageId);
    const second = await client.listConversations({ limit: 1, pageId: first.nextPageId });
    const ids = [...first.items, ...second.items].map((one) => one.id);
    assert.deepEqual(ids.toSorted(), [id, other].toSorted());
    assert.equal(await all(), before + 2);
    const found = await client.getConversation(id);
    assert.deepEqual([found?.execution_status, found?.llm_model], ['idle', 'openai/scripted']);
    assert.ok(Math.abs(Date.parse(found?.created_at ?? '') - Date.now()) < 600_000);
    assert.doesNotMatch(JSON.stringify(first), /key-of-the-model/);
  });

  it('has no container to pause where conversations run without', async () => {
    const { agents } = client;
    assert.ok(agents);
    const { runtime, runtimes = [] } = await agents.about();
    assert.ok(![runtime, ...runtimes].includes('docker'));
    assert.equal((await client.getConversation(id))?.container, null);
    assert.equal((await failureOf(agents.pauseContainer(id))).status, 405);
    await agents.resumeContainer(id);
    assert.equal((await client.getConversation(id))?.execution_status, 'idle');
  });

  it('keeps tags until they are taken away', async () => {
    const tags = async () => (await client.getConversation(id))?.tags;
    assert.equal(await client.tagConversation(id, { agentworkspacepinned: 'yes' }), true);
    assert.deepEqual(await tags(), { agentworkspacepinned: 'yes' });
    assert.equal(await client.settleTags(id), 'kept');
    assert.equal(await client.tagConversation(id, { agentworkspacepinned: null }), true);
    assert.deepEqual(await tags(), {});
  });

  it('accepts a message, and reports what the agent does', async () => {
    real().model.script(writingStep('itself.txt', 'by itself'));
    model = follow(id, await createOpenSocket({}, undefined), client);
    model.keepCurrent();
    await until(model, ({ readAt }) => readAt !== null);
    assert.deepEqual(await model.send('Write the file.'), { kind: 'done' });
    const steps = () => model!.entries.filter(({ kind }) => kind === 'step').length;
    await until(model, ({ execution }) => execution === 'finished' && steps() === 2);
    assert.equal(await written('itself.txt'), 'by itself');
  });

  /** An agent’s own client, for a new conversation. */
  const newAgent = async (llm = {}) => {
    const { url, sessionKey } = real().service;
    const other = await startOnServer(llm);
    const openSocket = await createOpenSocket({}, undefined);
    const address = { baseUrl: url, origin: url, id: other };
    const { release } = await readAgentServer(address, { limiter: createLimiter() });
    const agent = createAgentClient(address, sessionKey, release, { limiter: createLimiter(), openSocket });
    assert.equal(agent.features.countsEvents, true);
    return { agent, other };
  };

  it('tells by socket what the agent is writing, part by part, and then the event that has all of it', async () => {
    const { agent, other } = await newAgent({ stream: true });
    const says = 'First I look around, then I write the file, and then I am done with it.';
    real().model.script({ ...writingStep('streamed.txt', 'streamed'), says });
    const parts: WrittenPart[] = [];
    const event = await new Promise<AgentEvent>((resolve, reject) => {
      agent.listen({
        opened: () => void agent.sendMessage({ text: 'Write it.', images: [], run: true }).catch(reject),
        heard: (heard) => parts.some(({ id }) => id === heard.id) && resolve(heard),
        written: (part) => parts.push(part),
        ended: (why) => reject(new Error(why)),
      });
    });
    const orders = parts.flatMap(({ order }) => order ?? []);
    assert.ok(orders.length > 3, `${orders.length} parts`);
    assert.deepEqual(
      orders,
      orders.map((_order, index) => index),
    );
    assert.equal(parts.map(({ text }) => text).join(''), says);
    assert.equal(event.kind, 'action');
    assert.ok(JSON.stringify(event).includes(says));
    await client.deleteConversation(other, true);
  });

  it('tells by socket where in its log each event is, without a gap', async () => {
    const { agent, other } = await newAgent();
    const places: number[] = [];
    real().model.script(writingStep('counted.txt', 'counted'));
    const lost = new Promise<never>((_resolve, reject) => {
      agent.listen({
        opened: () => void agent.sendMessage({ text: 'Write it.', images: [], run: true }).catch(reject),
        heard: () => undefined,
        counted: (place) => places.push(place),
        ended: (why) => reject(new Error(why)),
      });
    });
    const ends = async () => {
      while ((await agent.getConversation()).execution !== 'finished');
      const all = await agent.countEvents();
      while (!places.includes((all ?? 0) - 1)) await new Promise((resolve) => setImmediate(resolve));
    };
    await Promise.race([ends(), lost]);
    const [first = -1] = places;
    const counted = [...new Set(places)].toSorted((one, next) => one - next);
    assert.ok(counted.length > 5);
    assert.deepEqual(
      counted,
      Array.from(counted, (_place, index) => first + index),
    );
    await client.deleteConversation(other, true);
  });

  it('shows what changed, through the conversation’s own routes, and leaves nothing behind', async () => {
    assert.ok(model);
    const { workspace, workingDir } = await model.changes.place();
    assert.equal(workspace.isBound, true);
    const long = 'a'.repeat(200);
    const command = `mkdir many && for name in $(seq 700); do echo $name > "many/$name.${long}"; done`;
    assert.equal((await workspace.execute({ command, cwd: workingDir })).exitCode, 0);
    const [found] = await model.changes.repositories();
    const file = found?.changes.files.find(({ path: name }) => name === 'itself.txt');
    assert.ok(found && file?.after);
    const many = found.changes.files.filter(({ path: name }) => name.startsWith('many/'));
    assert.equal(many.length, 700);
    assert.equal(Buffer.from(await found.source.content(file.after)).toString(), 'by itself');
    const left = async () => {
      const names = [...(await readdir(workingDir)), ...(await readdir(path.join(workingDir, '.git')))];
      return names.filter((name) => name.includes('agent-workspace')).length;
    };
    while ((await left()) > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('asks before an action, and runs nothing that’s rejected', async () => {
    assert.ok(model);
    assert.deepEqual(await model.setPolicy('always'), { kind: 'done' });
    real().model.script(writingStep('rejected.txt', 'no'));
    assert.deepEqual(await model.send('Write another file.'), { kind: 'done' });
    await until(model, ({ pending }) => pending.length === 1);
    const [action] = model.head.pending;
    assert.deepEqual(await model.reject([action?.id ?? ''], 'Not this one.'), { kind: 'done' });
    await until(model, ({ pending, execution }) => pending.length === 0 && execution === 'idle');
    assert.equal(await written('rejected.txt'), undefined);
  });

  it('starts in a folder with what the settings say, follows, and runs what is approved', async () => {
    const { agents: server } = client;
    assert.ok(server);
    const { service, modelUrl, model: script } = real();
    const send = async (method: string, path: string, body: object) => {
      const headers = { 'X-Session-API-Key': service.sessionKey, 'Content-Type': 'application/json' };
      const answer = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) });
      assert.ok(answer.ok, `${path}: ${await answer.text()}`);
    };
    const llm = { model: 'openai/scripted', base_url: modelUrl, api_key: 'key-of-the-model' };
    await send('POST', '/api/profiles/default', { llm, include_secrets: true });
    await send('PUT', '/api/settings/secrets', {
      name: 'CUSTOM',
      value: 'value-of-custom',
      description: 'd',
    });
    const saved = { confirmation_mode: true, security_analyzer: 'none', max_iterations: 42 };
    await send('PATCH', '/api/settings', { conversation_settings_diff: saved });
    const { profiles, active_agent_profile_id: active } = await server.listAgentProfiles();
    const profile = profiles.find((one) => one.id === active);
    assert.ok(profile);
    const folder = `${path.dirname(workFile('any'))} of a start`;
    await mkdir(folder, { recursive: true });
    assert.equal(await isSameFolder(server, folder), true);
    assert.equal(await isSameFolder(server, `${folder}/none`), false);
    const command = `printf %s "\${#CUSTOM}" > approved.txt`;
    script.script({ tool: 'terminal', args: { command } });
    const started = await startOnAgentServer({
      held: () => assert.fail('the server runs no more agents'),
      client,
      server,
      id: randomUUID(),
      choice: { folder, isWorktree: false, profile },
      message: 'Write the length.',
      report: () => undefined,
      signal: AbortSignal.timeout(60_000),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    const own = follow(started, await createOpenSocket({}, undefined), client);
    try {
      own.keepCurrent();
      await until(own, ({ pending, proof }) => pending.length === 1 && proof === 'whole');
      assert.equal(own.head.policy, 'always');
      assert.deepEqual(await readdir(folder), ['.git']);
      assert.deepEqual(await own.approve(own.head.pending.map(({ id: action }) => action)), { kind: 'done' });
      await until(
        own,
        ({ execution }) => execution === 'finished' || execution === 'waiting_for_confirmation',
      );
      assert.equal(await readFile(path.join(folder, 'approved.txt'), 'utf8'), '15');
    } finally {
      own.dispose();
    }
  });

  it('continues with another model, and summarizes what came before', async () => {
    assert.ok(model);
    const { service, modelUrl } = real();
    const llm = { model: 'openai/another', base_url: modelUrl, api_key: 'key-of-the-model' };
    const answer = await fetch(`${service.url}/api/profiles/another`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.sessionKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ llm, include_secrets: true }),
    });
    assert.ok(answer.ok, await answer.text());
    assert.deepEqual(await model.switchModel('another'), { kind: 'done' });
    assert.equal((await client.getConversation(id))?.llm_model, 'openai/another');
    assert.equal((await model.switchModel('missing')).kind, 'refused');
    assert.deepEqual(await model.summarize(), { kind: 'done' });
    const condensed = () =>
      model!.entries.some((entry) => entry.kind === 'separator' && entry.what === 'condensed');
    await until(model, condensed);
  });

  it('works toward a goal round by round, and gives the agent a secret', async () => {
    assert.ok(model);
    assert.equal((await model.setGoal('Write goal.txt', 2)).kind, 'refused');
    assert.deepEqual(await model.setPolicy('never'), { kind: 'done' });
    assert.deepEqual(await model.giveSecret('GIVEN', 'value-of-given'), { kind: 'done' });
    real().model.script({ tool: 'terminal', args: { command: 'printf %s "${#GIVEN}" > goal.txt' } });
    assert.deepEqual(await model.setGoal('Write goal.txt', 2), { kind: 'done' });
    // The model’s judgment is no verdict, so that it isn’t reached.
    const ended = () =>
      model!.entries.some((entry) => entry.kind === 'separator' && entry.what === 'goalMissed');
    await until(model, ended);
    assert.deepEqual([model.goal?.isActive, model.goal?.round, model.goal?.rounds], [false, 2, 2]);
    assert.equal(await written('goal.txt'), '14');
  });

  it('goes back to an earlier entry, and branches there into the same folder', async () => {
    assert.ok(model);
    const own = model;
    await until(own, ({ execution }) => execution !== 'running' && execution !== 'waiting_for_confirmation');
    const first = own.entries.find((entry) => entry.kind === 'message' && entry.from === 'user');
    assert.ok(first);
    const branched = await own.branch(first.id, 'From the first message');
    const found = await client.getConversation(branched);
    assert.equal(found?.title, 'From the first message');
    assert.equal(found.folder, (await client.getConversation(id))?.folder);
    assert.deepEqual(await own.goBack(first.id), { kind: 'done' });
    assert.equal((await own.goBack('missing')).kind, 'refused');
    assert.deepEqual(await own.setPolicy('never'), { kind: 'done' });
    assert.deepEqual(await own.send('And now?'), { kind: 'done' });
    const asked = () =>
      own.entries.findIndex((entry) => entry.kind === 'message' && entry.text.text === 'And now?');
    await until(
      own,
      ({ execution }) => execution === 'finished' && asked() >= 0 && asked() < own.entries.length - 1,
    );
    await client.deleteConversation(branched, true);
  });

  it('renames and deletes a conversation', async () => {
    await client.renameConversation(id, 'Another name');
    assert.equal((await client.getConversation(id))?.title, 'Another name');
    await client.deleteConversation(id, true);
    assert.equal(await client.getConversation(id), null);
  });
});
