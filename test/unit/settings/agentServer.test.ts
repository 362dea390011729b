import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { FlatClient } from '../../support/builders/client';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import type { McpServer } from '../../../src/shared/mcp';
import type { FormEdits } from '../../../src/features/settings/shared/form';
import { parkServer } from '../../../src/features/settings/model/parking';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import type { SaveOptions } from '../../../src/features/settings/model/saveOutcome';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import type { Release } from '../../service/agent/release';
import { testClient } from '../api/support/client';
import { MemoryStore } from './parkedStore';
import { safeguards } from '../core/settings/safeguards';
import { edits, newServer, saveAs, serverAt, withoutServer, withServer } from './support';

type Members = Record<string, unknown>;

/** The same cases on every run; set the environment variables for another seed or more runs. */
const seed = Number(process.env['AGENT_SETTINGS_SEED'] ?? 20_260_101);
const saves = Number(process.env['AGENT_SETTINGS_SAVES'] ?? 60);

const replace = { presence: 'set', intention: 'replace' } as const;

/** What the server really has. */
class Truth {
  constructor(private readonly server: AgentServerByItself) {}

  get agent(): Members {
    return this.server.starts.agentSettings;
  }
  get llm(): Members {
    return this.agent['llm'] as Members;
  }
  get servers(): Record<string, Members> {
    return this.agent['mcp_config'] as Record<string, Members>;
  }
  get conversation(): Members {
    return this.server.starts.conversationSettings;
  }
  copy() {
    const { llm, servers, conversation } = this;
    const { secrets, models } = this.server.starts;
    return structuredClone({ llm, servers, conversation, secrets, models });
  }
}

async function connected(release: Release) {
  const server = await startAgentServer({ release });
  const { client } = testClient(server.url, { sessionKey: server.sessionKey });
  await checkConnection(client);
  const truth = new Truth(server);
  truth.llm['api_key'] = 'stored-key';
  truth.agent['mcp_config'] = {
    web: {
      url: 'https://web.example.com/mcp',
      auth: { strategy: 'bearer', value: 'web-token' },
      enabled: true,
    },
    one: { command: 'one', args: [], env: { A: 'one-a', B: 'one-b' }, enabled: true },
    two: { command: 'two', args: [], env: { A: 'two-a' }, enabled: false },
  };
  return { server, client, truth };
}

const load = (client: FlatClient) => SettingsDocument.load(client, safeguards());

