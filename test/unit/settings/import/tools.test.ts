import assert from 'node:assert/strict';
import { parseMcpFile } from '../../../../src/features/settings/model/import/parse';
import { fillWith, readOne, secretsOf, serverOf, serversOf } from './support';

const npx = { command: 'npx', args: ['-y', 'thing'] };

describe('MCP import: files of other tools', () => {
  const local: [tool: string, file: unknown][] = [
    ['Cline', { mcpServers: { a: { ...npx, disabled: false, autoApprove: [], timeout: null } } }],
    ['Roo Code', { mcpServers: { a: { type: 'stdio', ...npx, alwaysAllow: [], disabled: false } } }],
    ['Gemini CLI', { theme: 'x', mcpServers: { a: { ...npx, trust: false } }, mcp: { excluded: [] } }],
    ['opencode', { mcp: { a: { type: 'local', command: ['npx', '-y', 'thing'], enabled: true } } }],
    ['Zed', { theme: 'x', context_servers: { a: { source: '', ...npx, env: {} } } }],
    [
      'Zed before 2025',
      { context_servers: { a: { command: { path: 'npx', args: ['-y', 'thing'] }, settings: {} } } },
    ],
    ['Continue', { mcpServers: [{ name: 'a', ...npx }] }],
    [
      'Continue before 2025',
      {
        experimental: { modelContextProtocolServers: [{ name: 'a', transport: { type: 'stdio', ...npx } }] },
      },
    ],
    ['Amp', { 'amp.mcpServers': { a: npx } }],
    ['VS Code settings', { 'mcp.servers': { a: npx } }],
    ['a development container', { customizations: { vscode: { mcp: { servers: { a: npx } } } } }],
    ['Kiro', { mcpServers: { a: { ...npx, disabled: false, autoApprove: [] } }, powers: { mcpServers: {} } }],
    ['JetBrains', { mcpServers: { a: { ...npx, env: {} } } }],
    [
      'Claude Code',
      { numStartups: 5, projects: { '/w': { history: [], mcpServers: { a: { type: 'stdio', ...npx } } } } },
    ],
    ['a list', [{ name: 'a', ...npx }]],
  ];
  for (const [tool, file] of local)
    it(`are read: ${tool}`, () => {
      const { preview } = serverOf(file);
      assert.deepEqual(
        [preview.kind, preview.name, preview.command, preview.args, preview.disabled],
        ['stdio', 'a', 'npx', ['-y', 'thing'], false],
      );
      assert.deepEqual(
        [preview.problems, preview.cannotCarry.filter((words) => !/source|settings/.test(words))],
        [[], []],
      );
    });

  it('are read: the service’s own settings, whose lists say the type', () => {
    const lists = {
      sse_servers: ['https://e.example/events', { url: 'https://e.example/mcp', api_key: 'k1' }],
      shttp_servers: [{ url: 'https://e.example/mcp/sse', api_key: null }],
      stdio_servers: [{ name: 'a', ...npx, env: {} }],
    };
    for (const file of [lists, { mcp_config: lists }, { agent_settings: { mcp_config: lists } }]) {
      const servers = serversOf(file);
      assert.deepEqual(
        servers.map(({ preview: { kind, url, name, from, problems } }) => [
          kind,
          url || name,
          from,
          problems,
        ]),
        [
          ['sse', 'https://e.example/events', '', []],
          ['sse', 'https://e.example/mcp', '', []],
          ['shttp', 'https://e.example/mcp/sse', '', []],
          ['stdio', 'a', '', []],
        ],
      );
      assert.equal(servers[1]?.secrets.apiKey, 'k1');
    }
  });

  it('are read with the blanks of a page that they were copied from, but not within texts', () => {
    for (const blank of ['\u00a0', '\u3000', '\u200b', '\u2028', '\ufeff']) {
      const text = `{${blank}"mcpServers":${blank}{ // it’s "a"${blank}
        "a": {"command": "npx",${blank}/* " */ "args": ["x${blank}\\"//y"]${blank}}}${blank}}`;
      const parsed = parseMcpFile(text);
      assert.ok(parsed.ok, JSON.stringify(blank));
      assert.deepEqual(parsed.servers[0]?.preview.args, [`x${blank}"//y`]);
    }
  });

  it('name a command with characters that don’t show', () => {
    for (const odd of ['\u200b', '\u202e', '\0', '\u00ad']) {
      const [problem] = serverOf({ mcpServers: { a: { command: `np${odd}x` } } }).preview.problems;
      assert.match(problem?.message ?? '', /invisible characters: np‹U\+[\dA-F]{4}›x$/);
      assert.equal(problem?.blocking, true);
    }
  });

  const headers = { Authorization: 'Bearer k1' };
  const url = 'https://e.example/mcp';
  const remote: [tool: string, file: unknown][] = [
    ['opencode', { mcp: { a: { type: 'remote', url, headers } } }],
    ['Gemini CLI', { mcpServers: { a: { httpUrl: url, headers } } }],
    [
      'Cherry Studio',
      { mcpServers: { a: { type: 'streamableHttp', baseUrl: url, headers, isActive: true } } },
    ],
    ['Continue', { mcpServers: [{ name: 'a', type: 'streamable-http', url, requestInit: { headers } }] }],
    ['Continue’s options', { mcpServers: [{ name: 'a', url, requestOptions: { headers } }] }],
    ['a token', { mcp_servers: [{ name: 'a', url, authorization_token: 'k1' }] }],
    ['Continue’s key', { mcpServers: [{ name: 'a', url, apiKey: 'k1' }] }],
    ['Windsurf', { mcpServers: { a: { serverUrl: url, headers } } }],
    ['an empty command', { mcpServers: { a: { command: '', args: [], env: {}, url, headers } } }],
    ['a transport', { mcpServers: { a: { transport: { type: 'http', url, headers } } } }],
  ];
  for (const [tool, file] of remote)
    it(`are read with the address and key: ${tool}`, () => {
      const server = serverOf(file);
      assert.deepEqual(
        [server.preview.kind, server.preview.url, server.preview.disabled],
        ['shttp', url, false],
      );
      assert.deepEqual(secretsOf(fillWith(server)), { '(key)': 'k1' });
      assert.deepEqual([server.preview.problems, server.preview.cannotCarry], [[], []]);
    });

  it('are read with the environment by any name', () => {
    for (const name of ['env', 'environment'])
      assert.deepEqual(readOne({ command: 'x', [name]: { A: 'a' } }).preview.env, ['A'], name);
  });

  it('say which project a server belongs to, also if two projects have it', () => {
    const file = {
      mcpServers: { a: npx },
      projects: { '/w/x': { mcpServers: { a: npx } }, '/w/y': { mcpServers: { b: npx } } },
    };
    assert.deepEqual(
      serversOf(file).map(({ preview }) => [preview.name, preview.from]),
      [
        ['a', ''],
        ['a-2', '/w/x'],
        ['b', '/w/y'],
      ],
    );
  });

  for (const text of [
    '[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "thing"]\n',
    '# comment\nmodel = "x"\n[mcp_servers.docs]\ncommand = "npx"\n',
    'mcpServers:\n  - name: a\n    command: npx\n',
    '- name: a\n  command: npx\n',
    'name: Config\nversion: 1.0.0\nextensions:\n  a:\n    cmd: npx\n',
    '[mcp_servers."my docs"]\ncommand = "npx"\n',
  ])
    it(`are named if they can’t be read: ${JSON.stringify(text.slice(0, 24))}`, () => {
      const parsed = parseMcpFile(text);
      assert.match(parsed.ok ? '' : parsed.reason, /This looks like TOML or YAML/);
    });
});

