import assert from 'node:assert/strict';
import { everyCase } from '../../../support/everyCase';
import { secretValues } from '../../../../src/state/transcript/secretValues';

describe('secrets of MCP servers', () => {
  it('are in env, headers, and keys, at any depth', () => {
    const servers = {
      files: { command: 'npx', args: ['-y', 'server'], env: { TOKEN: 'env-secret', DEBUG: '1' } },
      search: {
        url: 'https://mcp.example.com',
        headers: { Authorization: 'Bearer  header-secret' },
        auth: { strategy: 'bearer', value: 'auth-secret' },
      },
      list: [{ api_key: 'key-secret', name: 'tavily' }],
    };
    assert.deepEqual(secretValues(servers).sort(), [
      '1',
      'Bearer  header-secret',
      'auth-secret',
      'bearer',
      'env-secret',
      'header-secret',
      'key-secret',
    ]);
  });

  it('are in addresses, and in arguments after names of such values', () =>
    everyCase(
      [
        { url: 'https://mcp.example.com/sse?apiKey=canary-1' },
        { url: 'https://mcp.example.com/sse?v=1&t=canary%2D1#x' },
        { url: 'https://user:canary-1@mcp.example.com' },
        { url: 'https://canary-1@mcp.example.com/' },
        { url: 'https://mcp.example.com/s/canary-1abcdefghijkl0/mcp' },
        { url: 'https://mcp.example.com/#access=canary-1' },
        { args: ['-y', 'server', '--token', 'canary-1'] },
        { args: ['--api-key=canary-1'] },
        { args: ['--apikey', 'canary-1'] },
        { args: ['--openai-api-key', 'canary-1'] },
        { args: ['-H', 'Authorization: Bearer canary-1'] },
        { args: ['--header', 'X-Api-Key:canary-1'] },
        { args: ['run', '-e', 'GITHUB_PERSONAL_ACCESS_TOKEN=canary-1', 'image'] },
        { args: ['--config', '{"apiKey":"canary-1"}'] },
        { args: ['postgresql://me:canary-1@db.example.com/shop'] },
        { args: ['mcp-remote', 'https://mcp.example.com/sse?k=canary-1'] },
        { command: 'sh -c "server --password=canary-1"' },
        { command: 'npx', oauth: { clientSecret: 'canary-1' } },
        { accessToken: 'canary-1' },
      ],
      JSON.stringify,
      (server) => assert.ok(secretValues(server).some((value) => value.startsWith('canary-1'))),
    ));

  it('are none in anything else', () => {
    const plain = {
      url: 'https://mcp.example.com/v1/tools',
      args: ['-y', '@acme/keyboard', '--port', '8080'],
    };
    for (const value of ['text', 7, null, true, [], {}, [{ url: 'https://x', command: 'npx' }], plain])
      assert.deepEqual(secretValues(value), []);
  });
});
