import assert from 'node:assert/strict';
import type { FormEdits } from '../../../src/features/settings/shared/form';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { fingerprint, makeDraft, parseDraft } from '../../../src/features/settings/model/draft';
import type { StoredSettings } from '../../service/records';
import { fakeService } from './fakeService';
import { edits, newServer, saveAs, serverAt, withoutServer, withServer } from './support';

const url = (name: string) => `https://${name}.example.com/mcp`;

async function opened(settings: Partial<StoredSettings> = {}) {
  const service = fakeService('observed', {
    language: 'de',
    llm_api_key: 'llm-secret',
    max_iterations: 9,
    mcp_config: {
      sse_servers: [],
      stdio_servers: [{ name: 'tool', command: 'npx', args: ['tool'], env: { A: 'a-value' } }],
      shttp_servers: [
        { url: url('one'), api_key: 'one-key', timeout: 60 },
        { url: url('two'), api_key: null, timeout: 60 },
      ],
    },
    ...settings,
  });
  return {
    service,
    document: await SettingsDocument.load(service.client, service.safeguards),
    held: () => service.state.settings!,
  };
}

/** A change of every kind. */
function everything(document: SettingsDocument): FormEdits {
  const one = serverAt(document, url('one'));
  document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed-llm');
  document.setSecret({ at: 'field', field: 'search_api_key' }, 'typed-search');
  document.setSecret({ at: 'mcpApiKey', id: one.id }, 'typed-key');
  document.setSecret({ at: 'mcpEnv', id: 'new-1', name: 'E' }, 'typed-env');
  return edits({
    values: { language: 'it', max_iterations: null, enable_sound_notifications: true },
    secrets: { llm_api_key: 'replace', search_api_key: 'replace' },
    mcpServers: [
      newServer({
        id: 'new-1',
        kind: 'stdio',
        name: 'added',
        command: 'uvx',
        args: ['a b'],
        env: [{ name: 'E', presence: 'notSet', intention: 'replace' }],
      }),
      { ...one, timeout: 5, apiKey: { ...one.apiKey, intention: 'replace' } },
      ...document.model.mcpServers
        .filter(({ name }) => name === 'tool')
        .map((server) => ({
          ...server,
          args: ['tool', '--flag'],
          env: server.env.map((entry) => ({ ...entry, name: 'B', originalName: 'A' })),
        })),
    ],
  });
}

