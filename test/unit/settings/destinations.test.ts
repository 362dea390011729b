import assert from 'node:assert/strict';
import type { FormEdits, SecretTarget } from '../../../src/features/settings/shared/form';
import type { McpServer } from '../../../src/shared/mcp';
import type { Destination } from '../../../src/features/settings/model/destinations';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import type { StoredSettings } from '../../service/records';
import { fakeService } from './fakeService';
import { edits, newEntry, newServer, serverAt, withServer } from './support';

const good = 'https://good.example/mcp';
const open = 'https://open.example/mcp';
const evil = 'https://evil.example/mcp';
const replaced = { presence: 'notSet', intention: 'replace' } as const;
const modelKey = { at: 'field', field: 'llm_api_key' } as const;

async function opened(settings: Partial<StoredSettings> = {}): Promise<SettingsDocument> {
  const service = fakeService('observed', {
    llm_api_key: 'llm-secret',
    llm_base_url: 'https://llm.example/v1',
    mcp_config: {
      sse_servers: [],
      stdio_servers: [{ name: 'tool', command: 'npx', args: ['tool'], env: { A: 'a', B: 'b', EMPTY: '' } }],
      shttp_servers: [{ url: good, api_key: 'good-key', timeout: 60 }, { url: open }],
    },
    ...settings,
  });
  return SettingsDocument.load(service.client, service.safeguards);
}

const modelAt = (llm_base_url: string) => edits({ values: { llm_base_url } });
const movedModel = (from: string, to: string): Destination[] => [{ of: modelKey, from, to }];
const movedServer = (label: string, names: string[], from: string, to: string): Destination[] => [
  { of: { at: 'mcp', label, names }, from, to },
];

/** What a save of `after` would send elsewhere, when the secret was typed while the form stood as in `before`. */
function typedAt(document: SettingsDocument, target: SecretTarget, before: FormEdits, after: FormEdits) {
  document.setSecret(target, 'typed', before);
  return document.newDestinations(after);
}

describe('new destinations of the model’s key', () => {
  it('are none without edits, or when only the path changes', async () => {
    const document = await opened();
    for (const part of [edits(), modelAt(' https://llm.example/v2 ')])
      assert.deepEqual(document.newDestinations(part), []);
  });

  it('are where the model is from now on, and what is no address counts as one', async () => {
    const document = await opened();
    for (const [url, to] of [
      ['https://evil.example/v1', 'https://evil.example'],
      ['nonsense', 'nonsense'],
      ['opaque://one', 'opaque://one'],
      // Parsers disagree about the host of these: a backslash, and a character that some drop.
      ['https://llm.example\\@evil.example', 'https://llm.example\\@evil.example'],
      ['https://llm.exa\u200bmple', 'https://llm.exa\u200bmple'],
      ['', ''],
    ] as const)
      assert.deepEqual(document.newDestinations(modelAt(url)), movedModel('https://llm.example', to));
    const opaque = await opened({ llm_base_url: 'opaque://one' });
    assert.deepEqual(
      opaque.newDestinations(modelAt('opaque://two')),
      movedModel('opaque://one', 'opaque://two'),
    );
  });

  it('are none when the service has no address before and after, and the provider is the same', async () => {
    const document = await opened({ llm_base_url: null, llm_model: 'acme/large' });
    assert.deepEqual(document.newDestinations(edits({ values: { llm_model: 'acme/small' } })), []);
    assert.equal(document.newDestinations(edits({ values: { llm_model: 'small' } })).length, 1);
  });

  it('are none when the key is cleared, or there is none', async () => {
    const elsewhere = modelAt('https://evil.example/v1');
    const document = await opened();
    assert.deepEqual(document.newDestinations({ ...elsewhere, secrets: { llm_api_key: 'clear' } }), []);
    const without = await opened({ llm_api_key: null });
    assert.deepEqual(without.newDestinations(elsewhere), []);
  });

  it('are those that differ from where a typed key was meant for', async () => {
    for (const llm_api_key of ['llm-secret', null]) {
      const key = { secrets: { llm_api_key: 'replace' } } as const;
      const typed = { ...modelAt('https://new.example'), ...key };
      const other = { ...modelAt('https://evil.example'), ...key };
      assert.deepEqual(typedAt(await opened({ llm_api_key }), modelKey, typed, typed), []);
      assert.deepEqual(
        typedAt(await opened({ llm_api_key }), modelKey, typed, other),
        movedModel('https://new.example', 'https://evil.example'),
      );
      const unsaid = await opened({ llm_api_key });
      unsaid.setSecret(modelKey, 'typed');
      assert.deepEqual(unsaid.newDestinations(typed), movedModel('', 'https://new.example'));
    }
  });
});

