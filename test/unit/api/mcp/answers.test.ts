import assert from 'node:assert/strict';
import { probeMcpServer, type ProbeOptions } from '../../../../src/api/mcp/probe';

interface Sent {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number };
}
type Answer = (message: Sent, init: RequestInit) => Response | Promise<Response>;

const url = 'https://mcp.example.com/mcp';
const type = (value: string) => ({ headers: { 'content-type': value } });
const json = (body: unknown, contentType = 'application/json') =>
  new Response(JSON.stringify(body), type(contentType));
const stream = (...parts: (string | Uint8Array)[]) => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(typeof part === 'string' ? Buffer.from(part) : part);
      controller.close();
    },
  });
  return new Response(body, type('text/event-stream'));
};
const data = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const accepted = () => new Response(null, { status: 202 });
const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'S', version: '1' },
};

/** The result of a test of a streamable HTTP server; `tools` answers what comes after the greeting. */
async function probe(tools: Answer, more: Partial<ProbeOptions> & { greet?: Answer } = {}) {
  const sent: (Sent & { headers: Headers; verb: string })[] = [];
  const { greet: given, ...options } = more;
  const greet: Answer = given ?? (({ id }) => json({ jsonrpc: '2.0', id, result: greeting }));
  const answer: typeof fetch = async (_input, init = {}) => {
    const message: Sent = typeof init.body === 'string' ? (JSON.parse(init.body) as Sent) : {};
    sent.push({ ...message, headers: new Headers(init.headers), verb: init.method ?? 'GET' });
    if (message.method === 'initialize') return greet(message, init);
    return message.method === 'tools/list' ? tools(message, init) : accepted();
  };
  const result = await probeMcpServer({ kind: 'shttp', url, apiKey: null, fetch: answer, ...options });
  return { result, sent };
}
const none: Answer = ({ id }) => json({ jsonrpc: '2.0', id, result: { tools: [] } });
const reasonOf = ({ result }: Awaited<ReturnType<typeof probe>>) => (result.ok ? 'ok' : result.reason);

