import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { McpSecret, McpServer } from '../../../../src/shared/mcp';
import { exportMcpFile, mergeMcpFile } from '../../../../src/features/settings/model/import/export';
import { fill } from '../../../../src/features/settings/model/import/fill';
import { secretsIn } from '../../../../src/features/settings/model/import/openSecrets';
import { newServer } from '../support';
import { serversOf } from './support';
import { parse } from 'jsonc-parser';

const isSet: McpSecret = { presence: 'set', intention: 'keep' };
const notSet: McpSecret = { presence: 'notSet', intention: 'keep' };

/** Exports, imports the result, and answers every input with its own id. */
function roundTrip(servers: McpServer[]) {
  const text = exportMcpFile(servers);
  return serversOf(text).map((parsed, index) => {
    const answers = new Map(parsed.preview.inputs.map(({ key }) => [key, `answer to ${key}`]));
    // Arguments may have any characters, and those that hide are told.
    const problems = parsed.preview.problems.filter(({ message }) => !message.includes('invisible'));
    // So is what other tools would replace.
    const left = parsed.preview.cannotCarry.filter((what) => !what.includes('kept as text'));
    assert.deepEqual([problems, left], [[], []], text);
    assert.ok(parsed.preview.inputs.every(({ password, description }) => password && description));
    const filled = fill(parsed, answers, {}, servers[index]?.id ?? '');
    assert.deepEqual([filled.problems, filled.notes], [[], []]);
    return filled;
  });
}

/** The parts of a server a file can express: which secrets are set, but not their origin. */
function carried({ id, kind, url, apiKey, name, command, args, env }: McpServer): McpServer {
  const secret = ({ presence, intention }: McpSecret): McpSecret => ({
    presence: 'notSet',
    intention:
      intention === 'replace' || (intention === 'keep' && presence !== 'notSet') ? 'replace' : 'keep',
  });
  const own =
    kind === 'stdio'
      ? { name, command, args, env: env.map((entry) => ({ name: entry.name, ...secret(entry) })) }
      : { url, apiKey: secret(apiKey) };
  return newServer({ id, kind, ...own });
}

