import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { createAgentClient, readAgentServer, type AgentClient } from '../../../../src/api/agent/client';
import { ApiError } from '../../../../src/api/http/errors';
import { createLimiter } from '../../../../src/api/http/limiter';
import type { RequestEvent } from '../../../../src/api/http/transport';
import { failureOf, hastyClock, sessionKey } from '../support/client';
import { FakeClock } from '../support/clock';
import { closeServers, deadOrigin, json, serve, type TestServer } from '../support/servers';

const sandboxKey = 'canary-sandbox-key-93d1';

function clientOf(server: Pick<TestServer, 'origin'>, version = '1.58.0', clock: FakeClock = hastyClock()) {
  const log: RequestEvent[] = [];
  const address = { baseUrl: server.origin, origin: server.origin, id: 'c1' };
  const options = {
    clock,
    limiter: createLimiter(clock),
    log: (event: RequestEvent) => void log.push(event),
  };
  return { client: createAgentClient(address, sandboxKey, version, options), log };
}

const bodyOf = async (request: IncomingMessage) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
};

/** Each change, its path, and its body. */
const changes: [call: (client: AgentClient) => Promise<unknown>, path: string, body: unknown][] = [
  [
    (client) => client.sendMessage({ text: 'Hi', images: ['data:image/png;base64,AA'], run: false }),
    '/events',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'image', image_urls: ['data:image/png;base64,AA'] },
      ],
      run: false,
    },
  ],
  [(client) => client.accept(), '/events/respond_to_confirmation', { accept: true }],
  [(client) => client.reject('No'), '/events/respond_to_confirmation', { accept: false, reason: 'No' }],
  [(client) => client.run(), '/run', undefined],
  [(client) => client.pause(), '/pause', undefined],
  [(client) => client.interrupt(), '/interrupt', undefined],
  [
    (client) => client.setPolicy('riskyHigh'),
    '/confirmation_policy',
    { policy: { kind: 'ConfirmRisky', threshold: 'HIGH', confirm_unknown: true } },
  ],
  [(client) => client.switchModel('quick'), '/switch_profile', { profile_name: 'quick' }],
  [(client) => client.switchAgentModel('opus'), '/switch_acp_model', { model: 'opus' }],
  [
    (client) => client.startGoal('All tests pass', 3),
    '/goal',
    { objective: 'All tests pass', max_iterations: 3 },
  ],
  [(client) => client.stopGoal(), '/goal/stop', undefined],
  [(client) => client.resumeGoal(), '/goal/resume', undefined],
  [(client) => client.giveSecret('TOKEN', 'value'), '/secrets', { secrets: { TOKEN: 'value' } }],
  [(client) => client.condense(), '/condense', undefined],
  [(client) => client.navigate('e1'), '/navigate', { event_id: 'e1' }],
  [
    (client) => client.fork({ eventId: 'e1', title: 'Hi (branch)' }),
    '/fork',
    { from_event_id: 'e1', title: 'Hi (branch)' },
  ],
  [(client) => client.setPolicy('never'), '/confirmation_policy', { policy: { kind: 'NeverConfirm' } }],
];

