import assert from 'node:assert/strict';
import { SettingsDocument, type SaveOutcome } from '../../../src/features/settings/model/document';
import { fakeService, type Fault, type Request } from './fakeService';
import { edits, keyMayGo, newServer, saveAs, serverAt, withoutServer, withServer } from './support';

const url = 'https://one.example.com/mcp';

async function opened() {
  const service = fakeService('observed', {
    language: 'de',
    llm_api_key: 'llm-secret',
    user_consents_to_analytics: true,
    mcp_config: {
      sse_servers: [],
      stdio_servers: [],
      shttp_servers: [{ url, api_key: 'one-key', timeout: 60 }],
    },
  });
  const document = await SettingsDocument.load(service.client, service.safeguards);
  /** Makes the n-th request from now fail. */
  const failAt = (...faults: [Request, Fault, nth?: number][]) => {
    const counts = new Map<Request, number>();
    service.fault = (request) => {
      const count = (counts.get(request) ?? 0) + 1;
      counts.set(request, count);
      return faults.find(([name, , nth = 1]) => name === request && nth === count)?.[1];
    };
  };
  return { service, document, failAt, held: () => service.state.settings! };
}

const change = edits({ values: { language: 'it' } });

function failed(outcome: SaveOutcome) {
  assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
  return outcome;
}

