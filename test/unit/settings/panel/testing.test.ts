import assert from 'node:assert/strict';
import type { ProbeOptions, ProbeResult } from '../../../../src/api/mcp/probe';
import { SettingsApp } from '../../../../src/features/settings/page/app';
import { testOf } from '../../../../src/features/settings/page/rows';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { startAgentServer } from '../../../service/agent/byItself';
import { startService, type ReferenceService } from '../../../service/service';
import { testClient } from '../../api/support/client';
import { clientOf, Harness, noEdits } from './support';

const good: ProbeResult = {
  ok: true,
  serverName: 'Weather',
  serverVersion: '1.2.3',
  tools: Array.from({ length: 25 }, (_none, index) => ({ name: `tool-${index}` })),
  more: false,
  ms: 12,
  message: 'The server answered.',
};

describe('testing MCP servers', () => {
  let service: ReferenceService;
  let form: Harness;
  let probes: (Omit<ProbeOptions, 'fetch'> & { end: (result: ProbeResult) => void })[];

  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    form = new Harness(clientOf(service));
    probes = [];
    form.servers.test = (options) =>
      new Promise((resolve) => {
        probes.push({ ...options, end: resolve });
        options.signal?.addEventListener('abort', () =>
          resolve({ ok: false, reason: 'canceled', message: 'Canceled.' }),
        );
      });
    await form.open();
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const begin = (id: string) => form.send({ type: 'testServer', id });
  const results = () => form.all('test').map(({ result }) => result);
  const keyed = () => {
    const server = form.last('form').model.mcpServers.find(({ apiKey }) => apiKey.presence === 'set');
    assert.ok(server);
    return server;
  };
  const heldKey = (url: string) => {
    const config = service.state.settings?.mcp_config as unknown as Record<string, Record<string, unknown>[]>;
    return Object.values(config)
      .flat()
      .find((server) => server['url'] === url)?.['api_key'];
  };

  it('tests the row’s address with the stored key, and shows the result', async () => {
    const server = keyed();
    const done = begin(server.id);
    const [probe] = probes;
    assert.deepEqual([probe?.kind, probe?.url], [server.kind, server.url]);
    assert.equal(probe?.apiKey, heldKey(server.url));
    assert.deepEqual(results(), [null]);
    probe?.end(good);
    await done;
    const result = results().at(-1);
    assert.ok(result?.ok);
    assert.equal(result.server, 'Weather 1.2.3');
    assert.equal(result.tools.length, 20);
    assert.equal(result.count, 25);
    assert.ok(!JSON.stringify(form.posted).includes(String(heldKey(server.url))));
  });

  it('tests the unsaved address with the typed key', async () => {
    const server = keyed();
    // The header sends that word anyway.
    form.secret = 'Bearer canary-typed';
    await form.send({ type: 'replaceSecret', target: { at: 'mcpApiKey', id: server.id } });
    const list = form.host.open?.edits.mcpServers ?? [];
    await form.send({
      type: 'edits',
      edits: {
        ...noEdits,
        mcpServers: list.map((one) =>
          one.id === server.id ? { ...one, url: 'http://edited.example' } : one,
        ),
      },
    });
    const done = begin(server.id);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([probes[0]?.url, probes[0]?.apiKey], ['http://edited.example', 'canary-typed']);
    probes[0]?.end({ ok: false, reason: 'unauthorized', message: 'The key was refused.' });
    await done;
    assert.deepEqual(results().at(-1), { ok: false, message: 'The key was refused.' });
    assert.ok(!JSON.stringify(form.posted).includes('canary'));
  });

  it('sends no key that is marked to be cleared', async () => {
    const server = keyed();
    await form.send({ type: 'clearSecret', target: { at: 'mcpApiKey', id: server.id } });
    const done = begin(server.id);
    assert.equal(probes[0]?.apiKey, null);
    probes[0].end(good);
    await done;
  });

  it('never sends a masked key, and says so', async () => {
    const config = service.state.settings?.mcp_config as unknown as Record<string, Record<string, unknown>[]>;
    for (const server of Object.values(config).flat())
      if ('api_key' in server) server['api_key'] = '**********';
    await form.send({ type: 'retry' });
    const server = keyed();
    const done = begin(server.id);
    assert.equal(probes[0]?.apiKey, null);
    probes[0].end(good);
    await done;
    assert.match(results().at(-1)?.message ?? '', /hides this server’s key, so the test didn’t send it/);
  });

  it('stops when canceled or when the server is tested again', async () => {
    const { id } = keyed();
    const first = begin(id);
    await form.send({ type: 'cancelTest', id });
    await first;
    assert.deepEqual(results(), [null, { ok: false, message: 'Canceled.' }]);

    const second = begin(id);
    const third = begin(id);
    await second;
    assert.equal(probes[1]?.signal?.aborted, true);
    assert.equal(results().length, 4);
    probes[2]?.end(good);
    await third;
    assert.equal(results().at(-1)?.ok, true);
  });

  it('stops when the form closes or the connection changes', async () => {
    const { id } = keyed();
    const first = begin(id);
    await form.send({ type: 'retry' });
    await first;
    const second = begin(id);
    form.host.dispose();
    await second;
    assert.deepEqual(
      probes.map(({ signal }) => signal?.aborted),
      [true, true],
    );
    assert.deepEqual(results(), [null, null]);
  });

  it('shows again what runs, and what ended while the form was hidden', async () => {
    const [first, second] = form.last('form').model.mcpServers.filter(({ kind }) => kind !== 'stdio');
    assert.ok(first && second);
    const done = begin(first.id);
    const running = begin(second.id);
    form.host.hidden();
    probes[0]?.end(good);
    await done;
    assert.deepEqual(results(), [null, null]);
    await form.open();
    const shown = () => form.all('test').slice(2);
    assert.deepEqual(
      shown().map(({ id, result }) => [id, result?.ok]),
      [
        [second.id, undefined],
        [first.id, true],
      ],
    );
    probes[1]?.end(good);
    await running;
    assert.deepEqual([shown().at(-1)?.id, shown().at(-1)?.result?.ok], [second.id, true]);
    form.host.hidden();
    await form.open();
    assert.equal(shown().length, 3);
  });

  it('says what was tested, whatever has been edited since', async () => {
    const server = keyed();
    const done = begin(server.id);
    const edited = { ...server, url: 'http://edited.example' };
    const mcpServers = form.last('form').model.mcpServers.map((one) => (one === server ? edited : one));
    await form.send({ type: 'edits', edits: { ...noEdits, mcpServers } });
    form.host.hidden();
    probes[0]?.end(good);
    await done;
    await form.open();
    const about = form.all('test').map((message) => message.about[1]);
    assert.deepEqual(about, [server.url, server.url]);
  });

  describe('whose key changes', () => {
    /** What the page shows on the row of a server; undefined without a test. */
    const shownOn = (id: string) => {
      const nothing = () => undefined;
      const page = { post: nothing, keep: nothing, draw: nothing, later: nothing };
      const app = new SettingsApp({ ...page, focus: nothing, reveal: nothing }, null);
      for (const message of form.posted) app.receive(message);
      const { phase, tests } = app.state;
      assert.ok(phase.at === 'form');
      const row = phase.form.rows.find(({ server }) => server.id === id);
      assert.ok(row);
      return testOf(tests, row.server);
    };
    const refused: ProbeResult = { ok: false, reason: 'unauthorized', message: 'The key was refused.' };
    const replaceKey = (id: string, key: string) => {
      form.secret = key;
      return form.send({ type: 'replaceSecret', target: { at: 'mcpApiKey', id } });
    };
    const test = async (id: string, result: ProbeResult) => {
      const done = begin(id);
      probes.at(-1)?.end(result);
      await done;
    };
    const saveNow = () => form.save(form.last('form').edits);

    it('shows no result of a previous key after a save', async () => {
      const { id } = keyed();
      await test(id, refused);
      assert.equal(shownOn(id)?.result?.ok, false);
      await replaceKey(id, 'canary-new');
      assert.equal(shownOn(id), undefined);
      await saveNow();
      assert.equal(form.result.kind, 'saved');
      assert.equal(shownOn(id), undefined);
    });

    it('shows no result of a key that was replaced again before it was saved', async () => {
      const { id } = keyed();
      await replaceKey(id, 'canary-first');
      await test(id, refused);
      await form.send({ type: 'clearSecret', target: { at: 'mcpApiKey', id } });
      await replaceKey(id, 'canary-second');
      assert.equal(shownOn(id), undefined);
    });

    it('ends a test that still runs with the previous key', async () => {
      const { id } = keyed();
      await replaceKey(id, 'canary-first');
      const done = begin(id);
      await replaceKey(id, 'canary-second');
      await done;
      assert.equal(probes[0]?.signal?.aborted, true);
      assert.equal(shownOn(id), undefined);
    });

    it('shows no result of a previous key once a hidden form is shown again', async () => {
      const { id } = keyed();
      await replaceKey(id, 'canary-first');
      const done = begin(id);
      form.host.hidden();
      probes[0]?.end(refused);
      await done;
      await replaceKey(id, 'canary-second');
      await form.open();
      assert.deepEqual(results(), [null]);
    });

    it('keeps the results of other servers', async () => {
      const [first, second] = form.last('form').model.mcpServers.filter(({ kind }) => kind !== 'stdio');
      assert.ok(first && second);
      await test(first.id, good);
      await test(second.id, good);
      await replaceKey(first.id, 'canary-new');
      await saveNow();
      assert.equal(form.result.kind, 'saved');
      assert.deepEqual([shownOn(first.id), shownOn(second.id)?.result?.ok], [undefined, true]);
    });
  });

  it('does nothing for a command or a missing row', async () => {
    const command = form.last('form').model.mcpServers.find(({ kind }) => kind === 'stdio');
    assert.ok(command);
    await begin(command.id);
    await begin('nowhere');
    assert.equal(probes.length, 0);
    assert.deepEqual(results(), []);
  });

  it('shows on the row why the test can’t run', async () => {
    form.servers.test = () => Promise.reject(new Error('The chunk is missing.'));
    await begin(keyed().id);
    assert.deepEqual(results().at(-1), {
      ok: false,
      message: 'Couldn’t run the test: The chunk is missing.',
    });
  });
});

