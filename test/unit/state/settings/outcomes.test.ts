import assert from 'node:assert/strict';
import { SettingsDocument, type SaveOutcome } from '../../../../src/state/settings/document';
import { fakeService, type Fault, type Request } from './fakeService';
import { edits, newServer, saveAs, serverAt, withServer } from './support';

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
  const document = await SettingsDocument.load(service.client);
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
const confirmed = { sandboxKeyConfirmed: true };

function failed(outcome: SaveOutcome) {
  assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
  return outcome;
}

describe('settings: what became of a save that failed', () => {
  const cases: [name: string, faults: [Request, Fault, number?][], applied: string, holds: string][] = [
    ['reading afresh fails', [['getSettings', 'crash']], 'no', 'de'],
    ['the post is never sent', [['postSettings', 'notSent']], 'no', 'de'],
    ['the connection ends before the post arrives', [['postSettings', 'lost']], 'no', 'de'],
    ['the connection ends after the post was carried out', [['postSettings', 'doneThenLost']], 'yes', 'it'],
    ['a 500 that did nothing', [['postSettings', 'crash']], 'no', 'de'],
    ['a 500 after all was done', [['postSettings', 'doneThenCrash']], 'yes', 'it'],
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
    it(`${name}: applied ${applied}`, async () => {
      const { document, failAt, held } = await opened();
      failAt(...faults);
      assert.equal(failed(await document.save(change, confirmed)).applied, applied);
      assert.equal(held().language, language);
    });

    it(`${name}: saving again ends well, without a conflict and without doing anything twice`, async () => {
      const { service, document, failAt, held } = await opened();
      document.setSecret({ at: 'field', field: 'search_api_key' }, 'typed');
      const added = newServer({ id: 'new-1', url: 'https://new.example.com/mcp' });
      const all = edits({
        values: { language: 'it' },
        secrets: { search_api_key: 'replace' },
        mcpServers: [...withServer(document, url, () => ({ url: 'https://renamed.example.org/x' })), added],
      });
      failAt(...faults);
      failed(await document.save(all, confirmed));
      service.fault = () => undefined;
      const again = await document.save(all, {});
      assert.equal(
        again.kind === 'needsConfirmation' ? (await document.save(all, confirmed)).kind : again.kind,
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

  it('a renamed variable whose save was not known to have happened is no conflict', async () => {
    const { service, failAt, held } = await opened();
    held().mcp_config!.stdio_servers.push({ name: 'tool', command: 'x', args: [], env: { A: 'a-value' } });
    const next = await SettingsDocument.load(service.client);
    const mcpServers = withServer(next, 'tool', ({ env }) => ({
      env: env.map((entry) => ({ ...entry, name: 'B', originalName: 'A' })),
    }));
    failAt(['postSettings', 'doneThenLost']);
    assert.equal(failed(await next.save(edits({ mcpServers }), confirmed)).applied, 'yes');
    await saveAs('saved', next, { mcpServers });
    assert.deepEqual(held().mcp_config?.stdio_servers[0]?.env, { B: 'a-value' });
  });

  it('a part that holds and a part that does not is "partly"', async () => {
    const { service, document, failAt, held } = await opened();
    failAt(['postSettings', 'doneThenLost']);
    service.carriedOut = (request) => {
      if (request === 'postSettings') held().agent = null;
    };
    const outcome = await document.save(edits({ values: { language: 'it', agent: 'Mine' } }), confirmed);
    assert.equal(failed(outcome).applied, 'partly');
  });

  it('a secret put in place of another does not show, so the outcome stays unknown', async () => {
    const { document, failAt } = await opened();
    document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed');
    failAt(['postSettings', 'doneThenLost']);
    const outcome = await document.save(edits({ secrets: { llm_api_key: 'replace' } }), confirmed);
    assert.equal(failed(outcome).applied, 'unknown');
  });

  it('a secret that was not set before shows', async () => {
    for (const [fault, applied] of [
      ['lost', 'no'],
      ['doneThenLost', 'yes'],
    ] as const) {
      const { document, failAt } = await opened();
      document.setSecret({ at: 'field', field: 'search_api_key' }, 'typed');
      failAt(['postSettings', fault]);
      const outcome = await document.save(edits({ secrets: { search_api_key: 'replace' } }), confirmed);
      assert.equal(failed(outcome).applied, applied);
    }
  });

  it('servers show, and so does their order', async () => {
    for (const [fault, applied] of [
      ['lost', 'no'],
      ['doneThenLost', 'yes'],
    ] as const) {
      const { service, document, failAt } = await opened();
      const added = newServer({ id: 'new-1', url: 'https://new.example.com/mcp' });
      failAt(['postSettings', fault]);
      const mcpServers = [...document.model.mcpServers, added];
      assert.equal(failed(await document.save(edits({ mcpServers }), confirmed)).applied, applied);
      service.fault = () => undefined;
      const { document: next } = await saveAs('saved', document, { mcpServers });
      failAt(['postSettings', fault]);
      const moved = edits({ mcpServers: next.model.mcpServers.toReversed() });
      assert.equal(failed(await next.save(moved, confirmed)).applied, applied);
    }
  });

  it('a consent that the service keeps shows nothing', async () => {
    const { document, failAt } = await opened();
    failAt(['postSettings', 'lost']);
    const outcome = await document.save(edits({ values: { user_consents_to_analytics: null } }), confirmed);
    assert.equal(failed(outcome).applied, 'unknown');
  });

  it('cancelled while it is on its way: its outcome is found out first', async () => {
    const { service, document, held } = await opened();
    const cancel = new AbortController();
    service.arrives = (request) => {
      if (request === 'postSettings') cancel.abort();
    };
    const outcome = await document.save(change, confirmed, cancel.signal);
    assert.equal(outcome.kind, 'saved');
    assert.equal(held().language, 'it');
  });

  it('what is no failed request is thrown, and holds up no later save', async () => {
    const { service, document } = await opened();
    service.arrives = () => {
      throw new TypeError('a defect');
    };
    await assert.rejects(document.save(change, confirmed), TypeError);
    service.arrives = () => undefined;
    await saveAs('saved', document, { values: { language: 'it' } });
  });
});

describe('settings: what the service made of a save', () => {
  it('a value that it changed is told', async () => {
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

  it('a value that it kept is told', async () => {
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

  it('a field that it filled with its default is not', async () => {
    const { service, document, held } = await opened();
    service.carriedOut = (request) => {
      if (request === 'postSettings') held().language = 'en';
    };
    const { notes } = await saveAs('saved', document, { values: { language: null } });
    assert.deepEqual(notes, []);
  });

  it('an unknown field that it lost is told', async () => {
    const { service, held } = await opened();
    held()['condenser_max_size'] = 50;
    const document = await SettingsDocument.load(service.client);
    service.carriedOut = (request) => {
      if (request === 'postSettings') held()['condenser_max_size'] = null;
    };
    const { notes } = await saveAs('saved', document, { values: { language: 'it' } });
    assert.deepEqual(
      notes.map(({ kind, label }) => [kind, label]),
      [['changed', 'condenser_max_size']],
    );
  });

  it('a server that it dropped, a key that it lost and a variable that it changed are told', async () => {
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
    const about = notes.find(({ kind }) => kind === 'changed')?.target;
    assert.equal(about?.at === 'mcp' && about.id, serverAt(after, 'tool').id);
    assert.doesNotMatch(JSON.stringify(notes), /a-value|one-key/);
  });
});
