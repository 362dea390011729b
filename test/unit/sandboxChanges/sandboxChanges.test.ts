import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { blobHash } from '../../../src/features/sandboxChanges/model/blobHash';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import type { ChangedFile } from '../../../src/features/sandboxChanges/model/changeSet';
import {
  findRepositories,
  readRepositories,
  SandboxChanges,
} from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { Refusal } from '../../../src/core/basics/refusal';
import { TestSandbox, until, noTerminal } from '../changes/support';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
/** When conversations begin in these tests: before anything that the tests make. */
const at = Date.now() - 3_600_000;
const kinds = (files: readonly ChangedFile[]) =>
  files.map(({ path, oldPath, kind }) => [kind, path, ...(oldPath === undefined ? [] : [oldPath])]);

describe('what a sandbox tells of changes', () => {
  const mebibyte = 1024 * 1024;
  const oid = blobHash(Buffer.from('x'));
  /** What the sandbox answers, one after the other. */
  let answers: string[];
  let asked: { folder: string; maxBytes: number }[];
  const workspace: SandboxWorkspace = {
    execute: ({ command, cwd }) => {
      if (!command.startsWith('rm ')) asked.push({ folder: cwd, maxBytes: 0 });
      return Promise.resolve({ exitCode: 0, stdout: '/tmp/agent-workspace-answer-a', stderr: '' });
    },
    download: (_file, { maxBytes }) => {
      asked.at(-1)!.maxBytes = maxBytes;
      return Promise.resolve(Buffer.from(answers.shift() ?? assert.fail('asked once more')));
    },
    downloadPiece: () => assert.fail('nothing is read in pieces'),
    upload: () => assert.fail('nothing is written'),
    terminal: noTerminal,
  };
  beforeEach(() => ([answers, asked] = [[], []]));

  const listing = (root: string, ...added: string[]) => {
    const raw = added.map((path) => `:000000 100644 ${'0'.repeat(40)} ${oid} A\0${path}\0`);
    const fields = [root, '', 'a'.repeat(40), 'remote', 'b'.repeat(40), '0', '0', '0', '0', '0'];
    return `${fields.join('\0')}\0${raw.join('')}`;
  };
  const listed = (code: number, content: string) => `${code}\0${content.length}\0${content}`;
  const allOf = (...parts: string[]) => `${parts.join('')}0\0`;
  const readAll = () =>
    readRepositories(workspace, { folder: '/work', branch: null, at: null }, new ContentCache());
  const shop = () =>
    new SandboxChanges(
      workspace,
      { root: '/work/shop', folder: '/work', branch: null, at: null },
      new ContentCache(),
    );
  const version = (size: number | null) => ({ oid, mode: '100644' as const, size });
  const content = `${oid} blob 1\nx\n`;

  it('may have 32 MiB, and is asked for in the agent’s folder', async () => {
    answers = ['', allOf(), listing('/work/shop')];
    await findRepositories(workspace, '/work');
    await readAll();
    await shop().list();
    const maxBytes = 32 * mebibyte;
    assert.deepEqual(asked, [
      { folder: '/work', maxBytes },
      { folder: '/work', maxBytes },
      { folder: '/work', maxBytes },
    ]);
  });

  it('is in the order of the repositories', async () => {
    const roots = ['/work/b', '/work/a', '/work/c'];
    answers = [
      roots.map((root) => `${root}\0of ${root}\0`).join(''),
      allOf(...roots.map((root) => listed(0, listing(root)))),
    ];
    assert.deepEqual(
      await findRepositories(workspace, '/work'),
      roots.toSorted().map((root) => ({ root, remote: `of ${root}` })),
    );
    assert.deepEqual(
      (await readAll()).map(({ changes }) => [changes.repository.root, changes.complete]),
      roots.toSorted().map((root) => [root, true]),
    );
  });

  it('is shown though one repository can’t be read and another has no changes', async () => {
    answers = [
      allOf(listed(0, listing('/work/a')), listed(128, '/work/c'), listed(0, listing('/work/b', 'new'))),
    ];
    assert.deepEqual(
      (await readAll()).map(({ changes }) => [
        changes.repository.root,
        changes.files.length,
        changes.complete,
        changes.unread,
      ]),
      [
        ['/work/a', 0, false, ['/work/c']],
        ['/work/b', 1, false, ['/work/c']],
      ],
    );
  });

  it('is refused where it can’t be read', async () => {
    answers = ['x', 'x'];
    await assert.rejects(readAll(), Refusal);
    await assert.rejects(shop().list(), Refusal);
  });

  it('has contents as long as they were listed, or as long as any may be', async () => {
    answers = [content, content, content];
    for (const size of [1, null, 20 * mebibyte]) assert.equal(text(await shop().content(version(size))), 'x');
    assert.deepEqual(
      asked.map(({ maxBytes }) => maxBytes),
      [1, 20 * mebibyte, 20 * mebibyte].map((size) => size + 200),
    );
  });

  it('isn’t asked for contents that stay where they are: too large, or without a hash', async () => {
    const large = version(20 * mebibyte + 1);
    await assert.rejects(shop().content(large), Refusal);
    for (const size of [1, null])
      await assert.rejects(shop().content({ ...version(size), oid: '' }), Refusal);
    assert.deepEqual(asked, []);
  });

  it('is asked once for contents, and again after an answer without them', async () => {
    const source = shop();
    answers = [`${oid} missing\n`, `${oid} blob 1\ny\n`, content];
    await assert.rejects(source.content(version(1)), Refusal);
    await assert.rejects(source.content(version(1)), Refusal);
    for (const again of [1, 2]) assert.equal(text(await source.content(version(1))), 'x', `${again}`);
    assert.equal(asked.length, 3);
  });
});

