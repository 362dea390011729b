import assert from 'node:assert/strict';
import type { McpServer } from '../../../src/shared/mcp';
import { parkServer } from '../../../src/features/settings/model/parking';
import { makeDraft } from '../../../src/features/settings/model/draft';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { connectProvider } from '../../../src/features/settings/model/providers';
import type { Behaviour } from '../../service/behaviour';
import type { StoredSettings } from '../../service/records';
import { MemoryStore } from './parkedStore';
import { fakeService, type FakeService } from './fakeService';
import { edits, newServer, saveAs, serverAt, withoutServer, withServer } from './support';

const one = 'https://one.example.com/mcp';
const two = 'https://two.example.com/sse';
const kept = { presence: 'notSet', intention: 'keep' } as const;

const settings = (): Partial<StoredSettings> => ({
  language: 'de',
  llm_model: 'openai/gpt-5',
  llm_api_key: 'stored-key',
  mcp_config: {
    sse_servers: [{ url: two, api_key: 'two-key', timeout: 20 }],
    stdio_servers: [{ name: 'tool', command: 'npx', args: ['-y', 'tool'], env: { TOKEN: 'tool-token' } }],
    shttp_servers: [{ url: one, api_key: 'one-key' }],
  },
});

async function opened(release: Behaviour['release'] = '1.11') {
  const service = fakeService('current', settings(), { release });
  return { service, document: await load(service) };
}

const load = (service: FakeService) => SettingsDocument.load(service.client, service.safeguards);
const servers = ({ state }: FakeService) => state.settings?.mcp_config;

/** Types the secrets of every server of the fixture. */
function typeAll(document: SettingsDocument): McpServer[] {
  const replace = { presence: 'set', intention: 'replace' } as const;
  return document.model.mcpServers.map((server) => {
    const { id } = server;
    if (server.kind !== 'stdio') {
      document.setSecret({ at: 'mcpApiKey', id }, `new ${server.url}`);
      return { ...server, apiKey: replace };
    }
    for (const { name } of server.env) document.setSecret({ at: 'mcpEnv', id, name }, `new ${name}`);
    return { ...server, env: server.env.map(({ name }) => ({ name, ...replace })) };
  });
}

describe('settings of the current generation', () => {
  it('are shown like those of the first, without what the service lacks', async () => {
    const { document } = await opened();
    const { values, secrets, lacks, other } = document.model;
    assert.deepEqual([values.llm_model, values.language, values.max_iterations], ['openai/gpt-5', 'de', 500]);
    assert.deepEqual(secrets, { llm_api_key: 'set', search_api_key: 'notSet', sandbox_api_key: 'notSet' });
    assert.deepEqual(lacks, ['enable_solvability_analysis', 'sandbox_api_key']);
    // What the form edits in it isn’t “unknown and left unchanged”.
    assert.ok(!other.some(({ name }) => name === 'agent_settings'));
    assert.equal(document.sandboxKeyAtRisk(edits({ values: { language: 'it' } })), false);
  });

  it('are saved by what changed, without a question', async () => {
    const { service, document } = await opened();
    await saveAs('saved', document, { values: { language: 'it', max_iterations: 7 } }, {});
    assert.deepEqual(service.posts, [{ language: 'it', conversation_settings_diff: { max_iterations: 7 } }]);
    assert.equal(service.state.settings?.llm_api_key, 'stored-key');
  });

  it('never contain mcp_config in a save without a change of servers', async () => {
    const { service, document } = await opened();
    const before = structuredClone(servers(service));
    document.setSecret({ at: 'field', field: 'llm_api_key' }, 'new-key');
    const all = document.model.mcpServers;
    await saveAs('saved', document, { secrets: { llm_api_key: 'replace' }, mcpServers: all }, {});
    assert.deepEqual(service.posts, [{ agent_settings_diff: { llm: { api_key: 'new-key' } } }]);
    assert.deepEqual(JSON.parse(JSON.stringify(servers(service))), {
      ...before,
      sse_servers: [{ ...before?.sse_servers[0], key: 'two.example.com' }],
      stdio_servers: [{ ...before?.stdio_servers[0], key: 'tool' }],
      shttp_servers: [{ ...before?.shttp_servers[0], key: 'one.example.com' }],
    });
  });

  it('ignore an edit of a field that the service lacks, such as an old draft’s', async () => {
    const { service, document } = await opened();
    const part = edits({ values: { enable_solvability_analysis: false, language: 'it' } });
    const draft = makeDraft(document.model, part, new Date(0));
    await saveAs('saved', document, document.restore(draft.edits, draft.base).edits, {});
    assert.deepEqual(service.posts, [{ language: 'it' }]);
  });

  it('show a value that can’t be sent on its field', async () => {
    const { service, document } = await opened();
    const { errors } = await saveAs('invalid', document, { values: { llm_model: null } }, {});
    assert.deepEqual(
      errors.map(({ target }) => target),
      [{ at: 'field', field: 'llm_model' }],
    );
    assert.deepEqual(service.posts, []);
  });

  it('undo a save by posting only the previous values', async () => {
    const { service, document } = await opened();
    const { document: after } = await saveAs('saved', document, { values: { language: 'it' } }, {});
    await saveAs('saved', after, after.undo()?.edits ?? {}, {});
    assert.deepEqual(service.posts, [{ language: 'it' }, { language: 'de' }]);
  });
});

