import assert from 'node:assert/strict';
import {
  mapDifference,
  leavesOutSecrets,
  mapSecrets,
  maskedServers,
  toLists,
  toMap,
  withHeldSecrets,
  type McpLists,
} from '../../../../src/api/service/current/mcp';
import { mask } from '../../../../src/api/service/schemas/secret';
import type { JsonMembers } from '../../../../src/shared/json';

const none: McpLists = { sse_servers: [], stdio_servers: [], shttp_servers: [] };
const url = 'https://mcp.example.com/mcp';

/** An entry of the map under the name “docs”, the list that its server is in, and the server without its name. */
const entries: [what: string, entry: JsonMembers, list: keyof McpLists, server: JsonMembers][] = [
  ['an address', { url }, 'shttp_servers', { url }],
  ['an address and transport http', { url, transport: 'http' }, 'shttp_servers', { url, transport: 'http' }],
  ['transport sse', { url, transport: 'sse' }, 'sse_servers', { url, transport: 'sse' }],
  ['a command', { command: 'npx', args: ['a'] }, 'stdio_servers', { command: 'npx', args: ['a'] }],
  [
    'a command and an empty address',
    { command: 'npx', url: '' },
    'stdio_servers',
    { command: 'npx', url: '' },
  ],
  ['a command and a token', { command: 'npx', auth: 'a' }, 'stdio_servers', { command: 'npx', auth: 'a' }],
  ['transport stdio', { url, transport: 'stdio' }, 'stdio_servers', { url, transport: 'stdio' }],
  ['an address that is no text', { url: 7 }, 'stdio_servers', { url: 7 }],
  [
    'variables',
    { command: 'npx', env: { A: '<redacted>', B: 'shown' } },
    'stdio_servers',
    { command: 'npx', env: { A: mask, B: 'shown' } },
  ],
  ['a token', { url, auth: 'abc' }, 'shttp_servers', { url, api_key: 'abc' }],
  ['a hidden token', { url, auth: '<redacted>' }, 'shttp_servers', { url, api_key: mask }],
  ['OAuth', { url, auth: 'oauth' }, 'shttp_servers', { url, auth: 'oauth' }],
  ['an empty token', { url, auth: '' }, 'shttp_servers', { url, auth: '' }],
  ['a bearer', { url, auth: { strategy: 'bearer', value: 'abc' } }, 'shttp_servers', { url, api_key: 'abc' }],
  [
    'a bearer without a value',
    { url, auth: { strategy: 'bearer' } },
    'shttp_servers',
    { url, api_key: mask },
  ],
  [
    'another strategy',
    { url, auth: { strategy: 'basic', value: 'abc' } },
    'shttp_servers',
    { url, auth: { strategy: 'basic', value: 'abc' } },
  ],
  [
    'another strategy beside a header',
    { url, auth: { strategy: 'basic' }, headers: { Authorization: 'Bearer abc' } },
    'shttp_servers',
    { url, auth: { strategy: 'basic' }, headers: { Authorization: 'Bearer abc' } },
  ],
  [
    'a token in a header',
    { url, headers: { authorization: 'bearer  abc', 'X-Team': 'web' } },
    'shttp_servers',
    { url, headers: { 'X-Team': 'web' }, api_key: 'abc' },
  ],
  [
    'a hidden header',
    { url, headers: { Authorization: '<redacted>' } },
    'shttp_servers',
    { url, headers: {}, api_key: mask },
  ],
  [
    'a header of another scheme',
    { url, headers: { Authorization: 'Basic abc' } },
    'shttp_servers',
    { url, headers: { Authorization: 'Basic abc' } },
  ],
  [
    'a header that is no text',
    { url, headers: { Authorization: 7 } },
    'shttp_servers',
    { url, headers: { Authorization: 7 } },
  ],
  [
    'a token beside other headers',
    { url, auth: 'abc', headers: { 'X-Team': 'web' } },
    'shttp_servers',
    { url, headers: { 'X-Team': 'web' }, api_key: 'abc' },
  ],
  ['headers that aren’t a map', { url, headers: 'x' }, 'shttp_servers', { url, headers: 'x' }],
  ['members without a place', { url, enabled: false }, 'shttp_servers', { url, enabled: false }],
];

