import assert from 'node:assert/strict';
import { carriedOver } from '../../../src/features/settings/panel/openForm';
import { type ParkingOutcome, parkServer, restoreServer } from '../../../src/features/settings/model/parking';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import type { StoredSettings } from '../../service/records';
import { fakeService, type FakeService, type Fault, type Request } from './fakeService';
import { edits, keyMayGo, newEntry, newServer, saveAs, serverAt } from './support';
import { MemoryStore } from './parkedStore';

const baseUrl = 'http://service';
const url = 'https://one.example.com/mcp';
const canaries = /canary/;

/** Includes members unknown to this client. */
const servers = {
  sse_servers: [{ url: 'https://sse.example.com/', api_key: 'canary-sse' }],
  stdio_servers: [
    {
      name: 'tool',
      command: 'npx',
      args: ['tool', '--x'],
      env: { A: 'canary-a', B: '' },
      odd: { token: 'canary-t' },
    },
  ],
  shttp_servers: [
    { url, api_key: 'canary-one', timeout: 30, headers: { x: 'canary-h' } },
    { url: 'https://two.example.com/mcp', timeout: 60 },
  ],
};
const labels = ['https://sse.example.com/', 'tool', url, 'https://two.example.com/mcp'];

type Wire = Record<string, unknown>;

/** All server objects on the service with this label. */
function onService(service: FakeService, label: string): Wire[] {
  const config = service.state.settings?.mcp_config as unknown as Record<string, Wire[]> | null | undefined;
  return Object.values(config ?? {})
    .flat()
    .filter((server) => server['url'] === label || server['name'] === label);
}

const wireAt = (label: string) =>
  Object.values(servers)
    .flat()
    .find((server) => label === ('url' in server ? server.url : server.name)) as Wire;

async function opened(settings: Partial<StoredSettings> = {}) {
  const config = structuredClone(servers) as unknown as StoredSettings['mcp_config'];
  const service = fakeService('documented', { mcp_config: config, language: 'de', ...settings });
  // Unlike the reference service, this service keeps unknown members.
  service.carriedOut = (request) => {
    if (request === 'postSettings') keepPosted(service);
  };
  const document = await SettingsDocument.load(service.client, service.safeguards);
  return { service, document, store: new MemoryStore() };
}

function keepPosted({ state, posts }: FakeService): void {
  const { mcp_config: posted } = posts.at(-1) ?? {};
  if (state.settings) state.settings.mcp_config = structuredClone(posted) as StoredSettings['mcp_config'];
}

type Opened = Awaited<ReturnType<typeof opened>>;

async function done(outcome: Promise<ParkingOutcome>) {
  const result = await outcome;
  assert.equal(result.kind, 'done', JSON.stringify(result));
  return result;
}

function park({ document, store }: Opened, label: string): Promise<ParkingOutcome> {
  return parkServer({ document, store, baseUrl, options: keyMayGo }, serverAt(document, label));
}

/** A parked server, and the document after parking. */
async function parked(context: Opened, label = url) {
  const outcome = await done(park(context, label));
  assert.ok(outcome.document);
  return { ...context, document: outcome.document, id: outcome.parked.id };
}

function restore({ document, store }: Omit<Opened, 'service'>, id: string): Promise<ParkingOutcome> {
  return restoreServer({ document, store, baseUrl, options: keyMayGo }, id);
}