describe('settings: outcome of a failed save', () => {
  const cases: [name: string, faults: [Request, Fault, number?][], applied: string, holds: string][] = [
    ['the read before the post fails', [['getSettings', 'crash']], 'no', 'de'],
    ['the post is never sent', [['postSettings', 'notSent']], 'no', 'de'],
    ['the connection ends before the post arrives', [['postSettings', 'lost']], 'no', 'de'],
    ['the connection ends after the post was applied', [['postSettings', 'doneThenLost']], 'yes', 'it'],
    ['a 500 without effect', [['postSettings', 'crash']], 'no', 'de'],
    ['a 500 after the change was applied', [['postSettings', 'doneThenCrash']], 'yes', 'it'],
    [
      'the connection ends, and reading back fails too',
      [
        ['postSettings', 'doneThenLost'],
        ['getSettings', 'lost', 2],
      ],
      'unknown',
      'it',
    ],
    ['stored, but reading back fails', [['getSettings', 'lost', 2]], 'unknown', 'it'],
  ];
  for (const [name, faults, applied, language] of cases) {
    it(`says that the change was applied: ${applied} (${name})`, async () => {
      const { document, failAt, held } = await opened();
      failAt(...faults);
      assert.equal(failed(await document.save(change, keyMayGo)).applied, applied);
      assert.equal(held().language, language);
    });

    it(`saves again without conflicts or duplicates (${name})`, async () => {
      const { service, document, failAt, held } = await opened();
      document.setSecret({ at: 'field', field: 'search_api_key' }, 'typed');
      const added = newServer({ id: 'new-1', url: 'https://new.example.com/mcp' });
      const all = edits({
        values: { language: 'it' },
        secrets: { search_api_key: 'replace' },
        mcpServers: [...withServer(document, url, () => ({ url: 'https://renamed.example.org/x' })), added],
      });
      failAt(...faults);
      failed(await document.save(all, keyMayGo));
      service.fault = () => undefined;
      const again = await document.save(all, {});
      assert.equal(
        again.kind === 'needsConfirmation' ? (await document.save(all, keyMayGo)).kind : again.kind,
        'saved',
      );
      assert.equal(held().language, 'it');
      assert.equal(held().search_api_key, 'typed');
      assert.deepEqual(held().mcp_config?.shttp_servers, [
        { url: 'https://renamed.example.org/x', api_key: 'one-key', timeout: 60 },
        { url: added.url, api_key: null, timeout: 60 },
      ]);
    });
  }

  it('reports no conflict for a renamed variable after an unconfirmed save', async () => {
    const { service, failAt, held } = await opened();
    held().mcp_config!.stdio_servers.push({ name: 'tool', command: 'x', args: [], env: { A: 'a-value' } });
    const next = await SettingsDocument.load(service.client, service.safeguards);
    const mcpServers = withServer(next, 'tool', ({ env }) => ({
      env: env.map((entry) => ({ ...entry, name: 'B', originalName: 'A' })),
    }));
    failAt(['postSettings', 'doneThenLost']);
    assert.equal(failed(await next.save(edits({ mcpServers }), keyMayGo)).applied, 'yes');
    await saveAs('saved', next, { mcpServers });
    assert.deepEqual(held().mcp_config?.stdio_servers[0]?.env, { B: 'a-value' });
  });

  it('reports a partly stored save as “partly”', async () => {
    const { service, document, failAt, held } = await opened();
    failAt(['postSettings', 'doneThenLost']);
    service.carriedOut = (request) => {
      if (request === 'postSettings') held().agent = null;
    };
    const outcome = await document.save(edits({ values: { language: 'it', agent: 'Mine' } }), keyMayGo);
    assert.equal(failed(outcome).applied, 'partly');
  });

  it('leaves the outcome unknown for a replaced secret', async () => {
    const { document, failAt } = await opened();
    document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed');
    failAt(['postSettings', 'doneThenLost']);
    const outcome = await document.save(edits({ secrets: { llm_api_key: 'replace' } }), keyMayGo);
    assert.equal(failed(outcome).applied, 'unknown');
  });

  it('detects whether a new secret was stored', async () => {
    for (const [fault, applied] of [
      ['lost', 'no'],
      ['doneThenLost', 'yes'],
    ] as const) {
      const { document, failAt } = await opened();
      document.setSecret({ at: 'field', field: 'search_api_key' }, 'typed');
      failAt(['postSettings', fault]);
      const outcome = await document.save(edits({ secrets: { search_api_key: 'replace' } }), keyMayGo);
      assert.equal(failed(outcome).applied, applied);
    }
  });

  it('compares a value of the service’s own with what was there before', async () => {
    for (const [values, fault, stored, applied] of [
      [{ language: 'it' }, 'doneThenLost', 'fr', 'no'],
      [{ language: null }, 'lost', 'de', 'no'],
      // The service may have filled in its default.
      [{ language: null }, 'doneThenLost', 'en', 'unknown'],
    ] as const) {
      const { service, document, failAt, held } = await opened();
      failAt(['postSettings', fault]);
      service.carriedOut = (request) => {
        if (request === 'postSettings') held().language = stored;
      };
      assert.equal(failed(await document.save(edits({ values }), keyMayGo)).applied, applied);
    }
  });

  it('leaves the outcome unknown for a secret that the service doesn’t tell of before or after', async () => {
    for (const told of [true, false]) {
      const { service, failAt } = await opened();
      service.rewrite = (answer) => {
        const { llm_api_key_set: _told, ...body } = (answer.body ?? {}) as Record<string, unknown>;
        return told === service.posts.length > 0 ? answer : { ...answer, body };
      };
      const document = await SettingsDocument.load(service.client, service.safeguards);
      failAt(['postSettings', 'lost']);
      const clear = edits({ secrets: { llm_api_key: 'clear' } });
      assert.equal(failed(await document.save(clear, keyMayGo)).applied, 'unknown');
    }
  });

  it('is sure that nothing was stored when the post was never sent', async () => {
    const { document, failAt } = await opened();
    failAt(['postSettings', 'notSent']);
    const outcome = await document.save(edits({ values: { user_consents_to_analytics: null } }), keyMayGo);
    assert.equal(failed(outcome).applied, 'no');
  });

  describe('of a change to one server', () => {
    const other = 'https://other.example.com/mcp';
    type Servers = ReturnType<typeof withServer>;
    const later = (document: SettingsDocument) => withServer(document, url, () => ({ timeout: 5 }));
    const fewer = (document: SettingsDocument) => withoutServer(document, url);
    const more = (document: SettingsDocument) => [
      ...document.model.mcpServers,
      newServer({ id: 'new-1', url: 'https://new.example.com/mcp', timeout: 5 }),
    ];
    const cases: [
      name: string,
      change: (document: SettingsDocument) => Servers,
      fault: Fault,
      stored: number | undefined,
      applied: string,
    ][] = [
      ['a timeout that was not stored', later, 'lost', undefined, 'no'],
      ['a timeout that was stored', later, 'doneThenLost', undefined, 'yes'],
      // It may come from the administrator’s configuration, which no save removes.
      ['a deletion that shows no effect', fewer, 'lost', undefined, 'unknown'],
      ['a deletion', fewer, 'doneThenLost', undefined, 'yes'],
      ['a server that was not added', more, 'lost', undefined, 'no'],
      ['a server that was added', more, 'doneThenLost', undefined, 'yes'],
      ['a server that was added in another way', more, 'doneThenLost', 7, 'partly'],
    ];
    for (const [name, change, fault, stored, applied] of cases) {
      it(`is “${applied}” for ${name}`, async () => {
        const { service, failAt, held } = await opened();
        held().mcp_config!.shttp_servers.push({ url: other, api_key: null, timeout: 60 });
        const document = await SettingsDocument.load(service.client, service.safeguards);
        failAt(['postSettings', fault]);
        service.carriedOut = (request) => {
          if (request === 'postSettings' && stored) held().mcp_config!.shttp_servers.at(-1)!.timeout = stored;
        };
        const outcome = await document.save(edits({ mcpServers: change(document) }), keyMayGo);
        assert.equal(failed(outcome).applied, applied);
      });
    }
  });

  it('detects whether servers and their order were stored', async () => {
    for (const [fault, applied] of [
      ['lost', 'no'],
      ['doneThenLost', 'yes'],
    ] as const) {
      const { service, document, failAt } = await opened();
      const added = newServer({ id: 'new-1', url: 'https://new.example.com/mcp' });
      failAt(['postSettings', fault]);
      const mcpServers = [...document.model.mcpServers, added];
      assert.equal(failed(await document.save(edits({ mcpServers }), keyMayGo)).applied, applied);
      service.fault = () => undefined;
      const { document: next } = await saveAs('saved', document, { mcpServers });
      failAt(['postSettings', fault]);
      const moved = edits({ mcpServers: next.model.mcpServers.toReversed() });
      assert.equal(failed(await next.save(moved, keyMayGo)).applied, applied);
    }
  });

  it('leaves the outcome unknown for a consent the service ignores', async () => {
    const { document, failAt } = await opened();
    failAt(['postSettings', 'lost']);
    const outcome = await document.save(edits({ values: { user_consents_to_analytics: null } }), keyMayGo);
    assert.equal(failed(outcome).applied, 'unknown');
  });

  it('throws unexpected errors without blocking later saves', async () => {
    const { service, document } = await opened();
    service.arrives = () => {
      throw new TypeError('a defect');
    };
    await assert.rejects(document.save(change, keyMayGo), TypeError);
    service.arrives = () => undefined;
    await saveAs('saved', document, { values: { language: 'it' } });
  });
});

