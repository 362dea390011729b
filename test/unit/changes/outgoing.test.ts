import assert from 'node:assert/strict';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { LocalGit } from '../../../src/features/start/commands/localGit';
import { Refusal } from '../../../src/core/basics/refusal';
import { deliver, type DeliveryStep, type Parcel } from '../../../src/features/changes/model/delivering';
import {
  isSentByDefault,
  parsePaths,
  parseTracked,
  type Outgoing,
} from '../../../src/features/changes/model/outgoing';
import { TestSandbox } from './support';

const never = new AbortController().signal;

describe('git’s list of changes that go out', () => {
  const [oid, zeros] = ['a'.repeat(40), '0'.repeat(40)];
  const listed = (...entries: [modes: string, status: string, path: string][]) =>
    entries.map(([modes, status, path]) => `:${modes} ${oid} ${zeros} ${status}\0${path}\0`).join('');

  it('tells what became of each file, and which are submodules', () => {
    const entries = listed(
      ['000000 100644', 'A', 'new'],
      ['100644 000000', 'D', 'gone'],
      ['100644 100755', 'M', 'a b\nc'],
      ['100644 120000', 'T', 'link'],
      ['000000 160000', 'A', 'module'],
      ['160000 000000', 'D', 'old module'],
      ['160000 160000', 'M', 'moved module'],
    );
    assert.deepEqual(
      parseTracked(entries).map(({ kind, path, isSubmodule }) => [kind, path, isSubmodule]),
      [
        ['added', 'new', false],
        ['deleted', 'gone', false],
        ['modified', 'a b\nc', false],
        ['modified', 'link', false],
        ['added', 'module', true],
        ['deleted', 'old module', true],
        ['modified', 'moved module', true],
      ],
    );
    assert.deepEqual(parseTracked(''), []);
  });

  it('leaves out an entry without a path', () => {
    assert.deepEqual(parseTracked(`${listed(['000000 100644', 'A', 'new'])}:000000 100644`), [
      { path: 'new', kind: 'added', isSubmodule: false, stored: undefined },
    ]);
  });

  it('has paths that end with NUL', () => {
    assert.deepEqual(parsePaths('a\0b c\0'), ['a', 'b c']);
    assert.deepEqual(parsePaths(''), []);
  });

  it('has files that are sent by default: those that git tracks, without possible secrets', () => {
    const file = { path: 'a', kind: 'modified', size: 1, secret: undefined } as const;
    assert.ok(isSentByDefault(file));
    assert.ok(!isSentByDefault({ ...file, kind: 'untracked' }));
    assert.ok(!isSentByDefault({ ...file, secret: 'name' }));
  });
});

