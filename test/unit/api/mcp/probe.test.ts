import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { probeMcpServer } from '../../../../src/api/mcp/probe';
import type { ProbeOptions, ProbeResult } from '../../../../src/api/mcp/probe';
import {
  closeServers,
  deadOrigin,
  json,
  serve,
  serveRaw,
  serveTls,
  type TestServer,
} from '../support/servers';
import { pagesOf, serveHttp, serveSse } from './servers';

const key = 'canary-key-5f2a';

function probe(url: string, more: Partial<ProbeOptions> = {}): Promise<ProbeResult> {
  // Long, because computers are busy; tests of the limit set their own.
  return probeMcpServer({ kind: 'shttp', url, apiKey: null, fetch, timeoutMs: 60_000, ...more });
}

type Success = Extract<ProbeResult, { ok: true }>;

async function success(url: string, more: Partial<ProbeOptions> = {}): Promise<Success> {
  const result = await probe(url, more);
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}

/** The message of a failure with this reason. Checks that it says where the test ran and doesn’t contain the key. */
async function failure(reason: string, url: string, more: Partial<ProbeOptions> = {}): Promise<string> {
  const result = await probe(url, more);
  assert.ok(!result.ok, JSON.stringify(result));
  assert.equal(result.reason, reason, result.message);
  assert.match(result.message, /Tested from this computer, not from the sandbox\.$/);
  assert.ok(!result.message.includes(key));
  return result.message;
}

/** Waits until all connections to the server have closed. */
async function allClosed({ requests }: TestServer): Promise<void> {
  const open = new Set(requests.map(({ socket }) => socket).filter(({ destroyed }) => !destroyed));
  await Promise.all([...open].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
}

/** Other code that sets timers here: Node itself, and the test servers. */
const others = /node:internal|node-server/;

/** Returns the result of `work`, and fails if any of its timers is still active. */
async function leavingNoTimer<T>(work: () => Promise<T>): Promise<T> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const left = new Set<unknown>();
  const setAndNote = (callback: (...args: unknown[]) => void, ms?: number, ...rest: unknown[]) => {
    const timer = set(() => {
      left.delete(timer);
      callback(...rest);
    }, ms);
    if (!others.test(new Error().stack?.split('\n')[2] ?? '')) left.add(timer);
    return timer;
  };
  globalThis.setTimeout = Object.assign(setAndNote, set);
  globalThis.clearTimeout = (timer) => {
    left.delete(timer);
    clear(timer);
  };
  try {
    return await work();
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    assert.equal(left.size, 0);
  }
}

const initialized = {
  protocolVersion: '2025-03-26',
  capabilities: { tools: {} },
  serverInfo: { name: 'Odd', version: '0' },
};

/** Answers initialize of a streamable HTTP server, then passes other requests to `rest`. */
function afterInitialize(rest: (response: ServerResponse, id: unknown) => void, result: object = {}) {
  return serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { method, id } = (text === '' ? {} : JSON.parse(text)) as { method?: string; id?: number };
      if (request.method === 'GET') response.writeHead(405).end();
      else if (method === 'initialize')
        json(response, { jsonrpc: '2.0', id, result: { ...initialized, ...result } });
      else if (id === undefined) response.writeHead(202).end();
      else rest(response, id);
    });
  });
}

