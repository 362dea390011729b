import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { McpEnvEntry, McpServer } from '../../../../src/shared/mcp';
import { serverProblems } from '../../../../src/features/settings/shared/serverRules';
import { SettingsDocument } from '../../../../src/features/settings/model/document';
import { rowProblems, copyOf, newServer, newVariable } from '../../../../src/features/settings/page/rows';
import { renamed } from '../../../../src/features/settings/shared/form';
import type { McpConfig } from '../../../service/records';
import { fakeService } from '../fakeService';
import { edits, saveAs, serverAt, withServer } from '../support';
import { seeded } from '../../changes/seeded';

const config = {
  sse_servers: [{ url: 'https://sse.example.com' }],
  stdio_servers: [
    { name: 'tool', command: 'npx', args: [], env: { KEY: 'a', 'A B ': 'b', TOKEN: 'c' } },
    { name: ' odd name', command: ' run me', args: [], env: {} },
  ],
  shttp_servers: [{ url: 'https://one.example.com', timeout: 0 }, { url: 'nonsense' }],
};

async function opened(mcp_config: McpConfig = config) {
  const service = fakeService('observed', { mcp_config });
  return { service, document: await SettingsDocument.load(service.client, service.safeguards) };
}

const words = (problems: readonly { target: object; message: string }[]) =>
  problems.map(({ target, message }) => JSON.stringify([target, message])).sort();

/** The problems found by both the form and the host, which must match. */
function found(document: SettingsDocument, servers: McpServer[]): string[] {
  const inForm = rowProblems(
    document.model.mcpServers,
    servers.map((server) => ({ server, deleted: false })),
  );
  assert.deepEqual(words(document.problems(edits({ mcpServers: servers }))), words(inForm));
  return inForm.map(({ target }) => (target.at === 'mcp' ? target.member : target.at));
}

