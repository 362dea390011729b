import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseMcpFile } from '../../../src/features/settings/model/import/parse';
import { anyJson, fuzz, nearly } from './support';
import { fillWith } from '../settings/import/support';

const server = {
  type: 'stdio',
  command: 'npx -y thing',
  args: ['--key', '${KEY}', 7],
  env: { TOKEN: '$TOKEN', URL: 'https://ada:b@e.example' },
  disabled: false,
};
const remote = {
  url: 'https://e.example/sse',
  headers: { Authorization: 'Bearer {env:T}' },
  enabled: 'false',
};
const entry = fc.oneof(nearly(server), nearly(remote), anyJson);
const entries = fc.array(fc.tuple(fc.oneof(fc.constantFrom('a', 'b', '__proto__', ''), fc.string()), entry), {
  maxLength: 4,
});

/** The text of an object, in which names may repeat. */
const objectOf = (members: readonly (readonly [string, unknown])[]) =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;

const wrappers = fc.constantFrom(
  (text: string) => `{"mcpServers":${text}}`,
  (text: string) => `{"servers":${text},"inputs":[{"id":"x","password":true}]}`,
  (text: string) => `"mcpServers":${text}`,
  (text: string) => `{"theme":1,"projects":{"/w":{"mcpServers":${text}}}}`,
  (text: string) => `# Setup\n\`\`\`json\n{"mcpServers":${text}}\n\`\`\`\n`,
);

describe('MCP import: random files', () => {
  // Such members would make the list itself a server.
  const isPlain = ([name]: readonly [string, unknown]) =>
    !/^(?:command|transport|url|serverUrl|httpUrl|baseUrl|server_url|base_url|endpoint|uri)$/.test(name);

  fuzz('lose no server: each is read or named', fc.tuple(entries, wrappers), ([all, wrap]) => {
    const members = all.filter(isPlain);
    const parsed = parseMcpFile(wrap(objectOf(members)));
    if (!parsed.ok) assert.notEqual(parsed.reason, '');
    else assert.equal(parsed.servers.length + parsed.rejected.length, members.length);
  });

  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 5,
  });
  fuzz(
    'are read or refused, never thrown at, when damaged',
    fc.tuple(entries, wrappers, damage),
    ([all, wrap, changes]) => {
      const text = changes.reduce(
        (now, [at, length, by]) => {
          const start = at % (now.length + 1);
          return now.slice(0, start) + by + now.slice(start + length);
        },
        wrap(objectOf(all)),
      );
      const parsed = parseMcpFile(text);
      if (!parsed.ok) assert.notEqual(parsed.reason, '');
      else for (const each of parsed.servers) fillWith(each);
    },
  );
});