describe('settings: values the service altered while saving', () => {
  it('reports a changed value', async () => {
    const { service, document, held } = await opened();
    service.carriedOut = (request) => {
      if (request === 'postSettings') held().agent = 'Normalised';
    };
    const { notes } = await saveAs('saved', document, { values: { agent: 'mine' } });
    assert.deepEqual(
      notes.map(({ kind, target }) => [kind, target]),
      [['changed', { at: 'field', field: 'agent' }]],
    );
  });

  it('reports a value that wasn’t changed', async () => {
    const { service, document, held } = await opened();
    service.carriedOut = (request) => {
      if (request === 'postSettings') held().language = 'de';
    };
    const { notes } = await saveAs('saved', document, { values: { language: 'it' } });
    assert.deepEqual(
      notes.map(({ kind, label }) => [kind, label]),
      [['kept', 'language']],
    );
  });

  it('doesn’t report a field filled with its default', async () => {
    const { service, document, held } = await opened();
    service.carriedOut = (request) => {
      if (request === 'postSettings') held().language = 'en';
    };
    const { notes } = await saveAs('saved', document, { values: { language: null } });
    assert.deepEqual(notes, []);
  });

  it('reports a lost unknown field', async () => {
    const { service, held } = await opened();
    held()['condenser_max_size'] = 50;
    const document = await SettingsDocument.load(service.client, service.safeguards);
    service.carriedOut = (request) => {
      if (request === 'postSettings') held()['condenser_max_size'] = null;
    };
    const { notes } = await saveAs('saved', document, { values: { language: 'it' } });
    assert.deepEqual(
      notes.map(({ kind, label, target }) => [kind, label, target]),
      [['changed', 'condenser_max_size', { at: 'form' }]],
    );
  });

  it('reports a dropped server, a lost key, and a changed variable', async () => {
    const { service, document, held } = await opened();
    const added = newServer({
      id: 'new-1',
      kind: 'stdio',
      name: 'tool',
      command: 'x',
      env: [{ name: 'A', presence: 'notSet', intention: 'replace' }],
    });
    document.setSecret({ at: 'mcpEnv', id: 'new-1', name: 'A' }, 'a-value');
    const gone = newServer({ id: 'new-2', url: 'https://gone.example.com' });
    service.carriedOut = (request) => {
      if (request !== 'postSettings') return;
      const servers = held().mcp_config!;
      servers.shttp_servers.splice(1);
      servers.shttp_servers[0]!.api_key = null;
      servers.stdio_servers[0]!.env = { A: 'other' };
    };
    const { notes, document: after } = await saveAs('saved', document, {
      mcpServers: [...document.model.mcpServers, added, gone],
    });
    assert.deepEqual(notes.map(({ kind, label }) => [kind, label]).sort(), [
      ['changed', 'tool: env.A'],
      ['missing', 'https://gone.example.com'],
      ['secret', `${url}: api_key`],
    ]);
    const targets = ['changed', 'missing', 'secret'].map(
      (kind) => notes.find((note) => note.kind === kind)?.target,
    );
    assert.deepEqual(targets, [
      { at: 'mcp', id: serverAt(after, 'tool').id, member: 'env' },
      { at: 'mcp', id: 'new-2', member: 'server' },
      { at: 'mcp', id: serverAt(after, url).id, member: 'apiKey' },
    ]);
    assert.doesNotMatch(JSON.stringify(notes), /a-value|one-key/);
  });

  it('reports where a server differs, and a member that the form doesn’t edit at the server itself', async () => {
    const { service, held } = await opened();
    Object.assign(held().mcp_config!.shttp_servers[0]!, { description: 'Mine' });
    const document = await SettingsDocument.load(service.client, service.safeguards);
    service.carriedOut = (request) => {
      if (request === 'postSettings') held().mcp_config!.shttp_servers = [{ url, api_key: 'one-key' }];
    };
    const mcpServers = withServer(document, url, () => ({ timeout: 5 }));
    const { notes, document: after } = await saveAs('saved', document, { mcpServers });
    const { id } = serverAt(after, url);
    assert.deepEqual(
      notes.map(({ kind, label, target }) => [kind, label, target]),
      [
        ['changed', `${url}: timeout`, { at: 'mcp', id, member: 'timeout' }],
        ['changed', `${url}: description`, { at: 'mcp', id, member: 'server' }],
      ],
    );
  });

  it('reports nothing about empty variables that the service leaves out, or secrets that it masks', async () => {
    const { service, document, held } = await opened();
    const tool = newServer({
      id: 'new-1',
      kind: 'stdio',
      name: 'tool',
      command: 'x',
      env: [{ name: 'A', presence: 'notSet', intention: 'clear' }],
    });
    service.carriedOut = (request) => {
      if (request !== 'postSettings') return;
      held().mcp_config!.stdio_servers[0]!.env = {};
      held().mcp_config!.shttp_servers[0]!.api_key = '**********';
    };
    const mcpServers = [tool, ...document.model.mcpServers];
    assert.deepEqual((await saveAs('saved', document, { mcpServers })).notes, []);
  });

  it('reports nothing about servers in another order, twice, or added by somebody else', async () => {
    const { service, held } = await opened();
    held().mcp_config!.shttp_servers.push({ url, api_key: 'other-key', timeout: 60 });
    const document = await SettingsDocument.load(service.client, service.safeguards);
    service.carriedOut = (request) => {
      if (request !== 'postSettings') return;
      const [first, second] = held().mcp_config!.shttp_servers;
      const theirs = { url: 'https://theirs.example.com', api_key: null, timeout: 60 };
      const copy = { ...first!, description: 'Mine' };
      held().mcp_config!.shttp_servers = [second!, first!, copy, theirs];
    };
    assert.deepEqual((await saveAs('saved', document, { values: { language: 'it' } })).notes, []);
  });

  it('reports a secret that it was told to clear and still has', async () => {
    const { service, document, held } = await opened();
    service.carriedOut = (request) => {
      if (request === 'postSettings') held().llm_api_key = 'llm-secret';
    };
    const { notes } = await saveAs('saved', document, { secrets: { llm_api_key: 'clear' } });
    assert.deepEqual(
      notes.map(({ kind, target }) => [kind, target]),
      [['secret', { at: 'field', field: 'llm_api_key' }]],
    );
    assert.match(notes[0]?.message ?? '', /should have none/);
  });

  it('reports nothing about a secret that the service doesn’t show before or after', async () => {
    for (const told of [true, false]) {
      const { service } = await opened();
      service.rewrite = (answer) => {
        const { llm_api_key_set: _told, ...body } = (answer.body ?? {}) as Record<string, unknown>;
        return told === service.posts.length > 0 ? answer : { ...answer, body };
      };
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.deepEqual((await saveAs('saved', document, { values: { language: 'it' } })).notes, []);
    }
  });
});
