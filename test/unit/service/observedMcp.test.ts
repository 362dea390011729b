import assert from 'node:assert/strict';
import { at, listAt, pick, useService } from './support';

describe('reference service, observed: MCP servers', () => {
  const running = useService({ profile: 'observed' });

  const post = (mcp: unknown) => running.caller.post('/api/settings', { mcp_config: mcp });
  const shown = async () => at((await running.caller.get('/api/settings')).json, 'mcp_config');

  it('shows servers unmasked, fills in defaults, and drops unknown members', async () => {
    await post({
      sse_servers: [{ url: 'https://a.example.com/sse', api_key: 'secret-a', colour: 'red' }],
      stdio_servers: [{ name: 'fetch', command: 'uvx', env: { TOKEN: 'secret-b' } }],
      shttp_servers: [
        { url: 'http://b.example.com/mcp' },
        { url: 'wss://c.example.com', api_key: null, timeout: 3600 },
      ],
    });
    assert.deepEqual(await shown(), {
      sse_servers: [{ url: 'https://a.example.com/sse', api_key: 'secret-a' }],
      stdio_servers: [{ name: 'fetch', command: 'uvx', args: [], env: { TOKEN: 'secret-b' } }],
      shttp_servers: [
        { url: 'http://b.example.com/mcp', api_key: null, timeout: 60 },
        { url: 'wss://c.example.com', api_key: null, timeout: 3600 },
      ],
    });
  });

  it('accepts duplicates', async () => {
    const server = { url: 'https://a.example.com' };
    assert.equal((await post({ sse_servers: [server, server] })).status, 200);
  });

  it('accepts bare URLs, and shell strings in place of lists and maps', async () => {
    const saved = await post({
      sse_servers: ['https://a.example.com/sse'],
      stdio_servers: [
        { name: 'nothing', command: 'x', args: null, env: null },
        { name: 'texts', command: 'x', args: `a "b c" 'd "e'`, env: 'A=1=2, B = 3 ,' },
        { name: 'empty', command: 'x', args: ' ', env: '' },
      ],
      shttp_servers: ['http://b.example.com', { url: 'http://c.example.com', timeout: '5' }],
    });
    assert.equal(saved.status, 200, saved.text);
    assert.deepEqual(await shown(), {
      sse_servers: [{ url: 'https://a.example.com/sse', api_key: null }],
      stdio_servers: [
        { name: 'nothing', command: 'x', args: [], env: {} },
        { name: 'texts', command: 'x', args: ['a', 'b c', 'd "e'], env: { A: '1=2', B: ' 3' } },
        { name: 'empty', command: 'x', args: [], env: {} },
      ],
      shttp_servers: [
        { url: 'http://b.example.com', api_key: null, timeout: 60 },
        { url: 'http://c.example.com', api_key: null, timeout: 5 },
      ],
    });
  });

  const crashes: [what: string, mcp: unknown][] = [
    ['null for the SSE servers', { sse_servers: null }],
    ['null for the HTTP servers', { shttp_servers: null }],
    ['an HTTP URL that is not a string', { shttp_servers: [{ url: 3 }] }],
    ['a name that is not a string', { stdio_servers: [{ name: 3, command: 'x' }] }],
  ];
  for (const [what, mcp] of crashes) {
    it(`crashes in plain text on ${what}`, async () => {
      const crashed = await post(mcp);
      assert.deepEqual([crashed.status, crashed.text], [500, 'Internal Server Error']);
      assert.equal(running.service.state.settings, null);
    });
  }

  const url = (value: unknown) => ({ sse_servers: [{ url: value }] });
  const http = (server: object) => ({ shttp_servers: [{ url: 'http://a', ...server }] });
  const stdio = (server: object) => ({ stdio_servers: [{ name: 'a', command: 'x', ...server }] });
  const text = 'Input should be a valid string';
  const scheme = 'Value error, URL must include a scheme (http:// or https://)';
  const refusals: [what: string, mcp: unknown, loc: (string | number)[], msg: string][] = [
    ['an unknown key beside the lists', { more: [] }, ['more'], 'Extra inputs are not permitted'],
    ['null for the processes', { stdio_servers: null }, ['stdio_servers'], 'Input should be a valid list'],
    [
      'a server that is no object',
      { sse_servers: [3] },
      ['sse_servers', 0],
      'Input should be a valid dictionary or object to extract fields from',
    ],
    ['a URL missing', { sse_servers: [{}] }, ['sse_servers', 0, 'url'], 'Field required'],
    ['a URL that is no text', url(3), ['sse_servers', 0, 'url'], text],
    ['an empty URL', url(''), ['sse_servers', 0, 'url'], 'Value error, URL cannot be empty'],
    ['a URL without a scheme', url('a.example.com'), ['sse_servers', 0, 'url'], scheme],
    ['a text for a list', { sse_servers: 'x' }, ['sse_servers', 0, 'url'], scheme],
    [
      'a URL without a host',
      url('https:///x'),
      ['sse_servers', 0, 'url'],
      'Value error, URL must include a valid domain/host',
    ],
    [
      'another scheme',
      url('ftp://a.example.com'),
      ['sse_servers', 0, 'url'],
      'Value error, URL scheme must be http, https, ws, or wss',
    ],
    ['a key that is no text', http({ api_key: 1 }), ['shttp_servers', 0, 'api_key'], text],
    [
      'a time-out of 0',
      http({ timeout: 0 }),
      ['shttp_servers', 0, 'timeout'],
      'Value error, Timeout must be positive',
    ],
    [
      'one of 3601',
      http({ timeout: 3601 }),
      ['shttp_servers', 0, 'timeout'],
      'Value error, Timeout cannot exceed 3600 seconds',
    ],
    [
      'a fraction',
      http({ timeout: 1.5 }),
      ['shttp_servers', 0, 'timeout'],
      'Input should be a valid integer, got a number with a fractional part',
    ],
    [
      'a name with a dot',
      stdio({ name: 'a.b' }),
      ['stdio_servers', 0, 'name'],
      'Value error, Server name can only contain letters, numbers, hyphens, and underscores',
    ],
    [
      'a command with a space',
      stdio({ command: 'x y' }),
      ['stdio_servers', 0, 'command'],
      'Value error, Command should be a single executable without spaces (use arguments field for parameters)',
    ],
    ['no command', { stdio_servers: [{ name: 'a' }] }, ['stdio_servers', 0, 'command'], 'Field required'],
    [
      'arguments that are no list',
      stdio({ args: 3 }),
      ['stdio_servers', 0, 'args'],
      'Input should be a valid list',
    ],
    ['an argument that is no text', stdio({ args: ['y', 1] }), ['stdio_servers', 0, 'args', 1], text],
    [
      'arguments with an open quote',
      stdio({ args: 'a "b' }),
      ['stdio_servers', 0, 'args'],
      `Value error, Invalid argument format: No closing quotation. Use shell-like format, e.g., "arg1 arg2" or '--config "value with spaces"'`,
    ],
    ['a variable that is no text', stdio({ env: { N: 1 } }), ['stdio_servers', 0, 'env', 'N'], text],
    [
      'variables without a value',
      stdio({ env: 'A' }),
      ['stdio_servers', 0, 'env'],
      "Value error, Environment variable 'A' must be in KEY=VALUE format",
    ],
  ];
  for (const [what, mcp, loc, msg] of refusals) {
    it(`refuses ${what}`, async () => {
      const refused = await post(mcp);
      assert.equal(refused.status, 422);
      assert.deepEqual(
        listAt(refused.json, 'detail').map((issue) => pick(issue, 'loc', 'msg')),
        [{ loc: ['body', 'mcp_config', ...loc], msg }],
      );
      assert.equal(running.service.state.settings, null);
    });
  }

  it('can show a server without a key as a bare URL', async () => {
    running.service.behaviour.bareMcpUrls = true;
    assert.equal(
      (await post({ sse_servers: ['https://a.example.com', { url: 'https://b.example.com', api_key: 'k' }] }))
        .status,
      200,
    );
    assert.deepEqual(at(await shown(), 'sse_servers'), [
      'https://a.example.com',
      { url: 'https://b.example.com', api_key: 'k' },
    ]);
  });

  it("merges and stores the operator's servers, and returns deleted servers", async () => {
    running.service.behaviour.operatorMcp = {
      sse_servers: [{ url: 'https://operator.example.com', api_key: null }],
      stdio_servers: [],
      shttp_servers: [],
    };
    await post({ sse_servers: [{ url: 'https://mine.example.com' }] });
    const urls = async () => listAt(await shown(), 'sse_servers').map((server) => at(server, 'url'));
    assert.deepEqual(await urls(), ['https://operator.example.com', 'https://mine.example.com']);
    await post(await shown());
    assert.deepEqual(await urls(), [
      'https://operator.example.com',
      'https://operator.example.com',
      'https://mine.example.com',
    ]);
    await post({});
    assert.deepEqual(await urls(), ['https://operator.example.com']);
  });
});
