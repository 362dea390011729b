import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import type { ReadChanges } from '../../../src/features/sandboxChanges/model/changeSet';
import {
  findBranches,
  findRepositories,
  readRepositories,
} from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { Refusal } from '../../../src/core/basics/refusal';
import { TestSandbox } from '../changes/support';

describe('repositories in and near an agent’s folder', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  beforeEach(() => (sandbox = new TestSandbox()));
  afterEach(() => sandbox.dispose());

  const began = () => Date.now() - 3_600_000;
  const read = (folder = 'work', at: number | null = began()) =>
    readRepositories(sandbox.workspace, { folder: sandbox.at(folder), branch: null, at }, new ContentCache());
  /** What changed, by the root of the repository. */
  const told = (all: readonly ReadChanges[]) =>
    Object.fromEntries(
      all.map(({ changes: { repository, files } }) => [
        path.relative(sandbox.folder, repository.root),
        files.map(({ kind, path: at }) => `${kind} ${at}`),
      ]),
    );
  const isWhole = (all: readonly ReadChanges[]) => all.every(({ changes }) => changes.complete);
  const shop = (...args: string[]) => sandbox.git('work/shop', ...args);

  it('have the address that git makes of a short one', async () => {
    sandbox.clone({ a: '1' });
    shop('config', 'url.https://github.com/acme/.insteadOf', 'acme:');
    shop('remote', 'set-url', 'origin', 'acme:shop');
    shop('remote', 'add', 'backup', 'https://backup.example/shop');
    const [first] = await read();
    assert.equal(first?.changes.repository.remote, 'https://github.com/acme/shop');
    assert.deepEqual(await findRepositories(sandbox.workspace, sandbox.at('work')), [
      { root: sandbox.at('work/shop'), remote: 'https://github.com/acme/shop' },
    ]);
  });

  it('have branches with new commits that nothing has checked out, also once their worktree is gone', async () => {
    sandbox.clone({ a: '1' });
    const branches = async (folder = 'work', at: number | null = began()) =>
      (await findBranches(sandbox.workspace, { folder: sandbox.at(folder), branch: null, at })).toSorted();
    const commitOn = (place: string) => {
      sandbox.write(`${place}/a`, place);
      sandbox.commit(place, 'Change');
    };
    const main = shop('branch', '--show-current').trim();
    shop('checkout', '--quiet', '-b', 'old');
    sandbox.environmentFor({ GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' });
    commitOn('work/shop');
    sandbox.environmentFor({});
    shop('checkout', '--quiet', '-b', 'fix/ü', main);
    commitOn('work/shop');
    shop('checkout', '--quiet', main);
    for (const name of ['gone', 'here', 'lost']) {
      shop('worktree', 'add', '--quiet', '-b', name, sandbox.at(name));
      commitOn(name);
    }
    shop('worktree', 'remove', sandbox.at('gone'));
    rmSync(sandbox.at('lost'), { recursive: true });
    assert.deepEqual(await branches(), ['fix/ü', 'gone', 'lost']);
    assert.deepEqual(told(await read()), { 'work/shop': [], here: ['modified a'] });
    // It shares them with the user, who may have made them.
    assert.deepEqual(await branches('here'), []);
    assert.deepEqual(await branches('work', null), []);
    shop('merge', '--quiet', 'fix/ü');
    assert.deepEqual(await branches(), ['gone', 'lost']);
  });

  describe('of which one is a linked worktree', () => {
    beforeEach(() => void sandbox.clone({ a: '1', '.gitignore': 'ignored\n' }));

    for (const [place, where] of [
      ['work/shop-fix', 'beside its repository'],
      ['work/shop/.worktrees/fix', 'in its repository'],
      ['work/shop/ignored/x', 'in an ignored folder'],
      ['elsewhere/new\nline', 'elsewhere on the disk'],
    ] as const)
      it(`lists it ${where}, committed and uncommitted, and not as a submodule`, async () => {
        shop('worktree', 'add', '--quiet', '-b', 'fix', sandbox.at(place));
        sandbox.write(`${place}/committed`, '1');
        sandbox.commit(place, 'Fix');
        sandbox.write(`${place}/a`, '2');
        const all = await read();
        assert.deepEqual(told(all), { 'work/shop': [], [place]: ['modified a', 'added committed'] });
        assert.ok(isWhole(all));
        const { source, changes } = all.find(({ changes: { files } }) => files.length > 0)!;
        assert.equal(Buffer.from(await source.content(changes.files[0]!.after!)).toString(), '2');
      });

    it('lists the one that the agent works in, without the user’s checkout and other worktrees', async () => {
      shop('worktree', 'add', '--quiet', '--detach', sandbox.at('task'));
      shop('worktree', 'add', '--quiet', '--detach', sandbox.at('other task'));
      for (const folder of ['work/shop', 'task', 'other task']) sandbox.write(`${folder}/new`, '1');
      assert.deepEqual(told(await read('task', null)), { task: ['added new'] });
    });

    it('lists none that the server made for another conversation, however new', async () => {
      const made = (id: string) => `conversation-worktrees/${id}/shop`;
      for (const id of ['one', 'one more', 'two\n']) {
        shop('worktree', 'add', '--quiet', '--detach', sandbox.at(made(id)));
        sandbox.write(`${made(id)}/new`, '1');
      }
      shop('worktree', 'add', '--quiet', '--detach', sandbox.at('agents'));
      shop('worktree', 'add', '--quiet', '--detach', sandbox.at('conversation-worktrees/one/helper'));
      const others = { agents: [], 'conversation-worktrees/one/helper': [] };
      assert.deepEqual(told(await read()), { 'work/shop': [], agents: [] });
      assert.deepEqual(told(await read(made('one'))), { [made('one')]: ['added new'], ...others });
      assert.deepEqual(told(await read(made('two\n'))), { [made('two\n')]: ['added new'], agents: [] });
    });

    it('lists none that was there before the conversation', async () => {
      sandbox.environmentFor({ GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' });
      shop('worktree', 'add', '--quiet', '--detach', sandbox.at('users'));
      sandbox.write('users/new', '1');
      sandbox.environmentFor({});
      shop('worktree', 'add', '--quiet', '--detach', sandbox.at('agents'));
      sandbox.write('agents/new', '1');
      assert.deepEqual(told(await read()), { 'work/shop': [], agents: ['added new'] });
    });

    it('isn’t stopped by one whose folder is gone', async () => {
      shop('worktree', 'add', '--quiet', '--detach', sandbox.at('gone'));
      renameSync(sandbox.at('gone'), sandbox.at('moved'));
      sandbox.write('work/shop/a', '2');
      const all = await read();
      assert.deepEqual([told(all), isWhole(all)], [{ 'work/shop': ['modified a'] }, true]);
    });

    it('lists those of a repository that has no files of its own', async () => {
      mkdirSync(sandbox.at('work/bare'));
      sandbox.git('work', 'clone', '--quiet', '--bare', sandbox.at('origin'), 'bare/.git');
      sandbox.git('work/bare', 'worktree', 'add', '--quiet', 'main');
      sandbox.write('work/bare/main/a', '2');
      const all = await read();
      assert.deepEqual(told(all)['work/bare/main'], ['modified a']);
      assert.ok(isWhole(all));
    });

    for (const [place, what] of [
      ['.bare', 'whose `.git` names another folder'],
      ['.git', 'whose `.git` is all it has'],
    ] as const)
      it(`lists those elsewhere of a repository ${what}, if they are new`, async () => {
        mkdirSync(sandbox.at('work/bare'));
        sandbox.git('work', 'clone', '--quiet', '--bare', sandbox.at('origin'), `bare/${place}`);
        if (place !== '.git') sandbox.write('work/bare/.git', `gitdir: ./${place}\n`);
        const add = (folder: string) =>
          sandbox.git('work/bare', 'worktree', 'add', '--quiet', '--detach', sandbox.at(folder));
        sandbox.environmentFor({ GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' });
        add('users');
        sandbox.environmentFor({});
        add('new one');
        for (const folder of ['users', 'new one']) sandbox.write(`${folder}/a`, '2');
        assert.deepEqual(told(await read('work/bare')), { 'new one': ['modified a'] });
      });
  });

  describe('of which some are submodules', () => {
    const allow = ['-c', 'protocol.file.allow=always'];
    beforeEach(() => {
      sandbox.create('inner', { deep: '1' });
      sandbox.create('library', { lib: '1' });
      sandbox.git('library', ...allow, 'submodule', '--quiet', 'add', sandbox.at('inner'), 'in/ner');
      sandbox.commit('library', 'Inner');
      sandbox.create('origin', { a: '1' });
      sandbox.git('origin', ...allow, 'submodule', '--quiet', 'add', sandbox.at('library'), 'vendor/lib b');
      sandbox.commit('origin', 'Library');
      sandbox.git('', ...allow, 'clone', '--quiet', '--recurse-submodules', 'origin', 'work/shop');
    });

    it('lists their own changes, in submodules of submodules, too', async () => {
      sandbox.write('work/shop/vendor/lib b/lib', '2');
      sandbox.write('work/shop/vendor/lib b/in/ner/new', '1');
      assert.deepEqual(told(await read()), {
        'work/shop': [],
        'work/shop/vendor/lib b': ['modified lib'],
        'work/shop/vendor/lib b/in/ner': ['added new'],
      });
    });

    it('compares them with the commit that the repository’s base has, not with their own branches', async () => {
      sandbox.write('library/later', '1');
      sandbox.commit('library', 'Later');
      const lib = 'work/shop/vendor/lib b';
      sandbox.git(lib, 'fetch', '--quiet');
      sandbox.write(`${lib}/mine`, '1');
      sandbox.commit(lib, 'Mine');
      sandbox.commit('work/shop', 'Bump');
      assert.deepEqual(told(await read()), {
        'work/shop': ['modified vendor/lib b'],
        [lib]: ['added mine'],
        [`${lib}/in/ner`]: [],
      });
    });

    it('isn’t stopped by one that was never cloned', async () => {
      sandbox.git('', 'clone', '--quiet', 'origin', 'work/plain');
      sandbox.write('work/plain/a', '2');
      const all = await read();
      assert.deepEqual([told(all)['work/plain'], isWhole(all)], [['modified a'], true]);
    });
  });

  describe('whose `.git` is something else', () => {
    it('lists one whose folder for git is elsewhere', async () => {
      sandbox.create('origin', { a: '1' });
      const apart = sandbox.at('git folder');
      sandbox.git('', 'clone', '--quiet', '--separate-git-dir', apart, 'origin', 'work/shop');
      sandbox.write('work/shop/a', '2');
      assert.deepEqual(told(await read()), { 'work/shop': ['modified a'] });
    });

    it('lists one whose `.git` is a link', async () => {
      sandbox.clone({ a: '1' });
      renameSync(sandbox.at('work/shop/.git'), sandbox.at('real'));
      symlinkSync(sandbox.at('real'), sandbox.at('work/shop/.git'));
      sandbox.write('work/shop/a', '2');
      assert.deepEqual(told(await read()), { 'work/shop': ['modified a'] });
    });

    it('lists one that a link leads to, once', async () => {
      sandbox.create('origin', { a: '1' });
      sandbox.git('', 'clone', '--quiet', 'origin', 'real');
      sandbox.write('real/a', '2');
      mkdirSync(sandbox.at('work/deep er'));
      sandbox.link(sandbox.at('real'), 'work/shop');
      sandbox.link('../../real', 'work/deep er/店');
      sandbox.link('nowhere', 'work/broken');
      sandbox.link('..', 'work/up');
      assert.deepEqual(told(await read()), { real: ['modified a'] });
      const [found] = await findRepositories(sandbox.workspace, sandbox.at('work'));
      assert.equal(found?.root, sandbox.at('real'));
    });

    it('lists one whose name has a colon, quotes, and a backslash', async () => {
      const odd = 'work/a:b "c" \\d';
      sandbox.create('origin', { a: '1' });
      sandbox.git('', 'clone', '--quiet', 'origin', odd);
      sandbox.write(`${odd}/a`, '2');
      const [only] = await read();
      assert.deepEqual(told([only!]), { [odd]: ['modified a'] });
      const { before, after } = only!.changes.files[0]!;
      for (const [version, content] of [
        [before, '1'],
        [after, '2'],
      ] as const)
        assert.equal(Buffer.from(await only!.source.content(version!)).toString(), content);
    });

    it('names one that git can’t make sense of', async () => {
      sandbox.clone({ a: '1' });
      sandbox.write('work/shop/a', '2');
      sandbox.write('work/broken/.git', 'gitdir: /no/such/folder\n');
      const all = await read();
      assert.deepEqual(told(all), { 'work/shop': ['modified a'] });
      assert.deepEqual(all[0]!.changes.unread, [sandbox.at('work/broken')]);
    });
  });

  describe('at any depth', () => {
    it('lists the one that the folder is in', async () => {
      sandbox.create('shop', { 'packages/api/a': '1', 'packages/web/b': '1' });
      sandbox.write('shop/packages/api/a', '2');
      sandbox.write('shop/packages/web/b', '2');
      assert.deepEqual(told(await read('shop/packages/api', null)), {
        shop: ['modified packages/api/a', 'modified packages/web/b'],
      });
    });

    it('lists repositories down to the sixth level, and those in another at any', async () => {
      sandbox.create('work/1/2/3/4', { a: '1' });
      sandbox.create('work/1/2/c/d/e/six', { a: '1' });
      sandbox.create('work/outer', { a: '1' });
      sandbox.create('work/outer/2/3/4/5/6/7/8/inner', { a: '1' });
      const all = await read();
      assert.deepEqual(told(all), {
        'work/1/2/3/4': ['added a'],
        'work/1/2/c/d/e/six': ['added a'],
        'work/outer': ['added 2/3/4/5/6/7/8/inner', 'added a'],
        'work/outer/2/3/4/5/6/7/8/inner': ['added a'],
      });
      assert.ok(isWhole(all));
    });

    it('says so where deeper folders weren’t searched', async () => {
      sandbox.create('work/1/2/3/4/5/6/7/shop', { a: '1' });
      await assert.rejects(read(), (error) => error instanceof Refusal && error.message.includes('6 levels'));
      sandbox.create('work/near', { a: '1' });
      const all = await read();
      assert.deepEqual([told(all), isWhole(all)], [{ 'work/near': ['added a'] }, false]);
      assert.match(all[0]!.changes.unread!.join(), /other repositories/);
    });

    it('says so where there are more than 50', async () => {
      for (let number = 0; number < 51; number += 1) {
        mkdirSync(sandbox.at(`work/${number}`));
        sandbox.git(`work/${number}`, 'init', '--quiet');
      }
      const all = await read();
      assert.deepEqual([all.length, isWhole(all)], [50, false]);
    });
  });

  it('aren’t led elsewhere by git’s variables', async () => {
    sandbox.clone({ a: '1' });
    sandbox.create('other', { b: '1' });
    sandbox.write('work/shop/a', '2');
    sandbox.environmentFor({
      ...{ GIT_DIR: sandbox.at('other/.git'), GIT_COMMON_DIR: sandbox.at('other/.git') },
      ...{ GIT_OBJECT_DIRECTORY: sandbox.at('other/.git/objects'), GIT_INDEX_FILE: '/no/such/index' },
      ...{ GIT_NAMESPACE: 'x', GIT_CEILING_DIRECTORIES: sandbox.at('work'), GIT_LITERAL_PATHSPECS: '1' },
    });
    assert.deepEqual(told(await read('work/shop')), { 'work/shop': ['modified a'] });
  });

  it('aren’t hidden by places where the shell looks for folders', async () => {
    sandbox.clone({ a: '1', 'sub/b': '1' });
    sandbox.create('work/shop/inner', { c: '1' });
    sandbox.write('work/shop/a', '2');
    for (const CDPATH of ['.', `.:${sandbox.folder}`, sandbox.at('work/shop')]) {
      sandbox.environmentFor({ CDPATH });
      assert.deepEqual(told(await read())['work/shop'], ['modified a', 'added inner']);
    }
  });

  it('aren’t in dependencies', async () => {
    for (const place of ['node_modules/x', 'p/.venv/src/x', 'q/site-packages/x'])
      sandbox.create(`work/${place}`, { a: '1' });
    assert.deepEqual(await read(), []);
  });

  it('aren’t hurt by a `.git` that is nothing', async () => {
    sandbox.clone({ a: '1' });
    mkdirSync(sandbox.at('work/shop/junk/.git'), { recursive: true });
    sandbox.write('work/shop/junk/file', '1');
    writeFileSync(sandbox.at('work/shop/a'), '2');
    assert.deepEqual(told(await read())['work/shop'], ['modified a', 'added junk/file']);
  });
});
