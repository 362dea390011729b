import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { notEmpty } from '../../../../src/api/service/serverFolders';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import type { Release } from '../../../service/agent/release';
import { failureOf, testClient } from '../support/client';

const soon = () => new Promise((resolve) => setImmediate(resolve));
const waiting = { signal: new AbortController().signal, wait: soon };

for (const release of ['1.49.1', '1.58.0'] as const)
  describe(`the folders of a standalone agent server (${release})`, () => {
    let server: AgentServerByItself;
    let calls: AgentServerCalls;
    beforeEach(async () => ({ server, calls } = await connected(release)));
    afterEach(() => server.close());

    const run = (command: string, folder: string) => server.files.execute(command, folder, 20);
    const names = (folder: string) => readdirSync(server.files.place(folder)).toSorted();

    it('are made with those above, and made again without harm', async () => {
      await calls.createFolder('/workspace/a b/c');
      await calls.createFolder('/workspace/a b/c');
      assert.deepEqual(await calls.readFolder('/workspace/a b/c'), { kind: 'folder' });
      writeFileSync(server.files.place('/workspace/file'), '');
      assert.equal((await failureOf(calls.createFolder('/workspace/file'))).status, 400);
    });

    it('are listed, and those that hold projects apart', async () => {
      server.starts.workspaces.push({ id: '/work/a', name: 'a', path: '/work/a' });
      server.starts.workspaceParents.push({ id: '/work', name: 'work', path: '/work' });
      assert.deepEqual(await calls.listWorkspaces(), [{ name: 'a', path: '/work/a' }]);
      assert.deepEqual(await calls.listWorkspaceParents(), [{ name: 'work', path: '/work' }]);
    });

    it('are read with their repository, whatever they’re called', async () => {
      const folder = "/workspace/it's $HOME";
      assert.deepEqual(await calls.readFolder(folder), { kind: 'missing' });
      await calls.createFolder(folder);
      await run('git init -q -b main', folder);
      const fresh = { kind: 'repository', branch: 'main', changed: 0, hasCommit: false };
      assert.deepEqual(await calls.readFolder(folder), fresh);
      await run(
        'git commit -q --allow-empty -m First && git remote add origin https://h.example/a/b.git',
        folder,
      );
      await run('touch one two && mkdir in', folder);
      const origin = 'https://h.example/a/b.git';
      const now = { ...fresh, changed: 2, hasCommit: true, origin };
      assert.deepEqual(await calls.readFolder(folder), now);
      assert.deepEqual(await calls.readFolder(`${folder}/in`), now);
      await run(`git config url.${origin}.insteadOf ab: && git remote set-url origin ab:`, folder);
      assert.deepEqual(await calls.readFolder(folder), now);
      await run('git checkout -q --detach', folder);
      const { branch: _branch, ...detached } = now;
      assert.deepEqual(await calls.readFolder(folder), detached);
      assert.deepEqual(await calls.readFolder(`${folder}/one`), { kind: 'file' });
    });

    it('take a clone as a whole, where nothing is', async () => {
      const source = await repository();
      const done = await calls.clone(source, '/workspace/deep/clone', waiting);
      assert.equal(done.exitCode, 0, done.stderr);
      assert.deepEqual(names('/workspace/deep'), ['clone']);
      assert.deepEqual(names('/workspace/deep/clone'), ['.git', 'a.txt']);
      await calls.createFolder('/workspace/empty');
      assert.equal((await calls.clone(source, '/workspace/empty', waiting)).exitCode, 0);
      assert.deepEqual(names('/workspace/empty'), ['.git', 'a.txt']);
    });

    it('keep what is in them', async () => {
      const source = await repository();
      await calls.createFolder('/workspace/full');
      writeFileSync(server.files.place('/workspace/full/.hidden'), 'mine');
      assert.equal((await calls.clone(source, '/workspace/full', waiting)).exitCode, notEmpty);
      assert.deepEqual(names('/workspace/full'), ['.hidden']);
    });

    it('have nothing left of a clone that fails', async () => {
      mkdirSync(server.files.place('/workspace/none'));
      const source = server.files.place('/workspace/missing.git');
      const { exitCode, stderr } = await calls.clone(source, '/workspace/deep/clone', waiting);
      assert.notEqual(exitCode, 0);
      assert.match(stderr, /does not exist/);
      assert.deepEqual(names('/workspace/deep'), []);
    });

    it('lose what a clone that was killed had left, but nothing of one that runs', async () => {
      const source = await repository();
      const [left, running] = ['.agent-workspace-clone-AAAAAAAA', '.agent-workspace-clone-BBBBBBBB'];
      for (const name of [left, running, 'mine']) await calls.createFolder(`/workspace/${name}/in`);
      const before = Date.now() / 1_000 - 3 * 3_600;
      for (const name of [left, 'mine']) utimesSync(server.files.place(`/workspace/${name}`), before, before);
      assert.equal((await calls.clone(source, '/workspace/clone', waiting)).exitCode, 0);
      const kept = names('/workspace').filter((name) => [left, running, 'mine'].includes(name));
      assert.deepEqual(kept, [running, 'mine']);
    });

    it('are told in English why a clone fails, whatever the server speaks', async () => {
      const bin = server.files.place('/workspace/bin');
      mkdirSync(bin);
      const words =
        'case $LC_ALL in C) echo Authentication failed ;; *) echo Anmeldung fehlgeschlagen ;; esac';
      writeFileSync(`${bin}/git`, `#!/bin/sh\n${words} >&2\nexit 128\n`, { mode: 0o755 });
      const before = process.env['PATH'];
      process.env['PATH'] = `${bin}:${before}`;
      try {
        const { stderr } = await calls.clone('https://h.example/a/b.git', '/workspace/clone', waiting);
        assert.equal(stderr.trim(), 'Authentication failed');
      } finally {
        process.env['PATH'] = before;
      }
    });

    it('take one clone of two that come at once', async () => {
      const source = await repository();
      const both = await Promise.all(['a', 'b'].map(() => calls.clone(source, '/workspace/clone', waiting)));
      assert.ok(both.some(({ exitCode }) => exitCode === 0));
      assert.deepEqual(names('/workspace/clone'), ['.git', 'a.txt']);
      assert.ok(!names('/workspace').some((name) => name.startsWith('.agent-workspace')));
    });

    it('get no clone anymore once it’s given up', async () => {
      const life = new AbortController();
      const wait = () => {
        life.abort(new Error('left'));
        return Promise.reject(new Error('left'));
      };
      const source = await repository();
      await assert.rejects(calls.clone(source, '/workspace/clone', { signal: life.signal, wait }), /left/);
      assert.equal(server.shell.stopped, release === '1.58.0' ? 1 : 0);
    });

    it('are offered what GitHub has, where the server can list it', async () => {
      server.shell.repositories = ['acme/shop', 'acme/docs'];
      const expected = { names: ['acme/shop'], missingToken: false };
      assert.deepEqual(await calls.listRepositories('shop'), release === '1.58.0' ? expected : undefined);
    });

    it('say when there’s no token to list repositories with', async () => {
      const listed = await calls.listRepositories('');
      assert.equal(listed?.missingToken, release === '1.58.0' ? true : undefined);
    });

    async function repository(): Promise<string> {
      await calls.createFolder('/workspace/source');
      await run(
        'git init -q -b main && touch a.txt && git add . && git commit -q -m First',
        '/workspace/source',
      );
      assert.ok(existsSync(server.files.place('/workspace/source/a.txt')));
      return server.files.place('/workspace/source');
    }
  });

async function connected(release: Release) {
  const server = await startAgentServer({ release });
  const { client } = testClient(server.url, { sessionKey: server.sessionKey, known: 'agentServer' });
  await checkConnection(client);
  assert.ok(client.agents);
  return { server, calls: client.agents };
}