describe('MCP servers of the current generation', () => {
  for (const [what, entry, list, server] of entries) {
    it(`come as ${list} with ${what}`, () => {
      const expected = { ...none, [list]: [{ name: 'docs', ...server }] };
      for (const config of [{ docs: entry }, { mcpServers: { docs: entry } }])
        assert.deepEqual(toLists(config, config), expected);
    });
  }

  it('don’t exist without a configuration', () => {
    for (const config of [undefined, null, {}, { mcpServers: {} }])
      assert.deepEqual(toLists(config, null), none);
  });

  it('are unreadable in another shape, so that none is lost', () => {
    for (const config of ['x', 7, [], { docs: 'x' }, { docs: null }, { mcpServers: { docs: 7 } }])
      assert.equal(toLists(config, config), undefined);
  });

  it('are unreadable if the second read lacks one, which may have secrets', () => {
    for (const told of [undefined, null, {}, { tool: { url } }])
      assert.equal(toLists({ docs: { url } }, told), undefined);
  });

  it('have a mask for each secret that only the second reading tells of', () => {
    const config = { docs: { url }, tool: { command: 'npx', env: { SHOWN: 'x' } } };
    const told = { docs: { url, auth: '<redacted>' }, tool: { env: { SHOWN: 'x', HIDDEN: '<redacted>' } } };
    assert.deepEqual(toLists(config, told), {
      ...none,
      stdio_servers: [{ name: 'tool', command: 'npx', env: { SHOWN: 'x', HIDDEN: mask } }],
      shttp_servers: [{ name: 'docs', url, api_key: mask }],
    });
  });

  it('tell nothing about secrets where no member holds the map', () => {
    assert.equal(leavesOutSecrets({ docs: { url } }), true);
    for (const config of [{ mcpServers: { docs: { url } } }, {}, null, undefined, 'x'])
      assert.equal(leavesOutSecrets(config), false);
  });
});

/** A server of a list, and its entry in the map. */
const sent: [what: string, list: keyof McpLists, server: JsonMembers, entry: JsonMembers][] = [
  ['a held address', 'shttp_servers', { name: 'docs', url }, { url }],
  [
    'a held transport',
    'shttp_servers',
    { name: 'docs', url, transport: 'streamable-http' },
    { url, transport: 'streamable-http' },
  ],
  [
    'a transport that no longer fits',
    'sse_servers',
    { name: 'docs', url, transport: 'http' },
    { url, transport: 'sse' },
  ],
  [
    'a transport that no longer fits a command',
    'stdio_servers',
    { name: 'docs', command: 'npx', transport: 'http' },
    { command: 'npx' },
  ],
  [
    'a held transport of a command',
    'stdio_servers',
    { name: 'docs', command: 'npx', transport: 'stdio' },
    { command: 'npx', transport: 'stdio' },
  ],
  [
    'a token',
    'shttp_servers',
    { name: 'docs', url, api_key: 'abc', auth: 'oauth', headers: { authorization: 'x', 'X-Team': 'web' } },
    { url, headers: { 'X-Team': 'web', Authorization: 'Bearer abc' } },
  ],
  [
    'an empty token',
    'shttp_servers',
    { name: 'docs', url, api_key: '', auth: 'oauth' },
    { url, auth: 'oauth' },
  ],
  [
    'a token for a command',
    'stdio_servers',
    { name: 'docs', command: 'a', api_key: 'abc' },
    { command: 'a' },
  ],
  [
    'members of a command at an address',
    'shttp_servers',
    { name: 'docs', url, command: 'a', args: [], env: {}, cwd: '/', keep_alive: true, timeout: 5 },
    { url, timeout: 5 },
  ],
  [
    'members of an address at a command',
    'stdio_servers',
    { name: 'docs', command: 'a', url, headers: {}, auth: 'x', sse_read_timeout: 5, cwd: '/' },
    { command: 'a', cwd: '/' },
  ],
  ['empty members', 'shttp_servers', { name: 'docs', url, timeout: null, note: undefined }, { url }],
];