describe('settings form on a standalone agent server', () => {
  let server: AgentServerByItself;
  let client: FlatClient;
  let truth: Truth;
  beforeEach(async () => ({ server, client, truth } = await connected('1.58.0')));
  afterEach(() => server.close());

  it('shows what the server has, and says what it doesn’t', async () => {
    const { model } = await load(client);
    assert.deepEqual([model.values.llm_model, model.secrets.llm_api_key], ['demo', 'set']);
    assert.ok(model.lacks.includes('language') && !model.lacks.includes('max_iterations'));
    assert.deepEqual([model.hasProviders, model.hidesServerSecrets, model.hiddenSecrets], [false, false, []]);
    assert.equal(serverAt(await load(client), 'one').env[0]?.presence, 'set');
    assert.ok(model.more.fields.some(({ path }) => path === 'agent_settings.llm.num_retries'));
    assert.deepEqual(model.other, []);
  });

  it('changes one server without any secret, and undoes it', async () => {
    const document = await load(client);
    const before = truth.copy();
    const mcpServers = withServer(document, 'one', () => ({ args: ['--fast'] }));
    const { document: after, ...outcome } = await saveAs('saved', document, { mcpServers });
    assert.deepEqual(outcome.notes, []);
    assert.deepEqual(truth.servers, {
      ...before.servers,
      one: { ...before.servers['one'], args: ['--fast'] },
    });
    assert.equal(after.offersToKeep(), false);
    await saveAs('saved', after.untyped(), after.undo()?.edits ?? edits());
    assert.deepEqual(truth.copy(), before);
  });

  it('sends one replaced secret, and not again with the next change', async () => {
    const document = await load(client);
    const env = () => truth.servers['one']?.['env'] as Members;
    const { id } = serverAt(document, 'one');
    document.setSecret({ at: 'mcpEnv', id, name: 'A' }, 'typed');
    const typed = withServer(document, 'one', ({ env }) => ({
      env: env.map((entry) => (entry.name === 'A' ? { ...entry, ...replace } : entry)),
    }));
    const { document: after } = await saveAs('saved', document, { mcpServers: typed });
    assert.deepEqual(env(), { A: 'typed', B: 'one-b' });
    env()['A'] = 'of another client';
    await saveAs('saved', after, { mcpServers: withServer(after, 'one', () => ({ args: ['x'] })) });
    assert.deepEqual(env(), { A: 'of another client', B: 'one-b' });
  });

  it('turns a server off and on with one leaf, also when undone, and agents keep its secrets', async () => {
    const document = await load(client);
    const before = truth.copy();
    assert.deepEqual(
      document.model.mcpServers.map(({ enabled }) => enabled),
      [true, false, true],
    );
    const off = (of: SettingsDocument, label: string) => withServer(of, label, () => ({ enabled: false }));
    const { document: after, notes } = await saveAs('saved', document, { mcpServers: off(document, 'one') });
    assert.deepEqual(notes, []);
    assert.deepEqual(truth.servers, { ...before.servers, one: { ...before.servers['one'], enabled: false } });
    assert.equal(serverAt(after, 'one').enabled, false);
    await saveAs('saved', after.untyped(), after.undo()?.edits ?? edits());
    assert.deepEqual(truth.copy(), before);
  });

  it('keeps a server off while something else of it changes, and asks when both sides change it', async () => {
    truth.servers['two']!['enabled'] = false;
    const document = await load(client);
    await saveAs('saved', document, { mcpServers: withServer(document, 'two', () => ({ args: ['x'] })) });
    assert.deepEqual([truth.servers['two']?.['enabled'], truth.servers['two']?.['args']], [false, ['x']]);
    const later = await load(client);
    const changed = withServer(later, 'one', () => ({
      enabled: false,
      kind: 'shttp',
      url: 'https://a.example',
    }));
    truth.servers['one']!['args'] = ['theirs'];
    const { conflicts } = await saveAs('conflict', later, { mcpServers: changed });
    assert.ok(conflicts.length > 0);
    truth.servers['one']!['enabled'] = false;
    const same = await load(client);
    truth.servers['one']!['enabled'] = true;
    const mine = { mcpServers: withServer(same, 'one', () => ({ args: ['mine'] })) };
    const [asked] = (await saveAs('conflict', same, mine)).conflicts;
    assert.deepEqual([asked?.label, asked?.mine, asked?.theirs], ['one', 'args: mine', 'enabled: On']);
    assert.equal(
      truth.servers['one']?.['enabled'],
      true,
      'what another client turned on stays on until then',
    );
    await saveAs('saved', same, mine, { resolution: { [asked?.key ?? '']: 'mine' } });
    assert.deepEqual([truth.servers['one']['enabled'], truth.servers['one']['args']], [false, ['mine']]);
  });

  it('adds a server that is on, and one like another that is off', async () => {
    truth.servers['two']!['enabled'] = false;
    const document = await load(client);
    const source = serverAt(document, 'two');
    const added = newServer({ id: 'new-1', kind: 'stdio', name: 'added', command: 'uvx' });
    const env = source.env.map((entry) => ({ ...entry, ...replace }));
    for (const { name } of env) document.setSecret({ at: 'mcpEnv', id: 'new-2', name }, 'typed');
    const copy: McpServer = { ...source, id: 'new-2', name: 'copy', copiedFrom: source.id, env };
    const mcpServers = [...document.model.mcpServers, added, copy];
    assert.deepEqual((await saveAs('saved', document, { mcpServers })).notes, []);
    assert.deepEqual(
      ['added', 'copy'].map((name) => truth.servers[name]?.['enabled']),
      [true, false],
    );
  });

  it('asks for the secrets of a server that gets another name, and sends nothing', async () => {
    const document = await load(client);
    const before = truth.copy();
    const mcpServers = withServer(document, 'two', () => ({ name: 'renamed' }));
    const { errors } = await saveAs('invalid', document, { mcpServers });
    assert.ok(errors.some(({ message }) => message.includes('renamed')));
    assert.deepEqual(truth.copy(), before);
  });

  describe('when a new server has the name of somebody else’s', () => {
    const added = (name: string) => newServer({ id: 'new-1', kind: 'stdio', name, command: 'mine' });
    const cases = [
      {
        about: 'that is new, too, and like one that they removed',
        name: 'new',
        change: () => {
          truth.servers['new'] = { ...truth.servers['one'] };
          delete truth.servers['one'];
        },
      },
      {
        about: 'that was deleted here, changed there, and is to stay',
        name: 'two',
        change: () => (truth.servers['two'] = { command: 'theirs', args: [], enabled: true }),
      },
    ];
    for (const { about, name, change } of cases) {
      for (const choice of ['mine', 'theirs'] as const)
        it(`asks, and keeps one of them: ${about} (${choice})`, async () => {
          const document = await load(client);
          change();
          const held = truth.copy().servers;
          const others = document.model.mcpServers.filter((server) => server.name !== name);
          const edited = edits({ mcpServers: [...others, added(name)] });
          let resolution: SaveOptions['resolution'] = {};
          for (;;) {
            const outcome = await document.save(edited, { resolution });
            if (outcome.kind === 'saved') break;
            assert.ok(outcome.kind === 'conflict', JSON.stringify(outcome));
            assert.deepEqual(truth.servers, held, 'nothing is stored before the answer');
            const answers = outcome.conflicts.map(({ key, label, mine }) => {
              assert.equal(label, name);
              return [key, mine === 'Deleted' ? 'theirs' : choice] as const;
            });
            resolution = { ...resolution, ...Object.fromEntries(answers) };
          }
          assert.deepEqual(Object.keys(truth.servers).toSorted(), Object.keys(held).toSorted());
          const command = choice === 'mine' ? 'mine' : held[name]?.['command'];
          assert.equal(truth.servers[name]?.['command'], command);
        });
    }

    it('tells what it’s called if that is a server of another kind', async () => {
      const document = await load(client);
      const remote = { url: 'https://new.example.com/mcp', enabled: true };
      truth.servers['new'] = remote;
      const { notes, document: after } = await saveAs('saved', document, {
        mcpServers: [...document.model.mcpServers, added('new')],
      });
      const { id } = serverAt(after, 'new-2');
      const message = 'Another MCP server is called new, so yours was saved as new-2.';
      const target = { at: 'mcp', id, member: 'name' };
      assert.deepEqual(notes, [{ kind: 'changed', target, label: 'new-2: name', message }]);
      assert.deepEqual(truth.servers['new'], remote);
      assert.equal(truth.servers['new-2']?.['command'], 'mine');
    });
  });

  it('asks for those of a copy too', async () => {
    const document = await load(client);
    const source = serverAt(document, 'two');
    const copy: McpServer = { ...source, id: 'new-1', name: 'three', copiedFrom: source.id };
    await saveAs('invalid', document, { mcpServers: [...document.model.mcpServers, copy] });
    assert.equal(truth.servers['three'], undefined);
  });

  it('parks no server with a secret that nobody sees', async () => {
    const document = await load(client);
    const before = truth.copy();
    const store = new MemoryStore();
    const parking = { document, store, baseUrl: server.url };
    for (const label of ['one', 'https://web.example.com/mcp'])
      assert.equal((await parkServer(parking, serverAt(document, label))).kind, 'refused', label);
    assert.deepEqual([store.entries.size, truth.copy()], [0, before]);
  });

  it('undoes the deletion of a server only with its secrets', async () => {
    const document = await load(client);
    const { document: after } = await saveAs('saved', document, {
      mcpServers: withoutServer(document, 'one'),
    });
    assert.deepEqual(Object.keys(truth.servers), ['web', 'two']);
    const undo = after.undo();
    assert.ok(undo);
    const outcome = await after.untyped().save(undo.edits);
    assert.ok(outcome.kind === 'invalid' || undo.notRestored.length > 0);
    assert.doesNotMatch(JSON.stringify(truth.servers), /\*\*\*/);
  });

  it('shows a settings form for an ACP agent without a model', async () => {
    Object.assign(truth.agent, { agent_kind: 'acp', llm: undefined });
    const { model } = await load(client);
    assert.ok(model.lacks.includes('llm_model') && model.lacks.includes('llm_api_key'));
  });
});