describe('testing MCP servers of an agent server', () => {
  it('runs there, also for commands, with what the form has and secrets that nobody sees', async () => {
    const server = await startAgentServer({ release: '1.58.0', seed: true });
    const { client } = testClient(server.url, { sessionKey: server.sessionKey });
    await checkConnection(client);
    const form = new Harness(client);
    try {
      await form.open();
      const { model } = form.last('form');
      assert.equal(model.testsServers, true);
      const command = model.mcpServers.find(({ kind }) => kind === 'stdio');
      assert.ok(command);
      await form.send({ type: 'testServer', id: command.id });
      assert.deepEqual(server.starts.tested.at(-1)?.['env'], { SEARCH_TOKEN: 'stored-token' });
      const good = form.last('test').result;
      assert.ok(good?.ok === true);
      assert.deepEqual([good.tools, good.count], [['search', 'fetch'], 2]);
      assert.match(good.message, /^The server answered in \d+ ms\. Tools: 2\. Tested by the agent server\.$/);
      const mcpServers = model.mcpServers.map((one) => ({
        ...one,
        ...(one === command && { command: 'missing' }),
      }));
      await form.send({ type: 'edits', edits: { ...noEdits, mcpServers } });
      await form.send({ type: 'testServer', id: command.id });
      const failed = form.last('test').result;
      assert.match(failed?.message ?? '', /^The agent server’s test failed: \[Errno 2\] No such file/);
      assert.doesNotMatch(JSON.stringify(form.posted), /stored-token/);
    } finally {
      form.host.dispose();
      await server.close();
    }
  });
});