describe('settings: review', () => {
  it('lists every change with old and new values, and secrets as words', async () => {
    const { document } = await opened();
    const changes = document.review(everything(document));
    assert.deepEqual(
      changes.map(({ label, before, after }) => [label, before, after]),
      [
        ['language', 'de', 'it'],
        ['max_iterations', '9', 'Service default'],
        ['enable_sound_notifications', 'Off', 'On'],
        ['llm_api_key', 'Set', 'Replaced'],
        ['search_api_key', 'Not set', 'Set'],
        ['added', 'None', 'Command, uvx "a b", env.E: Set'],
        [`${url('one')}: timeout`, '60', '5'],
        [`${url('one')}: api_key`, 'Set', 'Replaced'],
        ['tool: args', 'tool', 'tool --flag'],
        ['tool: env.B', 'A', 'Renamed'],
        [url('two'), `HTTP, ${url('two')}, timeout: 60`, 'Deleted'],
        ['mcp_config', `tool, ${url('one')}`, `${url('one')}, tool`],
      ],
    );
    assert.deepEqual(
      changes.slice(2, 4).map(({ target }) => target),
      [
        { at: 'field', field: 'enable_sound_notifications' },
        { at: 'field', field: 'llm_api_key' },
      ],
    );
    assert.doesNotMatch(JSON.stringify(changes), /typed|one-key|a-value|llm-secret/);
  });

  it('says so where a value is empty', async () => {
    const { document } = await opened({ agent: 'Mine' });
    const [change] = document.review(edits({ values: { agent: '' } }));
    assert.deepEqual([change?.before, change?.after], ['Mine', 'Empty']);
  });

  it('lists what becomes of each variable and key', async () => {
    const { document } = await opened({
      mcp_config: {
        sse_servers: [{ url: url('sse'), api_key: 'sse-key' }],
        stdio_servers: [
          { name: 'tool', command: 'npx', args: [], env: { A: 'a', B: '', C: 'c', D: 'd' } },
          { name: 'gone', command: 'run', args: [], env: { X: 'x', Y: '' } },
        ],
        shttp_servers: [],
      },
    });
    const [sse, tool] = [serverAt(document, url('sse')), serverAt(document, 'tool')];
    const changes = document.review(
      edits({
        mcpServers: [
          { ...sse, apiKey: { presence: 'set', intention: 'clear' } },
          {
            ...tool,
            env: [
              { name: 'A2', originalName: 'A', presence: 'set', intention: 'replace' },
              { name: 'B', presence: 'notSet', intention: 'replace' },
              { name: 'C', presence: 'set', intention: 'clear' },
              { name: 'E', presence: 'notSet', intention: 'replace' },
            ],
          },
          { ...sse, id: 'new-1', url: url('copy'), copiedFrom: sse.id },
        ],
      }),
    );
    assert.deepEqual(
      changes.map(({ target, label, before, after }) => [
        target.at === 'mcp' && target.member,
        label,
        before,
        after,
      ]),
      [
        ['apiKey', `${url('sse')}: api_key`, 'Set', 'Cleared'],
        ['env.0', 'tool: env.A2', 'A', 'Renamed, Replaced'],
        ['env.1', 'tool: env.B', 'Not set', 'Set'],
        ['env.2', 'tool: env.C', 'Set', 'Cleared'],
        ['env.3', 'tool: env.E', 'None', 'Added'],
        ['env', 'tool: env.D', 'Set', 'Deleted'],
        ['server', url('copy'), 'None', `SSE, ${url('copy')}, api_key: Set`],
        ['server', 'gone', 'Command, run, env.X: Set', 'Deleted'],
      ],
    );
  });

  it('lists nothing for edits without effect', async () => {
    const { document } = await opened();
    const same = edits({ values: { language: 'de', llm_model: '' }, mcpServers: document.model.mcpServers });
    assert.deepEqual(document.review(same), []);
  });

  it('distinguishes arguments that look the same', async () => {
    const { document } = await opened();
    const changes = document.review(
      edits({ mcpServers: withServer(document, 'tool', () => ({ args: ['tool x'] })) }),
    );
    assert.deepEqual(
      changes.map(({ after }) => after),
      ['"tool x"'],
    );
  });
});