describe('parking an MCP server', () => {
  for (const label of labels)
    it(`parks ${label} and restores every member, including unknown ones`, async () => {
      const context = await opened();
      const before = structuredClone(context.service.state.settings);
      const { service, store, document, id } = await parked(context, label);
      assert.deepEqual(onService(service, label), []);
      assert.equal(service.state.settings?.language, 'de');
      assert.doesNotMatch(JSON.stringify([...store.entries.values()]), canaries);

      const outcome = await done(restore({ document, store }, id));
      assert.deepEqual(outcome.notes, []);
      assert.deepEqual(onService(service, label), [wireAt(label)]);
      assert.equal(store.entries.size + store.secrets.size, 0);
      assert.doesNotMatch(JSON.stringify([outcome.parked, outcome.document?.model]), canaries);
      const sorted = (config: unknown) =>
        Object.values(config as Record<string, Wire[]>).map((list) =>
          list.map((one) => JSON.stringify(one)).sort(),
        );
      assert.deepEqual(sorted(service.state.settings.mcp_config), sorted(before?.mcp_config));
    });

  it('parks and restores on a service that drops unknown members', async () => {
    const service = fakeService('observed');
    const first = await SettingsDocument.load(service.client, service.safeguards);
    const server = newServer({
      id: 'new-1',
      kind: 'stdio',
      name: 'known',
      command: 'npx',
      env: [newEntry('A')],
    });
    first.setSecret({ at: 'mcpEnv', id: 'new-1', name: 'A' }, 'canary');
    const { document } = await saveAs('saved', first, { mcpServers: [...first.model.mcpServers, server] });
    const before = onService(service, 'known');
    const context = { service, document, store: new MemoryStore() };
    const { document: without, store, id } = await parked(context, 'known');
    assert.deepEqual(onService(service, 'known'), []);
    await done(restore({ document: without, store }, id));
    assert.deepEqual(onService(service, 'known'), before);
    assert.match(JSON.stringify(before), canaries);
  });

  it('leaves all other servers unchanged', async () => {
    const { service } = await parked(await opened());
    for (const label of labels.filter((other) => other !== url))
      assert.deepEqual(onService(service, label), [wireAt(label)]);
  });

  it('parks the server’s unsaved changes and typed secrets', async () => {
    const { service, document, store } = await opened();
    const server = serverAt(document, 'tool');
    const target = { at: 'mcpEnv', id: server.id, name: 'C' } as const;
    document.setSecret(target, 'typed');
    const changed = { ...server, command: 'uvx', env: [...server.env, newEntry('C')] };
    const outcome = await done(parkServer({ document, store, baseUrl, options: keyMayGo }, changed));
    await done(restore({ document: outcome.document ?? document, store }, outcome.parked.id));
    assert.deepEqual(onService(service, 'tool'), [
      { ...wireAt('tool'), command: 'uvx', env: { A: 'canary-a', B: '', C: 'typed' } },
    ]);
  });

  it('parks an unsaved server without a request', async () => {
    const { service, document, store } = await opened();
    const count = service.counts.getSettings;
    const server = newServer({ id: 'new-1', url: 'https://new.example.com/' });
    const outcome = await done(parkServer({ document, store, baseUrl }, server));
    assert.equal(outcome.document, document);
    assert.equal(service.counts.getSettings, count);
    await done(restore({ document, store }, outcome.parked.id));
    assert.deepEqual(onService(service, 'https://new.example.com/').length, 1);
  });

  it('keeps the other unsaved changes', async () => {
    const context = await opened();
    const mine = edits({
      values: { language: 'it' },
      mcpServers: context.document.model.mcpServers.map((server) =>
        server.name === 'tool' ? { ...server, command: 'uvx' } : server,
      ),
    });
    const { id } = serverAt(context.document, url);
    const { service, document, store, id: parkedId } = await parked(context);
    const over = carriedOver(context.document, mine, document, id);
    assert.deepEqual(over.overlaps, []);
    const { document: saved } = await saveAs('saved', document, over.edits);
    assert.equal(service.state.settings?.language, 'it');
    assert.equal(onService(service, 'tool')[0]?.['command'], 'uvx');
    assert.deepEqual(onService(service, url), []);

    const back = await done(restore({ document: saved, store }, parkedId));
    assert.ok(back.document);
    const later = carriedOver(saved, edits({ mcpServers: saved.model.mcpServers }), back.document);
    await saveAs('saved', back.document, later.edits);
    assert.deepEqual(onService(service, url), [wireAt(url)]);
  });

  it('leaves the parked server with its unsaved changes out of what is carried over', async () => {
    const context = await opened();
    const mine = edits({
      mcpServers: context.document.model.mcpServers.map((server) =>
        server.url === url ? { ...server, timeout: 5 } : server,
      ),
    });
    const { id } = serverAt(context.document, url);
    const { document } = await parked(context);
    const { edits: left, overlaps } = carriedOver(context.document, mine, document, id);
    assert.deepEqual(overlaps, []);
    assert.deepEqual(left.mcpServers, document.model.mcpServers);
  });

  it('refuses to park if the storage fails, before changing the service', async () => {
    const context = await opened();
    context.store.fails = 'park';
    assert.deepEqual(await park(context, url), { kind: 'refused', message: 'park does not work' });
    assert.equal(context.service.posts.length, 0);
    assert.deepEqual(onService(context.service, url), [wireAt(url)]);
  });

  for (const [what, masked] of [
    ['its API key', { url, api_key: '**********' }],
    ['an unknown member', { url, headers: { Authorization: '**********' } }],
  ] as const)
    it(`refuses to park if the service hides ${what}`, async () => {
      const context = await opened({
        mcp_config: { sse_servers: [], stdio_servers: [], shttp_servers: [masked] } as never,
      });
      const outcome = await park(context, url);
      assert.equal(outcome.kind, 'refused');
      assert.equal(context.service.posts.length, 0);
      assert.equal(context.store.entries.size, 0);
    });

  it('refuses to park if the replacement for a secret is missing', async () => {
    const { service, document, store } = await opened();
    const server = serverAt(document, url);
    const asked = { ...server, apiKey: { ...server.apiKey, intention: 'replace' as const } };
    const outcome = await parkServer({ document, store, baseUrl, options: keyMayGo }, asked);
    assert.equal(outcome.kind, 'refused');
    assert.equal(service.posts.length, 0);
  });

  it('asks before a sandbox API key may be lost, and keeps no copy until then', async () => {
    const { document, store, service } = await opened();
    const outcome = await parkServer({ document, store, baseUrl }, serverAt(document, url));
    assert.ok(outcome.kind === 'notSaved' && outcome.save.kind === 'needsConfirmation');
    assert.equal(store.entries.size, 0);
    assert.deepEqual(onService(service, url), [wireAt(url)]);
  });

  it('doesn’t remove a server that another client changed', async () => {
    const context = await opened();
    onService(context.service, url)[0]!['api_key'] = 'newer';
    const outcome = await park(context, url);
    assert.ok(outcome.kind === 'notSaved' && outcome.save.kind === 'conflict');
    assert.equal(context.store.entries.size, 0);
    assert.equal(onService(context.service, url)[0]?.['api_key'], 'newer');
  });

  it('takes no answer without the servers for proof that one is off the service', async () => {
    const omits = (context: Opened) => {
      context.service.rewrite = (answer) => {
        const { mcp_config: _unsaid, ...body } = structuredClone(answer.body) as Record<string, unknown>;
        return { ...answer, body };
      };
    };
    const asked = await opened();
    omits(asked);
    const first = await park(asked, url);
    assert.ok(first.kind === 'notSaved' && first.save.kind === 'needsConfirmation', JSON.stringify(first));
    assert.equal(first.save.about, 'missing');

    const lost = await opened();
    lost.service.fault = (request) => {
      if (request !== 'postSettings') return undefined;
      omits(lost);
      return 'lost';
    };
    assert.equal((await park(lost, url)).kind, 'both');
    assert.equal(lost.store.entries.size, 1);
    for (const { service } of [asked, lost]) assert.deepEqual(onService(service, url), [wireAt(url)]);
  });

  it('keeps no copy of a server restored by the operator’s configuration', async () => {
    const context = await opened();
    context.service.rewrite = (answer) => {
      const body = structuredClone(answer.body) as { mcp_config?: typeof servers } | undefined;
      const list = body?.mcp_config?.shttp_servers;
      if (list && !list.some((server) => server.url === url)) list.push(wireAt(url) as never);
      return { ...answer, body };
    };
    const outcome = await park(context, url);
    assert.ok(outcome.kind === 'refused', JSON.stringify(outcome));
    assert.match(outcome.message, /came back/);
    assert.equal(context.store.entries.size, 0);
  });

  it('reports a leftover copy of a server that is still on the service', async () => {
    const context = await opened();
    context.service.fault = (request) => (request === 'postSettings' ? 'notSent' : undefined);
    context.store.fails = 'remove';
    const outcome = await park(context, url);
    assert.ok(outcome.kind === 'notSaved');
    assert.equal(outcome.notes.length, 1);
    assert.equal(context.store.entries.size, 1);
  });
});