describe('client of an agent server', () => {
  afterEach(closeServers);

  for (const [call, path, body] of changes) {
    it(`sends ${path} with ${JSON.stringify(body)} and the sandbox’s key`, async () => {
      const bodies: unknown[] = [];
      const server = await serve((request, response) => {
        void bodyOf(request).then((read) => {
          bodies.push(read);
          json(response, { success: true, id: 'c2' });
        });
      });
      await call(clientOf(server).client);
      const [request] = server.requests;
      assert.equal(`${request?.method} ${request?.url}`, `POST /api/conversations/c1${path}`);
      assert.equal(request?.headers['x-session-api-key'], sandboxKey);
      assert.deepEqual(bodies, [body]);
    });

    it(`never repeats ${path} with ${JSON.stringify(body)} after an answer that proves nothing`, async () => {
      for (const answer of [{ success: false }, {}, undefined]) {
        const server = await serve((_request, response) =>
          answer ? json(response, answer) : response.writeHead(503).end(),
        );
        const error = await failureOf(call(clientOf(server).client));
        assert.deepEqual([error.reason, error.outcomeUnknown], [answer ? 'badShape' : 'serverError', true]);
        assert.equal(server.requests.length, 1);
      }
    });

    it(`sends ${path} with ${JSON.stringify(body)} once, also where nothing can have happened`, async () => {
      const server = await serve((_request, response) => json(response, {}, 429, { 'Retry-After': '0' }));
      for (const origin of [server.origin, await deadOrigin()]) {
        const { client, log } = clientOf({ origin });
        assert.equal((await failureOf(call(client))).outcomeUnknown, false);
        assert.equal(log.length, 1);
      }
    });
  }

  it('reads named members of a conversation only', async () => {
    const server = await serve((_request, response) =>
      json(response, {
        execution_status: 'waiting_for_confirmation',
        agent: { llm: { api_key: 'canary' }, mcp_config: { token: 'canary' } },
        confirmation_policy: { kind: 'ConfirmRisky', threshold: 'MEDIUM' },
        stats: { usage_to_metrics: {} },
        workspace: { working_dir: '/workspace/project', kind: 'LocalWorkspace' },
      }),
    );
    assert.deepEqual(await clientOf(server).client.getConversation(), {
      execution: 'waiting_for_confirmation',
      policy: 'riskyMedium',
      usage: { cost: 0, tokens: 0, context: null },
      workingDir: '/workspace/project',
      leaf: null,
      waits: [],
      updatedAt: null,
    });
  });

  for (const [confirmation_policy, policy] of [
    [{ kind: 'NeverConfirm' }, 'never'],
    [{ kind: 'AlwaysConfirm' }, 'always'],
    [{ kind: 'ConfirmRisky', threshold: 'LOW' }, 'riskyLow'],
    [{ kind: 'ConfirmRisky', threshold: 'HIGH' }, 'riskyHigh'],
    [{ kind: 'ConfirmRisky' }, 'unknown'],
    [{ kind: 'NewPolicy', threshold: 'HIGH' }, 'unknown'],
    [{}, 'unknown'],
    [null, 'unknown'],
    [undefined, 'unknown'],
    ['always', 'unknown'],
  ] as const)
    it(`reads the policy ${JSON.stringify(confirmation_policy)} as ${policy}`, async () => {
      const server = await serve((_request, response) =>
        json(response, { execution_status: 'idle', confirmation_policy }),
      );
      const read = await clientOf(server).client.getConversation();
      assert.deepEqual([read.policy, read.execution], [policy, 'idle']);
    });

  it('reads where a conversation continues, when it changed, and that an ACP agent decides by itself', async () => {
    const server = await serve((_request, response) =>
      json(response, {
        execution_status: 'idle',
        agent: { kind: 'ACPAgent' },
        confirmation_policy: { kind: 'AlwaysConfirm' },
        leaf_event_id: 'e7',
        updated_at: '2026-01-02T03:04:05.5+01:00',
      }),
    );
    const { policy, leaf, updatedAt } = await clientOf(server).client.getConversation();
    assert.deepEqual([policy, leaf, updatedAt], ['itself', 'e7', '2026-01-02T02:04:05.5']);
  });

  for (const [status, execution] of [
    ['deleting', 'deleting'],
    ['hibernating', 'unknown'],
  ] as const) {
    it(`reads the status ${status} as ${execution}`, async () => {
      const server = await serve((_request, response) =>
        json(response, { execution_status: status, confirmation_policy: { kind: 'constructor' } }),
      );
      const read = await clientOf(server).client.getConversation();
      assert.deepEqual([read.execution, read.policy], [execution, 'unknown']);
    });
  }

  it('requests events by their own times, and returns all of them in the server’s order', async () => {
    const event = (id: string, second: number) => ({
      id,
      kind: 'PauseEvent',
      source: 'user',
      timestamp: `2026-01-01T00:00:0${second}.000001`,
    });
    const server = await serve((_request, response) =>
      json(response, { items: [event('b', 2), event('a', 1), { id: 'no time' }], next_page_id: 'n' }),
    );
    const { client, log } = clientOf(server);
    const page = await client.searchEvents({ from: '2026-01-01T00:00:01.000001' });
    assert.deepEqual([page.items.map(({ id }) => id), page.nextPageId], [['b', 'a', 'no time'], 'n']);
    assert.equal(page.items[2]!.timestamp, page.items[1]!.timestamp);
    assert.equal(
      server.requests[0]!.url,
      '/api/conversations/c1/events/search?limit=100&sort_order=TIMESTAMP&timestamp__gte=2026-01-01T00%3A00%3A01.000001',
    );
    assert.equal(log[0]!.skipped, 0);
    await client.searchEvents({ newestFirst: true, pageId: 'p', before: '2026-01-01T00:00:01', limit: 1 });
    const { search } = new URL(server.requests[1]!.url!, server.origin);
    assert.equal(
      search,
      '?limit=1&page_id=p&sort_order=TIMESTAMP_DESC&timestamp__lt=2026-01-01T00%3A00%3A01',
    );
  });

  it('counts events, where the server does; an answer that’s no count isn’t one', async () => {
    const answers: [status: number, body: unknown][] = [
      [200, 7],
      [404, { detail: 'Not Found' }],
      [405, { detail: 'Method Not Allowed' }],
      [200, '7'],
      [200, -1],
      [500, {}],
    ];
    const counts: unknown[] = [];
    for (const [status, body] of answers) {
      const server = await serve((_request, response) => {
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      });
      const { client } = clientOf(server);
      counts.push(
        await client.countEvents().catch((error: unknown) => error instanceof ApiError && error.reason),
      );
      assert.match(server.requests[0]!.url!, /\/events\/count$/);
    }
    assert.deepEqual(counts, [7, undefined, undefined, 'badShape', 'badShape', 'serverError']);
  });

  it('names an event that nests too deep, and reads the others', async () => {
    const deep = JSON.stringify({ arguments: 'x' }).replace('"x"', '['.repeat(5_000) + ']'.repeat(5_000));
    // Brackets in text don't nest.
    const text = JSON.stringify(`${'['.repeat(100)} " }`);
    const plain = (id: string) =>
      `{"id":"${id}","kind":"PauseEvent","source":"user","note":${text},"timestamp":"2026-01-01T00:00:01"}`;
    const between = plain('deep').replace('"source":"user"', `"source":"user","action":${deep}`);
    const server = await serve((request, response) => {
      const one = request.url!.endsWith('/deep');
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(one ? between : `{"items":[${plain('a')},${between},${plain('b')}],"next_page_id":"n"}`);
    });
    const { client } = clientOf(server);
    const { items, nextPageId } = await client.searchEvents();
    assert.deepEqual(
      [items.map(({ id, kind }) => [id, kind]), nextPageId],
      [
        [
          ['a', 'paused'],
          ['deep', 'unread'],
          ['b', 'paused'],
        ],
        'n',
      ],
    );
    assert.equal((await client.getEvent('deep')).kind, 'unread');
  });

  it('requests smaller pages if whole files make them too large', async () => {
    const server = await serve((request, response) => {
      const limit = Number(new URL(request.url!, server.origin).searchParams.get('limit'));
      if (limit > 4) json(response, { items: [], padding: 'x'.repeat(17 * 1024 * 1024) });
      else json(response, { items: [], next_page_id: 'n' });
    });
    assert.equal((await clientOf(server).client.searchEvents()).nextPageId, 'n');
    assert.deepEqual(
      server.requests.map(({ url }) => /limit=(\d+)/.exec(url!)?.[1]),
      ['100', '20', '4'],
    );
  });

  it('reads one event by its ID, and refuses an ID that isn’t one', async () => {
    const server = await serve((_request, response) =>
      json(response, { id: 'e1', kind: 'PauseEvent', timestamp: '2026-01-01T00:00:00' }),
    );
    const { client } = clientOf(server);
    assert.equal((await client.getEvent('e1')).id, 'e1');
    assert.equal(server.requests[0]!.url, '/api/conversations/c1/events/e1');
    assert.equal((await failureOf(client.getEvent('../run'))).reason, 'badId');
    assert.equal(server.requests.length, 1);
  });

  const message = { text: 'Hi', images: [], run: true };
  for (const [version, what, ms, request] of [
    ['1.7.1', 'reading events', 600_000, (client) => client.searchEvents()],
    ['1.19.1', 'reading events', 30_000, (client) => client.searchEvents()],
    ['1.19.1', 'sending a message', 600_000, (client) => client.sendMessage(message)],
    ['1.33.0', 'sending a message', 60_000, (client) => client.sendMessage(message)],
  ] satisfies [string, string, number, (client: AgentClient) => Promise<unknown>][]) {
    it(`gives ${what} ${ms / 1_000} s in release ${version}`, async () => {
      const clock = new FakeClock();
      const server = await serve(() => undefined);
      const { client } = clientOf(server, version, clock);
      const failed = failureOf(request(client));
      await server.received(1);
      assert.deepEqual(clock.running, [ms]);
      clock.advance(ms);
      assert.equal((await failed).reason, 'timeout');
    });
  }

  it('asks on the side', async () => {
    const server = await serve((_request, response) => json(response, { response: 'Two.' }));
    assert.equal(await clientOf(server).client.ask('How many?'), 'Two.');
  });

  it('sends no key when it asks for the version', async () => {
    const server = await serve((_request, response) =>
      json(response, { title: 'OpenHands Agent Server', version: '1.7.1' }),
    );
    assert.deepEqual(await readAgentServer({ baseUrl: server.origin }, {}), {
      release: '1.7.1',
      capabilities: [],
    });
    assert.equal(server.requests[0]!.url, '/server_info');
    assert.equal(server.requests[0]!.headers['x-session-api-key'], undefined);
  });

  it('reads what else an agent server says of itself', async () => {
    const info = {
      title: 'OpenHands Agent Server',
      version: '1.58.0',
      capabilities: ['conversation_runtime_routes_v1', 7],
      conversation_runtime: 'docker',
      available_conversation_runtimes: ['local', 'docker'],
      runtime_services: { mode: 'agent-canvas', services: { automation: {} } },
    };
    const read = async (more: object) => {
      const server = await serve((_request, response) => json(response, { ...info, ...more }));
      return readAgentServer({ baseUrl: server.origin }, {});
    };
    const known = { release: '1.58.0', capabilities: ['conversation_runtime_routes_v1'], runtime: 'docker' };
    const runtimes = ['local', 'docker'];
    assert.deepEqual(await read({}), { ...known, runtimes, isCanvas: true, hasAutomations: true });
    assert.deepEqual(
      await read({
        ...{ conversation_runtime: 7, available_conversation_runtimes: [] },
        runtime_services: { mode: 'other', services: { automation: null } },
      }),
      { release: known.release, capabilities: known.capabilities },
    );
    assert.deepEqual(await read({ runtime_services: null }), { ...known, runtimes });
  });

  it('takes only an agent server for one', async () => {
    for (const info of [
      { hello: 1 },
      { title: 'Some other API', version: '0.1' },
      { title: 'openhands agent server', version: '1.7.1' },
      { title: 'OpenHands Agent Server (not really)', version: '1.7.1' },
      { title: ['OpenHands Agent Server'], version: '1.7.1' },
      { title: 'OpenHands Agent Server' },
      { title: 'OpenHands Agent Server', version: 1 },
    ]) {
      const other = await serve((_request, response) => json(response, info));
      const { reason } = await failureOf(readAgentServer({ baseUrl: other.origin }, {}));
      assert.equal(reason, 'badShape', JSON.stringify(info));
    }
  });

  it('never follows a redirect with the key, and logs neither key nor ID', async () => {
    const elsewhere = await serve((_request, response) => json(response, { success: true }));
    const server = await serve((_request, response) =>
      response.writeHead(307, { Location: `${elsewhere.origin}/x?key=${sandboxKey}` }).end(),
    );
    const { client, log } = clientOf(server);
    for (const call of [client.getConversation(), client.sendMessage({ text: 'Hi', images: [], run: true })])
      assert.equal((await failureOf(call)).reason, 'redirected');
    assert.deepEqual([server.requests.length, elsewhere.requests.length], [2, 0]);
    assert.doesNotMatch(JSON.stringify(log), new RegExp(`${sandboxKey}|${sessionKey}|c1`));
  });

  it('redacts its key in the server’s text', async () => {
    const server = await serve((_request, response) => json(response, { detail: `bad ${sandboxKey}` }, 401));
    const error = await failureOf(clientOf(server).client.getConversation());
    assert.equal(error.reason, 'unauthorized');
    assert.doesNotMatch(String(error.serverText), /canary/);
  });
});
