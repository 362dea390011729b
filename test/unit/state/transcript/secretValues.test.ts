import assert from 'node:assert/strict';
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

  it('are none in anything else', () => {
    for (const value of ['text', 7, null, true, [], {}, [{ url: 'https://x', command: 'npx' }]])
      assert.deepEqual(secretValues(value), []);
  });
});
