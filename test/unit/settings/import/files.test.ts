import assert from 'node:assert/strict';
import { parseMcpFile } from '../../../../src/features/settings/model/import/parse';
import { fillWith, secretsOf, serverOf, serversOf } from './support';

/** Complete, realistic files, one for each tool. */

describe('MCP import: configuration files', () => {
  it('reads VS Code’s mcp.json with comments, inputs, and every kind of server', () => {
    const servers = serversOf(`\uFEFF// servers of the team
{
  "inputs": [
    { "type": "promptString", "id": "tracker-token", "description": "Token of the tracker", "password": true },
    { "type": "pickString", "id": "region", "description": "Region", "options": ["eu", { "label": "America", "value": "us" }], "default": "eu" },
    { "type": "command", "id": "branch", "command": "git.branch" },
  ],
  "servers": {
    /* started here */
    "tracker": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@acme/tracker", "--region=\${input:region}", "--root", "\${workspaceFolder}/src"],
      "env": { "TRACKER_TOKEN": "\${input:tracker-token}", "RETRIES": 3, "BRANCH": "\${input:branch}", "OLD": null },
      "envFile": "\${workspaceFolder}/.env",
      "cwd": "/home/ada/project",
      "dev": { "watch": "src/**/*.ts" },
      "sandboxEnabled": false,
    },
    "pages": {
      "type": "http",
      "url": "https://pages.example.com/mcp",
      "headers": { "authorization": "bearer \${input:tracker-token}", "X-Team": "blue" },
      "oauth": { "clientId": "abc" },
      "gallery": "https://api.example.com/gallery",
      "version": "1.2.0",
    },
    "events": { "type": "sse", "url": "https://events.example.com/stream" },
  },
}`);
    assert.deepEqual(
      servers.map(({ preview }) => [preview.sourceName, preview.kind, preview.url || preview.command]),
      [
        ['tracker', 'stdio', 'npx'],
        ['pages', 'shttp', 'https://pages.example.com/mcp'],
        ['events', 'sse', 'https://events.example.com/stream'],
      ],
    );
    const [tracker, pages, events] = servers.map(({ preview }) => preview);
    assert.deepEqual(tracker?.env, ['TRACKER_TOKEN', 'RETRIES', 'BRANCH']);
    assert.deepEqual(tracker.inputs, [
      {
        key: 'input:region',
        kind: 'input',
        name: 'region',
        places: [{ at: 'args', index: 2 }],
        description: 'Region',
        password: false,
        hasDefault: true,
        default: 'eu',
        options: ['eu', 'us'],
      },
      {
        key: 'input:tracker-token',
        kind: 'input',
        name: 'tracker-token',
        places: [{ at: 'env', name: 'TRACKER_TOKEN' }],
        description: 'Token of the tracker',
        password: true,
        hasDefault: false,
        default: null,
        options: null,
      },
      {
        key: 'input:branch',
        kind: 'input',
        name: 'branch',
        places: [{ at: 'env', name: 'BRANCH' }],
        description: null,
        password: true,
        hasDefault: false,
        default: null,
        options: null,
      },
    ]);
    assert.deepEqual(tracker.cannotCarry, [
      '“envFile” (${workspaceFolder}/.env)',
      '“cwd” (/home/ada/project)',
      '“dev”',
      'the value of “${workspaceFolder}” in argument 5 (kept as text)',
      'the editor command “git.branch” that provides “branch”',
    ]);
    assert.deepEqual(
      tracker.problems.map(({ member, blocking }) => [member, blocking]),
      [['env', false]],
    );
    assert.equal(pages?.hasApiKey, true);
    assert.deepEqual(pages.cannotCarry, [
      'header “X-Team”',
      '“oauth” (OAuth sign-in)',
      '“gallery”',
      '“version”',
    ]);
    assert.deepEqual([events?.cannotCarry, events?.problems, events?.inputs], [[], [], []]);
  });

  it('reads the mcp section of VS Code settings, including inputs', () => {
    const server = serverOf({
      'editor.fontSize': 14,
      mcp: {
        inputs: [{ id: 'k', type: 'promptString', description: 'Key' }],
        servers: { one: { command: 'uvx', args: ['one', '${input:k}'] } },
      },
    });
    assert.equal(server.preview.name, 'one');
    assert.equal(server.preview.inputs[0]?.description, 'Key');
    assert.equal(server.preview.inputs[0].password, false);
  });

  it('reads claude_desktop_config.json and ignores its other settings', () => {
    const servers = serversOf({
      globalShortcut: 'Ctrl+Space',
      mcpServers: {
        files: { command: 'npx', args: ['-y', '@acme/files', '/Users/ada/Desktop'] },
        'weather station': { command: 'uv', args: ['run', 'weather.py'], env: { API_KEY: 'plain-secret' } },
        remote: {
          type: 'http',
          url: 'https://mcp.example.com/',
          headers: { Authorization: 'Bearer  remote-secret ' },
        },
      },
    });
    assert.deepEqual(
      servers.map(({ preview }) => preview.name),
      ['files', 'weather-station', ''],
    );
    assert.deepEqual(
      servers[1]?.preview.problems.map(({ member, blocking }) => [member, blocking]),
      [['name', false]],
    );
    assert.deepEqual(secretsOf(fillWith(servers[1])), { API_KEY: 'plain-secret' });
    assert.deepEqual(secretsOf(fillWith(servers[2]!)), { '(key)': 'remote-secret' });
    assert.doesNotMatch(JSON.stringify(servers.map(({ preview }) => preview)), /secret/);
  });

  it('reads Cursor’s mcp.json', () => {
    const [local, remote] = serversOf({
      mcpServers: {
        local: {
          type: 'stdio',
          command: 'python',
          args: ['${workspaceFolder}/tools/server.py', '${userHome}${pathSeparator}x'],
          env: { TOKEN: '${env:TOKEN}' },
          envFile: '.env',
        },
        remote: {
          url: 'https://api.example.com/mcp',
          headers: { Authorization: 'Bearer ${env:MY_TOKEN}' },
          auth: { CLIENT_ID: 'id', CLIENT_SECRET: 'oauth-secret', scopes: ['read'] },
        },
      },
    });
    assert.deepEqual(local?.preview.cannotCarry, [
      '“envFile” (.env)',
      'the value of “${workspaceFolder}” in argument 1 (kept as text)',
      'the value of “${userHome}” in argument 2 (kept as text)',
      'the value of “${pathSeparator}” in argument 2 (kept as text)',
    ]);
    assert.deepEqual(
      local.preview.inputs.map(({ key }) => key),
      ['env:TOKEN'],
    );
    assert.equal(remote?.preview.kind, 'shttp');
    assert.deepEqual(remote.preview.cannotCarry, ['“auth” (OAuth sign-in)']);
    assert.doesNotMatch(JSON.stringify(remote), /oauth-secret/);
  });

  it('reads Claude Code’s .mcp.json with variables anywhere and defaults', () => {
    const [api, tool] = serversOf({
      mcpServers: {
        api: {
          type: 'http',
          url: '${API_BASE_URL:-https://api.example.com}/mcp',
          headers: { Authorization: 'Bearer ${API_KEY}' },
        },
        tool: {
          command: '${TOOL_HOME}/bin/server',
          args: ['--config', '${CONFIG:-/etc/tool.json}', '${CLAUDE_PROJECT_DIR}'],
          env: { DB: '${DB:-postgres://ada:default-secret@db}', LEVEL: '${LEVEL:-}' },
          timeout: 60000,
        },
      },
    });
    assert.deepEqual(
      api?.preview.inputs.map(({ name, password, default: preset }) => [name, password, preset]),
      [
        ['API_BASE_URL', false, 'https://api.example.com'],
        ['API_KEY', true, null],
      ],
    );
    assert.deepEqual(api.preview.problems, []);
    assert.deepEqual(
      tool?.preview.inputs.map(({ name, hasDefault, default: preset }) => [name, hasDefault, preset]),
      [
        ['TOOL_HOME', false, null],
        ['CONFIG', true, '/etc/tool.json'],
        ['DB', true, null],
        ['LEVEL', true, null],
      ],
    );
    assert.doesNotMatch(JSON.stringify(tool.preview), /default-secret/);
    assert.equal(tool.preview.cannotCarry.length, 2);
    assert.match(tool.preview.cannotCarry[0] ?? '', /“timeout” \(60000;/);
  });

  it('reads Windsurf’s mcp_config.json', () => {
    const [remote, local] = serversOf({
      mcpServers: {
        remote: { serverUrl: 'https://mcp.example.com/sse/', headers: { AUTHORIZATION: 'BEARER w-secret' } },
        local: {
          command: 'node',
          args: ['s.js'],
          disabled: true,
          disabledTools: ['drop_table'],
          alwaysAllow: [],
        },
      },
    });
    assert.equal(remote?.preview.kind, 'sse');
    assert.deepEqual([remote.preview.disabled, local?.preview.disabled], [false, true]);
    assert.deepEqual(secretsOf(fillWith(remote)), { '(key)': 'w-secret' });
    assert.deepEqual(local?.preview.cannotCarry, ['“disabledTools”']);
  });

  const one = { command: 'npx', args: ['-y', 'thing'] };
  const wrappings: [string, unknown, string][] = [
    ['one server’s object', one, 'npx'],
    ['one server’s object with a name', { name: 'thing', ...one, inputs: [] }, 'thing'],
    ['a map of names', { thing: one }, 'thing'],
    ['a map beside a schema', { $schema: 'https://example.com/schema.json', thing: one }, 'thing'],
    ['servers', { servers: { thing: one } }, 'thing'],
    ['mcpServers', { mcpServers: { thing: one } }, 'thing'],
    ['mcpServers in an mcp section', { mcp: { mcpServers: { thing: one } } }, 'thing'],
    ['a server called servers', { servers: one }, 'servers'],
    ['a server called mcp', { mcp: one }, 'mcp'],
    ['a server called command', { servers: { command: one } }, 'command'],
  ];
  for (const [what, file, name] of wrappings)
    it(`reads ${what}`, () => {
      const { preview } = serverOf(file);
      assert.deepEqual([preview.kind, preview.name, preview.command], ['stdio', name, 'npx']);
      assert.deepEqual(preview.args, one.args);
      // One that has no name gets one.
      const problems = preview.problems.filter(({ member }) => member !== 'name');
      assert.deepEqual([preview.cannotCarry, problems], [[], []]);
      assert.deepEqual([preview.from, preview.disabled], ['', false], 'on, and in the usual place');
    });

  it('reads servers from two lists in one file', () => {
    const servers = serversOf({ servers: { a: one }, mcpServers: { b: one } });
    assert.deepEqual(
      servers.map(({ preview }) => preview.name),
      ['a', 'b'],
    );
  });

  it('takes “servers” for MCP servers at the top, below a name that ends in mcp, or if they look like them', () => {
    for (const parent of ['mcp', 'MCP', 'my-mcp']) {
      const parsed = parseMcpFile(JSON.stringify({ tool: { [parent]: { servers: { a: {} } } } }));
      assert.deepEqual(parsed.ok && parsed.rejected.map(({ sourceName }) => sourceName), ['a'], parent);
    }
    for (const file of [
      { mcp: { tool: { servers: { a: {} } } } },
      { mcpProxy: { servers: { a: {} } } },
      { proxy: { servers: ['a'] } },
    ]) {
      const parsed = parseMcpFile(JSON.stringify(file));
      assert.match(parsed.ok ? '' : parsed.reason, /No MCP servers found/, JSON.stringify(file));
    }
    const file = { servers: { a: one }, mcpProxy: { servers: { b: {} } }, proxy: { servers: { c: one } } };
    assert.deepEqual(
      serversOf(file).map(({ preview }) => [preview.name, preview.from]),
      [
        ['a', ''],
        ['c', 'proxy'],
      ],
    );
  });

  it('finds no servers in an empty list', () => {
    for (const file of [{ servers: {} }, { mcpServers: {}, x: 1 }, { servers: {}, inputs: [] }])
      assert.deepEqual(serversOf(file), []);
  });
});