describe('MCP test of a URL server', function () {
  // Idle connections stay open for minutes.
  this.timeout(120_000);
  afterEach(closeServers);

  for (const [kind, start, path] of [
    ['shttp', serveHttp, '/mcp'],
    ['sse', serveSse, '/sse'],
  ] as const) {
    it(`lists the tools of a real ${kind} server and leaves nothing open`, async () => {
      const server = await start({ page: pagesOf(7, 3) });
      const result = await leavingNoTimer(() => success(`${server.origin}${path}`, { kind, apiKey: key }));
      assert.equal(result.serverName, 'Weather');
      assert.equal(result.serverVersion, '1.2.3');
      assert.deepEqual(
        result.tools.map(({ name }) => name),
        ['tool-0', 'tool-1', 'tool-2', 'tool-3', 'tool-4', 'tool-5', 'tool-6'],
      );
      assert.equal(result.more, false);
      assert.match(result.message, /Tools: 7\. Tested from this computer, not from the sandbox\.$/);
      assert.ok(server.requests.length > 3);
      for (const { headers } of server.requests) assert.equal(headers.authorization, `Bearer ${key}`);
      await allClosed(server);
      assert.equal(server.open(), 0);
    });

    it(`sends no authorization to a ${kind} server without a key`, async () => {
      const server = await start();
      await success(`${server.origin}${path}`, { kind });
      for (const { headers } of server.requests) assert.equal(headers.authorization, undefined);
    });

    it(`recognizes a ${kind} server without tools`, async () => {
      const server = await start({ toolless: true });
      assert.deepEqual((await success(`${server.origin}${path}`, { kind })).tools, []);
    });

    it(`requests at most 1,000 tools from a ${kind} server`, async () => {
      const server = await start({ page: pagesOf(5000, 300) });
      const result = await success(`${server.origin}${path}`, { kind });
      assert.equal(result.tools.length, 1000);
      assert.equal(result.more, true);
    });

    it(`shows text from a ${kind} server as short plain text without the key`, async () => {
      const name = `\u001b[31mred\u202e ${key} ${'x'.repeat(500)}`;
      const tool = { name, title: `a\nb ${key}`, inputSchema: { type: 'object' as const } };
      const server = await start({ name, page: () => ({ tools: [tool] }) });
      const result = await success(`${server.origin}${path}`, { kind, apiKey: key });
      assert.doesNotMatch(JSON.stringify(result), /canary|\\u001b|\u202e|\\n/);
      assert.match(result.serverName, /^red ••• x+…$/);
      assert.equal(result.serverName.length, 200);
      assert.equal(result.tools[0]?.title, 'a b •••');
    });

    it(`reports that nothing responds at the address of a ${kind} server`, async () => {
      const message = await failure('unreachable', await deadOrigin(), { kind });
      assert.match(message, /^Nothing is listening .*\(ECONNREFUSED\)\. /);
    });

    it(`refuses an untrusted certificate (${kind})`, async () => {
      const server = await serveTls((_request, response) => response.end());
      await failure('tls', server.origin, { kind, apiKey: key });
      assert.equal(server.requests.length, 0);
    });

    for (const [status, reason] of [
      [401, 'unauthorized'],
      [403, 'unauthorized'],
      [404, 'notMcp'],
      [405, 'notMcp'],
      [500, 'serverError'],
    ] as const)
      it(`reports ${status} from a ${kind} server as ${reason}`, async () => {
        const server = await serve((_request, response) =>
          json(response, { error: `no ${key}` }, status, { 'www-authenticate': 'Bearer' }),
        );
        const message = await failure(reason, server.origin, { kind, apiKey: key });
        assert.match(message, new RegExp(String(status)));
        // No discovery of an authorization server.
        assert.ok(server.requests.every(({ url }) => url === '/'));
        await allClosed(server);
      });

    it(`recognizes a web page in place of a ${kind} server`, async () => {
      const server = await serve((_request, response) =>
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end('<h1>hello</h1>'),
      );
      assert.match(await failure('notMcp', server.origin, { kind }), /text\/html/);
      await allClosed(server);
    });

    it(`times out when a ${kind} server never responds`, async () => {
      const server = await serve(() => undefined);
      await leavingNoTimer(() => failure('timeout', server.origin, { kind, timeoutMs: 100 }));
      await allClosed(server);
    });

    it(`times out when a ${kind} server starts a response and stalls`, async () => {
      const server = await serve((_request, response) =>
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': wait\n\n'),
      );
      await leavingNoTimer(() => failure('timeout', server.origin, { kind, timeoutMs: 100 }));
      await allClosed(server);
    });

    it(`can be canceled while a ${kind} server is silent`, async () => {
      const server = await serve(() => undefined);
      const controller = new AbortController();
      const result = leavingNoTimer(() =>
        failure('canceled', server.origin, { kind, signal: controller.signal }),
      );
      await server.received(1);
      controller.abort();
      await result;
      await allClosed(server);
    });

    it(`sends nothing to a ${kind} server if already canceled`, async () => {
      const server = await serve(() => undefined);
      await failure('canceled', server.origin, { kind, signal: AbortSignal.abort() });
      assert.equal(server.requests.length, 0);
    });

    for (const status of [301, 302, 303, 307, 308])
      it(`does not send the key where a ${kind} server redirects with ${status}`, async () => {
        const other = await serve((_request, response) => response.end());
        const server = await serve((_request, response) =>
          response.writeHead(status, { Location: `${other.origin}/mcp?token=1` }).end(),
        );
        const message = await failure('redirected', server.origin, { kind, apiKey: key });
        assert.ok(message.includes(`redirects to ${other.origin}. The redirect wasn’t followed`));
        assert.equal(other.requests.length, 0);
      });

    it(`does not report a reset connection to a ${kind} server as a response`, async () => {
      const { origin } = await serveRaw((socket) => socket.resetAndDestroy());
      await failure('unreachable', origin, { kind });
    });

    it(`recognizes a server without HTTP (${kind})`, async () => {
      const { origin } = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
      await failure('notMcp', origin, { kind });
    });

    it(`stops reading when a ${kind} server sends endlessly`, async () => {
      const server = await serve((_request, response) => {
        response.on('error', () => undefined);
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        const chunk = `: ${'x'.repeat(65_536)}\n\n`;
        const pour = () => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', pour);
        };
        pour();
      });
      assert.match(await failure('protocol', server.origin, { kind }), /more data than the test accepts/);
      await allClosed(server);
    });

    for (const url of ['ws://127.0.0.1:9/mcp', 'wss://example.com', 'http://user:pw@127.0.0.1:9/', 'x', ''])
      it(`refuses to test “${url}” (${kind})`, async () => {
        let asked = 0;
        await failure('untestable', url, {
          kind,
          fetch: () => Promise.reject(new Error(String((asked += 1)))),
        });
        assert.equal(asked, 0);
      });
  }

  it('asks for a missing key', async () => {
    const server = await serve((_request, response) => json(response, {}, 401));
    assert.match(await failure('unauthorized', server.origin), /asks for an API key/);
  });

  it('does not send a key that is an invalid header value', async () => {
    await failure('untestable', 'http://127.0.0.1:9/', { apiKey: `${key}\nX-Other: 1` });
  });

  it('follows a redirect within the origin', async () => {
    const real = await serveHttp();
    const front = await serve((request, response) => {
      if (request.url === '/mcp') {
        response.writeHead(307, { Location: '/mcp/' }).end();
        return;
      }
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const {
          host: _host,
          connection: _connection,
          'content-length': _length,
          ...headers
        } = request.headers;
        const answer = await fetch(`${real.origin}/mcp`, {
          method: request.method ?? 'GET',
          headers: { ...(headers as Record<string, string>), connection: 'close' },
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        });
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        for await (const chunk of answer.body ?? []) response.write(chunk);
        response.end();
      })().catch(() => response.destroy());
    });
    const result = await success(`${front.origin}/mcp`, { apiKey: key });
    assert.equal(result.tools.length, 2);
    assert.ok(real.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`));
  });

  it('does not follow an upgrade of the same host to https', async () => {
    const asked: string[] = [];
    const answer = new Response(null, { status: 307, headers: { Location: 'https://mcp.example.com/mcp' } });
    const message = await failure('redirected', 'http://mcp.example.com/mcp', {
      apiKey: key,
      fetch: (input) => {
        asked.push(input instanceof Request ? input.url : input.toString());
        return Promise.resolve(answer);
      },
    });
    assert.match(message, /https:\/\/mcp\.example\.com/);
    assert.deepEqual(asked, ['http://mcp.example.com/mcp']);
  });

  it('does not send the key to an SSE server’s endpoint at another origin', async () => {
    const other = await serve((_request, response) => response.end());
    const server = await serve((_request, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .write(`event: endpoint\ndata: ${other.origin}/messages\n\n`),
    );
    await failure('protocol', server.origin, { kind: 'sse', apiKey: key });
    assert.equal(other.requests.length, 0);
    await allClosed(server);
  });

  it('reports that an SSE server ended its stream, and does not reopen it', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('event: endpoint\ndata: /m\n\n'),
    );
    await failure('unreachable', server.origin, { kind: 'sse' });
    assert.equal(server.requests.filter(({ method }) => method === 'GET').length, 1);
  });

  it('takes an error without an ID for the answer to the request that waits (SSE)', async () => {
    let stream: ServerResponse | undefined;
    const say = (message: object) =>
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    const server = await serve((request, response) => {
      if (request.method === 'GET') {
        stream = response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        stream.write('event: endpoint\ndata: /m\n\n');
        return;
      }
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        response.writeHead(202).end();
        const { method, id } = JSON.parse(text) as { method?: string; id?: number };
        if (method === 'initialize') say({ id, result: initialized });
        else if (id !== undefined) say({ id: null, error: { code: -32700, message: 'no such tool list' } });
      });
    });
    const message = await failure('protocol', server.origin, { kind: 'sse' });
    assert.match(message, /answered with an error: .*no such tool list/);
    await allClosed(server);
  });

  it('recognizes garbage in the event stream of an SSE server', async () => {
    const server = await serve((request, response) => {
      if (request.method === 'POST') response.writeHead(202).end();
      else
        response
          .writeHead(200, { 'Content-Type': 'text/event-stream' })
          .write('event: endpoint\ndata: /m\n\nevent: message\ndata: {oops\n\n');
    });
    assert.match(await failure('protocol', server.origin, { kind: 'sse' }), /answer isn’t valid MCP/);
    await allClosed(server);
  });

  for (const [what, body] of [
    ['no JSON', '{oops'],
    ['no message', '{"hello":1}'],
    ['a wrong result', '{"jsonrpc":"2.0","id":0,"result":{}}'],
  ] as const)
    it(`recognizes a garbage response: ${what}`, async () => {
      const server = await serve((_request, response) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
      );
      assert.match(await failure('protocol', server.origin), /answer isn’t valid MCP/);
      await allClosed(server);
    });

  it('reports the server’s error without the key', async () => {
    const server = await afterInitialize((response, id) =>
      json(response, { jsonrpc: '2.0', id, error: { code: -32603, message: `broken\u001b[2J by ${key}` } }),
    );
    const message = await failure('protocol', server.origin, { apiKey: key });
    assert.match(message, /answered with an error: .*broken by •••/);
  });

  it('never shows the key, wherever and however the server repeats it', async () => {
    const split = key.split('').join('\u200b');
    const named = await serveHttp({ name: `by ${split}` });
    const { serverName } = await success(`${named.origin}/mcp`, { apiKey: key });
    assert.equal(serverName, 'by •••');

    const failing = await afterInitialize((response, id) =>
      json(response, { jsonrpc: '2.0', id, error: { code: 1, message: `by ${split}` } }),
    );
    await failure('protocol', failing.origin, { apiKey: key });
    const versioned = await afterInitialize((response) => response.end(), { protocolVersion: key });
    await failure('protocol', versioned.origin, { apiKey: key });
    const typed = await serve((_request, response) =>
      response.writeHead(200, { 'Content-Type': `text/${key}` }).end('x'),
    );
    await failure('notMcp', typed.origin, { apiKey: key });
    const moved = await serve((_request, response) =>
      response.writeHead(307, { Location: `https://${key}.example/` }).end(),
    );
    await failure('redirected', moved.origin, { apiKey: key });
  });

  it('answers a server’s ping, and refuses its other requests, before it gets an answer', async () => {
    const answers: { id?: unknown; result?: unknown; error?: { code: number } }[] = [];
    const server = await afterInitialize((response, id) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const ask = (message: object) =>
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
      ask({ id: 'alive?', method: 'ping' });
      ask({ id: 7, method: 'sampling/createMessage', params: {} });
      ask({ method: 'notifications/message', params: {} });
      ask({ id, result: { tools: [{ name: 'one' }] } });
      response.end();
    });
    const sent: typeof fetch = (input, init) => {
      if (typeof init?.body === 'string') answers.push(JSON.parse(init.body) as (typeof answers)[number]);
      return fetch(input, init);
    };
    const { tools } = await success(server.origin, { fetch: sent });
    assert.deepEqual(tools, [{ name: 'one' }]);
    assert.deepEqual(answers.find(({ id }) => id === 'alive?')?.result, {});
    assert.equal(answers.find(({ id }) => id === 7)?.error?.code, -32601);
  });

  it('names the agreed MCP version in every request after initialize', async () => {
    const server = await afterInitialize((response, id) =>
      json(response, { jsonrpc: '2.0', id, result: { tools: [] } }),
    );
    await success(server.origin);
    const versions = server.requests.map(({ headers }) => headers['mcp-protocol-version']);
    assert.deepEqual(versions, [undefined, '2025-03-26', '2025-03-26']);
  });

  it('gives up on a server that redirects to itself', async () => {
    const server = await serve((_request, response) => response.writeHead(307, { Location: '/again' }).end());
    await failure('redirected', server.origin, { apiKey: key });
    assert.equal(server.requests.length, 4);
  });

  it('reports an unknown MCP version', async () => {
    const server = await afterInitialize((response) => response.end(), { protocolVersion: '1789-07-14' });
    assert.match(await failure('protocol', server.origin), /1789-07-14/);
  });

  it('reports a refusal after initialize', async () => {
    const server = await afterInitialize((response) => json(response, {}, 403));
    await failure('unauthorized', server.origin, { apiKey: key });
  });

  it('reports a truncated response', async () => {
    const server = await afterInitialize((response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
        .write('{"json');
      setImmediate(() => response.destroy());
    });
    await failure('unreachable', server.origin);
  });

  it('stops paging through empty pages', async () => {
    let pages = 0;
    const server = await serveHttp({ page: () => ({ tools: [], nextCursor: String((pages += 1)) }) });
    const result = await success(`${server.origin}/mcp`);
    assert.equal(pages, 200);
    assert.equal(result.more, true);
  });

  it('waits for a slow server within the timeout', async () => {
    const server = await afterInitialize((response, id) =>
      setTimeout(() => json(response, { jsonrpc: '2.0', id, result: { tools: [] } }), 60),
    );
    assert.ok((await success(server.origin)).ms >= 50);
  });

  it('does not wait long for a server that won’t end the session', async () => {
    const server = await serveHttp();
    const stuck: typeof fetch = (input, init) =>
      init?.method === 'DELETE'
        ? new Promise((_resolve, reject) => {
            init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
          })
        : fetch(input, init);
    await success(`${server.origin}/mcp`, { fetch: stuck });
    await allClosed(server);
  });
});
