import assert from 'node:assert/strict';
import { parseConversationUrl } from '../../../src/api/agent/address';
import { createAgentClient, readAgentServer } from '../../../src/api/agent/client';
import { createSandboxWorkspace } from '../../../src/api/agent/workspace';
import { createClient } from '../../../src/api/service/client';
import { allGenerations, ownMemory } from '../../../src/api/service/generation';
import { deviceSignIn } from '../../../src/api/service/deviceSignIn';
import { createOpenSocket } from '../../../src/editor/networkFetch';
import { startService } from '../../service/service';
import { hastyClock, noLimits } from './support/client';
import { closeServers, json, serve } from './support/servers';

const prefix = '/router/team-1/sandbox-1/8000';
const id = '0123456789abcdef0123456789abcdef';
const options = () => ({ clock: hastyClock(), limiter: noLimits });

/** What the methods take, one after the other, whatever they take. */
const text = Object.assign(Object(id) as object, {});
const argument = new Proxy(text, {
  get: (_target, name) =>
    name === Symbol.toPrimitive || name === 'toString' || name === 'toJSON' ? () => id : undefined,
});

/** Calls every method of an object, and of the groups in it. Most of them fail; what counts is where they ask. */
async function callAll(object: object, calls: ((name: string) => unknown[])[]): Promise<string[]> {
  const names: string[] = [];
  for (const [name, member] of Object.entries(object)) {
    if (typeof member === 'object' && member !== null && !Array.isArray(member) && !('aborted' in member))
      names.push(...(await callAll(member as object, calls)));
    if (typeof member !== 'function' || name === 'listen') continue;
    names.push(name);
    for (const args of calls)
      await Promise.resolve()
        .then(() => (member as (...all: unknown[]) => unknown).apply(object, args(name)))
        .catch(() => undefined);
  }
  return names;
}

const calls = [
  () => [id, id, id],
  () => [{}, id],
  () => [{ command: 'true', cwd: '/tmp', text: 'Hi', images: [], eventId: id, title: 'A' }],
  () => [`/tmp/${id}`, { maxBytes: 1 }],
  () => [`/tmp/${id}`, new Uint8Array(1)],
  () => [argument],
];

describe('an address with a path', () => {
  afterEach(closeServers);

  const recording = () => serve((_request, response) => json(response, { detail: 'No' }, 418));

  it('keeps it in every request to an agent server', async () => {
    const server = await recording();
    const address = parseConversationUrl(`${server.origin}${prefix}/api/conversations/${id}`);
    assert.ok(address);
    assert.equal(address.baseUrl, server.origin + prefix);
    await readAgentServer(address, options()).catch(() => undefined);
    const told = { release: '1.58.0', capabilities: [] } as unknown as Parameters<
      typeof createSandboxWorkspace
    >[2];
    const bound = { ...told, capabilities: ['conversation_runtime_routes_v1'] } as typeof told;
    const names = [
      ...(await callAll(createAgentClient(address, 'k1', '1.58.0', options()), calls)),
      ...(await callAll(createSandboxWorkspace(address, 'k1', told, options()), calls)),
      ...(await callAll(createSandboxWorkspace(address, 'k1', bound, options()), calls)),
    ];
    assert.ok(names.length > 25, names.join());
    assert.ok(server.requests.length > names.length);
    for (const { url } of server.requests) assert.ok(url?.startsWith(`${prefix}/`), url);
  });

  for (const generation of allGenerations) {
    it(`keeps it in every request to a service (${generation})`, async () => {
      const server = await recording();
      const generations = ownMemory();
      generations.set(server.origin + prefix, generation);
      const client = createClient({
        ...{ baseUrl: server.origin + prefix, sessionKey: 'k1', authentication: 'signIn' },
        ...{ ...options(), generations },
      });
      await callAll(client, calls);
      await deviceSignIn({ baseUrl: server.origin + prefix }).begin();
      const paths = new Set(server.requests.map(({ url }) => url?.split('?')[0]));
      assert.ok(paths.size > 10, [...paths].join());
      for (const path of paths) assert.ok(path?.startsWith(`${prefix}/`), path);
      const page = client.conversationPageUrl?.(id);
      assert.ok(page === undefined || page.startsWith(`${server.origin}${prefix}/`), page);
    });
  }

  it('leads to the agent server of a hosted service, which has none at its origin', async () => {
    const service = await startService({ profile: 'hosted', seed: 'lifelike', agents: '1.58.0' });
    try {
      const client = createClient({
        ...{ baseUrl: service.url, sessionKey: service.sessionKey, authentication: 'signIn' },
        limiter: noLimits,
      });
      const { items } = await client.listConversations();
      const running = items.find(({ conversation_url: url }) => url);
      const address = parseConversationUrl(running?.conversation_url ?? '');
      assert.ok(address);
      assert.match(address.baseUrl, /\/runtime\/team-1\/[^/]+\/8000$/);
      const { release } = await readAgentServer(address, { limiter: noLimits });
      const openSocket = await createOpenSocket({}, undefined);
      const agent = createAgentClient(address, running?.session_api_key ?? '', release, {
        limiter: noLimits,
        openSocket,
      });
      assert.ok((await agent.searchEvents()).items.length > 0);
      const opened = new Promise<string>((resolve) => {
        const stop = agent.listen({
          opened: () => {
            resolve('opened');
            stop();
          },
          heard: () => undefined,
          ended: resolve,
        });
      });
      assert.equal(await opened, 'opened');
      const atOrigin = await readAgentServer({ baseUrl: address.origin }, { limiter: noLimits }).catch(
        (error: unknown) => error,
      );
      assert.ok(atOrigin instanceof Error);
    } finally {
      await service.close();
    }
  });
});