describe('MCP import: a server that’s off', () => {
  const off = [
    { disabled: true },
    { disabled: 'true' },
    { disabled: 'True ' },
    { disabled: 1 },
    { enabled: false },
    { enabled: 'false' },
    { enabled: 0 },
    { isActive: false },
    { is_active: 'no' },
    { isEnabled: false },
    { active: 'off' },
    { autoStart: false },
    { start_on_launch: false },
    { Disabled: true },
    { enabled: true, disabled: true },
  ];
  for (const members of off)
    it(`stays off: ${JSON.stringify(members)}`, () => {
      const { preview } = readOne({ ...npx, ...members });
      assert.deepEqual([preview.disabled, preview.cannotCarry], [true, []]);
    });

  for (const members of [
    { disabled: 'false' },
    { enabled: 'true' },
    { isActive: true },
    { enabled: null },
    { disabled: 0 },
  ])
    it(`isn’t: ${JSON.stringify(members)}`, () => {
      const { preview } = readOne({ ...npx, ...members });
      assert.deepEqual([preview.disabled, preview.cannotCarry], [false, []]);
    });

  it('is named if the file says something unknown', () => {
    assert.deepEqual(readOne({ ...npx, disabled: 'weekends' }).preview.cannotCarry, ['“disabled”']);
  });

  const elsewhere: [what: string, file: object][] = [
    ['Gemini’s excluded', { mcp: { excluded: ['a'] } }],
    ['Gemini’s allowed', { mcp: { allowed: ['b'] } }],
    ['Gemini’s older names', { excludeMCPServers: ['a'] }],
    ['Gemini’s older allowed', { allowMCPServers: ['b'] }],
    ['Claude Code', { disabledMcpServers: ['a'] }],
  ];
  for (const [what, rest] of elsewhere)
    it(`stays off because of another member: ${what}`, () => {
      assert.deepEqual(
        serversOf({ mcpServers: { a: npx, b: npx }, ...rest }).map(({ preview }) => preview.disabled),
        [true, false],
      );
    });
});

