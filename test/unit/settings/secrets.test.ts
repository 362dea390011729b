import assert from 'node:assert/strict';
import type { Json } from '../../../src/shared/json';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import type { McpConfig } from '../../service/records';
import { fakeService } from './fakeService';
import { edits, newEntry, newServer, saveAs, serverAt, withServer } from './support';

const url = 'https://one.example.com/mcp';
const replace = { presence: 'set', intention: 'replace' } as const;
const set = { presence: 'set', intention: 'keep' } as const;

async function opened(env: Record<string, Json> = { A: 'a', B: 'b' }) {
  const service = fakeService('observed', {
    mcp_config: {
      sse_servers: [],
      stdio_servers: [{ name: 'tool', command: 'npx', args: [], env }],
      shttp_servers: [{ url, api_key: 'one-key' }],
    } as McpConfig,
  });
  const document = await SettingsDocument.load(service.client, service.safeguards);
  return { service, document, config: () => service.state.settings?.mcp_config };
}

/** Where the problems with a list of servers are. */
const places = (document: SettingsDocument, mcpServers: ReturnType<typeof withServer>) =>
  document.problems(edits({ mcpServers })).map(({ target }) => target);

describe('settings: typed secrets', () => {
  it('go to the server and the variable that they were typed for', async () => {
    const { document, config } = await opened();
    const [one, tool] = [serverAt(document, url), serverAt(document, 'tool')];
    document.setSecret({ at: 'mcpApiKey', id: one.id }, 'typed-key');
    document.setSecret({ at: 'mcpEnv', id: tool.id, name: 'A' }, 'typed-a');
    document.setSecret({ at: 'mcpEnv', id: tool.id, name: 'B' }, 'typed-b');
    document.setSecret({ at: 'mcpEnv', id: 'new-1', name: 'A' }, 'typed-new');
    const added = newServer({
      id: 'new-1',
      kind: 'stdio',
      name: 'late',
      command: 'go',
      env: [newEntry('A')],
    });
    await saveAs('saved', document, {
      mcpServers: [
        { ...tool, env: tool.env.map((entry) => ({ ...entry, ...replace })) },
        { ...one, apiKey: replace },
        added,
      ],
    });
    assert.equal(config()?.shttp_servers[0]?.api_key, 'typed-key');
    assert.deepEqual(
      config()?.stdio_servers.map(({ env }) => env),
      [{ A: 'typed-a', B: 'typed-b' }, { A: 'typed-new' }],
    );
  });

  it('are needed again once they are dropped, one or all', async () => {
    const { document } = await opened();
    const { id } = serverAt(document, 'tool');
    const at = (name: string) => ({ at: 'mcpEnv', id, name }) as const;
    const mcpServers = withServer(document, 'tool', ({ env }) => ({
      env: env.map((entry) => ({ ...entry, ...replace })),
    }));
    for (const name of ['A', 'B']) document.setSecret(at(name), 'typed');
    assert.deepEqual(places(document, mcpServers), []);
    document.clearSecretValue(at('B'));
    assert.deepEqual(places(document, mcpServers), [{ at: 'mcp', id, member: 'env.1' }]);
    document.clearSecretValue();
    assert.equal(places(document, mcpServers).length, 2);
  });

  it('of a known server are refused if they are missing or masks', async () => {
    const { document } = await opened();
    const { id } = serverAt(document, url);
    const mcpServers = withServer(document, url, () => ({ apiKey: replace }));
    for (const typed of [undefined, '*', '**********']) {
      if (typed !== undefined) document.setSecret({ at: 'mcpApiKey', id }, typed);
      assert.deepEqual(places(document, mcpServers), [{ at: 'mcp', id, member: 'apiKey' }], typed);
    }
  });

  it('of a variable are refused as masks from three stars on', async () => {
    const { document } = await opened();
    const { id } = serverAt(document, 'tool');
    const mcpServers = withServer(document, 'tool', ({ env }) => ({
      env: env.map((entry) => (entry.name === 'B' ? { ...entry, ...replace } : entry)),
    }));
    const typed = (value: string) => {
      document.setSecret({ at: 'mcpEnv', id, name: 'B' }, value);
      return places(document, mcpServers);
    };
    assert.deepEqual(typed('**'), []);
    assert.deepEqual(typed('***'), [{ at: 'mcp', id, member: 'env.1' }]);
  });

  it('that are missing are reported beside what else is wrong', async () => {
    const { document } = await opened();
    const id = 'new-1';
    const added = newServer({ id, url: 'nonsense', apiKey: { presence: 'notSet', intention: 'replace' } });
    assert.deepEqual(places(document, [...document.model.mcpServers, added]), [
      { at: 'mcp', id, member: 'url' },
      { at: 'mcp', id, member: 'apiKey' },
    ]);
  });
});

describe('settings: secrets that nobody knows', () => {
  it('keep a copy from being saved without them, if what it copies is gone', async () => {
    const { service, document } = await opened();
    const at = (member: string) => [{ at: 'mcp', id: 'new-1', member }];
    const copy = { id: 'new-1', copiedFrom: 'gone' };
    for (const [server, place] of [
      [newServer({ ...copy, url: 'https://copy.example.com', apiKey: set }), at('apiKey')],
      [
        newServer({ ...copy, kind: 'stdio', name: 'copy', command: 'go', env: [{ name: 'A', ...set }] }),
        at('env.0'),
      ],
    ] as const)
      assert.deepEqual(places(document, [...document.model.mcpServers, server]), place);
    assert.deepEqual(service.posts, []);
  });

  it('don’t matter to a kind of server that has no place for them', async () => {
    const { document, config } = await opened();
    const lost = { apiKey: replace, env: [newEntry('A')] };
    const { notes } = await saveAs('saved', document, {
      mcpServers: [
        newServer({ id: 'new-1', kind: 'stdio', name: 'late', command: 'go', apiKey: replace }),
        newServer({ id: 'new-2', url: 'https://late.example.com', env: lost.env }),
        ...withServer(document, url, () => ({ env: lost.env })),
      ],
    });
    assert.deepEqual(notes, []);
    assert.equal(config()?.stdio_servers[0]?.name, 'late');
    assert.equal(config()?.shttp_servers[0]?.url, 'https://late.example.com');
    assert.equal(config()?.shttp_servers[1]?.api_key, 'one-key');
  });
});

describe('settings: variables as the service has them', () => {
  it('keep the spaces of their names, and are renamed without any', async () => {
    const { document, config } = await opened({ ' A ': 'a', B: 'b' });
    const { document: after } = await saveAs('saved', document, {
      mcpServers: withServer(document, 'tool', () => ({ args: ['other'] })),
    });
    assert.deepEqual(config()?.stdio_servers[0]?.env, { ' A ': 'a', B: 'b' });
    await saveAs('saved', after, {
      mcpServers: withServer(after, 'tool', ({ env }) => ({
        env: env.map((entry) => (entry.name === 'B' ? { ...entry, name: ' C ', originalName: 'B' } : entry)),
      })),
    });
    assert.deepEqual(config()?.stdio_servers[0]?.env, { ' A ': 'a', C: 'b' });
  });
});
