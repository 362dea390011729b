import assert from 'node:assert/strict';
import { everyCase } from '../../../support/everyCase';
import { tokenOf } from '../../../../src/features/settings/model/import/placeholders';
import { fillWith, readOne, secretsOf, serversOf } from './support';

describe('MCP import: single servers', () => {
  const url = 'https://mcp.example.com/mcp';
  const kinds: [object, string, boolean][] = [
    [{ type: 'http', url }, 'shttp', false],
    [{ type: 'streamable-http', url }, 'shttp', false],
    [{ type: 'streamableHttp', url }, 'shttp', false],
    [{ transport: 'http', url: 'https://e.example/sse' }, 'shttp', false],
    [{ transportType: 'SSE', url }, 'sse', false],
    [{ type: 'sse', url }, 'sse', false],
    [{ url }, 'shttp', false],
    [{ url: 'https://e.example/sse' }, 'sse', false],
    [{ url: 'https://e.example/v1/SSE/?team=1#x' }, 'sse', false],
    [{ url: 'https://e.example/mcp?via=/sse' }, 'shttp', false],
    [{ url: 'https://e.example/classes' }, 'shttp', false],
    [{ url: null, serverUrl: url }, 'shttp', false],
    [{ httpUrl: url }, 'shttp', false],
    [{ command: 'x' }, 'stdio', false],
    [{ type: 'local', command: 'x' }, 'stdio', false],
    [{ type: 'stdio', url }, 'shttp', true],
    [{ type: 'http', command: 'x' }, 'stdio', true],
    [{ type: 'carrier-pigeon', url: 'https://e.example/sse' }, 'sse', true],
    [{ type: 7, command: 'x' }, 'stdio', true],
  ];
  for (const [object, kind, odd] of kinds)
    it(`reads ${JSON.stringify(object)} as ${kind}`, () => {
      const { preview } = readOne({ ...object });
      assert.equal(preview.kind, kind);
      assert.deepEqual(
        preview.problems.map(({ member }) => member),
        odd ? ['kind'] : [],
      );
    });

  it('follows the type if both command and address are set, and reports the rest', () => {
    const both = { command: 'x', args: ['y'], url };
    assert.equal(readOne(both).preview.kind, 'stdio');
    assert.deepEqual(readOne(both).preview.cannotCarry, ['“url”']);
    const http = readOne({ ...both, type: 'http' }).preview;
    assert.equal(http.kind, 'shttp');
    assert.deepEqual(http.cannotCarry, ['“command”', '“args”']);
  });

  const addresses: [string, boolean][] = [
    ['ws://localhost:8080', true],
    ['  https://e.example/mcp  ', true],
    ['e.example/mcp', false],
    ['unix:///run/mcp.sock', false],
    ['ftp://e.example/', false],
    ['https://e.example\n.other.example/', false],
    ['https://e.example\\other', false],
    ['https://e.example/\u202ecod', false],
    ['', false],
  ];
  for (const [address, good] of addresses)
    it(`${good ? 'accepts' : 'refuses'} the address “${address}”`, () => {
      const { preview } = readOne({ url: address });
      assert.deepEqual(
        preview.problems.map(({ member, blocking }) => [member, blocking]),
        good ? [] : [['url', true]],
      );
      assert.equal(preview.url, address.trim());
    });

  const commands: [string, string, string[]][] = [
    ['npx', 'npx', []],
    ['npx -y @acme/server', 'npx', ['-y', '@acme/server']],
    ['  docker   run\t-i --rm  img ', 'docker', ['run', '-i', '--rm', 'img']],
    ['node "my server.js" --x=\'a b\'', 'node', ['my server.js', '--x=a b']],
    ['run ${input:the tool} now', 'run', ['${input:the tool}', 'now']],
  ];
  for (const [line, command, args] of commands)
    it(`reads the command “${line}”`, () => {
      const { preview } = readOne({ command: line, args: ['last'] });
      assert.equal(preview.command, command);
      assert.deepEqual(preview.args, [...args, 'last']);
      assert.deepEqual(
        preview.problems.map(({ member, blocking }) => [member, blocking]),
        args.length > 0 ? [['command', false]] : [],
      );
    });

  it('leaves empty commands and commands with spaces to the user', () => {
    for (const command of ['"C:\\Program Files\\node.exe" s.js', '  ']) {
      const { preview } = readOne({ command });
      assert.ok(preview.problems.some(({ member, blocking }) => member === 'command' && blocking));
    }
  });

  const names: [string, string][] = [
    ['io.github.ada/weather', 'io-github-ada-weather'],
    ['@acme/files', 'acme-files'],
    ['Über Tool!', 'Uber-Tool'],
    ['日本', 'server'],
    ['', 'npx'],
    ['fine_Name-1', 'fine_Name-1'],
  ];
  for (const [name, expected] of names)
    it(`names “${name}” ${expected}`, () => {
      const [server] = serversOf({ mcpServers: { [name]: { command: '/usr/bin/npx' } } });
      assert.equal(server?.preview.name, expected);
      assert.equal(server.preview.problems.length, name === expected ? 0 : 1);
      assert.equal(fillWith(server).server.name, expected);
    });

  it('suggests names that are unique in the file', () => {
    const one = { command: 'x' };
    const servers = serversOf({
      mcpServers: { 'a b': one, 'a.b': one, 'a-b': one, 'a-b-3': one, 'a/b': one },
    });
    assert.deepEqual(
      servers.map(({ preview }) => preview.name),
      ['a-b-2', 'a-b-4', 'a-b', 'a-b-3', 'a-b-5'],
    );
    const both = [
      { name: 'a', url: 'https://a.example' },
      { name: 'a', command: 'x' },
    ];
    for (const list of [both, both.toReversed()])
      assert.deepEqual(
        serversOf({ mcpServers: list }).flatMap(({ preview: { kind, name, problems } }) =>
          kind === 'stdio' ? [name, problems.length] : [],
        ),
        ['a', 0],
        'a server with an address has no name on the service',
      );
  });

  it('reads command, arguments, and variables by all names that tools have for them', () => {
    for (const [args, env] of [
      ['args', 'env'],
      ['arguments', 'environment'],
      ['args', 'environmentVariables'],
    ] as const) {
      const server = readOne({ command: 'x', [args]: ['-y'], [env]: { A: 'b' } });
      assert.deepEqual([server.preview.args, server.preview.cannotCarry], [['-y'], []]);
      assert.deepEqual(secretsOf(fillWith(server)), { A: 'b' }, env);
    }
  });

  it('reads variables before a command as the environment, not as the command', () => {
    const parsed = readOne({
      command: 'API_KEY=secret MODE="a b" npx -y @acme/server',
      env: { MODE: 'c', X: 'd' },
    });
    assert.deepEqual([parsed.preview.command, parsed.preview.args], ['npx', ['-y', '@acme/server']]);
    assert.deepEqual(
      [...parsed.secrets.env],
      [
        ['MODE', 'a b'],
        ['X', 'd'],
        ['API_KEY', 'secret'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(parsed.preview), /secret/);
  });

  it('takes a line apart only where its path can’t have spaces', () => {
    const read = (command: string, args?: unknown) => {
      const { preview } = readOne({ command, ...(args !== undefined && { args }) });
      const isRefused = preview.problems.some(({ member, blocking }) => member === 'command' && blocking);
      return isRefused ? `refused ${preview.command}` : [preview.command, ...preview.args].join(' | ');
    };
    for (const line of [
      ...['C:\\Program Files\\tool.exe -y', '/opt/My Tools/run', '~/My Tools/run.sh', '%HOME%/a b/run.cmd'],
      ...['C:/My Tools/a.exe', '$HOME/My Tools/run', '/Applications/My Tool.app'],
    ])
      assert.equal(read(line), `refused ${line}`, line);
    for (const [line, parts] of [
      ['npx -y a', 'npx | -y | a'],
      ['/usr/bin/env node a.js', '/usr/bin/env | node | a.js'],
      ['/bin/sh -c "a b"', '/bin/sh | -c | a b'],
      ['/usr/local/bin/node /srv/a.js', '/usr/local/bin/node | /srv/a.js'],
      ['/opt/homebrew/bin/uvx a', '/opt/homebrew/bin/uvx | a'],
      ['./run.sh a b/c', './run.sh | a | b/c'],
      ['C:\\tools\\a.EXE b', 'C:\\tools\\a.EXE | b'],
      ['/srv/run --port 80', '/srv/run | --port | 80'],
      ['/srv/run ./a ~/b C:/c http://d/e', '/srv/run | ./a | ~/b | C:/c | http://d/e'],
      ['npx \'a b\' "c" d', 'npx | a b | c | d'],
      ['npx ${input:a b}', 'npx | ${input:a b}'],
    ] as const)
      assert.equal(read(line), parts, line);
    // What looks like a program is only the beginning of a path.
    for (const line of [
      ...['/srv/tool.js.d/my server/run', '/home/ada/bin/my tools/run', '/usr/bin/tools/my server/run'],
      ...['/bin/ab/c d/run', '/srv/my tool.BIN'],
    ])
      assert.equal(read(line), `refused ${line}`, line);
    // What looks like the end of a path is an argument.
    for (const line of ['/srv/run it.app.json', '/srv/run backup.bin2', '/srv/run app', '/sbin/run a/b'])
      assert.equal(read(line), line.replaceAll(' ', ' | '), line);
    assert.equal(read('/srv/run it', ['a']), 'refused /srv/run it', 'its arguments are elsewhere');
    assert.equal(read('npx -y', ['a']), 'npx | -y | a');
  });

  const headers: [unknown, string | null, number][] = [
    [null, null, 0],
    ['Authorization: Bearer k1', 'k1', 0],
    ['k1', null, 1],
    [['Authorization: Bearer k1', 'Authorization: Basic k2'], null, 1],
    [{ Authorization: 'Bearer k1' }, 'k1', 0],
    [{ aUTHORIZATION: 'bEARER\tk1' }, 'k1', 0],
    [{ Authorization: 'Basic k1' }, null, 1],
    [{ Authorization: 'k1' }, null, 1],
    [{ Authorization: 'Bearer ' }, null, 1],
    [{ Authorization: 'Bearer k1', authorization: 'Bearer k2' }, 'k1', 1],
    [{ Authorization: ['Bearer k1'] }, null, 1],
    [{ 'X-Api-Key': 'k1', Accept: 'text/plain' }, null, 2],
    [{}, null, 0],
  ];
  for (const [object, key, others] of headers)
    it(`reads the headers ${JSON.stringify(object)}`, () => {
      const server = readOne({ url, headers: object });
      assert.equal(server.secrets.apiKey, key);
      assert.equal(server.preview.hasApiKey, key !== null);
      assert.equal(server.preview.cannotCarry.length, others);
      assert.doesNotMatch(JSON.stringify(server.preview), /k[12]/);
      assert.deepEqual(secretsOf(fillWith(server)), key === null ? {} : { '(key)': key });
    });

  it('reports unsupported members, but not those without effect', () => {
    const { preview } = readOne({
      command: 'x',
      enabled: false,
      disabled: true,
      cwd: '/w',
      autoApprove: ['t'],
      headers: { A: 'b' },
      'odd\u202emember\u001b[31m': 1,
    });
    assert.deepEqual(preview.cannotCarry, [
      '“cwd” (/w)',
      '“autoApprove” (tools that run without confirmation)',
      '“headers”',
      '“oddmember”',
    ]);
    const quiet = {
      command: 'x',
      disabled: false,
      enabled: true,
      autoApprove: [],
      headers: {},
      env: {},
      cwd: '',
      dev: null,
      name: 'x',
      inputs: [{ id: 'token' }],
    };
    assert.deepEqual(readOne(quiet).preview.cannotCarry, []);
    for (const [off, is] of [
      [{ disabled: true }, true],
      [{ enabled: false }, true],
      [{ disabled: false, enabled: true }, false],
      [{}, false],
    ] as const)
      assert.equal(readOne({ command: 'x', ...off }).preview.disabled, is, JSON.stringify(off));
  });

  it('omits arguments and variables that aren’t strings, and says so', () => {
    const { preview, secrets } = readOne({
      command: 'x',
      args: ['a', 1, true, null, { b: 1 }],
      env: { A: 1, B: false, C: null, D: ['x'], 'E F': 'x' },
    });
    assert.deepEqual(preview.args, ['a', '1', 'true']);
    assert.deepEqual(
      [...secrets.env],
      [
        ['A', '1'],
        ['B', 'false'],
        ['E F', 'x'],
      ],
    );
    assert.deepEqual(
      preview.problems.map(({ member, blocking }) => [member, blocking]),
      [
        ['args', false],
        ['env', false],
        ['env', false],
        ['env', true],
      ],
    );
    const odd = readOne({ command: 'x', args: 7, env: 7 }).preview;
    assert.deepEqual([odd.args, odd.env], [[], []]);
    assert.equal(odd.problems.length, 2);
  });

  it('reads arguments that are an object or a string', () =>
    everyCase(
      [
        ['a "b c"', ['a', 'b c'], 1],
        [{ 0: '-y', 1: 'a' }, ['-y', 'a'], 0],
        [{ '--port': 8080, '-v': true, '--quiet': false }, ['--port', '8080', '-v'], 0],
        [{ '--list': ['a'], port: 1 }, ['--list'], 1],
        ['', [], 0],
        [true, [], 1],
      ] as const,
      JSON.stringify,
      ([args, read, problems]) => {
        const { preview } = readOne({ command: 'x', args });
        assert.deepEqual([preview.args, preview.problems.length], [read, problems]);
      },
    ));

  it('reads variables and headers that are lists, and names those that can’t be read', () => {
    const env = (list: unknown) => {
      const { preview, secrets } = readOne({ command: 'x', env: list });
      return [[...secrets.env], preview.problems.map(({ message }) => message)];
    };
    const both = [
      ['A', 'b=c'],
      ['D', ''],
    ];
    for (const list of [
      ['A=b=c', 'D='],
      [
        { name: 'A', value: 'b=c' },
        { key: 'D', value: '' },
      ],
      [{ A: 'b=c' }, { D: '' }],
      'A=b=c\r\nD=\n',
    ])
      assert.deepEqual(env(list), [both, []], JSON.stringify(list));
    assert.deepEqual(env(['A', 'B=x']), [
      [
        ['A', '${A}'],
        ['B', 'x'],
      ],
      [],
    ]);
    assert.deepEqual(env([7, ['x'], { name: 'A' }, '=x', { B: 'y' }]), [
      [['B', 'y']],
      [
        'The variable “1” isn’t a string and is left out.',
        'The variable “2” isn’t a string and is left out.',
        'The service can’t unset variables, so “A” is left out.',
        'The variable “4” isn’t a string and is left out.',
      ],
    ]);

    const url = 'https://e.example/mcp';
    for (const headers of [
      ['Authorization: Bearer canary', 'X-Team: blue'],
      [
        { key: 'Authorization', value: 'Bearer canary' },
        { name: 'X-Team', value: 'blue' },
      ],
      'Authorization: Bearer canary\nX-Team: blue',
    ]) {
      const { preview, secrets } = readOne({ url, headers });
      assert.deepEqual([secrets.apiKey, preview.cannotCarry], ['canary', ['header “X-Team”']]);
    }
    assert.deepEqual(readOne({ url, headers: [7, 'x'] }).preview.cannotCarry, ['header “1”', 'header “2”']);
    assert.deepEqual(readOne({ url, headers: 7 }).preview.cannotCarry, ['“headers”']);
  });
});

describe('MCP import: the token of a filled header', () => {
  for (const [header, token] of [
    ['abc', 'abc'],
    [' abc ', 'abc'],
    ['Bearer abc', 'abc'],
    ['bearer\tabc', 'abc'],
    ['Basic abc', undefined],
    ['Bearer ', 'Bearer'],
    ['1st Basic abc', '1st Basic abc'],
  ] as const) {
    it(`of ${JSON.stringify(header)} is ${token}`, () => assert.equal(tokenOf(header), token));
  }
});
