import assert from 'node:assert/strict';
import { parseConversationUrl } from '../../../src/api/agent/address';
import { createAgentClient, readAgentServer, type AgentOptions } from '../../../src/api/agent/client';
import type { AgentEvent } from '../../../src/api/events/event';
import { EventScan } from '../../../src/api/events/scan';
import { sorted } from '../../../src/api/events/schema';
import { flatClient } from '../../support/builders/client';
import { createLimiter } from '../../../src/api/http/limiter';
import { createOpenSocket } from '../../../src/editor/networkFetch';
import type { Release } from '../../service/agent/release';
import { makeConversation, makeSandbox, startService, type ReferenceService } from '../../service/service';
import { failureOf, hastyClock } from '../api/support/client';

const id = '0123456789abcdef0123456789abcdef';
const sandboxKey = 'sandbox-key-1';

describe('simulated agents', () => {
  let service: ReferenceService;
  afterEach(() => service.close());

  async function start(agents: Release, newerEvents = false) {
    service = await startService({ profile: 'observed', agents, newerEvents });
    const sandbox = makeSandbox({ id: 'box', session_api_key: sandboxKey });
    service.state.sandboxes.set(sandbox.id, sandbox);
    const record = makeConversation({
      id,
      sandbox_id: sandbox.id,
      title: 'Fix it',
      execution_status: 'idle',
    });
    service.state.conversations.set(id, record);
    const clock = hastyClock();
    const options: AgentOptions = { clock, limiter: createLimiter(clock) };
    const client = flatClient({ ...options, baseUrl: service.url, sessionKey: service.sessionKey });
    return { client, options, record, sandbox };
  }

  async function connect(agents: Release) {
    const { client, options, ...rest } = await start(agents);
    const { conversation_url: url, session_api_key: key } = (await client.getConversation(id))!;
    const address = parseConversationUrl(url!)!;
    const { release: version } = await readAgentServer(address, options);
    return {
      client,
      options,
      ...rest,
      key,
      address,
      version,
      agent: createAgentClient(address, key!, version, options),
    };
  }

  for (const release of ['1.7.1', '1.15.0', '1.58.0'] as const) {
    it(`are reached at an origin of their own, with the sandbox’s key (${release})`, async () => {
      const { agent, address, key, version, options } = await connect(release);
      assert.notEqual(address.origin, service.url);
      assert.deepEqual([key, version], [sandboxKey, release]);
      assert.equal((await agent.getConversation()).execution, 'idle');
      const { items } = await agent.searchEvents();
      assert.ok(items.length > 10);
      assert.ok(items.every(({ kind }) => kind !== 'other'));
      assert.equal((await agent.getEvent(items[3]!.id)).id, items[3]!.id);
      const stranger = createAgentClient(address, service.sessionKey, version, options);
      assert.equal((await failureOf(stranger.getConversation())).reason, 'unauthorized');
    });
  }

  it('work, and tell the service’s record of it', async () => {
    const { agent, client, record } = await connect('1.58.0');
    await agent.setPolicy('always');
    await agent.sendMessage({ text: 'Hello', images: [], run: true });
    assert.equal((await client.getConversation(id))?.execution_status, 'running');
    assert.equal(record.execution_status, 'running');
    assert.equal((await agent.getConversation()).policy, 'always');
    assert.equal(await agent.ask('Why?'), 'You asked: Why?');
  });

  it('tell their events by socket, with the sandbox’s key', async () => {
    const { address, key, version, options } = await connect('1.58.0');
    const openSocket = await createOpenSocket({}, undefined);
    const agent = createAgentClient(address, key!, version, { ...options, openSocket });
    const stranger = createAgentClient(address, 'another-key', version, { ...options, openSocket });
    const end = await new Promise((ended) =>
      stranger.listen({ opened: () => undefined, heard: () => undefined, ended }),
    );
    assert.equal(end, 'lost');
    let stop: () => void = () => undefined;
    const heard = new Promise<AgentEvent>((resolve) => {
      const send = () => void agent.sendMessage({ text: 'Hello', images: [], run: false });
      const take = (event: AgentEvent) => event.kind === 'message' && resolve(event);
      stop = agent.listen({ opened: send, heard: take, ended: () => undefined });
    });
    assert.equal((await heard).source, 'user');
    stop();
  });

  for (const newer of [false, true]) {
    it(`have stored events on the ${newer ? 'newer' : 'older'} route`, async () => {
      const { client, options } = await start('1.7.1', newer);
      await client.searchEvents(id);
      const record = await client.getConversation(id);
      const agent = createAgentClient(
        parseConversationUrl(record!.conversation_url!)!,
        sandboxKey,
        '1.7.1',
        options,
      );
      // More than a page; what was told last may still be on its way to the store.
      for (let number = 0; number < 130; number += 1)
        await agent.sendMessage({ text: String(number), images: [], run: false });
      const scan = new EventScan((pageId) => client.searchEvents(id, { pageId, newestFirst: true }));
      const stored = [];
      while (!scan.atEnd) stored.push(...(await scan.next()));
      const live = [];
      for (let pageId: string | undefined; ;) {
        const page = await agent.searchEvents({ pageId });
        live.push(...page.items);
        if (page.nextPageId === null) break;
        pageId = page.nextPageId;
      }
      const late = live.length - stored.length;
      assert.ok(late >= 0 && late < 5 && stored.length > 140);
      assert.deepEqual(
        sorted(stored, false).map((event) => event.id),
        live.slice(0, stored.length).map((event) => event.id),
      );
      assert.equal((await client.getStoredEvent(id, stored[7]!.id))?.id, stored[7]!.id);
    });
  }

  it('hold a request while the sandbox is paused, and handle it afterwards', async () => {
    const { agent, sandbox } = await connect('1.58.0');
    sandbox.status = 'PAUSED';
    const sent = agent.sendMessage({ text: 'Good night', images: [], run: false });
    sandbox.status = 'RUNNING';
    await sent;
    const { items } = await agent.searchEvents({ newestFirst: true });
    assert.ok(items.some((event) => event.kind === 'message' && event.text === 'Good night'));
  });

  it('are missing unless they are asked for', async () => {
    service = await startService({ profile: 'observed' });
    const clock = hastyClock();
    const client = flatClient({
      baseUrl: service.url,
      sessionKey: service.sessionKey,
      clock,
      limiter: createLimiter(clock),
    });
    assert.equal((await failureOf(client.searchEvents(id))).reason, 'notFound');
  });
});