describe('MCP servers of the current generation', () => {
  for (const release of ['1.8', '1.11'] as const) {
    it(`are not posted while secrets are hidden, and those are named (${release})`, async () => {
      const { service, document } = await opened(release);
      assert.equal(document.model.hidesServerSecrets, true);
      const mcpServers = withServer(document, 'tool', () => ({ args: ['other'] }));
      const { errors } = await saveAs('invalid', document, { mcpServers }, {});
      const [first, ...rest] = errors;
      assert.deepEqual(first?.target, { at: 'form' });
      for (const label of [one, two, 'tool']) assert.ok(first.message.includes(label), label);
      assert.equal(rest.length, 3);
      // Known beforehand, so that the form can ask before a save is refused.
      const asked = document.model.hiddenSecrets.map((target) => ({
        at: 'mcp',
        id: 'id' in target ? target.id : '',
        member: target.at === 'mcpApiKey' ? 'apiKey' : 'env.0',
      }));
      assert.deepEqual(
        asked,
        rest.map(({ target }) => target),
      );
      assert.deepEqual(service.posts, []);
    });

    it(`are posted once all secrets are typed, with every other member (${release})`, async () => {
      const { service, document } = await opened(release);
      const { notes, document: after } = await saveAs(
        'saved',
        document,
        { mcpServers: typeAll(document) },
        {},
      );
      assert.deepEqual(notes, []);
      assert.equal(servers(service)?.sse_servers[0]?.api_key, `new ${two}`);
      assert.equal(servers(service)?.sse_servers[0]?.timeout, 20);
      assert.deepEqual(servers(service)?.stdio_servers[0]?.env, { TOKEN: 'new TOKEN' });
      assert.equal(after.offersToKeep(), true);
      assert.equal(service.safeguards.kept.stored, undefined);
    });

    it(`are posted with the secrets that this computer keeps (${release})`, async () => {
      const { service, document } = await opened(release);
      const { document: after } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
      await after.keepServers();
      const later = await load(service);
      const mcpServers = withServer(later, 'tool', () => ({ args: ['other'] }));
      const { document: last } = await saveAs('saved', later, { mcpServers }, {});
      assert.deepEqual(servers(service)?.stdio_servers[0]?.args, ['other']);
      assert.deepEqual(servers(service)?.stdio_servers[0]?.env, { TOKEN: 'new TOKEN' });
      assert.equal(servers(service)?.shttp_servers[0]?.api_key, `new ${one}`);
      assert.equal(last.offersToKeep(), false);
      assert.match(service.safeguards.kept.stored ?? '', /other/);
      assert.match(service.safeguards.kept.stored ?? '', /new TOKEN/);
      assert.doesNotMatch(service.safeguards.kept.stored ?? '', /\*\*\*/);
    });
  }

  for (const release of ['1.8', '1.11'] as const)
    it(`are undone except for the secrets that were hidden, which are named (${release})`, async () => {
      const { service, document } = await opened(release);
      const mcpServers = typeAll(document)
        .filter(({ url }) => url !== two)
        .map((server) => (server.url === one ? { ...server, timeout: 90 } : server));
      const part = { values: { language: 'it' }, mcpServers };
      const { document: after } = await saveAs('saved', document, part, {});
      const undo = after.undo();
      assert.deepEqual(undo?.notRestored.sort(), [`${one}: api_key`, `${two}: api_key`, 'tool: env.TOKEN']);
      const { notes } = await saveAs('saved', after.untyped(), undo.edits, {});
      assert.deepEqual(notes, []);
      assert.equal(service.state.settings?.language, 'de');
      const {
        sse_servers: sse = [],
        stdio_servers: stdio = [],
        shttp_servers: shttp = [],
      } = servers(service) ?? {};
      assert.deepEqual(
        [...sse, ...shttp].map(({ url, api_key, timeout = null }) => [url, api_key, timeout]),
        [
          [two, null, 20],
          [one, `new ${one}`, null],
        ],
      );
      assert.deepEqual(stdio[0]?.env, { TOKEN: 'new TOKEN' });
    });

  it('are undone without a hidden secret that was cleared', async () => {
    const { service, document } = await opened();
    const apiKey = { presence: 'set', intention: 'clear' } as const;
    const mcpServers = typeAll(document).map((server) =>
      server.url === one ? { ...server, apiKey } : server,
    );
    const part = { values: { language: 'it' }, mcpServers };
    const { document: after } = await saveAs('saved', document, part, {});
    const undo = after.undo();
    assert.ok(undo);
    assert.ok(undo.notRestored.includes(`${one}: api_key`));
    await saveAs('saved', after.untyped(), undo.edits, {});
    assert.equal(service.state.settings?.language, 'de');
    assert.equal(servers(service)?.shttp_servers[0]?.api_key ?? null, null);
  });

  it('don’t put a kept secret into a server that somebody sent elsewhere', async () => {
    const { service, document } = await opened();
    const { document: after } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
    await after.keepServers();
    const tool = servers(service)?.stdio_servers[0];
    assert.ok(tool);
    tool.command = 'steal';
    const later = await load(service);
    const mcpServers = withoutServer(later, one);
    const { errors } = await saveAs('invalid', later, { mcpServers }, {});
    assert.match(errors[0]?.message ?? '', /: tool\./);
  });

  it('forget what is kept of a server whose save had an unknown outcome', async () => {
    const { service, document } = await opened();
    const { document: after } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
    await after.keepServers();
    const { id } = serverAt(after, one);
    after.setSecret({ at: 'mcpApiKey', id }, 'newer');
    const mcpServers = withServer(after, one, () => ({ apiKey: { presence: 'set', intention: 'replace' } }));
    service.fault = (request) => (request === 'postSettings' ? 'doneThenLost' : undefined);
    const outcome = await after.save(edits({ mcpServers }));
    assert.ok(outcome.kind === 'failed');
    // A key in place of another doesn't show.
    assert.equal(outcome.applied, 'unknown');
    assert.doesNotMatch(service.safeguards.kept.stored ?? '', /one\.example\.com/);
    assert.match(service.safeguards.kept.stored ?? '', /two\.example\.com/);
  });

  it('are not posted with a secret that another window may have replaced', async () => {
    const { service, document } = await opened();
    const { document: after } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
    await after.keepServers();
    const [mine, theirs] = [await load(service), await load(service)];
    theirs.setSecret({ at: 'mcpApiKey', id: serverAt(theirs, one).id }, 'newer');
    const apiKey = { presence: 'set', intention: 'replace' } as const;
    service.fault = (request) => (request === 'postSettings' ? 'doneThenLost' : undefined);
    await saveAs('failed', theirs, { mcpServers: withServer(theirs, one, () => ({ apiKey })) }, {});
    service.fault = () => undefined;
    const mcpServers = withServer(mine, 'tool', () => ({ args: ['other'] }));
    const { errors } = await saveAs('invalid', mine, { mcpServers }, {});
    assert.match(errors[0]?.message ?? '', /one\.example\.com/);
    assert.equal(servers(service)?.shttp_servers[0]?.api_key, 'newer');
  });

  it('stay kept as they are when a save of them is refused', async () => {
    const { service, document } = await opened();
    const { document: after } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
    await after.keepServers();
    const before = service.safeguards.kept.stored;
    const mcpServers = withServer(after, 'tool', () => ({ args: ['other'] }));
    service.fault = (request) => (request === 'postSettings' ? 'notSent' : undefined);
    await saveAs('failed', after, { mcpServers }, {});
    assert.deepEqual(JSON.parse(service.safeguards.kept.stored ?? ''), JSON.parse(before ?? ''));
  });

  it('stay kept as they are when another window took this one’s turn', async () => {
    const { service, document } = await opened();
    const { document: after } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
    await after.keepServers();
    const before = service.safeguards.kept.stored;
    service.safeguards.isHeld = () => false;
    const mcpServers = withServer(after, 'tool', () => ({ args: ['other'] }));
    await saveAs('failed', after, { mcpServers }, {});
    assert.equal(service.safeguards.kept.stored, before);
  });

  /** A service whose servers this computer keeps, and a form with a new key for one of them. */
  async function withNewKey() {
    const { service, document } = await opened();
    const { document: after } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
    await after.keepServers();
    const form = await load(service);
    form.setSecret({ at: 'mcpApiKey', id: serverAt(form, one).id }, 'newer');
    const apiKey = { presence: 'set', intention: 'replace' } as const;
    return { service, form, mcpServers: withServer(form, one, () => ({ apiKey })) };
  }

  for (const method of ['read', 'write'] as const)
    it(`are not posted if what is kept of them might be an old key later (${method})`, async () => {
      const { service, form, mcpServers } = await withNewKey();
      const { kept: storage } = service.safeguards;
      const before = storage.stored;
      const posts = service.posts.length;
      const works = storage[method].bind(storage);
      Object.assign(storage, { [method]: () => Promise.resolve(method === 'read' ? null : false) });
      const { errors } = await saveAs('invalid', form, { mcpServers }, {});
      assert.match(errors.map(({ message }) => message).join(), /^Nothing was sent\. .*keyring\.$/);
      assert.deepEqual([service.posts.length, storage.stored], [posts, before]);
      // What doesn’t concern them is saved.
      await saveAs('saved', form, { values: { language: 'it' } }, {});
      Object.assign(storage, { [method]: works });
      await saveAs('saved', form, { mcpServers }, {});
      assert.equal(servers(service)?.shttp_servers[0]?.api_key, 'newer');
      assert.match(storage.stored ?? '', /newer/);
    });

  it('have the key just sent even if the old one is what this computer still keeps', async () => {
    const { service, form, mcpServers } = await withNewKey();
    const { kept: storage } = service.safeguards;
    const old = storage.stored;
    service.carriedOut = (request) => {
      if (request === 'postSettings') storage.stored = old;
    };
    const { document: after, notes } = await saveAs('saved', form, { mcpServers }, {});
    assert.deepEqual(notes, []);
    assert.match(storage.stored ?? '', /newer/);
    service.carriedOut = () => undefined;
    const { id } = serverAt(after, one);
    assert.equal(after.secretsOf(serverAt(after, one)).apiKey, 'newer', id);
  });

  it('get no secrets that are kept for another service behind the same origin', async () => {
    const stored = new Map<string, string>();
    const storage = {
      read: (of: string) => Promise.resolve(JSON.parse(stored.get(of) ?? 'null') ?? undefined),
      write: (of: string, config: unknown) => Promise.resolve(stored.set(of, JSON.stringify(config)).has(of)),
    };
    const openedAt = async (baseUrl: string) => {
      const { service } = await opened();
      const client = { ...service.client, origin: 'https://gateway.example.com', baseUrl };
      const document = await SettingsDocument.load(client, { ...service.safeguards, kept: storage });
      return { service, document };
    };
    const [first, second] = ['https://gateway.example.com/a', 'https://gateway.example.com/b'];
    const { document } = await openedAt(first);
    const { document: after } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
    assert.equal(await after.keepServers(), true);
    const { service, document: other } = await openedAt(second);
    const mcpServers = withServer(other, one, () => ({ timeout: 90 }));
    await saveAs('invalid', other, { mcpServers }, {});
    assert.deepEqual([service.posts, [...stored.keys()]], [[], [first]]);
  });

  it('are offered to be kept only after a save of them to a service that hides them', async () => {
    const { document } = await opened();
    assert.equal(document.offersToKeep(), false);
    const { document: after } = await saveAs('saved', document, { values: { language: 'it' } }, {});
    assert.equal(after.offersToKeep(), false);
    const first = fakeService('observed', settings());
    const showing = await load(first);
    const { document: last } = await saveAs('saved', showing, { mcpServers: withoutServer(showing, one) });
    assert.equal(last.offersToKeep(), false);
  });

  it('are never taken for none where they can’t be read', async () => {
    const { service } = await opened('1.7');
    service.rewrite = (answer) => {
      const body = structuredClone(answer.body) as { agent_settings?: { mcp_config?: object } };
      Object.assign(body.agent_settings ?? {}, {
        mcp_config: { mcpServers: { docs: { url: one }, odd: one } },
      });
      return { ...answer, body };
    };
    await assert.rejects(load(service), { reason: 'badShape' });
  });

  for (const release of ['1.7', '1.11'] as const)
    for (const shown of [undefined, null])
      it(`are never taken for none where one answer has ${String(shown)} for them (${release})`, async () => {
        const { service, document } = await opened(release);
        const before = structuredClone(service.state);
        service.rewrite = (answer) => {
          const body = structuredClone(answer.body) as { agent_settings?: { mcp_config?: unknown } };
          Object.assign(body.agent_settings ?? {}, { mcp_config: shown });
          return { ...answer, body };
        };
        const added = newServer({ id: 'new-1', url: 'https://new.example.com/mcp' });
        const missing = { kind: 'needsConfirmation', about: 'missing', names: ['mcp_config'] };
        for (const mcpServers of [[...document.model.mcpServers, added], withoutServer(document, one)]) {
          const outcome = await saveAs('needsConfirmation', document, { mcpServers }, {});
          assert.deepEqual(outcome, missing);
        }
        assert.deepEqual(JSON.parse(JSON.stringify(service.state)), JSON.parse(JSON.stringify(before)));
        assert.deepEqual(service.posts, []);
        await saveAs('saved', document, { values: { language: 'it' } }, {});
      });

  it('can be added where the service has never had any', async () => {
    for (const shown of [undefined, null]) {
      const service = fakeService('current', { language: 'de' });
      service.rewrite = (answer) => {
        const body = structuredClone(answer.body) as { agent_settings?: { mcp_config?: object } };
        const { agent_settings: agent } = body;
        if (agent && Object.keys(agent.mcp_config ?? {}).length === 0)
          Object.assign(agent, { mcp_config: shown });
        return { ...answer, body };
      };
      const document = await load(service);
      const added = newServer({ id: 'new-1', url: 'https://new.example.com/mcp' });
      const { document: after, notes } = await saveAs('saved', document, { mcpServers: [added] }, {});
      assert.deepEqual(notes, []);
      const { document: last } = await saveAs('saved', after, { mcpServers: [] }, {});
      await saveAs('saved', last, { mcpServers: [added] }, {});
      assert.equal(servers(service)?.shttp_servers.length, 1);
    }
  });

  it('keep their names and the members that the form doesn’t edit', async () => {
    const { service, document } = await opened('1.7');
    const more = { description: 'Mine', headers: { 'X-Team': 'team-secret' } };
    Object.assign(servers(service)?.shttp_servers[0] ?? {}, { key: 'search', more });
    const later = await load(service);
    const mcpServers = withServer(later, one, () => ({ url: 'https://moved.example.com/mcp' }));
    const { notes } = await saveAs('saved', later, { mcpServers }, {});
    assert.deepEqual(notes, []);
    const post = service.posts.at(-1) as { agent_settings_diff?: { mcp_config?: Record<string, unknown> } };
    assert.deepEqual(post.agent_settings_diff?.mcp_config?.['search'], {
      url: 'https://moved.example.com/mcp',
      transport: 'http',
      description: 'Mine',
      headers: { 'X-Team': 'team-secret', Authorization: 'Bearer one-key' },
    });
    assert.equal(document.model.mcpServers.length, 3);
  });

  it('keep the name of a URL server whose kind changes, or whose name a new server gets', async () => {
    const posted = async (change: (document: SettingsDocument) => McpServer[]) => {
      const { service } = await opened('1.7');
      Object.assign(servers(service)?.shttp_servers[0] ?? {}, { key: 'search' });
      const document = await load(service);
      await saveAs('saved', document, { mcpServers: change(document) }, {});
      const post = service.posts.at(-1) as { agent_settings_diff?: { mcp_config?: Record<string, unknown> } };
      return (post.agent_settings_diff?.mcp_config?.['search'] as { url?: string } | undefined)?.url;
    };
    assert.equal(await posted((document) => withServer(document, one, () => ({ kind: 'sse' }))), one);
    const tool = newServer({ id: 'new-1', kind: 'stdio', name: 'search', command: 'go', apiKey: kept });
    assert.equal(await posted((document) => [tool, ...document.model.mcpServers]), one);
  });

  for (const release of ['1.7', '1.8', '1.11'] as const)
    it(`are copied with a name of their own, and their secrets stay known (${release})`, async () => {
      const { service, document } = await opened(release);
      const { document: known } = await saveAs('saved', document, { mcpServers: typeAll(document) }, {});
      const copy = 'https://copy.example.com/mcp';
      const { id, ...source } = serverAt(known, one);
      const copied = { ...source, id: 'new-1', copiedFrom: id, url: copy };
      const mcpServers = [copied, ...known.model.mcpServers];
      const { document: after, notes } = await saveAs('saved', known, { mcpServers }, {});
      assert.deepEqual(notes, []);
      await saveAs(
        'saved',
        after,
        { mcpServers: withServer(after, 'tool', () => ({ args: ['other'] })) },
        {},
      );
      assert.deepEqual(
        servers(service)?.shttp_servers.map(({ url, api_key }) => [url, api_key]),
        [copy, one].map((url) => [url, `new ${one}`]),
      );
      const maps = service.posts.map(
        (post) => (post as { agent_settings_diff?: { mcp_config?: object } }).agent_settings_diff?.mcp_config,
      );
      assert.deepEqual(Object.keys(maps.at(-1) ?? {}).slice(-2), ['one.example.com-2', 'one.example.com']);
    });

  it('ask about no secret when one without any gets another address', async () => {
    const { service } = await opened('1.7');
    Object.assign(servers(service)?.shttp_servers[0] ?? {}, { api_key: null });
    const document = await load(service);
    const mcpServers = withServer(document, one, () => ({ url: 'https://moved.example.com/mcp' }));
    assert.deepEqual(document.newDestinations(edits({ mcpServers })), []);
  });

  it('are reported as saved when they change their kind', async () => {
    const { document } = await opened('1.7');
    const { notes, document: after } = await saveAs(
      'saved',
      document,
      {
        mcpServers: document.model.mcpServers.map((server) =>
          server.kind === 'stdio' ? server : { ...server, kind: server.kind === 'sse' ? 'shttp' : 'sse' },
        ),
      },
      {},
    );
    assert.deepEqual(notes, []);
    const shared = { kind: 'shttp', url: 'https://tool.example.com' } as const;
    const { notes: others } = await saveAs(
      'saved',
      after,
      { mcpServers: withServer(after, 'tool', () => shared) },
      {},
    );
    assert.deepEqual(others, []);
  });

  it('name hidden secrets that can’t be entered in the form', async () => {
    const { service } = await opened();
    Object.assign(servers(service)?.shttp_servers[0] ?? {}, {
      more: { headers: { 'X-Team': 'team-secret' } },
    });
    const document = await load(service);
    const { errors } = await saveAs('invalid', document, { mcpServers: typeAll(document) }, {});
    assert.match(errors.at(-1)?.message ?? '', /can’t be entered in this form: headers/);
    assert.deepEqual(errors.at(-1)?.target, { at: 'mcp', id: serverAt(document, one).id, member: 'server' });
    assert.deepEqual(service.posts, []);
  });

  it('get a number where their name is taken', async () => {
    const { service, document } = await opened('1.7');
    const tool = newServer({ id: 'new-1', kind: 'stdio', name: 'late', command: 'go', apiKey: kept });
    servers(service)?.stdio_servers.push({ name: 'late', command: 'run', args: [], env: {} });
    const outcome = await document.save(edits({ mcpServers: [tool, ...document.model.mcpServers] }));
    assert.ok(outcome.kind === 'conflict');
    const [conflict] = outcome.conflicts;
    await document.save(edits({ mcpServers: [tool, ...document.model.mcpServers] }), {
      resolution: { [conflict?.key ?? '']: 'theirs' },
    });
    assert.equal(servers(service)?.stdio_servers.find(({ name }) => name === 'late')?.command, 'run');
  });

  it('are not parked while a secret is hidden', async () => {
    const { service, document } = await opened();
    const store = new MemoryStore();
    const parking = { document, store, baseUrl: 'http://service.example.com' };
    const outcome = await parkServer(parking, serverAt(document, one));
    assert.equal(outcome.kind, 'refused');
    assert.equal(store.entries.size, 0);
    assert.deepEqual(service.posts, []);
  });
});