describe('MCP import: what a file has twice', () => {
  const server = '{"command": "npx"}';

  for (const [what, text] of [
    ['sections', `{"mcpServers": {"a": ${server}}, "mcpServers": {"b": ${server}}}`],
    ['sections by two names', `{"servers": {"a": ${server}}, "mcpServers": {"b": ${server}}}`],
    ['nested sections', `{"mcp": {"servers": {"a": ${server}}}, "mcp": {"servers": {"b": ${server}}}}`],
    ['servers of one name', `{"mcpServers": {"a": ${server}, "a": {"command": "uvx"}}}`],
    [
      'servers of one name in two sections',
      `{"servers": {"a": ${server}}, "mcpServers": {"a": {"command": "uvx"}}}`,
    ],
  ] as const)
    it(`is imported twice, under different names: ${what}`, () => {
      const names = serversOf(text).map(({ preview }) => preview.name);
      assert.equal(new Set(names).size, 2, names.join());
    });

  it('is named if only the last one counts', () => {
    const { preview } = serverOf('{"a": {"command": "x", "command": "y", "env": {"K": "1", "K": "2"}}}');
    assert.equal(preview.command, 'y');
    assert.deepEqual(preview.cannotCarry, [
      'the first “command” (the file has it more than once)',
      'the first “env.K” (the file has it more than once)',
    ]);
  });
});