describe('restoring a parked MCP server', () => {
  it('asks before restoring without lost secrets, and keeps the copy', async () => {
    for (const [label, names, expected] of [
      [url, ['api_key', 'headers'], { url, timeout: 30 }],
      [
        'tool',
        ['env.A', 'odd'],
        { name: 'tool', command: 'npx', args: ['tool', '--x'], env: { A: '', B: '' } },
      ],
    ] as const) {
      const { service, document, store, id } = await parked(await opened(), label);
      store.secrets.clear();
      const before = service.posts.length;
      const asked = await restore({ document, store }, id);
      assert.ok(asked.kind === 'secretsGone', JSON.stringify(asked));
      assert.deepEqual(asked.names, names);
      assert.deepEqual([service.posts.length, store.entries.size], [before, 1]);

      const options = { ...keyMayGo, withoutSecrets: true };
      const outcome = await restoreServer({ document, store, baseUrl, options }, id);
      assert.ok(outcome.kind === 'both', JSON.stringify(outcome));
      assert.ok(names.every((name) => outcome.message.includes(name)));
      assert.deepEqual(onService(service, label), [expected]);
      const server = serverAt(outcome.document ?? document, label);
      assert.equal(server.apiKey.presence, 'notSet');
      assert.ok(server.env.every(({ presence }) => presence === 'notSet'));
      assert.equal(store.entries.size, 1);
    }
  });

  it('refuses to send secrets to an address other than the row’s', async () => {
    const { service, document, store, id } = await parked(await opened());
    const [[key, text] = ['', '']] = store.secrets;
    store.secrets.set(key, text.replace(new URL(url).host, 'evil.example'));
    const before = service.posts.length;
    const outcome = await restore({ document, store }, id);
    assert.ok(outcome.kind === 'refused', JSON.stringify(outcome));
    assert.deepEqual([service.posts.length, store.entries.size], [before, 1]);
  });

  it('refuses to restore if the secrets can’t be read', async () => {
    const { service, document, store, id } = await parked(await opened());
    store.fails = 'take';
    assert.deepEqual(await restore({ document, store }, id), {
      kind: 'refused',
      message: 'take does not work',
    });
    assert.deepEqual(onService(service, url), []);
    assert.equal(store.secrets.size, 1);
  });

  it('refuses to restore a server that was removed', async () => {
    const { document, store } = await opened();
    assert.equal((await restore({ document, store }, 'gone')).kind, 'refused');
  });

  it('keeps the server parked if another server uses the address', async () => {
    const { service, document, store, id } = await parked(await opened());
    const { document: after } = await saveAs('saved', document, {
      mcpServers: [...document.model.mcpServers, newServer({ id: 'new-1', url })],
    });
    const outcome = await restore({ document: after, store }, id);
    assert.ok(outcome.kind === 'notSaved' && outcome.save.kind === 'invalid');
    assert.equal(store.secrets.size, 1);
    assert.equal(onService(service, url).length, 1);
  });

  it('keeps the server parked if another client added a server at the address', async () => {
    const { service, document, store, id } = await parked(await opened());
    const theirs = { url, api_key: 'theirs' };
    (service.state.settings!.mcp_config as unknown as { shttp_servers: Wire[] }).shttp_servers.push(theirs);
    const outcome = await restore({ document, store }, id);
    assert.ok(outcome.kind === 'notSaved' && outcome.save.kind === 'conflict', JSON.stringify(outcome));
    assert.equal(store.secrets.size, 1);
    assert.deepEqual(onService(service, url), [theirs]);
  });

  it('deletes only the copy if the service has an identical server', async () => {
    const context = await opened();
    const { store, id } = await parked(await opened());
    await done(restore({ document: context.document, store }, id));
    assert.equal(context.service.posts.length, 0);
    assert.equal(store.entries.size, 0);
    assert.deepEqual(onService(context.service, url), [wireAt(url)]);
  });

  it('restores the server if the identical server was deleted since the form loaded', async () => {
    const context = await opened();
    const { store, id } = await parked(await opened());
    const config = context.service.state.settings!.mcp_config as unknown as { shttp_servers: Wire[] };
    config.shttp_servers = config.shttp_servers.filter((server) => server['url'] !== url);
    await done(restore({ document: context.document, store }, id));
    assert.deepEqual(onService(context.service, url), [wireAt(url)]);
  });

  it('keeps the server parked if the service stores something else', async () => {
    const { service, document, store, id } = await parked(await opened());
    service.carriedOut = (request) => {
      if (request !== 'postSettings') return;
      keepPosted(service);
      delete onService(service, url)[0]?.['api_key'];
    };
    const outcome = await restore({ document, store }, id);
    assert.equal(outcome.kind, 'both');
    assert.equal(store.secrets.size, 1);
  });

  it('reports a restored server whose copy can’t be deleted', async () => {
    const { service, document, store, id } = await parked(await opened());
    store.fails = 'remove';
    const outcome = await restore({ document, store }, id);
    assert.ok(outcome.kind === 'both');
    assert.match(outcome.message, /couldn’t be removed/);
    assert.deepEqual(onService(service, url), [wireAt(url)]);
  });
});