describe('what an MCP server answers', () => {
  it('may come with others in one message, or after others in a stream', async () => {
    const named = (name: string) => ({ tools: [{ name }] });
    const answers: Answer[] = [
      ({ id }) =>
        json([
          { jsonrpc: '2.0', method: 'note' },
          { jsonrpc: '2.0', id, result: named('a') },
        ]),
      ({ id }) => stream(data({ id: 'x', result: 1 }), data({ id, result: named('a') })),
      ({ id }) => stream(data({ id, method: 'ping' }), data({ id, result: named('a') })),
    ];
    for (const answer of answers) {
      const { result } = await probe(answer);
      assert.deepEqual(result.ok && result.tools, [{ name: 'a' }]);
    }
  });

  it('may be cut anywhere on its way, within a character, too', async () => {
    const { result } = await probe(({ id }) => {
      const whole = Buffer.from(data({ id, result: { tools: [{ name: 'schön 日本' }] } }));
      return stream(...Array.from(whole, (byte) => Uint8Array.of(byte)));
    });
    assert.deepEqual(result.ok && result.tools, [{ name: 'schön 日本' }]);
  });

  it('has its kind in any case, with parameters', async () => {
    const { result } = await probe(({ id }) =>
      json({ jsonrpc: '2.0', id, result: { tools: [] } }, ' Application/JSON ; charset=utf-8'),
    );
    assert.equal(result.ok, true);
  });

  it('is missing where the stream ends, or the message is another', async () => {
    assert.equal(reasonOf(await probe(() => stream(data({ id: 99, result: {} })))), 'unreachable');
    assert.equal(reasonOf(await probe(() => stream())), 'unreachable');
    assert.equal(reasonOf(await probe(() => json({ jsonrpc: '2.0', id: 99, result: {} }))), 'protocol');
    for (const body of [[], {}, 'x', null, [{ id: 1 }], [{ method: 'a' }, { id: 1 }]])
      assert.equal(reasonOf(await probe(() => json(body))), 'protocol', JSON.stringify(body));
  });

  it('may be an error that couldn’t be assigned to a request', async () => {
    const { result } = await probe(() =>
      json({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'Bad' } }),
    );
    assert.match(result.ok ? '' : result.message, /^The server answered with an error: Bad Tested/);
    const late = await probe(({ id }) =>
      json([
        { jsonrpc: '2.0', id: null, result: {} },
        { jsonrpc: '2.0', id, result: { tools: [] } },
      ]),
    );
    assert.equal(late.result.ok, true);
  });

  it('may have a title, which is shown instead of the name', async () => {
    const serverInfo = { name: 's', title: 'Server', version: '2' };
    const { result } = await probe(none, {
      greet: ({ id }) => json({ jsonrpc: '2.0', id, result: { ...greeting, serverInfo } }),
    });
    assert.deepEqual(result.ok && [result.serverName, result.serverVersion, result.more], [
      'Server',
      '2',
      false,
    ]);
  });

  it('is asked for page by page, by the server’s own cursor, each with a number of its own', async () => {
    const { result, sent } = await probe(({ id, params }) => {
      const next = params?.['cursor'] === undefined ? { nextCursor: 'two' } : {};
      return json({ jsonrpc: '2.0', id, result: { tools: [{ name: 'a' }], ...next } });
    });
    assert.deepEqual(result.ok && [result.tools.length, result.more], [2, false]);
    assert.deepEqual(
      sent.map(({ id, method, params }) => [id, method, params?.['cursor']]),
      [
        [0, 'initialize', undefined],
        [undefined, 'notifications/initialized', undefined],
        [1, 'tools/list', undefined],
        [2, 'tools/list', 'two'],
      ],
    );
  });

  it('may be 1,000 tools, and more only beyond that', async () => {
    const tools = (count: number): Answer => {
      const list = Array.from({ length: count }, (_, index) => ({ name: `t${index}` }));
      return ({ id }) => json({ jsonrpc: '2.0', id, result: { tools: list } });
    };
    const count = async (of: number) => {
      const { result } = await probe(tools(of));
      return result.ok && [result.tools.length, result.more];
    };
    assert.deepEqual(await count(1_000), [1_000, false]);
    assert.deepEqual(await count(1_001), [1_000, true]);
  });

  it('names a session, which every later request is of, and which is ended', async () => {
    const greet: Answer = ({ id }) =>
      new Response(JSON.stringify({ jsonrpc: '2.0', id, result: greeting }), {
        headers: { 'content-type': 'application/json', 'mcp-session-id': 's-1' },
      });
    const { sent } = await probe(none, { greet });
    assert.deepEqual(
      sent.map(({ verb, headers }) => [verb, headers.get('mcp-session-id')]),
      [
        ['POST', null],
        ['POST', 's-1'],
        ['POST', 's-1'],
        ['DELETE', 's-1'],
      ],
    );
    for (const { verb, headers } of sent.filter(({ verb: one }) => one === 'POST')) {
      assert.equal(headers.get('accept'), 'application/json, text/event-stream', verb);
      assert.equal(headers.get('content-type'), 'application/json');
    }
    assert.deepEqual(
      (await probe(none)).sent.map(({ verb }) => verb),
      ['POST', 'POST', 'POST'],
    );
  });

  const statuses: [status: number, location: string | undefined, reason: string, words: RegExp][] = [
    [399, undefined, 'redirected', /redirects to another address/],
    [307, undefined, 'redirected', /redirects to another address/],
    [300, 'https://other.example/x', 'redirected', /redirects to https:\/\/other\.example\./],
    [302, 'mailto:a@b', 'redirected', /redirects to mailto:\./],
    [400, undefined, 'notMcp', /rejected the MCP request \(HTTP 400\)\. .*“SSE” instead/],
    [429, undefined, 'serverError', /failed \(HTTP 429\)/],
    [499, undefined, 'notMcp', /HTTP 499/],
    [500, undefined, 'serverError', /failed \(HTTP 500\)/],
  ];
  for (const [status, location, reason, words] of statuses)
    it(`is a failure with status ${status}`, async () => {
      const headers = location === undefined ? {} : { location };
      const { result } = await probe(none, { greet: () => new Response(null, { status, headers }) });
      assert.ok(!result.ok);
      assert.equal(result.reason, reason);
      assert.match(result.message, words);
    });

  it('is no MCP with another kind of content, with a hint for each kind of server', async () => {
    const page: Answer = () => new Response('x', type('text/html'));
    const hint = async (kind: ProbeOptions['kind']) => {
      const { result } = await probe(none, {
        greet: page,
        kind,
        fetch: () => Promise.resolve(page({}, {}) as Response),
      });
      return result.ok ? '' : result.message;
    };
    assert.match(await hint('shttp'), /returned text\/html, .*“SSE” instead of “HTTP”/);
    assert.match(await hint('sse'), /returned text\/html, .*“HTTP” instead of “SSE”/);
    const bare = await probe(none, { greet: () => new Response(new Uint8Array([1])) });
    assert.match(bare.result.ok ? '' : bare.result.message, /returned \?,/);
  });

  const codes: [code: string, reason: string, words: RegExp][] = [
    ['ENOTFOUND', 'unreachable', /host wasn’t found \(ENOTFOUND\)\. Tested/],
    ['ECONNREFUSED', 'unreachable', /^Nothing is listening at the server’s address \(ECONNREFUSED\)\./],
    ['ECONNRESET', 'unreachable', /connection to the server was lost \(ECONNRESET\)\./],
    ['CERT_HAS_EXPIRED', 'tls', /certificate wasn’t accepted \(CERT_HAS_EXPIRED\)\./],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', /didn’t answer in time \(UND_ERR_CONNECT_TIMEOUT\)\./],
    ['HPE_INVALID_CONSTANT', 'notMcp', /isn’t HTTP \(HPE_INVALID_CONSTANT\)\./],
    ['EWHATEVER', 'unreachable', /^Can’t reach the server \(EWHATEVER\)\. Tested/],
  ];
  for (const [code, reason, words] of codes)
    it(`is missing with ${code}`, async () => {
      const cause = Object.assign(new Error(code), { code });
      const { result } = await probe(none, {
        greet: () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause })),
      });
      assert.ok(!result.ok);
      assert.equal(result.reason, reason);
      assert.match(result.message, words);
    });

  it('is missing without a code', async () => {
    const { result } = await probe(none, { greet: () => Promise.reject(new TypeError('fetch failed')) });
    assert.match(result.ok ? '' : result.message, /^Can’t reach the server\. Tested/);
  });

  const obstacles: [options: Partial<ProbeOptions>, words: RegExp][] = [
    [{ url: 'ws://mcp.example.com' }, /^WebSocket addresses/],
    [{ url: 'wss://mcp.example.com' }, /^WebSocket addresses/],
    [{ url: 'ftp://mcp.example.com' }, /starts with http:\/\/ or https/],
    [{ url: 'mcp' }, /starts with http:\/\/ or https/],
    [{ url: 'https://user@mcp.example.com' }, /contain a user name or password/],
    [{ url: 'https://:secret@mcp.example.com' }, /contain a user name or password/],
    [{ apiKey: 'a\nb' }, /characters that can’t be sent/],
  ];
  for (const [options, words] of obstacles)
    it(`isn’t asked for with ${JSON.stringify(options)}`, async () => {
      const { result, sent } = await probe(none, options);
      assert.deepEqual([result.ok ? 'ok' : result.reason, sent], ['untestable', []]);
      assert.match(result.ok ? '' : result.message, words);
    });

  it('is asked for at an address with spaces around it, and may have no tools', async () => {
    const { result } = await probe(none, { url: `  ${url} ` });
    assert.ok(result.ok && !result.more);
    const toolless = { ...greeting, capabilities: {} };
    const greet: Answer = ({ id }) => json({ jsonrpc: '2.0', id, result: toolless });
    const bare = await probe(() => assert.fail('not asked'), { greet });
    assert.deepEqual(bare.result.ok && [bare.result.tools, bare.result.more], [[], false]);
  });

  for (const [status, isFollowed] of [
    [301, false],
    [303, false],
    [307, true],
    [308, true],
  ] as const)
    it(`is ${isFollowed ? '' : 'not '}followed to another place of the origin with status ${status}`, async () => {
      let asked = 0;
      const { result } = await probe(none, {
        greet: ({ id }) => {
          asked += 1;
          return asked === 1
            ? new Response(null, { status, headers: { location: '/other' } })
            : json({ jsonrpc: '2.0', id, result: greeting });
        },
      });
      assert.deepEqual([result.ok, asked], [isFollowed, isFollowed ? 2 : 1]);
    });

  it('is waited for in seconds, at least one', async () => {
    const silent: Answer = (_message, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    const { result } = await probe(none, { greet: silent, timeoutMs: 20 });
    assert.match(result.ok ? '' : result.message, /within 1 s\. Tested/);
    assert.equal(result.ok ? '' : result.reason, 'timeout');
  });
});

