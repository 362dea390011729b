import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import type { McpServer } from '../../../../src/shared/mcp';
import { exportMcpFile } from '../../../../src/features/settings/model/import/export';
import { mergeMcpFile } from '../../../../src/features/settings/model/import/mergeFile';

const server = (change: Partial<McpServer>): McpServer => ({
  id: 'x',
  kind: 'shttp',
  url: '',
  apiKey: { presence: 'notSet', intention: 'keep' },
  timeout: null,
  name: '',
  command: '',
  args: [],
  env: [],
  ...change,
});
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
    ['{"inputs":{}}', /^Line 1, column 11: .*must be a list/],
  ] as const)
    it(`leaves ${existing} unchanged and says why`, () => {
      const result = mergeMcpFile(existing, keyed, true);
      assert.ok(!result.ok && 'reason' in result);
      assert.match(result.reason, reason);
    });

  it('handles names that every object inherits', () => {
    const existing = '{"servers":{"__proto__":{"command":"x"}}}';
    const { text } = merged(existing, keyed);
    assert.match(text, /"__proto__": \{\s+"command": "x"/);
    assert.equal(({} as Record<string, unknown>)['command'], undefined);
  });
});