describe('git providers of the current generation', () => {
  it('keep the others by sending their stored hosts', async () => {
    const { service } = await opened();
    service.state.providerTokens = {
      gitlab: { token: 'gitlab-token', user_id: null, host: 'git.example.com' },
    };
    const outcome = await connectProvider(service.access, { name: 'github', token: 'good', host: null });
    assert.equal(outcome.kind, 'done');
    assert.equal(service.state.providerTokens['gitlab']?.token, 'gitlab-token');
    assert.equal(service.state.providerTokens['github']?.token, 'good');
  });

  it('keep a token for its own host, whatever the hosts of others', async () => {
    const { service } = await opened();
    service.state.providerTokens = {
      gitlab: { token: 'gitlab-token', user_id: null, host: 'git.example.com' },
      github: { token: 'github-token', user_id: null, host: null },
    };
    const outcome = await connectProvider(service.access, { name: 'github', token: '', host: null });
    assert.equal(outcome.kind, 'done');
    assert.equal(service.state.providerTokens['github']?.token, 'github-token');
  });

  it('need their token again for another host', async () => {
    const { service } = await opened();
    service.state.providerTokens = { gitlab: { token: 'gitlab-token', user_id: null, host: null } };
    const outcome = await connectProvider(service.access, {
      name: 'gitlab',
      token: '',
      host: 'new.example.com',
    });
    assert.ok(outcome.kind === 'failed' && outcome.applied === 'no');
    assert.match(outcome.error.issues?.[0]?.msg ?? '', /Enter the token again/);
    assert.equal(service.state.providerTokens['gitlab']?.token, 'gitlab-token');
    assert.deepEqual(service.providerPosts, []);
  });

  it('take a token with another host', async () => {
    const { service } = await opened();
    service.state.providerTokens = { gitlab: { token: 'gitlab-token', user_id: null, host: null } };
    const change = { name: 'gitlab', token: 'newer', host: 'new.example.com' };
    assert.equal((await connectProvider(service.access, change)).kind, 'done');
    const held = service.state.providerTokens['gitlab'];
    assert.deepEqual([held?.token, held?.host], ['newer', 'new.example.com']);
  });

  it('tell which provider needs its token again', async () => {
    const { service } = await opened();
    service.state.providerTokens = { gitlab: { token: 'gitlab-token', user_id: null, host: null } };
    const change = { name: 'gitlab', token: '', host: 'new.example.com' };
    const outcome = await connectProvider(service.access, change);
    assert.ok(outcome.kind === 'failed');
    const { reason, method, route, issues } = outcome.error;
    assert.deepEqual([reason, method, route], ['invalid', 'POST', '/api/v1/secrets/git-providers']);
    assert.deepEqual(issues?.[0]?.loc, ['body', 'gitlab']);
  });

  it('leave it to the service what it does without the token of one that isn’t there', async () => {
    for (const isTold of [true, false]) {
      const { service } = await opened();
      if (!isTold)
        service.rewrite = (answer) => {
          const { provider_tokens_set: _unsaid, ...body } = answer.body as Record<string, unknown>;
          return { ...answer, body };
        };
      await connectProvider(
        { ...service.access, othersMayGo: true },
        { name: 'github', token: '', host: null },
      );
      assert.deepEqual(service.providerPosts, [{ provider_tokens: { github: { token: '', host: null } } }]);
    }
  });
});

describe('hidden secrets of MCP servers', () => {
  const hides = async (release: Behaviour['release'], shttp_servers: object[]) => {
    const mcp_config = { sse_servers: [], stdio_servers: [], shttp_servers };
    const service = fakeService('current', { mcp_config } as Partial<StoredSettings>, { release });
    return (await load(service)).model.hidesServerSecrets;
  };

  it('are mentioned where one server of several has any, and not where the service shows them', async () => {
    const open = { url: 'https://open.example.com/mcp' };
    const withKey = { url: one, api_key: 'one-key' };
    assert.equal(await hides('1.11', [open, withKey]), true);
    assert.equal(await hides('1.11', [open]), false);
    assert.equal(await hides('1.7', [open, withKey]), false);
  });
});