describe('what an SSE server answers', () => {
  /** A server whose stream tells what `tell` says to each message. */
  async function probeSse(tell: (message: Sent) => string, endpoint = '/messages') {
    const sent: { to: string; message: Sent }[] = [];
    let push: (text: string) => void = () => undefined;
    const answer: typeof fetch = (input, init = {}) => {
      const to = (input as URL).href;
      if (init.method !== 'POST') {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            push = (text) => controller.enqueue(Buffer.from(text));
            push(`event: endpoint\ndata: ${endpoint}\n\n`);
          },
        });
        return Promise.resolve(new Response(body, type('text/event-stream; charset=utf-8')));
      }
      const message = JSON.parse(init.body as string) as Sent;
      sent.push({ to, message });
      push(tell(message));
      return Promise.resolve(accepted());
    };
    const result = await probeMcpServer({ kind: 'sse', url, apiKey: null, fetch: answer });
    return { result, sent };
  }
  const usual = ({ id, method }: Sent): string => {
    if (method === 'initialize') return data({ id, result: greeting });
    return method === 'tools/list' ? data({ id, result: { tools: [{ name: 'a' }] } }) : '';
  };

  it('goes with the address that it named', async () => {
    const { result, sent } = await probeSse(usual, '/deep/messages?session=1');
    assert.equal(result.ok && result.tools.length, 1);
    assert.deepEqual(
      new Set(sent.map(({ to }) => to)),
      new Set(['https://mcp.example.com/deep/messages?session=1']),
    );
    assert.deepEqual(
      sent.map(({ message }) => message.id),
      [0, undefined, 1],
    );
  });

  it('may come after requests and answers of its own', async () => {
    const { result, sent } = await probeSse((message) =>
      message.method === 'tools/list'
        ? data({ id: 'alive', method: 'ping' }) +
          data({ id: 7, method: 'roots/list' }) +
          data({ method: 'note' }) +
          data({ id: 99, result: {} }) +
          usual(message)
        : usual(message),
    );
    assert.equal(result.ok, true);
    const own = sent.map(({ message }) => message).filter(({ method }) => method === undefined);
    assert.deepEqual(
      own.map(({ id, result: pong, error }) => [id, pong, error?.code]),
      [
        ['alive', {}, undefined],
        [7, undefined, -32601],
      ],
    );
  });

  it('is an error of the request that it names', async () => {
    const { result } = await probeSse((message) =>
      message.method === 'tools/list'
        ? data({ id: message.id, error: { code: 1, message: 'Broken' } })
        : usual(message),
    );
    assert.match(result.ok ? '' : result.message, /with an error: Broken/);
  });
});
