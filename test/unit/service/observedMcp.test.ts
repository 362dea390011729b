import assert from 'node:assert/strict';
import { at, listAt, useService } from './support';

describe('reference service, observed: MCP servers', () => {
  const running = useService({ profile: 'observed' });

  const post = (mcp: unknown) => running.caller.post('/api/settings', { mcp_config: mcp });
  const shown = async () => at((await running.caller.get('/api/settings')).json, 'mcp_config');

  it('shows them in clear, with defaults filled in and unknown members of a server dropped', async () => {
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

  const refusals: [what: string, mcp: unknown, loc: (string | number)[]][] = [
    ['an unknown key beside the lists', { disabled: [] }, ['disabled']],
    ['a list that is none', { sse_servers: null }, ['sse_servers']],
    ['a bare URL', { sse_servers: ['https://a.example.com'] }, ['sse_servers', 0]],
    ['a URL missing', { sse_servers: [{}] }, ['sse_servers', 0, 'url']],
    ['a URL without a scheme', { sse_servers: [{ url: 'a.example.com' }] }, ['sse_servers', 0, 'url']],
    ['a URL without a host', { shttp_servers: [{ url: 'https:///x' }] }, ['shttp_servers', 0, 'url']],
    ['another scheme', { shttp_servers: [{ url: 'ftp://a.example.com' }] }, ['shttp_servers', 0, 'url']],
    [
      'a key that is no text',
      { sse_servers: [{ url: 'http://a', api_key: 1 }] },
      ['sse_servers', 0, 'api_key'],
    ],
    [
      'a time-out of 0',
      { shttp_servers: [{ url: 'http://a', timeout: 0 }] },
      ['shttp_servers', 0, 'timeout'],
    ],
    ['one of 3601', { shttp_servers: [{ url: 'http://a', timeout: 3601 }] }, ['shttp_servers', 0, 'timeout']],
    ['a fraction', { shttp_servers: [{ url: 'http://a', timeout: 1.5 }] }, ['shttp_servers', 0, 'timeout']],
    ['a name with a dot', { stdio_servers: [{ name: 'a.b', command: 'x' }] }, ['stdio_servers', 0, 'name']],
    [
      'a command with a space',
      { stdio_servers: [{ name: 'a', command: 'x y' }] },
      ['stdio_servers', 0, 'command'],
    ],
    ['no command', { stdio_servers: [{ name: 'a' }] }, ['stdio_servers', 0, 'command']],
    [
      'an argument that is no text',
      { stdio_servers: [{ name: 'a', command: 'x', args: ['y', 1] }] },
      ['stdio_servers', 0, 'args', 1],
    ],
    [
      'a variable that is no text',
      { stdio_servers: [{ name: 'a', command: 'x', env: { N: 1 } }] },
      ['stdio_servers', 0, 'env', 'N'],
    ],
  ];
  for (const [what, mcp, loc] of refusals) {
    it(`refuses ${what}`, async () => {
      const refused = await post(mcp);
      assert.equal(refused.status, 422);
      assert.deepEqual(
        listAt(refused.json, 'detail').map((issue) => at(issue, 'loc')),
        [['body', 'mcp_config', ...loc]],
      );
      assert.equal(running.service.state.settings, null);
    });
  }

  it('can show a server without a key as a bare URL, and then takes one', async () => {
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

  it("merges the operator's servers in, stores them as copies when posted back, and returns a deleted one", async () => {
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
