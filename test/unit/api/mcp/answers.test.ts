import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import * as l10n from '@vscode/l10n';
import { ProbeExchange } from '../../../../src/api/mcp/exchange';
import { Failure } from '../../../../src/api/mcp/failure';
import { probeMcpServer, type ProbeOptions } from '../../../../src/api/mcp/probe';

interface Sent {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message?: string };
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
      const { result, sent } = await probe(answer);
      assert.deepEqual(result.ok && result.tools, [{ name: 'a' }]);
      // Only what asks is answered.
      const own = sent.filter(({ verb, method }) => verb === 'POST' && method === undefined);
      assert.equal(own.length, answer === answers[2] ? 1 : 0);
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

  it('is missing if the stream ends or brings another message', async () => {
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
    const other = await probe(({ id }) =>
      stream(data({ id: 99, error: { code: 1, message: 'Not ours' } }), data({ id, result: { tools: [] } })),
    );
    assert.equal(other.result.ok, true);
  });

  it('is no MCP where one of several messages is none, though the answer is among them', async () => {
    const several = await probe(({ id }) =>
      json([{ id: 77 }, { jsonrpc: '2.0', id, result: { tools: [] } }]),
    );
    assert.equal(reasonOf(several), 'protocol');
  });

  it('is no MCP where a message of a stream is none, whatever comes later', async () => {
    for (const part of ['[]', '{}', '{oops'])
      assert.equal(
        reasonOf(await probe(({ id }) => stream(`data: ${part}\n\n`, data({ id, result: { tools: [] } })))),
        'protocol',
        part,
      );
  });

  it('may be 8 MB in all, and no more', async () => {
    const padded = async (size: number) => {
      let bytes = 0;
      const counted = (response: Response, body: string) => {
        bytes += body.length;
        return response;
      };
      const greet: Answer = ({ id }) => {
        const message = { jsonrpc: '2.0', id, result: greeting };
        return counted(json(message), JSON.stringify(message));
      };
      return probe(
        ({ id }) => {
          const body = JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [] } });
          return new Response(body.padEnd(size - bytes), type('application/json'));
        },
        { greet },
      );
    };
    assert.equal(reasonOf(await padded(8_000_000)), 'ok');
    assert.equal(reasonOf(await padded(8_000_001)), 'protocol');
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

  it('may have null for what it hasn’t, and an empty cursor at the end, as agents accept it', async () => {
    const none = { error: null, method: null };
    const { result, sent } = await probe(
      ({ id }) =>
        json({
          jsonrpc: '2.0',
          id,
          ...none,
          result: { tools: [{ name: 'a', title: null }], nextCursor: '' },
        }),
      {
        greet: ({ id }) => {
          const serverInfo = { ...greeting.serverInfo, title: null };
          return json({ jsonrpc: '2.0', id, ...none, result: { ...greeting, serverInfo } });
        },
      },
    );
    assert.deepEqual(result.ok && [result.serverName, result.tools, result.more], [
      'S',
      [{ name: 'a' }],
      false,
    ]);
    assert.equal(sent.filter(({ method }) => method === 'tools/list').length, 1);
    const last: Answer = ({ id }) => json({ jsonrpc: '2.0', id, result: { tools: [], nextCursor: null } });
    assert.equal(reasonOf(await probe(last)), 'ok');
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
    assert.deepEqual(await count(200_000), [1_000, true]);
    const { result, sent } = await probe(({ id }) => {
      const list = Array.from({ length: 1_000 }, (_, index) => ({ name: `t${index}` }));
      return json({ jsonrpc: '2.0', id, result: { tools: list, nextCursor: 'more' } });
    });
    assert.deepEqual(result.ok && [result.tools.length, result.more], [1_000, true]);
    assert.match(result.message, /more than 1000 tools/);
    assert.equal(sent.filter(({ method }) => method === 'tools/list').length, 1);
  });

  it('is of a client with a name and a version, which asks on connections that end', async () => {
    const { sent } = await probe(none);
    const { protocolVersion, capabilities, clientInfo } = sent[0]?.params ?? {};
    assert.match(String(protocolVersion), /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(capabilities, {});
    const { name, version } = clientInfo as { name: string; version: string };
    assert.ok(name !== '' && version !== '');
    for (const { headers } of sent) assert.equal(headers.get('connection'), 'close');
  });

  it('isn’t read where none is expected', async () => {
    let [given, canceled] = [0, 0];
    const unread = () => {
      given += 1;
      return new Response(new ReadableStream({ cancel: () => void (canceled += 1) }));
    };
    const { result } = await probe(none, {
      fetch: (_input, init) => {
        const { id, method } = (init?.method === 'POST' ? JSON.parse(init.body as string) : {}) as Sent;
        if (id === undefined) return Promise.resolve(unread());
        const answer = json({
          jsonrpc: '2.0',
          id,
          result: method === 'initialize' ? greeting : { tools: [] },
        });
        answer.headers.set('mcp-session-id', 's-1');
        return Promise.resolve(answer);
      },
    });
    assert.deepEqual([result.ok, given, canceled], [true, 2, 2]);
  });

  it('took no longer than the caller waited', async () => {
    const started = performance.now();
    const { result } = await probe(none);
    assert.ok(result.ok && result.ms >= 0 && result.ms <= Math.ceil(performance.now() - started));
  });

  it('is complete even if the session can’t be ended', async () => {
    const refusing: typeof fetch = (_input, init) => {
      if (init?.method === 'DELETE') return Promise.resolve(new Response('no', { status: 405 }));
      const { id, method } = JSON.parse(init?.body as string) as Sent;
      const result = method === 'initialize' ? greeting : { tools: [] };
      if (id === undefined) return Promise.resolve(accepted());
      const headers = { 'content-type': 'application/json', 'mcp-session-id': 's-1' };
      return Promise.resolve(new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), { headers }));
    };
    assert.equal(reasonOf(await probe(none, { fetch: refusing })), 'ok');
  });

  it('is as the server wrote it without a key', async () => {
    const serverInfo = { name: 'null server', version: '1' };
    for (const apiKey of ['', null]) {
      const greet: Answer = ({ id }) => json({ jsonrpc: '2.0', id, result: { ...greeting, serverInfo } });
      const { result, sent } = await probe(none, { apiKey, greet });
      assert.equal(result.ok && result.serverName, 'null server');
      assert.equal(sent[0]?.headers.get('authorization'), null);
    }
  });

  it('leaves nothing that listens for a cancellation', async () => {
    const { signal } = new AbortController();
    await probe(none, { signal });
    await probe(() => new Response(null, { status: 500 }), { signal });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
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

  it('asks for a key, or refuses the one that was sent', async () => {
    const words = async (apiKey: string | null) => {
      const { result } = await probe(none, { apiKey, greet: () => new Response(null, { status: 401 }) });
      assert.deepEqual([result.ok, reasonOf({ result, sent: [] })], [false, 'unauthorized']);
      return result.message;
    };
    assert.match(await words(null), /asks for an API key/);
    assert.match(await words('key'), /refused the API key/);
  });

  it('asks for a key even if the rest of the answer fails', async () => {
    const failed = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
    const { result } = await probe(none, { greet: () => new Response(failed, { status: 401 }) });
    assert.ok(!result.ok);
    assert.match(result.message, /asks for an API key/);
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
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', /didn’t answer in time \(UND_ERR_HEADERS_TIMEOUT\)\./],
    ['UND_ERR_PRX_TLS', 'unreachable', /^A proxy rejected the request \(UND_ERR_PRX_TLS\)\. Tested/],
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

  describe('behind a proxy that can’t be reached', () => {
    afterEach(() => l10n.config({ contents: {} }));
    const cause = { code: 'ECONNREFUSED', syscall: 'connect', address: '10.0.0.9', port: 3128 };
    const messageOf = async () => {
      const { result } = await probe(none, {
        greet: () =>
          Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('no'), cause) })),
      });
      assert.ok(!result.ok);
      assert.equal(result.reason, 'unreachable');
      return result.message;
    };

    it('names the proxy', async () => {
      assert.match(await messageOf(), /^Can’t reach the proxy 10\.0\.0\.9:3128 \(ECONNREFUSED\)\. Tested/);
    });

    it('has the code before the stop at the end, if the language has one', async () => {
      const words = 'Can’t reach the proxy {0}.';
      l10n.config({ contents: { [words]: '{0}に接続できません。' } });
      assert.match(await messageOf(), /^10\.0\.0\.9:3128に接続できません \(ECONNREFUSED\)。/);
      l10n.config({ contents: { [words]: '{0}: kaput' } });
      assert.match(await messageOf(), /^10\.0\.0\.9:3128: kaput \(ECONNREFUSED\) Tested/);
    });
  });

  it('is lost if the connection ends within it', async () => {
    const { result } = await probe(() => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from('{')),
        pull: (controller) =>
          controller.error(
            new TypeError('terminated', {
              cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
            }),
          ),
      });
      return new Response(body, type('application/json'));
    });
    assert.ok(!result.ok);
    assert.equal(result.reason, 'unreachable');
    assert.match(result.message, /connection to the server was lost \(UND_ERR_SOCKET\)\./);
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
    for (const spaced of [`  ${url} `, `\u00a0${url}\u3000`]) {
      const { result } = await probe(none, { url: spaced });
      assert.ok(result.ok && !result.more);
    }
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

  it('is followed over three redirects, whose own contents aren’t read, and not over four', async () => {
    const asked = async (redirects: number) => {
      let [left, canceled] = [redirects, 0];
      const { result } = await probe(none, {
        greet: ({ id }) => {
          if (left === 0) return json({ jsonrpc: '2.0', id, result: greeting });
          left -= 1;
          const body = new ReadableStream({ cancel: () => void (canceled += 1) });
          return new Response(body, { status: 307, headers: { location: '/other' } });
        },
      });
      return [result.ok, left, canceled];
    };
    assert.deepEqual(await asked(3), [true, 0, 3]);
    assert.deepEqual(await asked(4), [false, 0, 4]);
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

describe('requests to an MCP server', () => {
  it('never go to another origin', async () => {
    const given: typeof fetch = () => assert.fail('sent');
    const exchange = new ProbeExchange('sse', new URL(url), { Authorization: 'Bearer key' }, given);
    for (const other of [
      'http://mcp.example.com/mcp',
      'https://example.com/mcp',
      'https://mcp.example.com:444/',
    ])
      await assert.rejects(
        exchange.fetch(new URL(other), { method: 'POST' }, 'nothing'),
        (error) => error instanceof Failure && error.reason === 'redirected',
        other,
      );
  });
});

describe('what an SSE server answers', () => {
  /** A server whose stream tells what `tell` says to each message. */
  async function probeSse(
    tell: (message: Sent) => string,
    endpoint = '/messages',
    before: (...asked: Parameters<typeof fetch>) => Response | undefined = () => undefined,
    more: Record<string, string> = {},
  ) {
    const sent: { to: string; message: Sent }[] = [];
    let push: (text: string) => void = () => undefined;
    const answer: typeof fetch = (input, init = {}) => {
      const given = before(input, init);
      if (given) return Promise.resolve(given);
      const to = (input as URL).href;
      if (init.method !== 'POST') {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            push = (text) => controller.enqueue(Buffer.from(text));
            push(`event: endpoint\ndata: ${endpoint}\n\n`);
          },
        });
        const headers = { 'content-type': 'text/event-stream; charset=utf-8', ...more };
        return Promise.resolve(new Response(body, { headers }));
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
    assert.ok(own.every(({ error }) => error?.message !== ''));
  });

  it('is a stream, which may be at another place of the origin', async () => {
    for (const status of [300, 301, 302, 303, 307, 308]) {
      const asked: string[] = [];
      const { result } = await probeSse(usual, '/messages', (input, init) => {
        if (init?.method === 'POST') return undefined;
        assert.equal(new Headers(init?.headers).get('accept'), 'text/event-stream');
        asked.push((input as URL).href);
        return asked.length === 1
          ? new Response(null, { status, headers: { location: '/sse/' } })
          : undefined;
      });
      assert.deepEqual([result.ok, asked], [true, [url, 'https://mcp.example.com/sse/']], `${status}`);
    }
  });

  it('is a stream wherever it says that it is from, and isn’t asked for there', async () => {
    let streams = 0;
    const count: Parameters<typeof probeSse>[2] = (_input, init) => {
      if (init?.method !== 'POST') streams += 1;
      return undefined;
    };
    const { result } = await probeSse(usual, '/messages', count, { location: '/elsewhere' });
    assert.deepEqual([result.ok, streams], [true, 1]);
  });

  it('is no MCP where it names no address for messages, or one elsewhere', async () => {
    for (const endpoint of ['https://[', 'https://other.example/messages']) {
      const { result, sent } = await probeSse(usual, endpoint);
      assert.deepEqual([result.ok ? 'ok' : result.reason, sent], ['protocol', []], endpoint);
    }
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