describe('MCP import: pasted parts of manuals', () => {
  for (const text of [
    '"a": {"command": "npx"}',
    '"a": {"command": "npx"},',
    '// for your file\n"a": {"command": "npx"}',
    '"mcpServers": {"a": {"command": "npx"}}',
    '```json\n{"mcpServers": {"a": {"command": "npx"}}}\n```',
    'Add this:\n\n```jsonc\n"a": {"command": "npx"}\n```\n\nand run\n\n```sh\nnpx thing\n```\n',
    '~~~\n{"a": {"command": "npx"}}\n~~~',
    'Add this to your configuration:\n\n{"mcpServers": {"a": {"command": "npx"}}}\n\nThen restart.',
    '# My servers\n{"mcpServers": {"a": {"command": "npx"}}}',
    'export default {"mcpServers": {"a": {"command": "npx"}}};',
  ])
    it(`are read: ${JSON.stringify(text.slice(0, 30))}`, () => {
      assert.equal(serverOf(text).preview.name, 'a');
    });

  it('are read from every block, and those that can’t be are named', () => {
    const parsed = parseMcpFile(
      'x\n```json\n{"a": {"command": "npx"}}\n```\n\n```json\n{"b": {"command": "npx"}}\n```\n```\n{"c":\n x}\n```\n',
    );
    assert.ok(parsed.ok);
    assert.deepEqual(
      parsed.servers.map(({ preview }) => preview.name),
      ['a', 'b'],
    );
    assert.deepEqual(
      parsed.rejected.map(({ sourceName, at }) => [sourceName, at]),
      [['A block of code', { line: 11, column: 2 }]],
    );
  });
});

describe('MCP import: commands with spaces', () => {
  for (const command of [
    'C:\\Program Files\\nodejs\\npx.cmd',
    'C:/Program Files/nodejs/npx.cmd -y thing',
    '/Applications/My Tool.app/Contents/MacOS/tool',
    '~/My Tools/server',
    '\\\\server\\our share\\tool.exe',
    '%ProgramFiles%\\My Tool\\x.exe',
    './my tool/run.sh',
  ])
    it(`block if they may be a path: ${command}`, () => {
      const { preview } = readOne({ command });
      assert.deepEqual([preview.command, preview.args], [command, []]);
      assert.deepEqual(
        preview.problems.map(({ member, blocking }) => [member, blocking]),
        [['command', true]],
      );
    });

  it('block if the arguments are elsewhere', () => {
    const { preview } = readOne({ command: '/home/ada/my server', args: ['x'] });
    assert.ok(preview.problems.some(({ member, blocking }) => member === 'command' && blocking));
  });

  for (const [command, args] of [
    ['/usr/bin/node server/index.js', ['server/index.js']],
    ['/usr/local/bin/uv run x', ['run', 'x']],
    ['C:\\tools\\node.exe server\\index.js', ['server\\index.js']],
    ['npx -y @acme/thing', ['-y', '@acme/thing']],
  ] as const)
    it(`are split if they can’t be: ${command}`, () => {
      const { preview } = readOne({ command });
      assert.deepEqual([preview.command, preview.args], [command.split(' ')[0], args]);
      assert.ok(preview.problems.every(({ blocking }) => !blocking));
    });

  it('are those that the shell of Windows starts, which services don’t have', () => {
    for (const members of [
      { command: 'cmd', args: ['/c', 'npx', '-y', '@acme/a'] },
      { command: 'cmd.exe', args: ['/C', 'npx -y @acme/a'] },
      { command: ['cmd', '/c', 'npx', '-y', '@acme/a'] },
      { command: 'cmd /c npx -y @acme/a' },
    ]) {
      const { preview } = readOne(members);
      assert.deepEqual([preview.command, preview.args], ['npx', ['-y', '@acme/a']], JSON.stringify(members));
    }
    const withVariables = readOne({ command: 'cmd', args: ['/c', 'MODE=fast npx -y @acme/a'] }).preview;
    assert.deepEqual([withVariables.command, withVariables.env], ['npx', ['MODE']]);
    assert.deepEqual(readOne({ command: 'cmd', args: ['/c'] }).preview.args, ['/c']);
    const { preview } = readOne({ command: 'cmd', args: ['/c', 'C:\\My Tools\\x.cmd', 'a'] });
    assert.ok(preview.problems.some(({ member, blocking }) => member === 'command' && blocking));
  });

  it('split arguments that are one string, as the service does', () => {
    const { preview } = readOne({ command: 'npx', args: '-y @acme/a "b c"' });
    assert.deepEqual(preview.args, ['-y', '@acme/a', 'b c']);
    assert.deepEqual(
      preview.problems.map(({ member, blocking }) => [member, blocking]),
      [['args', false]],
    );
  });
});