describe('rules for MCP servers', () => {
  type Case = [
    what: string,
    label: string,
    change: (server: McpServer) => Partial<McpServer>,
    members: string[],
  ];
  const rename = (server: McpServer, name: string) => [renamed(server.env[0]!, name), ...server.env.slice(1)];
  const cases: Case[] = [
    ['nothing wrong with a variable from the service', 'tool', () => ({ args: ['x'] }), []],
    [
      'nothing wrong with spaces around a new name',
      'tool',
      (server) => ({ env: rename(server, ' OTHER ') }),
      [],
    ],
    ['a name with a space in it', 'tool', (server) => ({ env: rename(server, 'A C') }), ['env.0']],
    ['a name used by another variable', 'tool', (server) => ({ env: rename(server, 'TOKEN ') }), ['env.2']],
    ['nothing wrong with odd values from the service', ' odd name', () => ({ args: ['x'] }), []],
    ['an odd value that was only trimmed', ' odd name', () => ({ name: 'odd name' }), ['name']],
    ['a name used by another server', ' odd name', () => ({ name: 'tool ' }), ['name']],
    [
      'an odd name that another server has with spaces',
      'tool',
      () => ({ name: 'odd name' }),
      ['name', 'name'],
    ],
    [
      'nothing wrong with an odd timeout from the service',
      'https://one.example.com',
      () => ({ url: 'https://x.example' }),
      [],
    ],
    ['a wrong timeout', 'https://one.example.com', () => ({ timeout: 3601 }), ['timeout']],
    ['a URL used by another server', 'nonsense', () => ({ url: ' https://one.example.com' }), ['url']],
    ['all members after a change of kind', 'nonsense', () => ({ kind: 'stdio' }), ['name', 'command']],
  ];
  for (const [what, label, change, members] of cases) {
    it(`find ${what} in form and host`, async () => {
      const { document } = await opened();
      assert.deepEqual(found(document, withServer(document, label, change)), members);
    });
  }

  it('apply to new servers and copies', async () => {
    const { document } = await opened();
    const held = document.model.mcpServers;
    const copy = copyOf(serverAt(document, ' odd name'), 'new-1', true);
    assert.deepEqual(found(document, [...held, copy]), ['name', 'command']);
    assert.deepEqual(found(document, [...held, newServer('new-2', 'sse')]), ['url']);
  });

  it('distinguish missing from invalid values', () => {
    const server = { ...newServer('new-1', 'stdio'), name: 'not good' };
    assert.deepEqual(
      serverProblems(server, undefined, [server]).map(({ member, isMissing }) => [member, isMissing]),
      [
        ['name', false],
        ['command', true],
      ],
    );
  });

  it('look at variables of commands only, and at each name once', () => {
    const entry = (name: string, originalName?: string): McpEnvEntry => ({
      name,
      presence: 'set',
      intention: 'keep',
      ...(originalName === undefined ? {} : { originalName }),
    });
    const problemsOf = (kind: McpServer['kind'], env: McpEnvEntry[], held: McpEnvEntry[] = []) => {
      const server = { ...newServer('s', kind), name: 'tool', command: 'npx', url: 'https://a.example', env };
      return serverProblems(server, { ...server, env: held }, [server]).map(({ member, isMissing }) => [
        member,
        isMissing,
      ]);
    };
    assert.deepEqual(problemsOf('shttp', [entry('A B')]), []);
    assert.deepEqual(problemsOf('stdio', [entry('A B')], [entry('A B')]), [], 'held by the service as it is');
    assert.equal(problemsOf('stdio', [entry('A B')], [entry('C')]).length, 1);
    assert.equal(problemsOf('stdio', [entry('A B', 'C')], [entry('A B'), entry('C')]).length, 1);
    assert.deepEqual(
      problemsOf('stdio', [entry('')]).map(([, isMissing]) => isMissing),
      [true],
    );
    assert.deepEqual(problemsOf('stdio', [entry('A'), entry(' A')]), [['env.1', false]]);
  });

  it('take neither servers of other kinds nor unnamed ones for duplicates', () => {
    const url = 'https://a.example';
    const [one, other] = [
      { ...newServer('1', 'sse'), url: ` ${url} ` },
      { ...newServer('2', 'shttp'), url },
    ];
    assert.deepEqual(serverProblems(one, undefined, [one, other]), []);
    const same = { ...other, kind: 'sse' as const };
    assert.deepEqual(
      serverProblems(one, undefined, [one, same]).map(({ member, isMissing }) => [member, isMissing]),
      [['url', false]],
    );
    const unnamed = [newServer('1', 'sse'), newServer('2', 'sse')];
    assert.equal(serverProblems(unnamed[0]!, undefined, unnamed).length, 1, 'it is only missing');
  });

  it('trim the name of a renamed variable when saving', async () => {
    const tool = { name: 'tool', command: 'npx', args: [], env: { KEY: 'a', ' B': 'b' } };
    const { service, document } = await opened({ sse_servers: [], stdio_servers: [tool], shttp_servers: [] });
    const mcpServers = withServer(document, 'tool', (server) => ({ env: rename(server, ' OTHER ') }));
    await saveAs('saved', document, { mcpServers });
    const [saved] = service.state.settings?.mcp_config?.stdio_servers ?? [];
    assert.deepEqual(saved?.env, { OTHER: 'a', ' B': 'b' });
  });

  it('are the same in form and host for any change', async () => {
    const { document } = await opened();
    const held = document.model.mcpServers;
    const text = fc.constantFrom(
      '',
      ' ',
      'tool',
      'tool ',
      'a b',
      'npx',
      'https://one.example.com',
      ' https://x.example',
    );
    const name = fc.constantFrom('', ' ', 'KEY', ' KEY', 'A B ', 'A=B', 'NEW');
    const change = fc.record(
      {
        kind: fc.constantFrom('sse', 'stdio', 'shttp'),
        url: text,
        name: text,
        command: text,
        timeout: fc.constantFrom(null, 0, 0.5, 60, 3601),
        env: fc.array(name, { maxLength: 3 }),
      },
      { requiredKeys: [] },
    );
    const variable = (server: McpServer, to: string, index: number): McpEnvEntry =>
      renamed(server.env[index] ?? newVariable(`new variable ${index}`), to);
    let problems = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: held.length, maxLength: held.length + 1 }), (changes) => {
        const servers = changes.map((changed, index): McpServer => {
          const server = held[index] ?? newServer(`new-${index}`, 'stdio');
          const env = changed.env?.map((to, at) => variable(server, to, at)) ?? server.env;
          return { ...server, ...changed, env };
        });
        problems += found(document, servers).length;
      }),
      seeded('SERVER_RULES_SEED', { numRuns: 500 }),
    );
    assert.ok(problems > 500);
  });
});
