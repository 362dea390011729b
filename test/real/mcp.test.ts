import assert from 'node:assert/strict';
import type { SettingsDocument } from '../../src/features/settings/model/document';
import { failureOf } from '../unit/api/support/client';
import { newEntry, newServer, saveAs, serverAt, withoutServer, withServer } from '../unit/settings/support';
import { assertOneChange, differences, holdSettings, openDocument, settingsNow } from './support/settings';
import { realClient, realSuite } from './support/suite';

const sse = 'https://sse.example.com';
const http = 'https://one.example.com/mcp';

realSuite('MCP servers', ['first'], () => {
  let document: SettingsDocument;
  let before: Awaited<ReturnType<typeof settingsNow>>;

  beforeEach(async () => {
    await holdSettings();
    document = await openDocument();
    before = await settingsNow();
  });

  /** What saving these servers changes on disk, by path below `mcp_config`. */
  const saved = async (mcpServers: SettingsDocument['model']['mcpServers']) => {
    const { notes } = await saveAs('saved', document, { mcpServers });
    assert.deepEqual(notes, []);
    const after = await settingsNow();
    return Object.fromEntries(
      Object.entries(differences(before.disk, after.disk)).map(([place, change]) => [
        place.replace('mcp_config.', ''),
        change,
      ]),
    );
  };

  it('adds a server of each kind with its secrets, and keeps the others’ secrets', async () => {
    const key = { presence: 'notSet', intention: 'replace' } as const;
    for (const id of ['new-1', 'new-2']) document.setSecret({ at: 'mcpApiKey', id }, `key of ${id}`);
    document.setSecret({ at: 'mcpEnv', id: 'new-3', name: 'A' }, 'value');
    const added = [
      newServer({ id: 'new-1', kind: 'sse', url: 'https://new.example.com/sse', apiKey: key }),
      newServer({ id: 'new-2', url: 'https://new.example.com/mcp', apiKey: key, timeout: 90 }),
      newServer({
        id: 'new-3',
        kind: 'stdio',
        name: 'new',
        command: 'npx',
        args: ['a b'],
        env: [newEntry('A')],
      }),
    ];
    assert.deepEqual(await saved([...document.model.mcpServers, ...added]), {
      'sse_servers.1.url': [undefined, 'https://new.example.com/sse'],
      'sse_servers.1.api_key': [undefined, 'key of new-1'],
      'stdio_servers.1.name': [undefined, 'new'],
      'stdio_servers.1.command': [undefined, 'npx'],
      'stdio_servers.1.args.0': [undefined, 'a b'],
      'stdio_servers.1.env.A': [undefined, 'value'],
      'shttp_servers.1.url': [undefined, 'https://new.example.com/mcp'],
      'shttp_servers.1.api_key': [undefined, 'key of new-2'],
      'shttp_servers.1.timeout': [undefined, 90],
    });
  });

  it('moves a server to another address and keeps its key', async () => {
    const url = 'https://moved.example.com/mcp';
    assert.deepEqual(await saved(withServer(document, http, () => ({ url }))), {
      'shttp_servers.0.url': [http, url],
    });
  });

  it('renames an environment variable and keeps its value', async () => {
    const [entry] = serverAt(document, 'fetch').env;
    assert.ok(entry);
    const env = [{ ...entry, name: 'RENAMED', originalName: entry.name }];
    assert.deepEqual(await saved(withServer(document, 'fetch', () => ({ env }))), {
      'stdio_servers.0.env.TOKEN': ['env-secret', undefined],
      'stdio_servers.0.env.RENAMED': [undefined, 'env-secret'],
    });
  });

  it('clears a key', async () => {
    const apiKey = { presence: 'set', intention: 'clear' } as const;
    const changes = await saved(withServer(document, sse, () => ({ apiKey })));
    assert.deepEqual(changes, { 'sse_servers.0.api_key': ['sse-key', null] });
  });

  it('deletes a server and keeps the others', async () => {
    assert.deepEqual(await saved(withoutServer(document, sse)), {
      'sse_servers.0.url': [sse, undefined],
      'sse_servers.0.api_key': ['sse-key', undefined],
    });
  });

  it('keeps every server when another field changes', async () => {
    await saveAs('saved', document, { values: { language: 'fr' } });
    assertOneChange(before.disk, (await settingsNow()).disk, 'de', 'fr');
  });

  it('reports which value the service refuses, and stores nothing', async () => {
    const config = { sse_servers: [{ url: 'ftp://sse.example.com' }], stdio_servers: [], shttp_servers: [] };
    const error = await failureOf(realClient().postSettings({ mcp_config: config }));
    assert.deepEqual([error.reason, error.status], ['invalid', 422]);
    assert.deepEqual(error.issues?.[0]?.loc, ['body', 'mcp_config', 'sse_servers', 0, 'url']);
    assert.deepEqual(await settingsNow(), before);
  });
});
