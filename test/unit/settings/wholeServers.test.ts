import assert from 'node:assert/strict';
import type { McpServer } from '../../../src/shared/mcp';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import type { McpConfig } from '../../service/records';
import { fakeService } from './fakeService';
import { keyMayGo, saveAs, serverAt, withServer } from './support';

const good = 'https://good.example.com/mcp';
const open = 'https://open.example.com/mcp';
const mineUrl = 'https://mine.example.com/mcp';

type Members = Record<string, unknown>;

async function opened() {
  const mcp_config = {
    sse_servers: [],
    stdio_servers: [{ name: 'tool', command: 'run', args: ['a'], env: { A: 'a-value', B: 'b-value' } }],
    shttp_servers: [
      { url: good, api_key: 'old-key', timeout: 60, headers: { 'X-Team': 'old-team' } },
      { url: open, api_key: null, timeout: 60 },
    ],
  } as McpConfig;
  const service = fakeService('observed', { mcp_config });
  const document = await SettingsDocument.load(service.client, service.safeguards);
  const config = () => service.state.settings?.mcp_config;
  const members = (list: readonly unknown[] | undefined, index: number): Members => {
    const server = list?.[index];
    assert.ok(server);
    return server as Members;
  };
  return {
    document,
    good: () => members(config()?.shttp_servers, 0),
    open: () => members(config()?.shttp_servers, 1),
    tool: (index = 0) => members(config()?.stdio_servers, index),
    posts: service.posts,
    /** The same as `good`, as it was sent: the service itself keeps no members that it doesn't know. */
    sent: () => members(service.posts.at(-1)?.mcp_config?.shttp_servers, 0),
  };
}

type Opened = Awaited<ReturnType<typeof opened>>;

/** Changes a server on both sides, and expects the one question; returns how to answer it. */
async function asked(
  { document }: Opened,
  theirs: () => void,
  label: string,
  mine: (server: McpServer) => Partial<McpServer>,
) {
  theirs();
  const change = { mcpServers: withServer(document, label, mine) };
  const { conflicts } = await saveAs('conflict', document, change);
  const [conflict, ...more] = conflicts;
  assert.ok(conflict);
  assert.deepEqual([conflict.label, more], [label, []]);
  assert.doesNotMatch(JSON.stringify(conflicts), /-key|-value|-team/);
  const { key, ...words } = conflict;
  return {
    words: [words.mine, words.theirs, words.previous],
    answer: (choice: 'mine' | 'theirs') =>
      saveAs('saved', document, change, { ...keyMayGo, resolution: { [key]: choice } }),
    again: (after = change, choice: 'mine' | 'theirs' = 'theirs') =>
      saveAs('conflict', document, after, { ...keyMayGo, resolution: { [key]: choice } }),
    change,
  };
}