describe('changes in a sandbox', () => {
  let sandbox: TestSandbox;
  beforeEach(() => (sandbox = new TestSandbox()));
  afterEach(() => sandbox.dispose());

  const changes = (branch: string | null = null, root = sandbox.at('work/shop')) =>
    new SandboxChanges(sandbox.workspace, { root, folder: root, branch, at }, new ContentCache());
  const list = (branch: string | null = null) => changes(branch).list();
  const put = (name: string, content: string | Uint8Array) => sandbox.write(`work/shop/${name}`, content);
  const git = (...args: string[]) => sandbox.git('work/shop', ...args);

  /** The contents of all sides, by kind of side and path. */
  async function contentsOf(source: SandboxChanges): Promise<Record<string, string>> {
    const { files } = await source.list();
    const sides = files.flatMap(({ path, oldPath, before, after }) => [
      ...(before ? [[`before ${oldPath ?? path}`, before] as const] : []),
      ...(after ? [[`after ${path}`, after] as const] : []),
    ]);
    const read = sides.map(async ([name, version]) => [name, text(await source.content(version))] as const);
    return Object.fromEntries(await Promise.all(read));
  }

  it('are what was committed, staged, edited, and added since the clone', async () => {
    sandbox.clone({
      'committed.txt': '1\n',
      'staged.txt': '1\n',
      'edited.txt': '1\n',
      'gone.txt': 'x\n',
      same: '',
    });
    put('committed.txt', '2\n');
    sandbox.commit('work/shop', 'Two');
    put('staged.txt', '2\n');
    git('add', 'staged.txt');
    put('staged.txt', '3\n');
    put('edited.txt', '2\n');
    put('new.txt', 'new\n');
    rmSync(sandbox.at('work/shop/gone.txt'));
    const source = changes();
    const { repository, files, complete } = await source.list();
    assert.deepEqual(kinds(files), [
      ['modified', 'committed.txt'],
      ['modified', 'edited.txt'],
      ['deleted', 'gone.txt'],
      ['added', 'new.txt'],
      ['modified', 'staged.txt'],
    ]);
    assert.equal(complete, true);
    assert.deepEqual(repository, {
      root: sandbox.at('work/shop'),
      name: 'shop',
      remote: sandbox.at('origin'),
      base: sandbox.git('origin', 'rev-parse', 'HEAD'),
      basis: 'remote',
      head: git('rev-parse', 'HEAD'),
    });
    assert.deepEqual(await contentsOf(source), {
      'before committed.txt': '1\n',
      'after committed.txt': '2\n',
      'before edited.txt': '1\n',
      'after edited.txt': '2\n',
      'before gone.txt': 'x\n',
      'after new.txt': 'new\n',
      'before staged.txt': '1\n',
      'after staged.txt': '3\n',
    });
  });

  for (const flag of ['--assume-unchanged', '--skip-worktree'])
    it(`have files that git was told not to look at, with ${flag}`, async () => {
      sandbox.clone({
        'edited.txt': '1\n',
        'same.txt': '1\n',
        'd/two\nlines': '1\n',
        'gone.txt': '1\n',
        'plain.txt': '1\n',
      });
      git('update-index', flag, 'edited.txt', 'same.txt', 'd/two\nlines', 'gone.txt');
      put('edited.txt', '2\n');
      put('d/two\nlines', '2\n');
      put('plain.txt', '2\n');
      rmSync(sandbox.at('work/shop/gone.txt'));
      const before = sandbox.snapshot('work/shop');
      const source = changes();
      const found = await contentsOf(source);
      assert.deepEqual(sandbox.snapshot('work/shop'), before);
      // A sparse checkout leaves files out, which are as they were.
      const gone = flag === '--skip-worktree' ? {} : { 'before gone.txt': '1\n' };
      assert.deepEqual(found, {
        ...gone,
        'before d/two\nlines': '1\n',
        'after d/two\nlines': '2\n',
        'before edited.txt': '1\n',
        'after edited.txt': '2\n',
        'before plain.txt': '1\n',
        'after plain.txt': '2\n',
      });
    });

  it('are renames, modes, links, and binaries as what they are', async () => {
    const long = 'line\n'.repeat(50);
    sandbox.clone({ 'old.txt': long, tool: '#!/bin/sh\n', file: 'a', binary: Uint8Array.of(0, 255, 13, 10) });
    renameSync(sandbox.at('work/shop/old.txt'), sandbox.at('work/shop/new.txt'));
    put('new.txt', `${long}more\n`);
    chmodSync(sandbox.at('work/shop/tool'), 0o755);
    rmSync(sandbox.at('work/shop/file'));
    symlinkSync('../elsewhere', sandbox.at('work/shop/file'));
    put('binary', Uint8Array.of(0, 254, 13, 10));
    const source = changes();
    const { files } = await source.list();
    assert.deepEqual(kinds(files), [
      ['modified', 'binary'],
      ['modified', 'file'],
      ['renamed', 'new.txt', 'old.txt'],
      ['modeChanged', 'tool'],
    ]);
    const after = new Map(files.map((file) => [file.path, file.after]));
    assert.deepEqual([after.get('file')?.mode, after.get('tool')?.mode], ['120000', '100755']);
    assert.equal(after.get('binary')?.size, 4);
    assert.equal(text(await source.content(after.get('file')!)), '../elsewhere');
    assert.deepEqual(await source.content(after.get('binary')!), Uint8Array.of(0, 254, 13, 10));
  });

  it('keep carriage returns, mixed ends of lines, and a missing newline at the end', async () => {
    sandbox.clone({ a: 'one\r\ntwo\nthree', b: '' });
    put('a', 'one\r\ntwo\r\nthree\n');
    put('b', '\ufeffx\r');
    assert.deepEqual(await contentsOf(changes()), {
      'before a': 'one\r\ntwo\nthree',
      'after a': 'one\r\ntwo\r\nthree\n',
      'before b': '',
      'after b': '\ufeffx\r',
    });
  });

  it('have files of any name', async () => {
    const names = [
      ' ',
      '"',
      "'",
      '$(touch hacked)',
      '-rf',
      '`x`',
      'a\nb',
      'a\tb',
      'b\\c',
      'né',
      '\u{1f600}',
      'x;y',
    ];
    sandbox.clone({ ...Object.fromEntries(names.map((name) => [name, '1'])), zz: '' });
    for (const name of names) put(name, name);
    put(':(top)new', ':');
    put('sub dir/*.ts', '*');
    const contents = await contentsOf(changes());
    for (const name of [...names]) {
      assert.equal(contents[`before ${name}`], '1', name);
      assert.equal(contents[`after ${name}`], name, name);
    }
    assert.equal(contents['after :(top)new'], ':');
    assert.equal(contents['after sub dir/*.ts'], '*');
    assert.ok(!readdirSync(sandbox.at('work/shop')).includes('hacked'));
  });

  it('name files whose names aren’t UTF-8, and have their contents', async () => {
    sandbox.clone({ a: '' });
    const name = Buffer.concat([Buffer.from(`${sandbox.at('work/shop')}/caf`), Buffer.of(0xe9)]);
    writeFileSync(name, 'coffee');
    const source = changes();
    const [file] = (await source.list()).files;
    assert.deepEqual([file?.path, file?.unreadableName], ['caf\\351', true]);
    assert.equal(text(await source.content(file!.after!)), 'coffee');
  });

  it('are read in a folder of any name', async () => {
    sandbox.create("work/it's", { b: 'new' });
    const source = changes(null, sandbox.at("work/it's"));
    const { repository, files } = await source.list();
    assert.deepEqual([repository.root, kinds(files)], [sandbox.at("work/it's"), [['added', 'b']]]);
    assert.equal(text(await source.content(files[0]!.after!)), 'new');
  });

  it('leave out what is ignored', async () => {
    sandbox.clone({ '.gitignore': 'dist\n' });
    put('dist/out.js', '1');
    assert.deepEqual((await list()).files, []);
  });

  it('name a file of 100 MB with its size, and leave it where it is', async () => {
    sandbox.clone({ known: 'small', other: '' });
    for (const name of ['known', 'sub/new large']) {
      put(name, '');
      truncateSync(sandbox.at('work/shop', name), 100 * 1024 * 1024);
    }
    chmodSync(sandbox.at('work/shop/sub/new large'), 0o755);
    put('other', 'x');
    const source = changes();
    const { files } = await source.list();
    assert.deepEqual(kinds(files), [
      ['modified', 'known'],
      ['modified', 'other'],
      ['added', 'sub/new large'],
    ]);
    assert.deepEqual(files[2]?.after, { oid: '', mode: '100755', size: 100 * 1024 * 1024 });
    assert.equal(text(await source.content(files[0]!.before!)), 'small');
    await assert.rejects(source.content(files[0]!.after!), Refusal);
  });

  it('name submodules by their commit, and aren’t hurt by a repository without one', async () => {
    sandbox.clone({ a: '' });
    sandbox.create('work/shop/vendor', { inner: '1' });
    mkdirSync(sandbox.at('work/shop/empty'));
    sandbox.git('work/shop/empty', 'init', '--quiet');
    const { files, complete } = await list();
    const commit = sandbox.git('work/shop/vendor', 'rev-parse', 'HEAD');
    assert.deepEqual(files.find(({ path }) => path === 'vendor')?.after, {
      oid: commit,
      mode: '160000',
      size: null,
    });
    assert.equal(typeof complete, 'boolean');
  });

  it('change nothing in the repository by looking, neither files nor index, objects, and refs', async () => {
    sandbox.clone({ a: '1', b: '1', c: '1' });
    put('a', '2');
    git('add', 'a');
    put('b', '2');
    put('new', '3');
    const before = sandbox.snapshot('work/shop');
    await contentsOf(changes());
    await until(() => readdirSync(sandbox.at('tmp')).length === 0);
    assert.deepEqual(sandbox.snapshot('work/shop'), before);
    assert.equal(git('diff', '--cached', '--name-only'), 'a');
  });

  it('see an edit within the same second that keeps the size', async () => {
    sandbox.clone({ a: 'one' });
    put('a', 'two');
    git('add', 'a');
    put('a', 'six');
    const source = changes();
    const [file] = (await source.list()).files;
    assert.equal(text(await source.content(file!.after!)), 'six');
  });

  it('are listed while the agent holds the lock of the index', async () => {
    sandbox.clone({ a: '1' });
    put('a', '2');
    put('.git/index.lock', '');
    assert.equal((await list()).files.length, 1);
  });

  it('say so when a file has changed again since they were listed', async () => {
    sandbox.clone({ a: '1' });
    put('a', '2');
    const source = changes();
    const [file] = (await source.list()).files;
    put('a', '3');
    await assert.rejects(source.content(file!.after!), /has changed the file again/);
    assert.equal(text(await source.content(file!.before!)), '1');
  });

  it('refuse content that doesn’t have its hash', async () => {
    sandbox.clone({ a: '1' });
    put('a', '2');
    const execute = sandbox.workspace.execute.bind(sandbox.workspace);
    const source = changes();
    const [file] = (await source.list()).files;
    sandbox.workspace.execute = async (...args) => {
      const answer = await execute(...args);
      const content = Buffer.from(answer.stdout.slice(1, -1), 'base64');
      content[content.length - 2] = 0x39;
      return { ...answer, stdout: `=${content.toString('base64')}=` };
    };
    await assert.rejects(source.content(file!.after!), Refusal);
  });

  it('fetch many contents with few requests, and none again', async () => {
    sandbox.clone({ a: '' });
    for (let number = 0; number < 250; number += 1) put(`file ${number}`, `content ${number}`);
    const source = changes();
    await contentsOf(source);
    assert.equal(sandbox.commands.length, 3);
    const { files } = await source.list();
    await source.content(files[0]!.after!);
    assert.equal(sandbox.commands.length, 4);
  });

  it('stop waiting when they are canceled', async () => {
    sandbox.clone({ a: '1' });
    put('a', '2');
    const source = changes();
    const [file] = (await source.list()).files;
    const controller = new AbortController();
    const content = source.content(file!.after!, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(content, /enough/);
    await sandbox.ended();
  });

  it('say that a folder isn’t a repository, or is gone', async () => {
    await assert.rejects(changes(null, sandbox.at('work')).list(), /Git in the sandbox failed/);
    await assert.rejects(changes(null, sandbox.at('none')).list(), /its folder is gone/);
  });

  describe('the base of changes in a sandbox', () => {
    const baseOf = async (branch: string | null = null) => (await list(branch)).repository.base;
    const origin = (...args: string[]) => sandbox.git('origin', ...args);

    it('is the commit where the agent’s branch left the default branch', async () => {
      sandbox.clone({ a: '1' });
      git('checkout', '--quiet', '-b', 'work');
      sandbox.commit('work/shop', 'Two');
      sandbox.write('origin/b', '1');
      sandbox.commit('origin', 'Elsewhere');
      git('fetch', '--quiet');
      assert.equal(await baseOf(), origin('rev-parse', 'HEAD~1'));
    });

    it('is the newer upstream that the agent merged', async () => {
      sandbox.clone({ a: '1' });
      sandbox.write('origin/b', '1');
      sandbox.commit('origin', 'Elsewhere');
      git('pull', '--quiet');
      put('a', '2');
      const { repository, files } = await list();
      assert.equal(repository.base, origin('rev-parse', 'HEAD'));
      assert.deepEqual(kinds(files), [['modified', 'a']]);
    });

    it('is the branch that the conversation began on', async () => {
      sandbox.create('origin', { a: '1' });
      origin('checkout', '--quiet', '-b', 'feature/x');
      sandbox.write('origin/feature', '1');
      sandbox.commit('origin', 'Feature');
      origin('checkout', '--quiet', 'main');
      sandbox.git('', 'clone', '--quiet', 'origin', 'work/shop');
      git('checkout', '--quiet', 'feature/x');
      put('a', '2');
      assert.equal(await baseOf('feature/x'), origin('rev-parse', 'feature/x'));
      assert.equal(await baseOf("no'such branch"), origin('rev-parse', 'main'));
    });

    it('is what the remote had before the agent pushed to it', async () => {
      sandbox.clone({ a: '1' });
      const began = origin('rev-parse', 'HEAD');
      origin('config', 'receive.denyCurrentBranch', 'ignore');
      for (const message of ['Two', 'Three']) {
        put('a', message);
        sandbox.commit('work/shop', message);
        git('push', '--quiet');
      }
      assert.notEqual(origin('rev-parse', 'HEAD'), began);
      const { repository, files } = await list('main');
      assert.equal(repository.base, began);
      assert.deepEqual(kinds(files), [['modified', 'a']]);
    });

    it('is the default branch when the agent pushed a branch of its own', async () => {
      sandbox.clone({ a: '1' });
      git('checkout', '--quiet', '-b', 'fix');
      put('a', '2');
      sandbox.commit('work/shop', 'Two');
      git('push', '--quiet', '--set-upstream', 'origin', 'fix');
      assert.equal(await baseOf('fix'), origin('rev-parse', 'main'));
    });

    it('is nothing in a repository that began empty, before and after its first commit', async () => {
      mkdirSync(sandbox.at('work/shop'));
      git('init', '--quiet');
      put('a', '1');
      let { repository, files } = await list();
      assert.deepEqual([repository.base, repository.head, repository.remote], [null, null, null]);
      assert.deepEqual(kinds(files), [['added', 'a']]);
      sandbox.commit('work/shop', 'One');
      put('b', '1');
      ({ repository, files } = await list());
      assert.equal(repository.base, null);
      assert.equal(files.length, 2);
    });

    it('is the commit that was cloned once the remote is gone', async () => {
      sandbox.clone({ a: '1' });
      git('remote', 'remove', 'origin');
      put('a', '2');
      sandbox.commit('work/shop', 'Two');
      assert.equal(await baseOf(), origin('rev-parse', 'HEAD'));
    });

    it('is the same with a detached head, and with a shallow clone', async () => {
      sandbox.create('origin', { a: '1' });
      sandbox.commit('origin', 'Two');
      sandbox.git('', 'clone', '--quiet', '--depth=1', `file://${sandbox.at('origin')}`, 'work/shop');
      put('a', '3');
      sandbox.commit('work/shop', 'Three');
      git('checkout', '--quiet', '--detach');
      assert.equal(await baseOf(), origin('rev-parse', 'HEAD'));
    });

    it('is the remote’s tip when the histories have nothing in common', async () => {
      sandbox.clone({ a: '1' });
      git('checkout', '--quiet', '--orphan', 'new');
      assert.equal(await baseOf(), origin('rev-parse', 'HEAD'));
      sandbox.commit('work/shop', 'New');
      assert.equal(await baseOf(), origin('rev-parse', 'HEAD'));
    });
  });

  it('name the remote without the token in its address', async () => {
    sandbox.clone({ a: '1' });
    git('remote', 'set-url', 'origin', 'https://x-token:canary@github.com/acme/shop.git');
    assert.equal((await list()).repository.remote, 'https://github.com/acme/shop.git');
  });

  it('are as exact in a repository with SHA-256', async () => {
    mkdirSync(sandbox.at('work/shop'));
    git('init', '--quiet', '--object-format=sha256');
    put('a', 'x');
    const source = changes();
    const [file] = (await source.list()).files;
    assert.equal(file?.after?.oid, blobHash(Buffer.from('x'), 'sha256'));
    assert.equal(text(await source.content(file.after)), 'x');
  });

  it('have what git would commit where it converts ends of lines', async () => {
    sandbox.clone({ '.gitattributes': '* text=auto eol=crlf\n', a: 'one\n' });
    put('a', 'one\r\ntwo\r\n');
    const source = changes();
    const { files } = await source.list();
    assert.deepEqual(kinds(files), [['modified', 'a']]);
    assert.equal(text(await source.content(files[0]!.after!)), 'one\ntwo\n');
  });

  it('refuse an answer that was cut', async () => {
    sandbox.clone({ a: '1' });
    const execute = sandbox.workspace.execute.bind(sandbox.workspace);
    sandbox.workspace.execute = async (...args) => {
      const answer = await execute(...args);
      return { ...answer, stdout: answer.stdout.slice(0, -2) };
    };
    await assert.rejects(changes().list(), Refusal);
  });

  describe('of several repositories', () => {
    const readAll = (branch: string | null = null) =>
      readRepositories(sandbox.workspace, { folder: sandbox.at('work'), branch, at }, new ContentCache());
    const other = 'work/libs/other \'"$(x)\nnewline';

    beforeEach(() => {
      sandbox.clone({ a: '1' });
      sandbox.create(other, { b: '1' });
      sandbox.create('work/node_modules/dep', { c: '1' });
    });

    it('are listed with one question, without dependencies', async () => {
      put('a', '2');
      sandbox.write(`${other}/b`, '2');
      const all = await readAll("no'such branch");
      assert.equal(sandbox.commands.length, 1);
      assert.equal(sandbox.downloads.length, 0);
      assert.deepEqual(
        all.map(({ changes: { repository, files, complete } }) => [repository.root, complete, kinds(files)]),
        [
          [sandbox.at(other), true, [['added', 'b']]],
          [sandbox.at('work/shop'), true, [['modified', 'a']]],
        ],
      );
      const [last] = all[1]!.changes.files;
      assert.equal(text(await all[1]!.source.content(last!.after!)), '2');
      assert.deepEqual(readdirSync(sandbox.at('tmp')), []);
    });

    it('are downloaded if the list is long, and are the same then', async () => {
      for (let number = 0; number < 1_500; number += 1) put(`folder/with a long name/file ${number}`, '');
      const [, shop] = await readAll();
      assert.equal(sandbox.downloads.length, 1);
      assert.equal(shop!.changes.files.length, 1_500);
      assert.deepEqual((await list()).files, shop!.changes.files);
    });

    it('are incomplete where git can’t read one of them, and refused where that leaves nothing', async () => {
      writeFileSync(sandbox.at(other, '.git/HEAD'), 'broken');
      writeFileSync(sandbox.at(other, '.git/config'), '[broken');
      await assert.rejects(readAll(), /couldn’t read the agent’s repository/);
      put('a', '2');
      const all = await readAll();
      assert.deepEqual(
        all.map(({ changes: { repository, complete } }) => [repository.name, complete]),
        [['shop', false]],
      );
    });

    it('are none in a folder without repositories', async () => {
      const nothing = { folder: sandbox.at('tmp'), branch: null, at: null };
      assert.deepEqual(await readRepositories(sandbox.workspace, nothing, new ContentCache()), []);
    });

    it('say so when the answer can’t be read', async () => {
      sandbox.workspace.execute = () =>
        Promise.resolve({
          exitCode: 0,
          stdout: `=${Buffer.from('0\x0099\0x').toString('base64')}=`,
          stderr: '',
        });
      await assert.rejects(readAll(), /can’t be read/);
    });
  });

  it('are found in all repositories near the working folder, but not in dependencies', async () => {
    sandbox.clone({ a: '1' });
    sandbox.create('work/libs/other', { b: '1' });
    sandbox.create('work/node_modules/dep', { c: '1' });
    const other = { root: sandbox.at('work/libs/other'), remote: '' };
    const shop = { root: sandbox.at('work/shop'), remote: sandbox.at('origin') };
    assert.deepEqual(await findRepositories(sandbox.workspace, sandbox.at('work')), [other, shop]);
    assert.deepEqual(await findRepositories(sandbox.workspace, sandbox.at('work/shop')), [shop]);
  });
});
