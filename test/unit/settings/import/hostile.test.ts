import assert from 'node:assert/strict';
import { maxMcpFileBytes, parseMcpFile } from '../../../../src/features/settings/model/import/parse';
import { markDuplicates } from '../../../../src/features/settings/model/import/fill';
import { fromEnvironment } from '../../../../src/features/settings/model/import/types';
import { fillWith, serverOf, serversOf } from './support';

describe('MCP import: invalid and hostile text', () => {
  const good = '{"servers":{"a":{"command":"x"}}}';

  const bad: [what: string, text: string, line: number, column: number, reason: RegExp][] = [
    ['no JSON', 'hello', 1, 1, /isn’t valid JSON/],
    ['a list', ' [1]', 1, 2, /isn’t a JSON object/],
    ['a list of names', '["servers"]\n', 1, 1, /isn’t a JSON object/],
    ['a number', '7', 1, 1, /isn’t a JSON object/],
    ['a text', '"servers"', 1, 1, /isn’t a JSON object/],
    ['lines with other ends', '{\r"a": 1,\r\n"b" 2}', 3, 5, /“:” is missing/],
    ['a member whose end is missing', '"servers": {\n"a" {}}', 2, 5, /“:” is missing/],
    [
      'a missing comma',
      '{\r\n  "servers": {\r\n    "a": {"command": "x"}\r\n    "b": {}\r\n  }\r\n}',
      4,
      5,
      /“,” is missing/,
    ],
    ['a missing colon', '{"servers" {}}', 1, 12, /“:” is missing/],
    ['a missing brace', '{"servers": {}', 1, 15, /“}” is missing/],
    ['a name without quotes', '{servers: {}}', 1, 2, /./],
    ['text without an end', '{\n"a": "x\n}', 2, 6, /isn’t closed on the same line/],
    ['a backslash', '{"a": {"command": "C:\\Users"}}', 1, 19, /Double the backslashes/],
    ['text after the end', `${good} x`, 1, good.length + 2, /./],
    ['a comment without an end', `${good}\n/* x`, 2, 1, /comment that starts here isn’t closed/],
    ['a control character', '{"a": "x\u0001y"}', 1, 7, /Escape control characters/],
    ['servers that are text', '{"servers": "x"}', 1, 13, /“servers” must be an object/],
    ['no servers', '{"theme": "dark", "nested": {"servers": {}}}', 1, 1, /No MCP servers/],
    ['an empty object', '\uFEFF{}', 1, 1, /No MCP servers/],
  ];
  for (const [what, text, line, column, reason] of bad)
    it(`rejects ${what} and says where`, () => {
      const parsed = parseMcpFile(text);
      assert.ok(!parsed.ok);
      assert.match(parsed.reason, reason);
      assert.deepEqual(parsed.at, { line, column });
      assert.match(parsed.reason, new RegExp(`^Line ${line}, column ${column}: `));
    });

  it('rejects empty text', () => {
    for (const text of ['', ' \n', '\uFEFF']) {
      const parsed = parseMcpFile(text);
      assert.deepEqual(parsed, { ok: false, reason: 'The text is empty.', at: null });
    }
  });

  it('accepts exactly 32 MiB and rejects more, counted in bytes', () => {
    const padded = (bytes: number) => good + ' '.repeat(bytes - good.length);
    assert.ok(parseMcpFile(padded(maxMcpFileBytes)).ok);
    const parsed = parseMcpFile(padded(maxMcpFileBytes + 1));
    assert.ok(!parsed.ok);
    assert.match(parsed.reason, /32 MiB/);
    assert.ok(!parseMcpFile(`${good}//${'é'.repeat(maxMcpFileBytes / 2)}`).ok);
  });

  it('rejects deep nesting without parsing it', () => {
    for (const open of ['[', '{"a":']) {
      const parsed = parseMcpFile(`{"servers":\n${open.repeat(150_000)}`);
      assert.ok(!parsed.ok);
      assert.match(parsed.reason, /nested too deeply/);
      assert.equal(parsed.at?.line, 2);
    }
  });

  it('accepts 64 levels, and no more', () => {
    const nested = (levels: number) =>
      parseMcpFile(
        `{"servers":{"a":{"command":"x","dev":${'['.repeat(levels - 3)}${']'.repeat(levels - 3)}}}}`,
      );
    assert.ok(nested(64).ok);
    assert.ok(!nested(65).ok);
    const beside = `{"servers":{"a":{"command":"x","dev":[${'[[]],'.repeat(100)}]}}}`;
    assert.ok(parseMcpFile(beside).ok, 'one after the other');
  });

  it('doesn’t count brackets in strings and comments as nesting', () => {
    const brackets = '['.repeat(500);
    assert.equal(
      serverOf(`/* ${brackets} */{"a":{"command":"x","args":["${brackets}"]}}`).preview.args[0],
      brackets,
    );
  });

  it('lists invalid entries and reads the others', () => {
    const parsed = parseMcpFile(`{"servers": {
  "text": "x",
  "list": [],
  "null": null,
  "neither": {"args": []},
  "number": {"command": 5},
  "address": {"url": {}},
  "good": {"command": "x"}
}}`);
    assert.ok(parsed.ok);
    assert.deepEqual(
      parsed.servers.map(({ preview }) => preview.name),
      ['good'],
    );
    assert.deepEqual(
      parsed.rejected.map(({ sourceName, at }) => [sourceName, at.line, at.column]),
      [
        ['text', 2, 11],
        ['list', 3, 11],
        ['null', 4, 11],
        ['neither', 5, 14],
        ['number', 6, 13],
        ['address', 7, 14],
      ],
    );
    for (const { reason } of parsed.rejected) assert.notEqual(reason, '');
  });

  it('treats __proto__ and similar keys as plain data', () => {
    const [proto, other, last] = serversOf(`{
  "inputs": [{"id": "__proto__", "description": "d"}, {"id": "x", "__proto__": {"description": "stolen"}}],
  "servers": {
    "__proto__": {"command": "x", "env": {"__proto__": "v", "constructor": "\${input:__proto__}"}},
    "constructor": {"__proto__": {"url": "https://evil.example"}, "command": "\${toString}"},
    "y": {"url": "https://e.example", "headers": {"__proto__": "h"}, "toString": 1}
  },
  "__proto__": {"servers": {"polluted": {"command": "x"}}}
}`);
    assert.equal(proto?.preview.name, '__proto__');
    assert.deepEqual(proto.preview.env, ['__proto__', 'constructor']);
    assert.equal(proto.preview.inputs[0]?.description, 'd');
    const filled = fillWith(proto, new Map([['input:__proto__', 's']]));
    assert.deepEqual(
      filled.secrets.map(({ value }) => value),
      ['v', 's'],
    );
    assert.equal(other?.preview.kind, 'stdio');
    assert.deepEqual(other.preview.cannotCarry, ['“__proto__”']);
    // An inherited property isn't an environment variable.
    const answers = new Map([['env:toString', fromEnvironment] as const]);
    assert.equal(fillWith(other, answers).server.command, '${toString}');
    assert.deepEqual(last?.preview.cannotCarry, ['header “__proto__”', '“toString”']);
    assert.equal(({} as Record<string, unknown>)['servers'], undefined);
    assert.equal(serversOf('{"a":{"command":"x"},"__proto__":{"command":"y"}}').length, 2);
  });

  it('names arguments with characters that don’t show', () => {
    const args = ['-c', 'echo \u202egnihton', 'a\u0000b', 'line\nline', 'क्‍ष'];
    const { preview } = serverOf({ a: { command: 'sh', args } });
    assert.deepEqual(
      preview.problems.map(({ message }) => message),
      [
        'The command has invisible characters: echo ‹U+202E›gnihton',
        'The command has invisible characters: a‹U+0000›b',
      ],
    );
    assert.deepEqual(preview.args, args);
  });

  it('shows names as one safe line', () => {
    const { preview } = serverOf({
      mcpServers: { 'a\u202eb\n\u001b]0;x\u0007c': { url: 'https://e.example' } },
    });
    assert.equal(preview.sourceName, 'ab c');
    const asked = serverOf({
      inputs: [{ id: 'a', description: 'Token\u202e\nfor\u0007 it' }],
      servers: { one: { command: '${input:a}' } },
    });
    assert.equal(asked.preview.inputs[0]?.description, 'Token for it');
    const parsed = parseMcpFile(JSON.stringify({ mcpServers: { ['n'.repeat(5000)]: 1 } }));
    assert.ok(parsed.ok);
    assert.equal(parsed.rejected[0]?.sourceName.length, 200);
  });

  it('ignores input definitions of the wrong type', () => {
    for (const inputs of [
      'x',
      5,
      {},
      [null, 1, [], {}, { id: 5 }, { id: 'a', description: 5, default: {}, options: 'x' }],
    ]) {
      const { preview } = serverOf({ inputs, servers: { one: { command: 'x', args: ['${input:a}'] } } });
      assert.deepEqual(preview.inputs, [
        {
          key: 'input:a',
          kind: 'input',
          name: 'a',
          places: [{ at: 'args', index: 0 }],
          description: null,
          password: false,
          hasDefault: false,
          default: null,
          options: null,
        },
      ]);
    }
  });

  describe('input designed to be slow', () => {
    const size = 900_000;
    const texts: Record<string, string> = {
      'openings of placeholders': '${'.repeat(size / 2),
      'one endless placeholder': `\${${'a'.repeat(size)}`,
      'endless defaults': '${a:-'.repeat(size / 5),
      'many placeholders': '${A}'.repeat(size / 4),
      'a token of spaces': `Bearer${' '.repeat(size)}x`,
      quotes: `x ${'"\''.repeat(size / 4)}`,
      slashes: `https://e.example/${'/'.repeat(size)}x`,
      hyphens: `a${'-'.repeat(size)}b!`,
    };
    for (const [what, text] of Object.entries(texts))
      it(`reads ${what} in time`, () => {
        const entries = [
          { command: text },
          { command: 'x', args: [text], env: { A: text } },
          { url: text },
          { url: 'https://e.example', headers: { Authorization: text, [text]: '' } },
        ];
        for (const entry of entries) {
          const file = JSON.stringify({ servers: { one: entry } });
          const parsed = parseMcpFile(file);
          assert.equal(parsed.ok, Buffer.byteLength(file) <= maxMcpFileBytes);
          if (!parsed.ok) continue;
          const { server } = fillWith(parsed.servers[0]!);
          markDuplicates([server], [server]);
        }
        assert.equal(
          serversOf({ servers: { [text]: { command: 'x' } } })[0]!.preview.name.length <= 64,
          true,
        );
      });

    it('reads many arguments with a placeholder in time', () => {
      const args = Array.from({ length: 100_000 }, () => '${A}');
      const server = serverOf({ a: { command: 'x', args } });
      assert.equal(server.preview.inputs[0]?.places.length, args.length);
      assert.equal(fillWith(server).problems.length, args.length);
    });

    it('reads many colliding names in time', () => {
      const names = Array.from(
        { length: 15_000 },
        (_, index) => `a${' '.repeat(index % 7)}!${String.fromCodePoint(0x4e00 + (index % 20_000))}`,
      );
      const servers = serversOf({
        servers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])),
      });
      assert.equal(new Set(servers.map(({ preview }) => preview.name)).size, servers.length);
    });

    it('reads many invalid entries in time', () => {
      const parsed = parseMcpFile(
        `{"servers": {${Array.from({ length: 30_000 }, (_, index) => `\n"${index}":0`).join(',')}}}`,
      );
      assert.ok(parsed.ok);
      assert.equal(parsed.rejected.length, 30_000);
      assert.equal(parsed.rejected.at(-1)?.at.line, 30_001);
    });
  });
});