describe('settings: undo of a save', () => {
  it('restores all values and MCP secrets, and lists secrets it can’t restore', async () => {
    const { service, document } = await opened();
    const before = structuredClone(service.state.settings);
    const { document: after } = await saveAs('saved', document, everything(document));
    const undo = after.undo();
    assert.ok(undo, 'the save can’t be undone');
    assert.deepEqual(undo.notRestored, ['llm_api_key']);
    assert.doesNotMatch(JSON.stringify(undo), /typed|one-key|a-value|llm-secret/);
    const { notes } = await saveAs('saved', after, undo.edits);
    assert.deepEqual(notes, []);
    assert.deepEqual(service.state.settings, { ...before, llm_api_key: 'typed-llm' });
  });

  it('can itself be undone', async () => {
    const { service, document } = await opened();
    const { document: after } = await saveAs('saved', document, everything(document));
    const changed = structuredClone(service.state.settings);
    const { document: undone } = await saveAs('saved', after, after.undo()!.edits);
    await saveAs('saved', undone, undone.undo()!.edits);
    assert.deepEqual(service.state.settings, { ...changed, search_api_key: null });
  });

  it('reports later changes as conflicts, and keeps unrelated changes', async () => {
    const { service, document, held } = await opened();
    const { document: after } = await saveAs('saved', document, { values: { language: 'it' } });
    held().language = 'fr';
    held().agent = 'Theirs';
    held().mcp_config!.shttp_servers.push({ url: url('theirs'), api_key: 'their-key', timeout: 60 });
    const { conflicts } = await saveAs('conflict', after, after.undo()!.edits);
    assert.deepEqual(
      conflicts.map(({ mine, theirs, previous }) => [mine, theirs, previous]),
      [['de', 'fr', 'it']],
    );
    await saveAs('saved', after, after.undo()!.edits, {
      resolution: { 'field:language': 'mine' },
      confirmed: [{ about: 'sandboxApiKey' }],
    });
    assert.equal(held().language, 'de');
    assert.equal(held().agent, 'Theirs');
    assert.equal(service.state.settings?.mcp_config?.shttp_servers.length, 3);
  });

  it('restores a deleted server with its key, next to newly added servers', async () => {
    const { document, held } = await opened();
    const { document: after } = await saveAs('saved', document, {
      mcpServers: withoutServer(document, url('one')),
    });
    held().mcp_config!.shttp_servers.push({ url: url('theirs'), api_key: 'their-key', timeout: 60 });
    await saveAs('saved', after, after.undo()!.edits);
    assert.deepEqual(
      held().mcp_config?.shttp_servers.map((server) => [server.url, server.api_key]),
      [
        [url('one'), 'one-key'],
        [url('two'), null],
        [url('theirs'), 'their-key'],
      ],
    );
  });

  it('takes away a key that a server didn’t have before', async () => {
    const { document, held } = await opened();
    document.setSecret({ at: 'mcpApiKey', id: serverAt(document, url('two')).id }, 'typed-key');
    const { document: after } = await saveAs('saved', document, {
      mcpServers: withServer(document, url('two'), ({ apiKey }) => ({
        apiKey: { ...apiKey, intention: 'replace' },
      })),
    });
    assert.equal(held().mcp_config?.shttp_servers[1]?.api_key, 'typed-key');
    await saveAs('saved', after, after.undo()!.edits);
    assert.equal(held().mcp_config?.shttp_servers[1]?.api_key ?? null, null);
  });

  it('changes nothing that somebody else changed during the save', async () => {
    const { service, document, held } = await opened();
    const added = newServer({ id: 'new-1', url: url('mine') });
    const { id } = serverAt(document, url('two'));
    service.carriedOut = (request) => {
      if (request !== 'postSettings') return;
      held().agent = 'Theirs';
      held().mcp_config!.shttp_servers.splice(1, 0, {
        url: url('theirs'),
        api_key: 'their-key',
        timeout: 60,
      });
    };
    const { document: after } = await saveAs('saved', document, {
      values: { language: 'it' },
      mcpServers: [...withoutServer(document, url('one')), added].map((server) =>
        server.id === id ? { ...server, timeout: 5 } : server,
      ),
    });
    service.carriedOut = () => undefined;
    const undo = after.undo();
    assert.ok(undo);
    assert.deepEqual(undo.edits.values, { language: 'de' });
    await saveAs('saved', after, undo.edits);
    assert.equal(held().agent, 'Theirs');
    assert.deepEqual(
      held().mcp_config?.shttp_servers.map((server) => [server.url, server.api_key, server.timeout]),
      [
        [url('one'), 'one-key', 60],
        [url('two'), null, 60],
        [url('theirs'), 'their-key', 60],
      ],
    );
  });

  it('touches only the secrets of servers that the save changed', async () => {
    const { document } = await opened({
      mcp_config: {
        sse_servers: [],
        stdio_servers: [{ name: 'tool', command: 'npx', args: [], env: { A: 'a', B: '', C: 'c' } }],
        shttp_servers: [{ url: url('one'), api_key: 'one-key' }, { url: url('two') }],
      },
    });
    const { id } = serverAt(document, 'tool');
    document.setSecret({ at: 'mcpEnv', id, name: 'C' }, 'typed');
    const { document: after } = await saveAs('saved', document, {
      mcpServers: document.model.mcpServers.map((server) =>
        server.id === id
          ? {
              ...server,
              env: server.env.map((entry) =>
                entry.name === 'C' ? { ...entry, intention: 'replace' } : entry,
              ),
            }
          : { ...server, timeout: 5 },
      ),
    });
    const servers = after.undo()?.edits.mcpServers ?? [];
    assert.deepEqual(
      servers.map(({ apiKey, env }) => [apiKey.intention, ...env.map(({ intention }) => intention)]),
      [['keep', 'keep', 'keep', 'replace'], ['keep'], ['keep']],
    );
  });

  it('restores the previous values of a deleted server that came back with others', async () => {
    const { service, document, held } = await opened();
    service.carriedOut = (request) => {
      if (request === 'postSettings')
        held().mcp_config!.shttp_servers.push({ url: url('one'), api_key: 'one-key', timeout: 7 });
    };
    const { document: after } = await saveAs('saved', document, {
      mcpServers: withoutServer(document, url('one')),
    });
    service.carriedOut = () => undefined;
    await saveAs('saved', after, after.undo()!.edits);
    assert.deepEqual(
      held().mcp_config?.shttp_servers.map((server) => [server.url, server.timeout]),
      [
        [url('one'), 60],
        [url('two'), 60],
      ],
    );
  });

  it('is unavailable before a save', async () => {
    assert.equal((await opened()).document.undo(), undefined);
  });
});

