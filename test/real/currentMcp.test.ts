import assert from 'node:assert/strict';
import { SettingsDocument } from '../../src/features/settings/model/document';
import type { Safeguards } from '../../src/core/settings/safeguards';
import { failureOf } from '../unit/api/support/client';
import { safeguards } from '../unit/core/settings/safeguards';
import { newServer, saveAs, withoutServer, withServer } from '../unit/settings/support';
import { assertOneChange, holdSettings, onDisk, openDocument, settingsNow } from './support/settings';
import { itWithout, realClient, realSuite } from './support/suite';

const sse = 'https://sse.example.com';
const http = 'https://one.example.com/mcp';

/** Where the servers’ secrets are on disk, in any release’s format. */
async function mapOnDisk(): Promise<Record<string, unknown>> {
  const { agent_settings } = (await onDisk()) as { agent_settings: { mcp_config: Record<string, unknown> } };
  const { mcp_config: map } = agent_settings;
  return (map['mcpServers'] ?? map) as Record<string, unknown>;
}

/** The stored secrets of a server. */
async function secretsOf(name: string): Promise<string[]> {
  const text = JSON.stringify((await mapOnDisk())[name]);
  return [...text.matchAll(/(?:sse|one|env|new|typed)-[a-z]+/g)]
    .map(([match]) => match)
    .filter((match) => /-(?:key|secret)$/.test(match));
}

realSuite('MCP servers of the current generation', ['current'], () => {
  let document: SettingsDocument;
  let before: Awaited<ReturnType<typeof settingsNow>>;

  beforeEach(async () => {
    await holdSettings();
    document = await openDocument();
    before = await settingsNow();
  });

  /** All servers with their secrets typed again. */
  const retyped = () =>
    document.model.mcpServers.map((server) => {
      const { id } = server;
      const replace = { presence: 'set', intention: 'replace' } as const;
      if (server.kind === 'stdio') {
        document.setSecret({ at: 'mcpEnv', id, name: 'TOKEN' }, 'typed-secret');
        return { ...server, env: server.env.map(({ name }) => ({ name, ...replace })) };
      }
      document.setSecret({ at: 'mcpApiKey', id }, 'typed-key');
      return { ...server, apiKey: replace };
    });

  it('keep their secrets when another field changes', async () => {
    await saveAs('saved', document, { values: { language: 'fr' } }, {});
    assertOneChange(before.disk, (await settingsNow()).disk, 'de', 'fr');
  });

  itWithout(
    'showsServerSecrets',
    'this release shows them',
    'show that secrets are set, but not their values',
    () => {
      assert.equal(document.model.hidesServerSecrets, true);
      const { mcpServers } = document.model;
      assert.deepEqual(
        mcpServers.map(({ apiKey, env }) => [apiKey.presence, env.map(({ presence }) => presence)]),
        [
          ['set', []],
          ['notSet', ['set']],
          ['set', []],
        ],
      );
      assert.doesNotMatch(JSON.stringify(before.read), /sse-key|env-secret|one-key/);
    },
  );

  itWithout(
    'showsServerSecrets',
    'this release shows them',
    'aren’t posted while secrets are hidden, and the hidden ones are named',
    async () => {
      const { errors } = await saveAs('invalid', document, { mcpServers: withoutServer(document, sse) }, {});
      assert.ok(errors[0]?.message.includes(http) && errors[0].message.includes('fetch'));
      assert.deepEqual(await settingsNow(), before);
    },
  );

  it('get every typed secret, and no other value', async () => {
    const { notes } = await saveAs('saved', document, { mcpServers: retyped() }, {});
    assert.deepEqual(notes, []);
    assert.deepEqual(await secretsOf('sse-example-com'), ['typed-key']);
    assert.deepEqual(await secretsOf('fetch'), ['typed-secret']);
    assert.deepEqual(await secretsOf('one-example-com'), ['typed-key']);
  });

  itWithout(
    'showsServerSecrets',
    'this release shows them',
    'keep the secrets stored on this computer when a server is changed, added, or deleted',
    async () => {
      const guards: Safeguards = safeguards();
      const open = () => SettingsDocument.load(realClient(), guards);
      document = await open();
      const { document: typed } = await saveAs('saved', document, { mcpServers: retyped() }, {});
      assert.ok(typed.offersToKeep() && (await typed.keepServers()));

      const later = await open();
      const added = newServer({ id: 'new-1', kind: 'stdio', name: 'late', command: 'npx', args: ['a b'] });
      const servers = withServer(later, http, () => ({ timeout: 90 })).filter(({ url }) => url !== sse);
      const { notes } = await saveAs('saved', later, { mcpServers: [...servers, added] }, {});
      assert.deepEqual(notes, []);
      assert.deepEqual(Object.keys(await mapOnDisk()).sort(), ['fetch', 'late', 'one-example-com']);
      assert.deepEqual(await secretsOf('fetch'), ['typed-secret']);
      assert.deepEqual(await secretsOf('one-example-com'), ['typed-key']);
      assert.match(JSON.stringify((await mapOnDisk())['one-example-com']), /"timeout":90/);
    },
  );

  it('are all deleted when the user deletes them', async () => {
    await saveAs('saved', document, { mcpServers: [] }, {});
    assert.deepEqual(await mapOnDisk(), {});
  });

  it('are refused with an invalid value, and stay unchanged', async () => {
    const config = {
      sse_servers: [],
      stdio_servers: [{ name: 'x', command: 'y', args: [], env: {}, cwd: ['not a text'] }],
      shttp_servers: [],
    };
    const client = realClient();
    await client.getSettings();
    const { status } = await failureOf(client.postSettings({ mcp_config: config }));
    assert.ok(status === 400 || status === 500);
    assert.deepEqual(await settingsNow(), before);
  });
});