describe('changes that go out', () => {
  let sandbox: TestSandbox;
  let git: LocalGit;
  const files = {
    'a.txt': '1\n2\n3\n',
    'b.txt': 'b\n',
    'crlf.txt': '1\r\n2\r\n',
    'gone.txt': 'gone\n',
    'x.bin': Buffer.from([0, 1]),
  };

  beforeEach(() => {
    sandbox = new TestSandbox();
    sandbox.clone(files);
    sandbox.git('', 'clone', '--quiet', 'origin', 'here');
    git = new LocalGit('git', sandbox.at('here'));
  });
  afterEach(() => sandbox.dispose());

  const outgoing = () => git.outgoing('origin', 'origin/main', never);
  const kinds = ({ files: found }: Outgoing) =>
    Object.fromEntries(found.map(({ path, kind }) => [path, kind]));
  const send = async (paths?: string[]) => {
    const found = await outgoing();
    const chosen = found.files.filter(({ path }) => paths?.includes(path) ?? true);
    const { content, tree } = await git.patch(found.base, chosen, never);
    const parcel: Parcel = {
      id: 'test',
      repository: 'me/shop',
      base: found.base,
      branch: found.branch,
      tree,
    };
    const steps: DeliveryStep[] = [];
    const place = { workspace: sandbox.workspace, workingDir: sandbox.at('work') };
    const go = () =>
      deliver(
        parcel,
        content,
        () => Promise.resolve(place),
        (step) => steps.push(step),
        never,
      );
    return { go, steps, parcel };
  };
  const contents = (folder: string) =>
    Object.fromEntries(
      readdirSync(sandbox.at(folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('.git') && statSync(sandbox.at(folder, name)).isFile())
        .sort()
        .map((name) => {
          const full = sandbox.at(folder, name);
          return [
            name,
            `${(statSync(full).mode & 0o100) === 0 ? '' : 'x '}${readFileSync(full).toString('base64')}`,
          ];
        }),
    );
  /** Commits, stages, edits, and adds some of everything. */
  const work = () => {
    sandbox.write('here/committed.txt', 'committed\n');
    sandbox.write('here/a.txt', '0\n1\n2\n3\n');
    sandbox.commit('here', 'Not pushed');
    sandbox.write('here/staged file.txt', 'staged\n');
    sandbox.git('here', 'add', '--all');
    sandbox.write('here/a.txt', '0\n1\n2\nthree');
    sandbox.write('here/crlf.txt', '1\r\ntwo\r\n');
    sandbox.write('here/x.bin', Buffer.from([0, 13, 10, 255]));
    chmodSync(sandbox.at('here/b.txt'), 0o755);
    rmSync(sandbox.at('here/gone.txt'));
    sandbox.write('here/new/ünï "q".txt', 'untracked');
    sandbox.write('here/empty.txt', '');
    symlinkSync('a.txt', sandbox.at('here/link'));
  };

  it('lists what the remote doesn’t have, and leaves index and objects as they are', async () => {
    work();
    const before = sandbox.snapshot('here');
    const found = await outgoing();
    assert.equal(found.base, sandbox.git('origin', 'rev-parse', 'HEAD'));
    assert.equal(found.branch, 'main');
    assert.equal(found.commits, 1);
    assert.deepEqual(kinds(found), {
      'a.txt': 'modified',
      'b.txt': 'modified',
      'committed.txt': 'added',
      'crlf.txt': 'modified',
      'gone.txt': 'deleted',
      'staged file.txt': 'added',
      'x.bin': 'modified',
      'empty.txt': 'untracked',
      link: 'untracked',
      'new/ünï "q".txt': 'untracked',
    });
    await git.patch(found.base, found.files, never);
    assert.deepEqual(sandbox.snapshot('here'), before);
  });

  it('makes the sandbox’s files the same, byte for byte, without committing', async () => {
    work();
    const { go, steps } = await send();
    await go();
    assert.deepEqual(steps, ['reaching', 'uploading', 'applying']);
    assert.deepEqual(contents('work/shop'), contents('here'));
    assert.equal(sandbox.git('work/shop', 'rev-parse', 'HEAD'), sandbox.git('origin', 'rev-parse', 'HEAD'));
    assert.equal(sandbox.git('work/shop', 'diff', '--cached', '--name-only'), '');
  });

  it('can be repeated when the changes have arrived', async () => {
    work();
    const { go } = await send();
    await go();
    const before = contents('work/shop');
    await go();
    assert.deepEqual(contents('work/shop'), before);
  });

  it('sends only what was selected', async () => {
    work();
    await (await send(['a.txt'])).go();
    const found = contents('work/shop');
    assert.equal(found['a.txt'], Buffer.from('0\n1\n2\nthree').toString('base64'));
    assert.deepEqual(Object.keys(found), Object.keys(files).sort());
  });

  it('checks out the commit that the changes are based on', async () => {
    work();
    sandbox.write('origin/later.txt', 'later\n');
    sandbox.commit('origin', 'Later');
    sandbox.git('work/shop', 'pull', '--quiet');
    const { go, parcel } = await send();
    await go();
    assert.equal(sandbox.git('work/shop', 'rev-parse', 'HEAD'), parcel.base);
    assert.equal(sandbox.git('work/shop', 'symbolic-ref', '--short', 'HEAD'), 'main');
    assert.deepEqual(contents('work/shop'), contents('here'));
  });

  it('creates a branch that was never pushed, at the commit that the remote has', async () => {
    sandbox.git('here', 'checkout', '--quiet', '-b', 'idea');
    sandbox.write('here/idea.txt', 'idea\n');
    sandbox.commit('here', 'Idea');
    const { go, parcel } = await send();
    assert.equal(parcel.branch, 'idea');
    await go();
    assert.equal(sandbox.git('work/shop', 'branch', '--show-current'), 'idea');
    assert.deepEqual(contents('work/shop'), contents('here'));
  });

  it('sends the same whatever the user’s settings for diffs', async () => {
    work();
    const settings = { context: '0', noprefix: 'true', orderFile: 'none', renames: 'copies' };
    for (const [name, value] of Object.entries(settings))
      sandbox.git('here', 'config', `diff.${name}`, value);
    await (await send()).go();
    assert.deepEqual(contents('work/shop'), contents('here'));
  });

  it('uses its own repository in an editor that git started for another', async () => {
    sandbox.write('here/a.txt', 'mine\n');
    sandbox.create('other', { other: 'other\n' });
    const [dir, before] = [sandbox.at('other/.git'), process.env];
    process.env = { ...before, GIT_DIR: dir, GIT_WORK_TREE: '..', GIT_INDEX_FILE: `${dir}/index` };
    const found = await outgoing().finally(() => (process.env = before));
    assert.deepEqual(kinds(found), { 'a.txt': 'modified' });
  });

  it('never sends a file that git is to forget, and that stays here', async () => {
    sandbox.git('here', 'rm', '--quiet', '--cached', 'gone.txt');
    sandbox.write('here/.gitignore', 'gone.txt\n');
    sandbox.write('here/gone.txt', 'a secret\n');
    const found = await outgoing();
    const { content } = await git.patch(found.base, found.files.filter(isSentByDefault), never);
    assert.ok(!Buffer.from(content).includes('a secret'));
    await (await send()).go();
    assert.ok(!Object.keys(contents('work/shop')).includes('gone.txt'));
  });

  it('sends a deletion alone', async () => {
    rmSync(sandbox.at('here/gone.txt'));
    await (await send()).go();
    assert.deepEqual(contents('work/shop'), contents('here'));
  });

  it('sends a folder that a link or a file has taken the place of', async () => {
    sandbox.write('here/docs/a.txt', 'a\n');
    sandbox.write('here/lib/b.txt', 'b\n');
    sandbox.commit('here', 'Folders');
    sandbox.git('here', 'push', '--quiet', 'origin', 'main:folders');
    sandbox.git('work/shop', 'fetch', '--quiet');
    sandbox.git('here', 'mv', 'docs', 'manual');
    symlinkSync('manual', sandbox.at('here/docs'));
    rmSync(sandbox.at('here/lib'), { recursive: true });
    sandbox.write('here/lib', 'b\n');
    sandbox.git('here', 'add', '--all');
    const { go } = await send();
    await go();
    assert.equal(readlinkSync(sandbox.at('work/shop/docs')), 'manual');
    assert.deepEqual(contents('work/shop'), contents('here'));
    await go();
  });

  it('leaves a sandbox alone where files have changed already', async () => {
    work();
    sandbox.write('work/shop/a.txt', 'the agent’s\n');
    const before = contents('work/shop');
    const { go } = await send();
    await assert.rejects(
      go,
      (error) => error instanceof Refusal && error.message.includes('have changed already'),
    );
    assert.deepEqual(contents('work/shop'), before);
  });

  it('says so when the sandbox doesn’t have the base', async () => {
    work();
    const { go } = await send();
    rmSync(sandbox.at('work/shop'), { recursive: true });
    sandbox.create('work/shop', { other: 'repository' });
    await assert.rejects(
      go,
      (error) => error instanceof Refusal && error.message.includes('doesn’t have the commit'),
    );
  });

  it('refuses a repository that has nothing in common with its remote', async () => {
    sandbox.create('alone', { a: 'a' });
    const alone = new LocalGit('git', sandbox.at('alone'));
    await assert.rejects(alone.outgoing('origin', undefined, never), Refusal);
  });

  it('keeps possible secrets and untracked files out unless they are selected', async () => {
    sandbox.write('here/a.txt', `key = AKIAABCDEFGHIJKLMNOP\n`);
    sandbox.write('here/b.txt', 'changed\n');
    sandbox.write('here/.env', 'TOKEN=1\n');
    sandbox.write('here/big', Buffer.alloc(6 * 1024 * 1024));
    const found = await outgoing();
    assert.deepEqual(
      found.files.filter(isSentByDefault).map(({ path }) => path),
      ['b.txt'],
    );
    const secrets = found.files.flatMap(({ path, secret }) => (secret ? [[path, secret]] : []));
    assert.deepEqual(secrets.sort(), [
      ['.env', 'name'],
      ['a.txt', 'content'],
    ]);
    assert.deepEqual(found.left, [{ path: 'big', why: 'tooLarge' }]);
  });

  it('leaves out what git holds only pointers to', async () => {
    sandbox.write('here/.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n*.txt filter=other\n');
    for (const name of ['new.psd', 'a.txt']) sandbox.write(`here/${name}`, 'content\n');
    const found = await outgoing();
    assert.deepEqual(found.left, [{ path: 'new.psd', why: 'lfs' }]);
    assert.equal(kinds(found)['a.txt'], 'modified');
  });

  it('names what is below a folder that git takes for its own, tracked or not', async () => {
    const names = ['docs/.GIT/new', 'docs/git~1/gone', 'docs/git~1/kept'];
    for (const name of names.slice(1)) sandbox.write(`here/${name}`, 'old\n');
    sandbox.git('here', '-c', 'core.protectNTFS=false', 'add', '--all');
    sandbox.git('here', '-c', 'core.protectNTFS=false', 'commit', '--quiet', '-m', 'Odd names');
    sandbox.git('here', '-c', 'core.protectNTFS=false', 'push', '--quiet', 'origin', 'main:odd');
    rmSync(sandbox.at('here/docs/git~1/gone'));
    for (const name of ['docs/.GIT/new', 'docs/git~1/kept', 'a.txt']) sandbox.write(`here/${name}`, 'new\n');
    const found = await git.outgoing('origin', 'origin/odd', never);
    assert.deepEqual(Object.keys(kinds(found)), ['a.txt']);
    assert.deepEqual(
      found.left.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
      names.map((path) => ({ path, why: 'git' })),
    );
  });

  it('leaves out only files whose filter or encoding fails here', async () => {
    sandbox.write(
      'here/.gitattributes',
      '*.crypt filter=crypt\n*.u16 working-tree-encoding=UTF-16\n*.ok filter=cat\n',
    );
    sandbox.git('here', 'config', 'filter.crypt.clean', 'no-such-program');
    sandbox.git('here', 'config', 'filter.crypt.required', 'true');
    sandbox.git('here', 'config', 'filter.cat.clean', 'cat');
    sandbox.git('here', 'config', 'filter.cat.required', 'true');
    for (const name of ['a.crypt', 'b c.crypt', 'bad.u16', 'fine.ok', 'a.txt'])
      sandbox.write(`here/${name}`, 'abc');
    sandbox.write('here/good.u16', Buffer.from('\uFEFFgood', 'utf16le'));
    symlinkSync('nowhere', sandbox.at('here/link.crypt'));
    const found = await outgoing();
    const left = ['a.crypt', 'b c.crypt', 'bad.u16'].map((path) => ({ path, why: 'filter' }));
    assert.deepEqual(found.left, left);
    const { go, parcel } = await send();
    await go();
    assert.equal(parcel.tree.length, 40);
    assert.equal(readFileSync(sandbox.at('work/shop/fine.ok'), 'utf8'), 'abc');
    assert.equal(readFileSync(sandbox.at('work/shop/good.u16'), 'utf16le').replace('\uFEFF', ''), 'good');
  });

  it('isn’t stopped by a filter that fails with a file that git has to look into', async () => {
    sandbox.write('origin/.gitattributes', '*.crypt filter=crypt\n');
    for (const name of ['same.crypt', 'other.crypt']) sandbox.write(`origin/${name}`, 'abc');
    sandbox.commit('origin', 'Filtered');
    sandbox.git('here', 'pull', '--quiet');
    sandbox.git('here', 'config', 'filter.crypt.clean', 'no-such-program');
    sandbox.git('here', 'config', 'filter.crypt.required', 'true');
    sandbox.write('here/other.crypt', 'xyz');
    // Older than all files: git looks into each of them.
    utimesSync(sandbox.at('here/.git/index'), 1, 1);
    sandbox.write('here/a.txt', 'changed\n');
    const { files: found, left } = await outgoing();
    assert.deepEqual(
      found.map(({ path }) => path),
      ['a.txt'],
    );
    assert.deepEqual(left, [{ path: 'other.crypt', why: 'filter' }]);
    await (await send()).go();
    assert.equal(readFileSync(sandbox.at('work/shop/a.txt'), 'utf8'), 'changed\n');
  });

  it('sends what git holds of files that a sparse checkout leaves out', async () => {
    sandbox.write('here/in/a', '1');
    sandbox.write('here/out/b', '1');
    sandbox.write('here/out/notes', `key = AKIAABCDEFGHIJKLMNOP\n`);
    sandbox.write('here/out/big', Buffer.alloc(6 * 1024 * 1024));
    chmodSync(sandbox.at('here/out/b'), 0o755);
    sandbox.commit('here', 'Not pushed');
    sandbox.git('here', 'sparse-checkout', 'set', 'in');
    const found = await outgoing();
    assert.deepEqual(kinds(found), { 'in/a': 'added', 'out/b': 'added', 'out/notes': 'added' });
    assert.equal(found.files.find(({ path }) => path === 'out/notes')?.secret, 'content');
    assert.deepEqual(found.left, [{ path: 'out/big', why: 'tooLarge' }]);
    await (await send()).go();
    assert.equal(readFileSync(sandbox.at('work/shop/out/b'), 'utf8'), '1');
    assert.notEqual(statSync(sandbox.at('work/shop/out/b')).mode & 0o100, 0);
  });

  for (const flag of ['--skip-worktree', '--assume-unchanged'])
    it(`never sends a file that git is to take for unchanged (${flag})`, async () => {
      sandbox.write('here/settings', 'committed');
      sandbox.write('here/b.txt', 'pushed\n');
      sandbox.commit('here', 'Not pushed');
      sandbox.git('here', 'update-index', flag, 'settings', 'a.txt');
      sandbox.write('here/settings', 'a secret');
      sandbox.write('here/a.txt', 'a secret');
      const found = await outgoing();
      assert.deepEqual(kinds(found), { settings: 'added', 'b.txt': 'modified' });
      const { content } = await git.patch(found.base, found.files, never);
      assert.ok(!Buffer.from(content).includes('a secret'));
      assert.ok(Buffer.from(content).includes('committed'));
    });

  it('sends an edit within the second of git’s last look that keeps the size', async () => {
    const [file, index] = [sandbox.at('here/b.txt'), sandbox.at('here/.git/index')];
    // A second that is long over, which the index is from, too.
    const then = 1_600_000_000;
    sandbox.git('here', 'config', 'core.trustCtime', 'false');
    utimesSync(file, then, then);
    sandbox.git('here', 'update-index', '--refresh');
    sandbox.write('here/b.txt', 'B\n');
    utimesSync(file, then, then);
    for (const late of [0, 0.9]) {
      utimesSync(index, then + late, then + late);
      assert.deepEqual(kinds(await outgoing()), { 'b.txt': 'modified' });
    }
    await (await send()).go();
    assert.equal(readFileSync(sandbox.at('work/shop/b.txt'), 'utf8'), 'B\n');
  });

  it('leaves nothing in the repository where its index is split', async () => {
    sandbox.git('here', 'config', 'core.splitIndex', 'true');
    sandbox.git('here', 'update-index', '--split-index');
    sandbox.write('here/a.txt', 'mine\n');
    const before = [...sandbox.snapshot('here/.git').keys()];
    await (await send()).go();
    assert.deepEqual([...sandbox.snapshot('here/.git').keys()], before);
  });

  it('is the same whatever git’s variables say', async () => {
    work();
    sandbox.create('other', { other: 'other\n' });
    const dir = sandbox.at('other/.git');
    const variables = {
      ...{ GIT_DIR: dir, GIT_COMMON_DIR: dir, GIT_WORK_TREE: '/', GIT_INDEX_FILE: `${dir}/index` },
      ...{
        GIT_OBJECT_DIRECTORY: `${dir}/objects`,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: '/nowhere',
        GIT_PREFIX: 'x/',
      },
      ...{
        GIT_DIFF_OPTS: '-u0',
        GIT_EXTERNAL_DIFF: 'false',
        GIT_NAMESPACE: 'x',
        GIT_CEILING_DIRECTORIES: '/',
      },
      ...{ GIT_LITERAL_PATHSPECS: '1', GIT_CONFIG_PARAMETERS: "'core.bare=true'", GIT_CONFIG_COUNT: 'x' },
      ...{
        GIT_DEFAULT_HASH: 'sha256',
        GIT_GRAFT_FILE: '/no',
        GIT_SHALLOW_FILE: '/no',
        GIT_ATTR_SOURCE: 'none',
      },
    };
    const before = process.env;
    process.env = { ...before, ...variables };
    const sent = await send().finally(() => (process.env = before));
    await sent.go();
    assert.deepEqual(contents('work/shop'), contents('here'));
  });

  for (const name of ['a:b', 'q"uo\\te', '"', ':', 'two\nlines', ' blank '])
    it(`goes out of a folder whose name is ${JSON.stringify(name)}`, async () => {
      sandbox.git('', 'clone', '--quiet', 'origin', name);
      git = new LocalGit('git', sandbox.at(name));
      sandbox.write(`${name}/a.txt`, 'mine\n');
      await (await send()).go();
      assert.equal(readFileSync(sandbox.at('work/shop/a.txt'), 'utf8'), 'mine\n');
    });

  it('stops when it is canceled', async () => {
    const canceled = AbortSignal.abort();
    await assert.rejects(git.outgoing('origin', undefined, canceled), { name: 'AbortError' });
  });
});
