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
    const manifest = (args: string[]) => ({
      ...about,
      manifest_version: '0.3',
      name: 'weather',
      server: {
        type: 'node',
        entry_point: 'server/index.js',
        mcp_config: { command: 'npx', args, env: { API_KEY: '${user_config.api_key}' } },
      },
      user_config: { api_key: { type: 'string', title: 'Its key', sensitive: true, required: true } },
    });
    const server = serverOf(manifest(['-y', 'weather']));
    assert.deepEqual(secretsOf(fillWith(server)), {});
    assert.deepEqual(secretsOf(fillWith(server, { 'input:api_key': 'secret' })), { API_KEY: 'secret' });
    const parsed = parseMcpFile(JSON.stringify(manifest(['${__dirname}/server/index.js'])));
    assert.ok(parsed.ok);
    assert.match(parsed.rejected[0]?.reason ?? '', /^This is a bundle/);
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