describe('new destinations of an MCP server’s secrets', () => {
  const moved = (document: SettingsDocument, label: string, change: Partial<McpServer>) =>
    edits({ mcpServers: withServer(document, label, () => change) });

  it('are none when the list changes, but no server goes elsewhere', async () => {
    const document = await opened();
    assert.deepEqual(document.newDestinations(moved(document, good, { timeout: 5 })), []);
    assert.deepEqual(document.newDestinations(moved(document, good, { url: ` ${good}/v2` })), []);
  });

  it('are where a kept key goes from now on, and none without a key', async () => {
    const document = await opened();
    assert.deepEqual(
      document.newDestinations(moved(document, good, { url: evil })),
      movedServer(evil, ['api_key'], 'https://good.example', 'https://evil.example'),
    );
    assert.deepEqual(document.newDestinations(moved(document, open, { url: evil })), []);
    const apiKey = { presence: 'set', intention: 'clear' } as const;
    assert.deepEqual(document.newDestinations(moved(document, good, { url: evil, apiKey })), []);
  });

  it('include members that the form doesn’t know', async () => {
    const document = await opened({
      mcp_config: {
        sse_servers: [],
        stdio_servers: [],
        shttp_servers: [{ url: open, headers: { 'X-Team': 'team-secret' } } as { url: string }],
      },
    });
    assert.deepEqual(
      document.newDestinations(moved(document, open, { url: evil })),
      movedServer(evil, ['headers'], 'https://open.example', 'https://evil.example'),
    );
  });

  it('name the variables with a value that another command line gets', async () => {
    const document = await opened();
    for (const change of [{ command: 'sh' }, { args: ['other'] }]) {
      const to = [change.command ?? 'npx', ...(change.args ?? ['tool'])].join(' ');
      assert.deepEqual(
        document.newDestinations(moved(document, 'tool', change)),
        movedServer('tool', ['env.A', 'env.B'], 'npx tool', to),
      );
    }
    assert.deepEqual(document.newDestinations(moved(document, 'tool', { command: ' npx ' })), []);
  });

  it('are those that differ from where a typed secret was meant for', async () => {
    const key = (url: string) => edits({ mcpServers: [newServer({ id: 'new-1', url, apiKey: replaced })] });
    const apiKey = { at: 'mcpApiKey', id: 'new-1' } as const;
    assert.deepEqual(typedAt(await opened(), apiKey, key(open), key(open)), []);
    assert.deepEqual(
      typedAt(await opened(), apiKey, key(open), key(evil)),
      movedServer(evil, ['api_key'], 'https://open.example', 'https://evil.example'),
    );
    const variable = (command: string) =>
      edits({
        mcpServers: [newServer({ id: 'new-1', kind: 'stdio', name: 'late', command, env: [newEntry('A')] })],
      });
    const env = { at: 'mcpEnv', id: 'new-1', name: 'A' } as const;
    assert.deepEqual(typedAt(await opened(), env, variable(' npx '), variable('npx')), []);
    assert.deepEqual(
      typedAt(await opened(), env, variable('npx'), variable('sh')),
      movedServer('late', ['env.A'], 'npx', 'sh'),
    );
  });

  it('are none for a replacement that was not typed, and come from nowhere known where no place was named', async () => {
    const document = await opened();
    const { id } = serverAt(document, good);
    const part = moved(document, good, { apiKey: replaced });
    assert.deepEqual(document.newDestinations(part), []);
    document.setSecret({ at: 'mcpApiKey', id }, 'typed');
    assert.deepEqual(
      document.newDestinations(part),
      movedServer(good, ['api_key'], '', 'https://good.example'),
    );
    assert.deepEqual(typedAt(document, { at: 'mcpApiKey', id }, edits(), part), [], 'its place is as it was');
  });

  it('are none for what was typed for a server that has left the form', async () => {
    const document = await opened();
    const target = { at: 'mcpApiKey', id: 'new-gone' } as const;
    assert.deepEqual(typedAt(document, target, edits({ mcpServers: [] }), edits()), []);
    const back = edits({ mcpServers: [newServer({ id: 'new-gone', url: open, apiKey: replaced })] });
    assert.deepEqual(
      document.newDestinations(back),
      movedServer(open, ['api_key'], '', 'https://open.example'),
    );
  });

  it('tell apart the places that the secrets of one server went to', async () => {
    const document = await opened();
    const { id, env } = serverAt(document, 'tool');
    const typed = moved(document, 'tool', {
      command: 'uvx',
      env: env.map((entry) => (entry.name === 'A' ? { ...entry, intention: 'replace' } : entry)),
    });
    document.setSecret({ at: 'mcpEnv', id, name: 'A' }, 'typed', typed);
    const after = typed.mcpServers?.map((server) =>
      server.id === id ? { ...server, command: 'sh' } : server,
    );
    assert.deepEqual(document.newDestinations({ ...typed, mcpServers: after ?? null }), [
      ...movedServer('tool', ['env.A'], 'uvx tool', 'sh tool'),
      ...movedServer('tool', ['env.B'], 'npx tool', 'sh tool'),
    ]);
  });
});
