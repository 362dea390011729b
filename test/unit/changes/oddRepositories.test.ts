import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { LocalBranches } from '../../../src/features/changes/commands/branch/localBranches';
import { checkOutWith } from '../../../src/features/changes/commands/folder/checkedOut';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { readRepositories } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { LocalGit } from '../../../src/features/start/commands/localGit';
import { TestSandbox } from './support';

const never = new AbortController().signal;
const files = { 'a.txt': 'one\ntwo\n', 'dir/c.txt': 'c\n', 'old.txt': 'one\ntwo\nthree\nfour\n' };

describe('odd repositories', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  beforeEach(() => {
    sandbox = new TestSandbox();
    sandbox.clone(files);
  });
  afterEach(() => sandbox.dispose());

  const git = (...args: string[]) => sandbox.git('work/shop', ...args);
  const write = (name: string, content: string) => sandbox.write(`work/shop/${name}`, content);
  const readAll = () =>
    readRepositories(
      sandbox.workspace,
      { folder: sandbox.at('work'), branch: null, at: null },
      new ContentCache(),
    );
  const listed = async () =>
    (await readAll()).flatMap(({ changes }) => changes.files.map(({ kind, path }) => `${kind} ${path}`));
  const local = () => new LocalGit('git', sandbox.at('work/shop'));
  const outgoing = async () =>
    (await local().outgoing('origin', 'origin/main', never)).files.map(({ kind, path }) => `${kind} ${path}`);

  it('have hooks that don’t run by looking', async () => {
    for (const name of ['post-index-change', 'reference-transaction', 'post-checkout']) {
      write(`.git/hooks/${name}`, '#!/bin/sh\n: > "$(git rev-parse --absolute-git-dir)/ran"\n');
      chmodSync(sandbox.at('work/shop/.git/hooks', name), 0o755);
    }
    write('a.txt', 'other\n');
    assert.deepEqual(await listed(), ['modified a.txt']);
    assert.equal(existsSync(sandbox.at('work/shop/.git/ran')), false, 'in the sandbox');
    assert.deepEqual(await outgoing(), ['modified a.txt']);
    assert.equal(existsSync(sandbox.at('work/shop/.git/ran')), false, 'here');
  });

  it('have a file that is called like the commit that is checked out', async () => {
    write('HEAD', 'one\n');
    assert.deepEqual(await outgoing(), ['untracked HEAD']);
    sandbox.create('work/own', { HEAD: 'one\n' });
    const began = { folder: sandbox.at('work/own'), branch: null, at: 1_000_000_000_000 };
    const [read] = await readRepositories(sandbox.workspace, began, new ContentCache());
    assert.deepEqual(
      read?.changes.files.map(({ path }) => path),
      ['HEAD'],
    );
  });

  it('have commits that stand for others, which hides nothing', async () => {
    write('a.txt', 'other\n');
    sandbox.commit('work/shop', 'Two');
    git('replace', 'HEAD~1', 'HEAD');
    assert.deepEqual(await listed(), ['modified a.txt']);
    assert.deepEqual(await outgoing(), ['modified a.txt']);
  });

  describe('with contents that were never fetched, and can’t be', () => {
    beforeEach(() => {
      rmSync(sandbox.at('work/shop'), { recursive: true });
      sandbox.git('origin', 'config', 'uploadpack.allowFilter', 'true');
      const partly = ['--filter=blob:none', '--no-checkout', `file://${sandbox.at('origin')}`];
      sandbox.git('', 'clone', '--quiet', ...partly, 'work/shop');
      git('sparse-checkout', 'set', '--no-cone', '/a.txt');
      git('checkout', '--quiet', 'main');
      renameSync(sandbox.at('origin'), sandbox.at('gone'));
      write('a.txt', 'other\n');
    });

    it('list what changed, and have the contents that are there', async () => {
      git('rm', '--quiet', '--sparse', 'dir/c.txt');
      write('new.txt', 'new\n');
      const [read] = await readAll();
      assert.ok(read);
      const { complete, files: found } = read.changes;
      assert.equal(complete, true);
      assert.deepEqual(
        found.map(({ kind, path }) => `${kind} ${path}`),
        ['modified a.txt', 'deleted dir/c.txt', 'added new.txt'],
      );
      const results = await Promise.allSettled(
        found
          .flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
          .map((one) => read.source.content(one)),
      );
      assert.deepEqual(
        results.map((one) => (one.status === 'fulfilled' ? Buffer.from(one.value).toString() : null)),
        ['one\ntwo\n', 'other\n', null, 'new\n'],
      );
    });

    it('are sent with what changed', async () => {
      const found = await local().outgoing('origin', 'origin/main', never);
      const { content } = await local().patch(found.base, found.files, never);
      assert.match(Buffer.from(content).toString(), /\+other/);
    });
  });

  it('have a pipe in place of a file, which nobody waits for', async () => {
    rmSync(sandbox.at('work/shop/a.txt'));
    execFileSync('mkfifo', [sandbox.at('work/shop/a.txt')]);
    const { files: found, left } = await local().outgoing('origin', 'origin/main', never);
    assert.deepEqual([found, left], [[], [{ path: 'a.txt', why: 'unreadable' }]]);
  });

  describe('that git refuses', () => {
    const reason = /^Git on this computer failed: bad config line \d+ in file .*config$/;
    beforeEach(() => {
      write('.gitattributes', '*.txt eol=crlf\n');
      write('.git/config', '[broken\n');
    });

    it('aren’t taken for folders without one', async () => {
      const blobs = [{ path: 'a.txt', content: Buffer.from('one\n') }];
      const message = reason;
      await assert.rejects(checkOutWith('git', sandbox.at('work/shop'))(blobs), { message });
      await assert.rejects(LocalBranches.at('git', sandbox.at('work/shop')), { message });
      assert.deepEqual(await checkOutWith('git', sandbox.at('work'))(blobs), [blobs[0]?.content]);
    });

    it('say why, here and in a sandbox', async () => {
      await assert.rejects(local().outgoing('origin', 'origin/main', never), { message: reason });
      await assert.rejects(readAll(), /couldn’t read the agent’s repository: bad config line/);
    });
  });
});