describe('MCP server parked and restored during faults', () => {
  const faults: Fault[] = ['notSent', 'lost', 'doneThenLost', 'crash', 'doneThenCrash'];
  const steps: [Request, number][] = [
    ['getSettings', 1],
    ['postSettings', 1],
    ['getSettings', 2],
  ];
  const combinations = faults.flatMap((fault) => steps.map(([request, nth]) => ({ fault, request, nth })));

  /** Fails the nth request of a kind, and every later read if `blind`. */
  function inject(service: FakeService, request: Request, nth: number, fault: Fault, blind: boolean): void {
    const seen: Partial<Record<Request, number>> = {};
    let failed = false;
    service.fault = (now) => {
      seen[now] = (seen[now] ?? 0) + 1;
      if (now === request && seen[now] === nth) {
        failed = true;
        return fault;
      }
      return blind && failed ? 'lost' : undefined;
    };
  }

  /** Where the complete server is stored, including secrets; fails if nowhere. */
  function places({ service, store }: Opened): { service: boolean; here: boolean } {
    const expected = JSON.stringify(wireAt(url));
    const at = {
      service: onService(service, url).some((wire) => JSON.stringify(wire) === expected),
      here: [...store.secrets.values()].includes(expected) && store.entries.size === 1,
    };
    assert.ok(at.service || at.here, 'the server is lost');
    return at;
  }

  for (const blind of [false, true])
    for (const { fault, request, nth } of combinations)
      it(`is never lost if request ${nth} of ${request} meets “${fault}”${blind ? ' and later reads fail' : ''}`, async () => {
        const context = await opened();
        inject(context.service, request, nth, fault, blind);
        const outcome = await park(context, url);
        const at = places(context);
        if (outcome.kind === 'done') assert.deepEqual(at, { service: false, here: true });
        if (outcome.kind === 'notSaved') assert.deepEqual(at, { service: true, here: false });
        if (outcome.kind === 'both') assert.equal(at.here, true);
        assert.notEqual(outcome.kind, 'refused');

        // Restores the server from wherever it is now.
        context.service.fault = () => undefined;
        const id = [...context.store.entries.keys()][0]?.split('#')[1];
        if (id === undefined) return;
        const document = await SettingsDocument.load(context.service.client, context.service.safeguards);
        inject(context.service, request, nth, fault, blind);
        const back = await restore({ document, store: context.store }, id);
        const then = places(context);
        if (back.kind === 'done') assert.deepEqual(then, { service: true, here: false });
        else assert.equal(then.here, true);

        context.service.fault = () => undefined;
        if (then.here) {
          const again = await SettingsDocument.load(context.service.client, context.service.safeguards);
          await done(restore({ document: again, store: context.store }, id));
          assert.deepEqual(places(context), { service: true, here: false });
        }
        assert.equal(onService(context.service, url).length, 1);
      });
});