/** A change that a form or another client makes. */
const change = fc.oneof(
  fc.record({
    what: fc.constantFrom('model' as const, 'iterations' as const, 'retries' as const),
    to: fc.nat(5),
  }),
  fc.record({ what: fc.constantFrom('key' as const, 'webKey' as const), to: fc.nat(5) }),
  fc.record({
    what: fc.constantFrom('args' as const, 'variable' as const, 'delete' as const),
    of: fc.constantFrom('one', 'two'),
    to: fc.nat(5),
  }),
  fc.record({ what: fc.constant('switch' as const), of: fc.constantFrom('one', 'two'), to: fc.nat(1) }),
  fc.record({ what: fc.constant('add' as const), to: fc.nat(2) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** What another client stores. */
function make(truth: Truth, one: Change, who: string): void {
  const text = `${who}-${one.to}`;
  const held = 'of' in one ? truth.servers[one.of] : undefined;
  switch (one.what) {
    case 'model':
      truth.llm['model'] = text;
      return;
    case 'iterations':
      truth.conversation['max_iterations'] = 10 + one.to;
      return;
    case 'retries':
      truth.llm['num_retries'] = 10 + one.to;
      return;
    case 'key':
      truth.llm['api_key'] = text;
      return;
    case 'webKey': {
      const { web } = truth.servers;
      if (!web) return;
      delete web['auth'];
      web['headers'] = { Authorization: `Bearer ${text}` };
      return;
    }
    case 'args':
      if (held) held['args'] = [text];
      return;
    case 'switch':
      if (held) held['enabled'] = one.to === 1;
      return;
    case 'variable':
      if (held) (held['env'] as Members)['A'] = text;
      return;
    case 'delete':
      Reflect.deleteProperty(truth.servers, one.of);
      return;
    case 'add':
      truth.servers[`new${one.to}`] ??= { command: 'added', args: [], env: { T: text }, enabled: true };
  }
}

/** The same change as edits of a form; undefined if the form has nothing to change. */
function edit(document: SettingsDocument, before: FormEdits, one: Change, who: string): FormEdits {
  const text = `${who}-${one.to}`;
  const list = before.mcpServers ?? document.model.mcpServers;
  const put = (mcpServers: readonly McpServer[]): FormEdits => ({ ...before, mcpServers: [...mcpServers] });
  const each = (label: string, of: (server: McpServer) => Partial<McpServer>) =>
    put(
      list.map((server) =>
        server.name === label || server.url === label ? { ...server, ...of(server) } : server,
      ),
    );
  switch (one.what) {
    case 'model':
      return { ...before, values: { ...before.values, llm_model: text } };
    case 'iterations':
      return { ...before, values: { ...before.values, max_iterations: 10 + one.to } };
    case 'retries':
      return { ...before, more: { ...before.more, 'agent_settings.llm.num_retries': 10 + one.to } };
    case 'key':
      document.setSecret({ at: 'field', field: 'llm_api_key' }, text);
      return { ...before, secrets: { llm_api_key: 'replace' } };
    case 'webKey':
      return each('https://web.example.com/mcp', ({ id }) => {
        document.setSecret({ at: 'mcpApiKey', id }, text);
        return { apiKey: replace };
      });
    case 'args':
      return each(one.of, () => ({ args: [text] }));
    case 'switch':
      return each(one.of, () => ({ enabled: one.to === 1 }));
    case 'variable':
      return each(one.of, ({ id, env }) => {
        document.setSecret({ at: 'mcpEnv', id, name: 'A' }, text);
        return { env: env.map((entry) => (entry.name === 'A' ? { ...entry, ...replace } : entry)) };
      });
    case 'delete':
      return put(list.filter(({ name }) => name !== one.of));
    case 'add': {
      const name = `new${one.to}`;
      if (list.some((server) => server.name === name)) return before;
      const none = { presence: 'notSet', intention: 'keep' } as const;
      const id = `new-${name}`;
      document.setSecret({ at: 'mcpEnv', id, name: 'T' }, text);
      const env = [{ name: 'T', presence: 'notSet', intention: 'replace' } as const];
      const added = {
        id,
        kind: 'stdio',
        url: '',
        apiKey: none,
        timeout: null,
        name,
        command: 'added',
        args: [],
        env,
      };
      return put([...list, added as McpServer]);
    }
  }
}

/** Saves, and takes the form’s side in every conflict. `asked` gets what they were about. */
async function saveMine(document: SettingsDocument, mine: FormEdits, asked: Set<string>) {
  let options: SaveOptions = {};
  for (let answers = 0; answers < 6; answers += 1) {
    const outcome = await document.save(mine, options);
    if (outcome.kind === 'conflict') {
      const all = outcome.conflicts.map(({ key }) => [key, 'mine'] as const);
      for (const { label } of outcome.conflicts) asked.add(label);
      options = { ...options, resolution: { ...options.resolution, ...Object.fromEntries(all) } };
    } else if (outcome.kind === 'needsConfirmation')
      options = { ...options, confirmed: [...(options.confirmed ?? []), outcome] };
    else return outcome;
  }
  throw new Error('the form never stops asking');
}

const round = fc.record({
  who: fc.nat(1),
  mine: fc.array(change, { minLength: 1, maxLength: 4 }),
  theirs: fc.array(change, { maxLength: 4 }),
  store: fc.constantFrom('secret' as const, 'profile' as const, null),
});

for (const release of ['1.49.1', '1.58.0'] as const)
  it(`two forms and another client of an agent server lose nothing of one another (${release})`, async function () {
    this.timeout(10 * 60_000);
    const counts = { saved: 0, invalid: 0, failed: 0 };
    const rounds = 5;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: rounds, maxLength: rounds }), async (all) => {
        const { server, client, truth } = await connected(release);
        try {
          const other = testClient(server.url, { sessionKey: server.sessionKey }).client;
          await checkConnection(other);
          const clients = [client, other];
          const forms = await Promise.all(clients.map(load));
          for (const { who, mine, theirs, store } of all) {
            const [form, own] = [forms[who], clients[who]];
            assert.ok(form && own);
            theirs.forEach((one) => make(truth, one, 'canvas'));
            if (store === 'secret')
              await own.saveSecret({ name: `S${who}`, value: `form${who}`, description: 'kept' });
            if (store === 'profile') await own.saveProfile(`p${who}`);
            const before = truth.copy();
            const wanted = mine.reduce((made, one) => edit(form, made, one, `form${who}`), edits());
            const asked = new Set<string>();
            const outcome = await saveMine(form, wanted, asked);
            assert.ok(outcome.kind in counts, outcome.kind);
            counts[outcome.kind] += 1;
            if (outcome.kind === 'saved')
              held({ before, after: truth.copy(), asked }, form, wanted, `form${who}`);
            else assert.deepEqual(truth.copy(), before, 'what isn’t saved changes nothing');
            assert.equal(server.starts.secrets.get(`S${who}`)?.value ?? `form${who}`, `form${who}`);
            forms[who] = outcome.kind === 'saved' ? outcome.document : await load(own);
          }
        } finally {
          await server.close();
        }
      }),
      { seed, numRuns: Math.ceil(saves / rounds) },
    );
    assert.ok(counts.saved > counts.invalid, JSON.stringify(counts));
    if (saves > 100) console.log(`      ${JSON.stringify(counts)}`);
  });