describe('MCP servers for the current generation', () => {
  for (const [what, list, server, entry] of sent) {
    it(`are sent from ${list} with ${what}`, () => {
      const { map, positions } = toMap({ ...none, [list]: [server] });
      assert.deepEqual(map, { docs: entry });
      assert.deepEqual([...positions], [['docs', [list, 0]]]);
    });
  }

  it('have a transport when they are new', () => {
    const { map } = toMap({
      sse_servers: [{ url: 'https://sse.example.com' }],
      stdio_servers: [{ command: 'npx' }],
      shttp_servers: [{ url: 'https://-HTTP.example.com.-/' }, { url: 'nowhere' }, {}],
    });
    assert.deepEqual(map, {
      'sse-example-com': { url: 'https://sse.example.com', transport: 'sse' },
      server: { command: 'npx' },
      'http-example-com': { url: 'https://-HTTP.example.com.-/', transport: 'http' },
      'server-2': { url: 'nowhere', transport: 'http' },
      'server-3': { transport: 'http' },
    });
  });

  it('leave a name to the server that has it, when a new one stands before it', () => {
    const { map } = toMap({
      ...none,
      sse_servers: [{ url: 'http://docs:8080/sse' }],
      stdio_servers: [{ name: 'docs', command: 'a' }],
    });
    assert.deepEqual(map, {
      'docs-2': { url: 'http://docs:8080/sse', transport: 'sse' },
      docs: { command: 'a' },
    });
  });

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '1'])
    it(`survive a change of another one under the name ${name}`, () => {
      const text = `{"b": {"command": "y"}, "${name}": {"command": "x", "env": {"${name}": "<redacted>"}}}`;
      const config = JSON.parse(text) as JsonMembers;
      const lists = toLists(config, config);
      assert.ok(lists);
      assert.deepEqual(lists.stdio_servers.map(({ name: own }) => own).sort(), ['b', name].sort());
      const { map } = toMap(lists);
      assert.ok(Object.hasOwn(map, name));
      assert.ok(Object.hasOwn(map[name]?.['env'] as object, name));
    });

  for (const name of ['docs', 'constructor', 'toString'])
    it(`take nothing off a new server with a key under the name ${name}`, () => {
      const added = { ...none, shttp_servers: [{ name, url, headers: { Authorization: 'Bearer key' } }] };
      const { map } = toMap(added);
      assert.deepEqual(mapDifference({}, map, none), map);
    });

  it('keep names apart, and know where each came from', () => {
    const { map, positions } = toMap({
      sse_servers: [{ name: 'docs', url }],
      stdio_servers: [
        { name: 'docs', command: 'a' },
        { name: '', command: 'b' },
      ],
      shttp_servers: [{ name: 'docs', url }],
    });
    assert.deepEqual(Object.keys(map), ['docs', 'docs-2', 'server', 'docs-3']);
    assert.deepEqual(Object.fromEntries(positions), {
      docs: ['sse_servers', 0],
      'docs-2': ['stdio_servers', 0],
      server: ['stdio_servers', 1],
      'docs-3': ['shttp_servers', 0],
    });
  });

  it('name all their secrets, at any depth, and nothing else', () => {
    const map = {
      tool: { command: 'npx', env: { A: 'a', B: 7, C: { D: 'd' } } },
      docs: { url, headers: { Authorization: 'Bearer h' }, auth: 'x' },
      plain: { url },
    };
    assert.deepEqual(mapSecrets(map), ['a', 'd', 'Bearer h', 'x']);
  });

  it('are put in place of their masks, and what isn’t text stays as it is', () => {
    const auth = { strategy: 'oauth2', value: mask, lifetime: 60, scopes: null };
    const held = { env: { A: 'a' }, auth: { strategy: 'oauth2', value: 'held', lifetime: 30 } };
    assert.deepEqual(withHeldSecrets({ url, env: { A: mask, B: 7 }, auth }, held), {
      url,
      env: { A: 'a', B: 7 },
      auth: { strategy: 'oauth2', value: 'held', lifetime: 60, scopes: null },
    });
  });

  for (const [entry, isMasked] of [
    [{ env: { A: mask } }, true],
    [{ env: { A: '<redacted>', B: 'shown' } }, true],
    [{ headers: { Authorization: `Bearer ${mask}` } }, true],
    [{ headers: { Authorization: `bearer  ${mask}` } }, true],
    [{ auth: { value: mask } }, true],
    [{ auth: '***' }, true],
    [{ auth: '**' }, false],
    [{ auth: 'abc' }, false],
    [{ env: { A: 'a' } }, false],
    [{ env: { A: 7 } }, false],
    [{ command: mask }, false],
  ] as const) {
    it(`${isMasked ? 'have' : 'have no'} mask in place of a secret in ${JSON.stringify(entry)}`, () => {
      assert.deepEqual(maskedServers({ plain: { url }, docs: entry }), isMasked ? ['docs'] : []);
    });
  }
});