describe('settings: drafts', () => {
  const now = new Date('2026-01-02T03:04:05Z');

  it('contain edits and the names of typed secrets, but no secrets', async () => {
    const { document } = await opened();
    const draft = makeDraft(document.model, everything(document), now);
    const text = JSON.stringify(draft);
    assert.doesNotMatch(text, /typed|one-key|a-value|llm-secret/);
    assert.deepEqual(draft.dropped, [
      'llm_api_key',
      'search_api_key',
      'added: env.E',
      `${url('one')}: api_key`,
    ]);
    assert.deepEqual(parseDraft(JSON.parse(text)), draft);
    assert.equal(draft.savedAt, '2026-01-02T03:04:05.000Z');
    assert.equal(fingerprint(document.model), draft.fingerprint);
  });

  it('contain what the service had where it was changed, and nothing else', async () => {
    const { document } = await opened();
    const more = { 'agent_settings.gone': 'x' };
    const part = edits({ values: { language: 'it' }, secrets: { llm_api_key: 'clear' }, more });
    const draft = makeDraft(document.model, part, now);
    assert.deepEqual(draft.edits, part);
    assert.deepEqual(draft.base, { values: { language: 'de' }, mcpServers: null });
    assert.deepEqual(draft.dropped, []);
  });

  it('tell whether the service has changed, whatever ids its servers have', async () => {
    const { document } = await opened();
    const { model } = document;
    const print = (change: object) =>
      fingerprint({ ...model, mcpServers: model.mcpServers.map((server) => ({ ...server, ...change })) });
    assert.equal(print({ id: 'other' }), fingerprint(model));
    assert.notEqual(print({ timeout: 5 }), fingerprint(model));
  });

  it('are ignored if damaged or of another version', async () => {
    const { document } = await opened();
    const draft = makeDraft(document.model, edits({ values: { language: 'it' } }), now);
    for (const wrong of [
      undefined,
      null,
      'x',
      {},
      { ...draft, version: 2 },
      { ...draft, savedAt: 'yesterday' },
      { ...draft, edits: { values: { language: 5 } } },
    ])
      assert.equal(parseDraft(wrong), undefined);
  });

  it('are restored unchanged if the service didn’t change', async () => {
    const { service, document } = await opened();
    const draft = makeDraft(document.model, everything(document), now);
    const next = await SettingsDocument.load(service.client, service.safeguards);
    assert.equal(fingerprint(next.model), draft.fingerprint);
    const restored = next.restore(draft.edits, draft.base);
    assert.deepEqual(restored.overlaps, []);
    assert.deepEqual(restored.edits, draft.edits);
  });

  it('keep other clients’ changes and report what both changed', async () => {
    const { service, document, held } = await opened();
    const draft = makeDraft(
      document.model,
      edits({
        values: { language: 'it', max_iterations: 3 },
        mcpServers: withServer(document, url('one'), () => ({ timeout: 5 })),
      }),
      now,
    );
    held().language = 'fr';
    held().agent = 'Theirs';
    held().mcp_config!.shttp_servers[0]!.timeout = 7;
    held().mcp_config!.shttp_servers.unshift({ url: url('theirs'), api_key: 'their-key', timeout: 60 });
    held().mcp_config!.stdio_servers = [];
    const next = await SettingsDocument.load(service.client, service.safeguards);
    assert.notEqual(fingerprint(next.model), draft.fingerprint);
    const { edits: restored, overlaps } = next.restore(draft.edits, draft.base);
    assert.deepEqual(
      overlaps.map(({ label, mine, theirs, previous }) => [label, mine, theirs, previous]),
      [
        ['language', 'it', 'fr', 'de'],
        [url('one'), 'timeout: 5', 'timeout: 7', 'timeout: 60'],
      ],
    );
    await saveAs('saved', next, restored);
    assert.equal(held().language, 'it');
    assert.equal(held().agent, 'Theirs');
    assert.equal(held().max_iterations, 3);
    assert.deepEqual(held().mcp_config, {
      sse_servers: [],
      stdio_servers: [],
      shttp_servers: [
        { url: url('theirs'), api_key: 'their-key', timeout: 60 },
        { url: url('one'), api_key: 'one-key', timeout: 5 },
        { url: url('two'), api_key: null, timeout: 60 },
      ],
    });
  });

  it('never apply edits to another server with the same id or position', async () => {
    const { service, document, held } = await opened();
    // A save in this form renamed a server, which keeps its id in the form.
    const { document: renamed } = await saveAs('saved', document, {
      mcpServers: withServer(document, url('one'), () => ({ url: url('moved') })),
    });
    const draft = makeDraft(
      renamed.model,
      edits({ mcpServers: withServer(renamed, url('moved'), () => ({ timeout: 5 })) }),
      now,
    );
    // Another client adds a server with the old URL.
    held().mcp_config!.shttp_servers.unshift({ url: url('one'), api_key: 'foreign-key', timeout: 60 });
    const next = await SettingsDocument.load(service.client, service.safeguards);
    await saveAs('saved', next, next.restore(draft.edits, draft.base).edits);
    assert.deepEqual(held().mcp_config?.shttp_servers, [
      { url: url('one'), api_key: 'foreign-key', timeout: 60 },
      { url: url('moved'), api_key: 'one-key', timeout: 5 },
      { url: url('two'), api_key: null, timeout: 60 },
    ]);
  });

  it('restore an edited but deleted server as new, without its secrets', async () => {
    const { service, document, held } = await opened();
    const draft = makeDraft(
      document.model,
      edits({ mcpServers: withServer(document, url('one'), () => ({ timeout: 5 })) }),
      now,
    );
    held().mcp_config!.shttp_servers.shift();
    const next = await SettingsDocument.load(service.client, service.safeguards);
    const { edits: restored, overlaps } = next.restore(draft.edits, draft.base);
    assert.deepEqual(
      overlaps.map(({ mine, theirs }) => [mine, theirs]),
      [['timeout: 5', 'Deleted']],
    );
    const server = restored.mcpServers?.find((other) => other.url === url('one'));
    assert.deepEqual(server?.apiKey, { presence: 'notSet', intention: 'keep' });
    assert.match(server.id, /^new-/);
    await saveAs('saved', next, restored);
  });

  it('restore all variables of a server that both changed as the user has them', async () => {
    const { service, held } = await opened();
    held().mcp_config!.stdio_servers[0]!.env = { A: 'a', B: 'b', C: 'c', D: 'd' };
    const first = await SettingsDocument.load(service.client, service.safeguards);
    const draft = makeDraft(
      first.model,
      edits({
        mcpServers: withServer(first, 'tool', ({ env }) => ({
          env: [
            ...env
              .filter(({ name }) => name !== 'B')
              .map((entry) => (entry.name === 'A' ? { ...entry, name: 'A2', originalName: 'A' } : entry))
              .map((entry) => (entry.name === 'D' ? { ...entry, intention: 'clear' as const } : entry)),
            { name: 'N', presence: 'notSet', intention: 'clear' },
          ],
        })),
      }),
      now,
    );
    held().mcp_config!.stdio_servers[0]!.env = { A: 'a', B: 'b', C: 'c', T: 'theirs' };
    const next = await SettingsDocument.load(service.client, service.safeguards);
    const { edits: restored, overlaps } = next.restore(draft.edits, draft.base);
    assert.deepEqual(
      overlaps.map(({ label, theirs }) => [label, theirs]),
      [['tool', 'env.D: Deleted · env.T: Added']],
    );
    await saveAs('saved', next, restored);
    assert.deepEqual(held().mcp_config?.stdio_servers[0]?.env, { A2: 'a', C: 'c', D: '', N: '' });
  });
});