/** Whether everything is as it was, but for what the edits name and the servers of conflicts. */
function held(
  {
    before,
    after,
    asked,
  }: { before: ReturnType<Truth['copy']>; after: ReturnType<Truth['copy']>; asked: ReadonlySet<string> },
  document: SettingsDocument,
  { values, secrets, more = {}, mcpServers }: FormEdits,
  who: string,
): void {
  // Typing what the form shows is no change.
  const { values: shown, more: described } = document.model;
  const path = 'agent_settings.llm.num_retries';
  const isShown = described.fields.some((field) => field.path === path && field.value === more[path]);
  const retries = isShown ? undefined : more[path];
  assert.deepEqual(after.llm, {
    ...before.llm,
    ...(values.llm_model !== undefined &&
      values.llm_model !== shown.llm_model && { model: values.llm_model }),
    ...(retries !== undefined && { num_retries: retries }),
    ...(secrets.llm_api_key && { api_key: after.llm['api_key'] }),
  });
  if (secrets.llm_api_key) assert.match(String(after.llm['api_key']), new RegExp(`^${who}-`));
  assert.deepEqual(after.conversation, {
    ...before.conversation,
    ...(values.max_iterations !== undefined &&
      values.max_iterations !== shown.max_iterations && { max_iterations: values.max_iterations }),
  });
  assert.deepEqual([after.secrets, after.models], [before.secrets, before.models]);
  if (mcpServers === null) {
    assert.deepEqual(after.servers, before.servers);
    return;
  }
  const was = new Map(document.model.mcpServers.map((server) => [server.id, server]));
  const touched = new Set<string>();
  for (const server of mcpServers) {
    const previous = was.get(server.id);
    was.delete(server.id);
    if (isDeepStrictEqual(previous, server)) continue;
    const name = server.name || 'web';
    touched.add(name);
    const [stored, held] = [after.servers[name], before.servers[name]];
    assert.ok(stored, `${name} is there`);
    const isOwn = (value: unknown) => String(value).startsWith(`${who}-`);
    const env = (stored['env'] ?? {}) as Members;
    for (const entry of server.env)
      if (entry.intention === 'replace') assert.ok(isOwn(env[entry.name]), `${name}: ${entry.name}`);
      else
        assert.equal(
          env[entry.name],
          ((held?.['env'] ?? {}) as Members)[entry.name],
          `${name}: ${entry.name}`,
        );
    // After a conflict, the whole server is as the form shows it.
    const isMine = asked.has(server.name || server.url);
    if (previous && (isMine || !isDeepStrictEqual(previous.args, server.args)))
      assert.deepEqual(stored['args'], server.args);
    else if (held) assert.deepEqual(stored['args'], held['args']);
    if (server.apiKey.intention === 'replace')
      assert.match(JSON.stringify(stored['headers']), new RegExp(`Bearer ${who}-`));
    if (held) assert.equal(stored['command'], held['command']);
    if (previous && (isMine || previous.enabled !== server.enabled))
      assert.equal(stored['enabled'], server.enabled);
    else if (held) assert.equal(stored['enabled'], held['enabled']);
  }
  for (const { name } of was.values()) {
    touched.add(name);
    assert.equal(after.servers[name], undefined, `${name} is gone`);
  }
  const others = (servers: Record<string, Members>) =>
    Object.fromEntries(Object.entries(servers).filter(([name]) => !touched.has(name)));
  assert.deepEqual(others(after.servers), others(before.servers), 'servers of others stay');
}