describe('settings: a server that two sides change', () => {
  it('keeps a new secret of others without a question where it goes where it went', async () => {
    const it = await opened();
    it.good()['api_key'] = 'new-key';
    it.tool()['env'] = { A: 'new-value', B: 'b-value' };
    const mcpServers = withServer(it.document, good, () => ({ timeout: 5 })).map((server) =>
      server.name === 'tool'
        ? {
            ...server,
            env: server.env.map((one) =>
              one.name === 'A' ? { ...one, name: 'A2', originalName: 'A' } : one,
            ),
          }
        : server,
    );
    await saveAs('saved', it.document, { mcpServers });
    assert.deepEqual([it.good()['timeout'], it.good()['api_key']], [5, 'new-key']);
    assert.deepEqual(it.tool()['env'], { A2: 'new-value', B: 'b-value' });
  });

  it('keeps members of others that this client doesn’t know', async () => {
    const it = await opened();
    Object.assign(it.good(), { headers: { 'X-Team': 'new-team' }, description: 'Theirs' });
    await saveAs('saved', it.document, { mcpServers: withServer(it.document, good, () => ({ timeout: 5 })) });
    assert.deepEqual(it.sent(), {
      url: good,
      api_key: 'old-key',
      timeout: 5,
      headers: { 'X-Team': 'new-team' },
      description: 'Theirs',
    });
  });

  for (const moved of ['the copy', 'what it was made from'])
    it(`gives a copy no new secret of others where ${moved} goes elsewhere`, async () => {
      const it = await opened();
      const { document } = it;
      const tool = document.model.mcpServers.find(({ name }) => name === 'tool')!;
      const command = moved === 'the copy' ? 'other' : 'run';
      const copy = { ...tool, id: 'new-1', copiedFrom: tool.id, name: 'copy', command };
      Object.assign(it.tool(), { env: { A: 'new-value', B: 'b-value' } });
      if (moved !== 'the copy') Object.assign(it.tool(), { command: 'other' });
      const mcpServers = [...document.model.mcpServers, copy];
      await saveAs('saved', document, { mcpServers }, keyMayGo);
      const { name, env } = it.tool(1);
      assert.deepEqual([name, env], ['copy', { A: 'a-value', B: 'b-value' }]);
    });

  for (const choice of ['mine', 'theirs'] as const) {
    const isMine = choice === 'mine';

    it(`never sends a new secret of others to an address of the user (${choice})`, async () => {
      const it = await opened();
      const change = () =>
        Object.assign(it.good(), { api_key: 'new-key', headers: { 'X-Team': 'new-team' } });
      const { words, answer } = await asked(it, change, good, () => ({ url: mineUrl }));
      assert.deepEqual(words, [
        `url: ${mineUrl}`,
        'api_key: Changed · headers: Changed',
        `url: ${good} · api_key: Set`,
      ]);
      await answer(choice);
      const { url, api_key, headers } = isMine ? it.sent() : it.good();
      assert.deepEqual(
        [url, api_key, headers],
        isMine ? [mineUrl, 'old-key', { 'X-Team': 'old-team' }] : [good, 'new-key', { 'X-Team': 'new-team' }],
      );
    });

    it(`never sends a member of others that nobody here knows to an address of the user (${choice})`, async () => {
      const it = await opened();
      const change = () => (it.good()['headers'] = { 'X-Team': 'new-team' });
      const { words, answer } = await asked(it, change, good, () => ({ url: mineUrl }));
      assert.deepEqual(words.slice(0, 2), [`url: ${mineUrl}`, 'headers: Changed']);
      await answer(choice);
      const { url, headers } = isMine ? it.sent() : it.good();
      assert.deepEqual(
        [url, headers],
        [isMine ? mineUrl : good, { 'X-Team': isMine ? 'old-team' : 'new-team' }],
      );
    });

    it(`never sends a secret that others added to an address of the user (${choice})`, async () => {
      const it = await opened();
      const { words, answer } = await asked(
        it,
        () => (it.open()['api_key'] = 'new-key'),
        open,
        () => ({ url: mineUrl }),
      );
      assert.deepEqual(words, [`url: ${mineUrl}`, 'api_key: Set', `url: ${open} · api_key: Not set`]);
      await answer(choice);
      const { url, api_key } = it.open();
      assert.deepEqual([url, api_key], isMine ? [mineUrl, null] : [open, 'new-key']);
    });

    it(`never sends the secret of a new address to the old one (${choice})`, async () => {
      const it = await opened();
      const before = { ...it.tool() };
      const moved = () =>
        Object.assign(it.tool(), { command: 'other', env: { A: 'new-value', B: 'b-value' } });
      const { words, answer } = await asked(it, moved, 'tool', ({ env }) => ({ env: env.slice(0, 1) }));
      assert.deepEqual(words, [
        'env.B: Deleted',
        'command: other · env.A: Changed',
        'env.B: Set · command: run · env.A: Set',
      ]);
      await answer(choice);
      assert.deepEqual(
        it.tool(),
        isMine
          ? { ...before, env: { A: 'a-value' } }
          : { ...before, command: 'other', env: { A: 'new-value', B: 'b-value' } },
      );
    });

    it(`asks where a secret that the user keeps is gone (${choice})`, async () => {
      const it = await opened();
      const { words, answer } = await asked(
        it,
        () => (it.good()['api_key'] = null),
        good,
        () => ({ timeout: 5 }),
      );
      assert.deepEqual(words, ['timeout: 5', 'api_key: Cleared', 'timeout: 60 · api_key: Set']);
      await answer(choice);
      assert.deepEqual([it.good()['timeout'], it.good()['api_key']], isMine ? [5, 'old-key'] : [60, null]);
    });
  }

  it('needs no answer where one side already has all that the other changed', async () => {
    const more = await opened();
    Object.assign(more.good(), { timeout: 5, api_key: null });
    const few = { mcpServers: withServer(more.document, good, () => ({ timeout: 5 })) };
    await saveAs('saved', more.document, few);
    assert.deepEqual([more.posts, more.good()['timeout'], more.good()['api_key']], [[], 5, null]);
    const less = await opened();
    less.tool()['args'] = ['b'];
    const many = withServer(less.document, 'tool', () => ({ command: 'other', args: ['b'] }));
    await saveAs('saved', less.document, { mcpServers: many });
    assert.deepEqual([less.tool()['command'], less.tool()['args']], ['other', ['b']]);
  });

  it('is asked about again when anything of it has changed since, seen or not', async () => {
    const it = await opened();
    const { again, change } = await asked(
      it,
      () => (it.good()['timeout'] = 7),
      good,
      () => ({ timeout: 5 }),
    );
    it.good()['headers'] = { 'X-Team': 'newer' };
    await again(change, 'mine');
    assert.equal(it.good()['timeout'], 7);
  });

  it('is asked about again when the user changes more, or types another secret, after choosing the service’s', async () => {
    const it = await opened();
    const target = { at: 'mcpApiKey', id: serverAt(it.document, good).id } as const;
    it.document.setSecret(target, 'first');
    const { again, change } = await asked(
      it,
      () => (it.good()['timeout'] = 7),
      good,
      ({ apiKey }) => ({
        apiKey: { ...apiKey, intention: 'replace' },
      }),
    );
    it.document.setSecret(target, 'second');
    await again(change);
    await again({
      mcpServers: change.mcpServers.map((server) =>
        server.url === good ? { ...server, timeout: 9 } : server,
      ),
    });
    assert.deepEqual(it.posts, []);
  });

  it('shows a change that comes after a very long value', async () => {
    const it = await opened();
    const long = ['x'.repeat(5_000)];
    const { words } = await asked(
      it,
      () => (it.tool()['command'] = 'other'),
      'tool',
      ({ env }) => ({
        args: long,
        env: env.slice(1),
      }),
    );
    assert.match(words[0] ?? '', /^args: x+… · env\.A: Deleted$/);
    assert.ok((words[0] ?? '').length < 300);
  });
});
