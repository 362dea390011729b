import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseMcpFile } from '../../../../src/features/settings/model/import/parse';
import { seeded } from '../../changes/seeded';
import { fillWith, secretsOf, serverOf, serversOf } from './support';

const about = { name: 'io.github.ada/weather', description: 'Weather', version: '1.2.0' };
const key = { name: 'API_KEY', description: 'Its key', isRequired: true, isSecret: true };
const stdio = { type: 'stdio' };

describe('MCP import: descriptions of registries', () => {
  const commands: [what: string, described: object, command: string, args: string[]][] = [
    ['npm', { registryType: 'npm', identifier: '@ada/weather' }, 'npx', ['-y', '@ada/weather@1.0.0']],
    ['PyPI', { registryType: 'pypi', identifier: 'weather' }, 'uvx', ['weather@1.0.0']],
    ['NuGet', { registryType: 'nuget', identifier: 'Ada.Weather' }, 'dnx', ['Ada.Weather@1.0.0', '--yes']],
    [
      'Docker',
      { registryType: 'oci', identifier: 'ada/weather' },
      'docker',
      ['run', '-i', '--rm', '-e', 'API_KEY', 'ada/weather:1.0.0'],
    ],
    [
      'another registry of images',
      { registryType: 'oci', identifier: 'ada/weather', registryBaseUrl: 'https://ghcr.io/' },
      'docker',
      ['run', '-i', '--rm', '-e', 'API_KEY', 'ghcr.io/ada/weather:1.0.0'],
    ],
    [
      'an image with its tag',
      { registryType: 'oci', identifier: 'ghcr.io/ada/weather:2', version: '1.0.0' },
      'docker',
      ['run', '-i', '--rm', '-e', 'API_KEY', 'ghcr.io/ada/weather:2'],
    ],
    [
      'a company’s own registry, and no public one',
      { registryType: 'npm', identifier: 'weather', registryBaseUrl: 'https://npm.corp.example' },
      'npx',
      ['-y', '--registry', 'https://npm.corp.example', 'weather@1.0.0'],
    ],
    [
      'a registry whose address only begins like the public one’s',
      { registryType: 'pypi', identifier: 'weather', registryBaseUrl: 'https://pypi.org.corp.example' },
      'uvx',
      ['--default-index', 'https://pypi.org.corp.example', 'weather@1.0.0'],
    ],
    [
      'the public registry, where none is named',
      { registryType: 'pypi', identifier: 'weather', registryBaseUrl: '' },
      'uvx',
      ['weather@1.0.0'],
    ],
    [
      'the public registry, by its whole address',
      { registryType: 'npm', identifier: 'weather', registryBaseUrl: 'https://registry.npmjs.org/' },
      'npx',
      ['-y', 'weather@1.0.0'],
    ],
    [
      'arguments',
      {
        registryType: 'npm',
        identifier: 'weather',
        runtimeArguments: [{ type: 'named', name: '--quiet' }],
        packageArguments: [
          { type: 'positional', value: 'start' },
          { type: 'named', name: '--mode', default: 'local', choices: ['local', 'proxy'] },
          { type: 'named', name: '--port', format: 'number' },
          { type: 'positional', valueHint: 'folder', isRequired: true },
        ],
      },
      'npx',
      ['-y', '--quiet', 'weather@1.0.0', 'start', '--mode', '${input:--mode}', '${input:folder}'],
    ],
    ['a name in capitals', { registryType: 'PyPI', identifier: 'weather' }, 'uvx', ['weather@1.0.0']],
    [
      'an identifier with its version',
      { registryType: 'npm', identifier: '@ada/weather@2.0.0' },
      'npx',
      ['-y', '@ada/weather@2.0.0'],
    ],
    [
      'a requirement of Python',
      { registryType: 'pypi', identifier: 'weather==2.0.0' },
      'uvx',
      ['weather==2.0.0'],
    ],
    [
      'an image by its digest',
      { registryType: 'oci', identifier: 'ada/weather', version: 'sha256:0a1b' },
      'docker',
      ['run', '-i', '--rm', '-e', 'API_KEY', 'ada/weather@sha256:0a1b'],
    ],
    [
      'the public registry of images by another address',
      { registryType: 'oci', identifier: 'ada/weather', registryBaseUrl: 'https://index.docker.io/v1/' },
      'docker',
      ['run', '-i', '--rm', '-e', 'API_KEY', 'ada/weather:1.0.0'],
    ],
    [
      'a registry by its host',
      { registryType: 'oci', identifier: 'ada/weather', registryBaseUrl: 'ghcr.io' },
      'docker',
      ['run', '-i', '--rm', '-e', 'API_KEY', 'ghcr.io/ada/weather:1.0.0'],
    ],
    [
      'the language as what runs it',
      { registryType: 'pypi', identifier: 'weather', runtimeHint: 'python' },
      'uvx',
      ['weather@1.0.0'],
    ],
    [
      'what runs it, with its own arguments',
      {
        registryType: 'pypi',
        identifier: 'weather',
        runtimeHint: 'uv',
        runtimeArguments: [
          { type: 'positional', value: 'tool' },
          { type: 'positional', value: 'run' },
        ],
      },
      'uv',
      ['tool', 'run', 'weather@1.0.0'],
    ],
    [
      'an answer that is given already',
      { registryType: 'nuget', identifier: 'Weather', runtimeArguments: [{ type: 'named', name: '--yes' }] },
      'dnx',
      ['Weather@1.0.0', '--yes'],
    ],
    [
      'a variable that its argument sets',
      {
        registryType: 'oci',
        identifier: 'ada/weather',
        runtimeArguments: [{ type: 'named', name: '--env=API_KEY={key}', isRequired: true }],
      },
      'docker',
      ['run', '-i', '--rm', '--env=API_KEY=${input:key}', 'ada/weather:1.0.0'],
    ],
    [
      'arguments as publishers write them',
      {
        registryType: 'npm',
        identifier: 'weather',
        packageArguments: [
          { type: 'positional', name: 'folder', value: '/data' },
          { type: 'named', name: '', value: 'start' },
          { type: 'named', name: '--units', default: '' },
          { type: 'named', name: '--token', isRepeated: true },
          { type: 'named', name: '--cache', format: 'boolean', isRequired: true, value: 'false' },
          { type: 'named', name: '--kind', value: '{kind}', variables: { kind: { value: 'local' } } },
        ],
      },
      'npx',
      ['-y', 'weather@1.0.0', '/data', 'start', '--cache', 'false', '--kind', 'local'],
    ],
    [
      'each argument for itself',
      {
        registryType: 'npm',
        identifier: 'weather',
        packageArguments: [
          { type: 'positional', isRequired: true },
          { type: 'positional', isRequired: true },
          { type: 'named', name: '-D', default: 'a=1' },
          { type: 'named', name: '-D', default: 'b=2' },
        ],
      },
      'npx',
      [
        ...['-y', 'weather@1.0.0', '${input:argument}', '${input:argument 2}'],
        ...['-D', '${input:-D}', '-D', '${input:-D 2}'],
      ],
    ],
    [
      'variables in arguments',
      {
        registryType: 'oci',
        identifier: 'ada/weather',
        runtimeArguments: [
          { type: 'named', name: '-e', value: 'KIND={kind}', variables: { kind: { choices: ['a', 'b'] } } },
        ],
      },
      'docker',
      ['run', '-i', '--rm', '-e', 'KIND=${input:kind}', '-e', 'API_KEY', 'ada/weather:1.0.0'],
    ],
  ];
  for (const [what, described, command, args] of commands)
    it(`are read as commands: ${what}`, () => {
      const one = { version: '1.0.0', transport: stdio, environmentVariables: [key], ...described };
      for (const file of [
        { ...about, packages: [one] },
        { server: { ...about, packages: [one] }, _meta: {} },
        { servers: [{ server: { ...about, packages: [one] } }], metadata: { count: 1 } },
      ]) {
        const { preview } = serverOf(file);
        assert.deepEqual([preview.kind, preview.command, preview.args], ['stdio', command, args]);
        assert.equal(preview.name, 'weather');
        assert.deepEqual(preview.env, ['API_KEY']);
        assert.deepEqual(preview.problems, []);
        assert.equal(preview.inputs.find(({ name }) => name === 'API_KEY')?.password, true);
      }
    });

  it('are read with members as they were called before', () => {
    const environment_variables = [{ name: 'API_KEY', is_required: true, is_secret: true }];
    const one = { registry_type: 'pypi', identifier: 'weather', version: '1.0.0', environment_variables };
    const { preview } = serverOf({ ...about, packages: [one] });
    assert.deepEqual([preview.command, preview.args, preview.env], ['uvx', ['weather@1.0.0'], ['API_KEY']]);
    const remote = { transport_type: 'sse', url: 'https://mcp.example/events' };
    assert.equal(serverOf({ ...about, remotes: [remote] }).preview.kind, 'sse');
  });

  const refused: [what: string, described: object, named: string | undefined][] = [
    ['an option as its package', { identifier: '--call=rm' }, 'npm, --call=rm'],
    ['an option as its image', { registryType: 'oci', identifier: '--privileged' }, 'oci, --privileged'],
    ['a command as its package', { identifier: 'x; curl' }, 'npm, x; curl'],
    ['a name with hidden characters', { identifier: 'wea\u202ether' }, 'npm, weather'],
    ['hidden characters in its version', { version: '1\u202e0' }, 'npm, weather'],
    ['a registry that is no address', { registryBaseUrl: 'not one' }, 'npm, not one'],
    ['an option as its registry', { registryBaseUrl: '--script-shell=x' }, 'npm, --script-shell=x'],
    ['a file as its registry', { registryBaseUrl: 'file:///etc' }, 'npm, file:///etc'],
    [
      'a registry with hidden characters',
      { registryBaseUrl: 'https://a\u202e.example' },
      'npm, https://a.example',
    ],
    ['a mount as its registry', { registryType: 'oci', registryBaseUrl: '-v /:/host' }, 'oci, -v /:/host'],
    ['another transport, as a text', { transport: 'sse' }, 'npm, sse'],
    ['no package', { identifier: '' }, undefined],
    ['no kind', { registryType: undefined }, undefined],
  ];
  for (const [what, described, named] of refused)
    it(`aren’t run with ${what}`, () => {
      const one = { registryType: 'npm', identifier: 'weather', version: '1.0.0', ...described };
      const parsed = parseMcpFile(JSON.stringify({ ...about, packages: [one] }));
      assert.ok(parsed.ok);
      assert.deepEqual(parsed.servers, []);
      assert.equal(/“(.*?)”/.exec(parsed.rejected[0]?.reason ?? '')?.[1], named);
    });

  it('ask for the values of each server by themselves', () => {
    const headers = [{ name: 'Authorization', value: 'Bearer {token}', isSecret: true }];
    const remotes = [{ type: 'sse', url: 'https://a.example/sse', headers }];
    const answers = ['a/weather', 'b/weather'].map((name) => ({ server: { name, remotes } }));
    for (const file of [{ servers: answers }, answers]) {
      const keys = serversOf(file).map(({ preview }) => preview.inputs.map(({ key }) => key));
      assert.deepEqual(keys, [['input:token (a/weather)'], ['input:token (b/weather)']]);
    }
    const [first] = serversOf({ servers: answers });
    assert.ok(first);
    assert.equal(first.preview.inputs[0]?.password, true);
    assert.deepEqual(secretsOf(fillWith(first, { 'input:token (a/weather)': 's' })), { '(key)': 's' });
  });

  it('offer the values that there are, and a text input for any other', () => {
    const packageArguments = [
      { type: 'named', name: '--mode', choices: ['local', 'proxy'], isRequired: true },
      { type: 'named', name: '--level', choices: [], isRequired: true },
      { type: 'named', name: '--size', isRequired: true },
    ];
    const server = serverOf({
      ...about,
      packages: [{ registryType: 'npm', identifier: 'w', packageArguments }],
    });
    assert.deepEqual(
      server.preview.inputs.map(({ name, options }) => [name, options]),
      [
        ['--mode', ['local', 'proxy']],
        ['--level', null],
        ['--size', null],
      ],
    );
  });

  it('ask for a value as a password if any of its places is secret', () => {
    const uses = [
      { type: 'named', name: '--as', value: '{tenant}' },
      { type: 'named', name: '--with', value: '{tenant}', isSecret: true },
    ];
    for (const packageArguments of [uses, uses.toReversed()]) {
      const packages = [{ registryType: 'npm', identifier: 'w', packageArguments }];
      const { inputs } = serverOf({ ...about, packages }).preview;
      assert.deepEqual(
        inputs.map(({ name, password }) => [name, password]),
        [['tenant', true]],
      );
    }
    const [open] = serverOf({
      ...about,
      packages: [{ registryType: 'npm', identifier: 'w', packageArguments: uses.slice(0, 1) }],
    }).preview.inputs;
    assert.equal(open?.password, false);
  });

  it('have no default that only stands for a value, and show none that is a secret', () => {
    const defaults = ['<your key>', 'YOUR_API_KEY', '${HOME}/data', '{{key}}'];
    const environmentVariables = defaults.map((value, index) => ({ name: `A${index}`, default: value }));
    const packageArguments = [{ type: 'named', name: '--opt', default: 'sk-abcdefghijklmnop1234567890' }];
    const one = { registryType: 'npm', identifier: 'weather', environmentVariables, packageArguments };
    const server = serverOf({ ...about, packages: [one] });
    assert.deepEqual(secretsOf(fillWith(server)), {});
    const shown = server.preview.inputs.map(({ name, hasDefault, default: value }) => [
      name,
      hasDefault,
      value,
    ]);
    assert.deepEqual(shown, [
      ['--opt', true, null],
      ...defaults.map((_one, index) => [`A${index}`, false, null]),
    ]);
  });

  it('have the names of older descriptions, and names in other braces', () => {
    const headers = [{ name: 'Authorization', value: 'Bearer {{the key}}' }];
    const remotes = [{ type: 'streamable', url: 'https://a.example/sse', headers }];
    const packages = [
      {
        registry_name: 'docker',
        name: 'a/w',
        environment_variables: [
          { name: 'KEY', is_required: true },
          { name: 'MODE', value: 'x' },
        ],
      },
    ];
    const [local, remote] = serversOf({ ...about, packages, remotes });
    assert.ok(local && remote);
    assert.deepEqual(local.preview.args, ['run', '-i', '--rm', '-e', 'KEY', '-e', 'MODE', 'a/w']);
    assert.deepEqual([remote.preview.kind, remote.preview.problems], ['shttp', []]);
    assert.deepEqual(secretsOf(fillWith(remote, { 'input:the key': 'secret' })), { '(key)': 'secret' });
  });

  it('say that a server is none, and what the registry says of one', () => {
    const server = { ...about, remotes: [{ type: 'sse', url: 'https://a.example/sse' }] };
    const _meta = { official: { status: 'deleted' } };
    const parsed = parseMcpFile(JSON.stringify({ servers: [{ server, _meta }, { server: about }] }));
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.servers[0]?.preview.problems, [
      { member: 'kind', message: 'The registry says that this server is “deleted”.', blocking: false },
    ]);
    assert.deepEqual(
      parsed.rejected.map(({ sourceName }) => sourceName),
      [about.name],
    );
    assert.deepEqual(serverOf({ ...server, status: 'active' }).preview.problems, []);
  });

  it('are read as addresses, with what is open in them', () => {
    const headers = [{ name: 'Authorization', value: 'Bearer {token}', isRequired: true, isSecret: true }];
    const url = 'https://{tenant}.mcp.example/mcp';
    const variables = { tenant: { description: 'Your organization', isRequired: true } };
    const server = serverOf({ ...about, remotes: [{ type: 'streamable-http', url, headers, variables }] });
    assert.deepEqual(
      server.preview.inputs.map(({ name, password, description }) => [name, password, description]),
      [
        ['tenant', false, 'Your organization'],
        ['token', true, null],
      ],
    );
    const filled = fillWith(server, { 'input:tenant': 'ada', 'input:token': 'secret' });
    assert.equal(filled.server.url, 'https://ada.mcp.example/mcp');
    assert.deepEqual(secretsOf(filled), { '(key)': 'secret' });
    // Without an answer, what stands for the token isn’t stored as one.
    assert.deepEqual(secretsOf(fillWith(server, { 'input:tenant': 'ada' })), {});
  });

  it('name what is left out, and headers that can’t be sent', () => {
    const optional = [key, { name: 'LOG_LEVEL' }, { name: 'UNITS', default: 'celsius' }];
    const packages = [{ registryType: 'npm', identifier: 'weather', environmentVariables: optional }];
    const remotes = [
      { type: 'sse', url: 'https://a.example/', headers: [{ name: 'X-Key', isSecret: true }] },
    ];
    const [local, remote] = serversOf({ ...about, packages, remotes });
    assert.ok(local && remote);
    assert.deepEqual(local.preview.cannotCarry, ['optional: LOG_LEVEL']);
    assert.deepEqual(secretsOf(fillWith(local)), { UNITS: 'celsius' });
    assert.deepEqual(remote.preview.cannotCarry, ['header “X-Key”']);
    assert.deepEqual([local.preview.from, remote.preview.from], ['npm', 'sse']);
  });

  it('may have their variables and headers by name', () => {
    const environmentVariables = {
      API_KEY: { isSecret: true, isRequired: true },
      UNITS: 'celsius',
      LEVEL: {},
    };
    const local = { registryType: 'npm', identifier: 'weather', environmentVariables };
    const remote = { type: 'sse', url: 'https://a.example/', headers: { Authorization: 'Bearer {token}' } };
    const [first, second] = serversOf({ ...about, packages: [local], remotes: [remote] });
    assert.ok(first && second);
    assert.deepEqual(secretsOf(fillWith(first, { 'input:API_KEY': 'k' })), {
      API_KEY: 'k',
      UNITS: 'celsius',
    });
    assert.deepEqual(first.preview.cannotCarry, ['optional: LEVEL']);
    assert.deepEqual(secretsOf(fillWith(second, { 'input:token': 't' })), { '(key)': 't' });
    // Of a list of names, nothing but the names is known.
    const named = serverOf({ ...about, packages: [{ ...local, environmentVariables: ['API_KEY'] }] });
    assert.deepEqual(named.preview.cannotCarry, ['optional: API_KEY']);
  });

  it('say what to do where a package can’t be run', () => {
    const mcpb = { registryType: 'mcpb', identifier: 'https://a.example/a.mcpb' };
    const http = { registryType: 'npm', identifier: 'a', transport: { type: 'streamable-http' } };
    const parsed = parseMcpFile(
      JSON.stringify({ ...about, packages: [mcpb, http, { registryType: 'cargo' }] }),
    );
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.servers, []);
    const [bundle, ...others] = parsed.rejected.map(({ reason }) => reason);
    assert.match(bundle ?? '', /^This is a bundle, .* Add the server by its command or address/);
    assert.deepEqual(
      others.map((words) => /“(.*?)”/.exec(words)?.[1]),
      ['npm, streamable-http', 'cargo'],
    );
  });

  it('are read from a bundle’s manifest only if it runs no program of its own', () => {
    const manifest = (args: string[], env: object = {}) => ({
      ...about,
      manifest_version: '0.3',
      name: 'weather',
      server: {
        type: 'node',
        entry_point: 'server/index.js',
        mcp_config: { command: 'npx', args, env: { API_KEY: '${user_config.api_key}', ...env } },
      },
      user_config: { api_key: { type: 'string', title: 'Its key', sensitive: true, required: true } },
    });
    const server = serverOf(manifest(['-y', 'weather']));
    assert.deepEqual(secretsOf(fillWith(server)), {});
    assert.deepEqual(secretsOf(fillWith(server, { 'input:api_key': 'secret' })), { API_KEY: 'secret' });
    for (const own of [
      manifest(['${__dirname}/server/index.js']),
      manifest(['server/index.js']),
      manifest(['./server/index.js']),
      manifest(['-m', 'weather'], { PYTHONPATH: '${__dirname}/lib' }),
    ]) {
      const parsed = parseMcpFile(JSON.stringify(own));
      assert.ok(parsed.ok);
      assert.match(parsed.rejected[0]?.reason ?? '', /^This is a bundle/);
    }
  });

  it('are read or refused, whatever is in them', () => {
    const text = fc.oneof(
      fc.constantFrom('npm', 'oci', 'pypi', 'nuget', 'named', '{a}', '${A}', '', '__proto__', 'stdio', 'sse'),
      fc.string(),
    );
    const leaf = fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null));
    const names = [
      'name',
      'value',
      'default',
      'url',
      'type',
      'identifier',
      'registryType',
      'version',
      'headers',
    ];
    const others = [
      'variables',
      'transport',
      'packageArguments',
      'environmentVariables',
      'isSecret',
      'choices',
    ];
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names, ...others), tie('node'), { maxKeys: 6 }),
      ),
    }));
    const list = fc.array(node, { maxLength: 3 });
    fc.assert(
      fc.property(list, list, (packages, remotes) => {
        const parsed = parseMcpFile(JSON.stringify({ ...about, packages, remotes }));
        const count = parsed.ok ? parsed.servers.length + parsed.rejected.length : 0;
        if (packages.length + remotes.length > 0) assert.equal(count, packages.length + remotes.length);
        for (const server of parsed.ok ? parsed.servers : []) fillWith(server);
      }),
      seeded('REGISTRY_SEED', { numRuns: 500 }),
    );
  });
});
