import assert from 'node:assert/strict';
import type { McpServer } from '../../../../src/shared/mcp';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness, noEdits, type Action } from './support';

const url = 'https://parked.example.com/mcp';
const canary = 'canary-key';
const config = {
  sse_servers: [],
  stdio_servers: [
    { name: 'tool', command: 'npx', args: ['tool'], env: { TOKEN: canary } },
    { name: 'other', command: 'npx', args: [], env: {} },
  ],
  shttp_servers: [{ url, api_key: canary, timeout: 30 }],
};

describe('parking MCP servers from the form', () => {
  let service: ReferenceService;
  let form: Harness;

  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    assert.ok(service.state.settings);
    Object.assign(service.state.settings, { mcp_config: structuredClone(config), sandbox_api_key: null });
    form = new Harness(clientOf(service));
    await form.open();
  });
  afterEach(async () => {
    assert.doesNotMatch(JSON.stringify(form.posted), new RegExp(canary));
    assert.doesNotMatch(JSON.stringify(form.logged), new RegExp(canary));
    form.host.dispose();
    await service.close();
  });

  const held = () => JSON.stringify(service.state.settings?.mcp_config);
  const posts = () =>
    service.requests.filter(({ method, path }) => method === 'POST' && path === '/api/settings').length;
  const shown = (label: string) => {
    const server = form.last('form').model.mcpServers.find(({ url: at, name }) => label === (at || name));
    assert.ok(server, label);
    return server;
  };
  const ask = (action: Action) => form.send(action);
  const park = (label: string) => ask({ type: 'parkServer', id: shown(label).id });
  /** Starts parking, which waits for the service. */
  const begun = async (label: string) => {
    const end = park(label);
    await new Promise((resolve) => setImmediate(resolve));
    return { end };
  };
  const done = () => {
    const { working, serverNotices, goTo } = form.last('form');
    assert.equal(working, null);
    return { notices: serverNotices.words, failed: serverNotices.failed, goTo };
  };
  const parked = () => form.last('form').parked;
  const only = () => {
    const [server, ...more] = parked();
    assert.ok(server && more.length === 0, JSON.stringify(parked()));
    return server;
  };

  it('removes the server from the service, and Restore brings it back with its secrets', async () => {
    const before = structuredClone(service.state.settings?.mcp_config);
    await park(url);
    assert.ok(!held().includes(url));
    assert.equal(only().url, url);
    assert.equal(done().failed, false);
    assert.deepEqual(done().goTo, { list: 'parked', id: only().id });
    assert.match(done().notices.join(), /parked\.example\.com\/mcp is parked/);
    assert.ok(form.last('form').model.mcpServers.every((server) => server.url !== url));

    await ask({ type: 'restoreServer', id: only().id });
    assert.deepEqual(service.state.settings?.mcp_config, before);
    assert.deepEqual(parked(), []);
    assert.deepEqual(done().goTo, { list: 'servers', id: shown(url).id });
  });

  it('shows progress and blocks saves while parking', async () => {
    const parking = await begun(url);
    assert.equal(form.last('form').working, 'Parking…');
    await form.save({ values: { language: 'it' } });
    assert.deepEqual(form.result, { kind: 'canceled' });
    form.host.hidden();
    await form.send({ type: 'ready', kept: null });
    assert.equal(form.last('form').working, 'Parking…');
    await parking.end;
    assert.equal(done().failed, false);
    assert.notEqual(service.state.settings?.language, 'it');
  });

  it('names the secrets that an unsaved copy of the server loses by that', async () => {
    const copyOf = (label: string, change: Partial<McpServer>) => {
      const { id, ...server } = shown(label);
      return { ...server, ...change, id: `new-${id}`, copiedFrom: id };
    };
    const copies = [copyOf(url, { url: 'https://copy.example.com/mcp' }), copyOf('tool', { name: 'copy' })];
    const mcpServers = [...form.last('form').model.mcpServers, ...copies];
    await form.send({ type: 'edits', edits: { ...noEdits, mcpServers } });
    await park(url);
    assert.match(
      done().notices.join('\n'),
      /Enter these again: https:\/\/copy\.example\.com\/mcp: api_key\.$/,
    );
    await park('tool');
    assert.match(done().notices.join('\n'), /Enter these again: copy: env\.TOKEN\.$/);
  });

  it('keeps every other unsaved edit', async () => {
    const servers = form.last('form').model.mcpServers;
    const edits = {
      ...noEdits,
      values: { language: 'it' },
      mcpServers: servers.map((server) => (server.name === 'tool' ? { ...server, command: 'uvx' } : server)),
    };
    await form.send({ type: 'edits', edits });
    await park(url);
    assert.notEqual(service.state.settings?.language, 'it');
    const { edits: over } = form.last('form');
    assert.deepEqual(over.values, { language: 'it' });
    assert.deepEqual(
      over.mcpServers?.map(({ name, command }) => [name, command]),
      [
        ['tool', 'uvx'],
        ['other', 'npx'],
      ],
    );
    assert.equal(form.questions.length, 1, 'only the sandbox API key question');
  });

  it('names typed secrets before they are lost', async () => {
    form.secret = 'typed';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    form.agrees = false;
    await park(url);
    assert.match(form.questions.at(-1) ?? '', /Park .*Enter these again: API key/);
    assert.equal(posts(), 0);
    assert.deepEqual(form.host.open?.edits.secrets, { llm_api_key: 'replace' });
    form.agrees = true;
    await park(url);
    assert.match(done().notices.join(), /Enter these again: API key/);
    assert.equal(only().url, url);
  });

  it('asks before a sandbox API key may be lost, and parks only with consent', async () => {
    form.agrees = false;
    await park(url);
    assert.match(form.questions[0] ?? '', /sandbox API key/);
    assert.equal(posts(), 0);
    assert.deepEqual([parked(), done().failed], [[], false]);
    form.agrees = true;
    await park(url);
    assert.equal(only().url, url);
  });

  it('requires the server’s own changes to be saved first', async () => {
    const servers = form.last('form').model.mcpServers;
    const mcpServers = servers.map((server) => (server.url === url ? { ...server, timeout: 9 } : server));
    await form.send({ type: 'edits', edits: { ...noEdits, mcpServers } });
    await park(url);
    assert.match(done().notices.join(), /Save or undo your changes to this server/);
    assert.deepEqual([posts(), parked()], [0, []]);
  });

  it('explains a refusal by the service, and changes nothing', async () => {
    const before = held();
    const { id } = shown(url);
    service.fail({
      method: 'POST',
      path: '/api/settings',
      effect: { kind: 'answer', status: 403, body: { error: 'disk full' } },
    });
    await ask({ type: 'parkServer', id });
    assert.equal(done().failed, true);
    assert.match(done().notices.join(' '), /wasn’t parked.*still on the service.*disk full/s);
    assert.deepEqual([held(), parked()], [before, []]);
  });

  it('reports a server changed by another client, and shows its current state', async () => {
    service.state.settings!.mcp_config!.shttp_servers[0]!.timeout = 77;
    await park(url);
    assert.equal(done().failed, true);
    assert.match(done().notices.join(' '), /It has changed on the service/);
    assert.equal(shown(url).timeout, 77);
    assert.deepEqual(parked(), []);
  });

  it('shows the storage’s error', async () => {
    form.parked.fails = 'park';
    await park(url);
    assert.deepEqual([done().failed, done().notices], [true, ['park does not work']]);
    assert.equal(posts(), 0);
  });

  it('asks before restoring a server without its secrets, and keeps the copy', async () => {
    await park(url);
    form.parked.secrets.clear();
    const before = posts();
    form.agrees = false;
    await ask({ type: 'restoreServer', id: only().id });
    assert.match(
      form.questions.at(-1) ?? '',
      /Restore .*parked\.example\.com.* without its secrets\? .*api_key.*\[Restore\]/s,
    );
    assert.equal(posts(), before);
    assert.equal(only().url, url);
    form.agrees = true;
    await ask({ type: 'restoreServer', id: only().id });
    assert.match(done().notices.join(), /on the service without its secrets.*api_key.*still here/);
    assert.equal(shown(url).apiKey.presence, 'notSet');
    assert.equal(only().url, url);
  });

  it('deletes a parked server only if the user agrees', async () => {
    await park(url);
    await park('tool');
    const [first, second] = parked();
    assert.ok(first && second);
    form.agrees = false;
    await ask({ type: 'deleteParked', id: first.id });
    assert.match(form.questions.at(-1) ?? '', /parked\.example\.com.*can’t undo.*\[Delete\]/s);
    assert.equal(parked().length, 2);
    form.agrees = true;
    await ask({ type: 'deleteParked', id: first.id });
    assert.equal(only().name, 'tool');
    assert.deepEqual(done().goTo, { list: 'parked', id: second.id });
    assert.equal(form.parked.secrets.size, 1);

    form.parked.fails = 'remove';
    await ask({ type: 'deleteParked', id: second.id });
    assert.match(done().notices.join(), /Couldn’t delete/);
    assert.equal(only().name, 'tool');
  });

  it('says that secrets of a deleted server may still be stored', async () => {
    await park(url);
    form.parked.keepsSecrets = true;
    const { id } = only();
    await ask({ type: 'deleteParked', id });
    assert.deepEqual(parked(), []);
    assert.deepEqual(done(), {
      notices: [
        'https://parked.example.com/mcp is deleted, but its secrets may still be on this computer. Check your system’s keyring.',
      ],
      failed: true,
      goTo: { list: 'parked', id },
    });
  });

  it('restores a server even if its parked secrets stay', async () => {
    await park(url);
    form.parked.keepsSecrets = true;
    await ask({ type: 'restoreServer', id: only().id });
    assert.deepEqual([parked(), done().failed], [[], false]);
    assert.ok(held().includes(url));
  });

  it('shows servers parked by another window, but not for another service', async () => {
    await park(url);
    const other = await startService({ profile: 'observed', seed: 'lifelike' });
    form.client = clientOf(other);
    await form.host.sessionChanged(true);
    assert.deepEqual(parked(), []);
    const { id: _id, parkedAt: _at, ...server } = form.parked.list(service.url)[0]!;
    await form.parked.park(other.url, { ...server, url: 'https://second.example.com/' }, {});
    form.host.show();
    assert.equal(only().url, 'https://second.example.com/');
    await other.close();
  });

  it('doesn’t change a form that switched to another service', async () => {
    const other = await startService({ profile: 'observed', seed: 'lifelike' });
    const parking = await begun(url);
    form.client = clientOf(other);
    await Promise.all([parking.end, form.host.sessionChanged(true)]);
    assert.equal(form.last('form').service, other.url);
    assert.deepEqual(parked(), []);
    assert.equal(form.parked.list(service.url).length, 1);
    await other.close();
  });

  describe('servers from the operator’s own configuration', () => {
    const operators = () => form.last('form').operators;

    beforeEach(async () => {
      service.behaviour.operatorMcp = {
        sse_servers: [],
        stdio_servers: [],
        shttp_servers: [{ url: 'https://operator.example.com/mcp' }],
      };
      await form.send({ type: 'revert' });
      assert.deepEqual(operators(), []);
    });

    it('are recognized after a deleted server returns', async () => {
      const mcpServers = form.last('form').model.mcpServers.filter(({ url: at }) => !at.includes('operator'));
      await form.save({ mcpServers });
      assert.ok(form.result.kind === 'saved');
      assert.match(form.notices, /came back.*only your administrator can remove it/);
      assert.equal(form.result.undo, 'impossible');
      assert.deepEqual(operators(), [shown('https://operator.example.com/mcp').id]);
      await form.send({ type: 'revert' });
      assert.deepEqual(operators(), [shown('https://operator.example.com/mcp').id]);
    });

    it('are recognized when an undo removes one and it returns', async () => {
      const address = 'https://later.example.com/mcp';
      const mine = { ...shown('https://operator.example.com/mcp'), id: 'new-1', url: address };
      await form.save({ mcpServers: [...form.last('form').model.mcpServers, mine] });
      assert.deepEqual(operators(), []);
      // The administrator has taken it over since.
      const stored = service.state.settings!.mcp_config!.shttp_servers;
      const place = stored.findIndex(({ url: at }) => at === address);
      service.behaviour.operatorMcp!.shttp_servers.push(...stored.splice(place, 1));
      await ask({ type: 'undoSave' });
      assert.match(form.notices, /came back.*only your administrator can remove it/);
      assert.deepEqual(operators(), [shown(address).id]);
    });

    it('are recognized after parking fails, until they are gone', async () => {
      await park('https://operator.example.com/mcp');
      assert.equal(done().failed, true);
      assert.match(done().notices.join(), /came back/);
      assert.deepEqual(parked(), []);
      assert.deepEqual(operators(), [shown('https://operator.example.com/mcp').id]);
      service.behaviour.operatorMcp = null;
      service.state.settings!.mcp_config!.shttp_servers = [];
      await form.send({ type: 'revert' });
      assert.deepEqual(operators(), []);
    });
  });
});