describe('MCP export', () => {
  it('says that a server is turned off, which the format can’t', () => {
    const server = newServer({ id: '1', kind: 'stdio', name: 'a', command: 'uvx' });
    assert.doesNotMatch(exportMcpFile([{ ...server, enabled: true }]), /Turned off/);
    const text = exportMcpFile([{ ...server, enabled: false }]);
    assert.match(text, /\/\/ Turned off on the service: not supported by this format\./);
    assert.doesNotMatch(text, /enabled/);
  });

  const secret = fc.record<McpSecret>({
    presence: fc.constantFrom('set', 'notSet', 'unknown'),
    intention: fc.constantFrom('keep', 'replace', 'clear'),
  });
  const noPlaceholder = (text: string) => !text.includes('${') && secretsIn(text).length === 0;
  const text = fc.string({ unit: 'binary', maxLength: 12 }).filter(noPlaceholder);
  const word = fc.stringMatching(/^\S{1,10}$/).filter(noPlaceholder);
  const urlServer = fc.record({
    kind: fc.constantFrom('sse' as const, 'shttp' as const),
    url: fc
      .webUrl({
        withQueryParameters: true,
        withFragments: true,
        validSchemes: ['http', 'https', 'ws', 'wss'],
      })
      .filter(noPlaceholder),
    apiKey: secret,
    timeout: fc.option(fc.integer({ min: 1, max: 3600 })),
  });
  const stdioServer = fc.record({
    kind: fc.constant('stdio' as const),
    name: fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/),
      fc.constantFrom('1', '0', '__proto__', 'inputs'),
    ),
    command: word,
    args: fc.array(text, { maxLength: 4 }),
    env: fc.uniqueArray(
      fc
        .record({
          name: fc.oneof(fc.stringMatching(/^[^=\0\s]{1,8}$/), fc.constantFrom('2', '1')),
          state: secret,
        })
        .map(({ name, state }) => ({ name, ...state })),
      { selector: ({ name }) => name, maxLength: 4 },
    ),
  });
  const servers = fc
    .uniqueArray<Partial<McpServer>, string>(fc.oneof(urlServer, stdioServer), {
      selector: (server) => (server.kind === 'stdio' ? `name ${server.name ?? ''}` : JSON.stringify(server)),
      maxLength: 6,
    })
    .map((list) => list.map((server, index) => newServer({ id: `new-${index}`, ...server })));

  it('round-trips any servers in order', () => {
    fc.assert(
      fc.property(servers, (list) => {
        const filled = roundTrip(list);
        assert.deepEqual(
          filled.map(({ server }) => server),
          list.map(carried),
        );
        const values = filled.flatMap((each) => each.secrets.map(({ value }) => value));
        assert.equal(new Set(values).size, values.length, 'every secret has its own input');
        for (const each of filled) {
          const wanted = [each.server.apiKey, ...each.server.env].filter(
            ({ intention }) => intention === 'replace',
          );
          assert.equal(each.secrets.length, wanted.length);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('writes a file readable by people and the editor', () => {
    const text = exportMcpFile([
      newServer({ id: 'a', kind: 'shttp', url: 'https://mcp.example.com/mcp', apiKey: isSet }),
      newServer({ id: 'b', kind: 'sse', url: 'https://mcp.example.com/sse', apiKey: notSet }),
      newServer({
        id: 'c',
        kind: 'stdio',
        name: 'tool',
        command: 'npx',
        args: ['-y', 'a "b"'],
        env: [
          { name: 'TOKEN', ...isSet },
          { name: 'MODE', ...notSet },
          { name: 'OLD', presence: 'set', intention: 'clear' },
        ],
      }),
    ]);
    assert.deepEqual(JSON.parse(text), {
      servers: {
        'mcp-example-com': {
          type: 'http',
          url: 'https://mcp.example.com/mcp',
          headers: { Authorization: 'Bearer ${input:mcp-example-com-api-key}' },
        },
        'mcp-example-com-2': { type: 'sse', url: 'https://mcp.example.com/sse' },
        tool: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'a "b"'],
          env: { TOKEN: '${input:tool-TOKEN}', MODE: '', OLD: '' },
        },
      },
      inputs: [
        {
          type: 'promptString',
          id: 'mcp-example-com-api-key',
          description: 'API key for the MCP server https://mcp.example.com/mcp',
          password: true,
        },
        {
          type: 'promptString',
          id: 'tool-TOKEN',
          description: 'TOKEN for the MCP server tool',
          password: true,
        },
      ],
    });
    assert.match(text, /^\{\n {2}"servers": \{\n {4}"mcp-example-com": \{\n {6}"type": "http",\n/);
    assert.ok(text.endsWith('\n}\n'));
  });

  it('writes an empty list when there are no servers', () => {
    assert.deepEqual(JSON.parse(exportMcpFile([])), { servers: {}, inputs: [] });
  });

  it('notes unsupported properties in a comment', () => {
    const list = [
      newServer({ id: 'new-0', url: 'https://e.example/mcp', timeout: 90 }),
      newServer({ id: 'new-1', kind: 'stdio', name: 't', command: 'x', args: ['${HOME}/x'] }),
      newServer({ id: 'new-2', kind: 'stdio', name: 'u', command: 'x', args: ['plain'], timeout: 5 }),
    ];
    const text = exportMcpFile(list);
    assert.match(text, /\/\/ Timeout of 90 seconds: [^\n]*\n {4}"e-example": /);
    assert.match(text, /\/\/ “\$\{…\}” is literal text [^\n]*\n {4}"t": /);
    assert.equal(text.match(/\/\//g)?.length, 3, 'two comments and one address');
    const address = newServer({ id: 'new-3', url: 'https://e.example/${ID}/mcp' });
    assert.match(exportMcpFile([address]), /\/\/ “\$\{…\}” is literal text [^\n]*\n {4}"e-example/);
    const unused = newServer({ id: 'new-4', url: 'https://f.example/mcp', command: '${x}', args: ['${y}'] });
    assert.doesNotMatch(exportMcpFile([unused]), /literal/, 'an address has no command');
    assert.deepEqual(
      serversOf(text).map(({ preview }) => preview.url || preview.name),
      ['https://e.example/mcp', 't', 'u'],
    );
  });

  it('uses a separate input for every secret, even if names collide', () => {
    const filled = roundTrip([
      newServer({ id: 'a', kind: 'stdio', name: 'a', command: 'x', env: [{ name: 'b-c', ...isSet }] }),
      newServer({ id: 'b', kind: 'stdio', name: 'a-b', command: 'x', env: [{ name: 'c', ...isSet }] }),
    ]);
    assert.deepEqual(
      filled.map(({ secrets }) => secrets.map(({ value }) => value)),
      [['answer to input:a-b-c'], ['answer to input:a-b-c-2']],
    );
  });

  it('generates names that don’t collide with other servers', () => {
    const text = exportMcpFile([
      newServer({ id: 'a', url: 'http://localhost/mcp' }),
      newServer({ id: 'b', kind: 'stdio', name: 'localhost', command: 'x' }),
      newServer({ id: 'c', kind: 'stdio', name: 'localhost', command: 'y' }),
      newServer({ id: 'd', url: 'http://localhost-2/mcp' }),
      newServer({ id: 'e', url: 'not an address' }),
      newServer({ id: 'f', url: 'http://[::1]:8080/mcp' }),
    ]);
    assert.deepEqual(
      serversOf(text).map(({ preview }) => [preview.sourceName, preview.url || preview.command]),
      [
        ['localhost-3', 'http://localhost/mcp'],
        ['localhost', 'x'],
        ['localhost-2', 'y'],
        ['localhost-2-2', 'http://localhost-2/mcp'],
        ['server', 'not an address'],
        ['1-8080', 'http://[::1]:8080/mcp'],
      ],
    );
  });
});

const server = (change: Partial<McpServer>) => newServer({ id: 'x', ...change });
const keyed = exportMcpFile([
  server({ url: 'https://a.example/mcp', apiKey: { presence: 'set', intention: 'keep' } }),
]);

function merged(existing: string, added: string, replace = false): { text: string; value: unknown } {
  const result = mergeMcpFile(existing, added, replace);
  assert.ok(result.ok, JSON.stringify(result));
  return { text: result.text, value: parse(result.text) as unknown };
}

describe('merging exported servers into an existing file', () => {
  for (const empty of ['', '  \n', '{}', '{"servers":{},"inputs":[]}'])
    it(`fills ${JSON.stringify(empty)}`, () => {
      assert.deepEqual(merged(empty, keyed).value, parse(keyed));
    });

  it('keeps other entries, comments, and the order', () => {
    const existing =
      '{\n  // top\n  "inputs": [{ "id": "own" }], // asked\n  "servers": {\n    "own": { "command": "x" } /* mine */\n  },\n  "other": 1\n}\n';
    const { text, value } = merged(existing, keyed);
    for (const words of ['// top', '// asked', '/* mine */', '"other": 1'])
      assert.ok(text.includes(words), words);
    const { servers, inputs } = value as { servers: object; inputs: object[] };
    assert.deepEqual(Object.keys(servers), ['own', 'a-example']);
    assert.equal(inputs.length, 2);
  });

  it('changes nothing when merged again', () => {
    const once = merged('{}', keyed).text;
    assert.equal(merged(once, keyed).text, once);
  });

  it('reports name collisions, and replaces servers only on request', () => {
    const existing = '{"servers":{"a-example":{"command":"mine"},"b":{"command":"b"}}}';
    assert.deepEqual(mergeMcpFile(existing, keyed, false), { ok: false, taken: ['a-example'] });
    const { servers } = merged(existing, keyed, true).value as { servers: Record<string, object> };
    assert.deepEqual(servers['b'], { command: 'b' });
    assert.ok(servers['a-example'] && 'url' in servers['a-example']);
  });

  it('renames an input whose id is already used in the file', () => {
    const existing = '{"inputs":[{"type":"promptString","id":"a-example-api-key","description":"Mine"}]}';
    const { servers, inputs } = merged(existing, keyed).value as {
      servers: Record<string, { headers: Record<string, string> }>;
      inputs: { id: string; description: string }[];
    };
    assert.deepEqual(
      inputs.map(({ id }) => id),
      ['a-example-api-key', 'a-example-api-key-2'],
    );
    assert.equal(inputs[0]?.description, 'Mine');
    assert.equal(servers['a-example']?.headers['Authorization'], 'Bearer ${input:a-example-api-key-2}');
  });

  it('keeps text that only looks like an input reference', () => {
    const added = exportMcpFile([
      server({
        kind: 'stdio',
        name: 'a',
        command: 'x',
        args: ['${input:a-T}'],
        env: [{ name: 'T', presence: 'set', intention: 'keep' }],
      }),
    ]);
    const existing = '{"inputs":[{"id":"a-T"}]}';
    const { servers } = merged(existing, added).value as {
      servers: Record<string, { args: string[]; env: object }>;
    };
    assert.deepEqual(servers['a']?.args, ['${input:a-T}']);
    assert.deepEqual(servers['a'].env, { T: '${input:a-T-2}' });
  });

  for (const [existing, reason] of [
    ['{ "servers": ', /^Line 1, column/],
    ['[]', /isn’t a JSON object/],
    ['[{}]', /isn’t a JSON object/],
    ['[{"name":"a","command":"x"}]', /isn’t a JSON object/],
    ['"servers": {}', /isn’t a JSON object/],
    ['{"servers":[]}', /^Line 1, column 12: /],
    ['{"servers":{},"servers":{"a":{}}}', /^Line 1, column 25: The file has “servers” more than once/],
    ['{"inputs":[],"inputs":[]}', /^Line 1, column 23: The file has “inputs” more than once/],
    ['{"inputs":{}}', /^Line 1, column 11: .*must be a list/],
  ] as const)
    it(`leaves ${existing} unchanged and says why`, () => {
      const result = mergeMcpFile(existing, keyed, true);
      assert.ok(!result.ok && 'reason' in result);
      assert.match(result.reason, reason);
    });

  it('indents as the file does', () => {
    const { text } = merged('{\n\t"servers": {\n\t\t"b": {\n\t\t\t"command": "y"\n\t\t}\n\t}\n}\n', keyed);
    assert.match(text, /^\t\t"[^"]+": \{$/m);
    assert.doesNotMatch(text, /^ /m);
    const wide = merged('{\n    "servers": {}\n}\n', keyed).text;
    assert.doesNotMatch(wide, /^(?: {4})* {1,3}\S/m);
    for (const flat of ['{"servers": {}}', '{   "servers": {}}']) {
      const made = merged(flat, keyed).text;
      assert.match(made, /^ {4}"a-example": \{$/m, flat);
      assert.doesNotMatch(made, /^(?: {2})* \S/m, flat);
    }
  });

  it('handles names that every object inherits', () => {
    const existing = '{"servers":{"__proto__":{"command":"x"}}}';
    const { text } = merged(existing, keyed);
    assert.match(text, /"__proto__": \{\s+"command": "x"/);
    assert.equal(({} as Record<string, unknown>)['command'], undefined);
  });
});
