import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import fc from 'fast-check';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { FileRefusal } from '../../../src/features/place/model/fileRefusal';
import { hashOf, largestFile, SandboxFiles } from '../../../src/features/place/model/files';
import { seeded } from '../changes/seeded';
import { otherShells } from '../changes/shells';
import { TestSandbox } from '../changes/support';

const bytes = (text: string) => new TextEncoder().encode(text);
const hostile = [
  'a b',
  'new\nline',
  'ends with one\n',
  'tab\t',
  '-rf',
  `q"u'o$te`,
  '$(touch gone)',
  '`id`',
  '*',
  'back\\slash',
  '.hidden',
  'ünï 😀',
  'x'.repeat(255),
];

const { shells, dispose } = otherShells();
for (const [name, shell] of [['GNU', undefined] as const, ...shells]) {
  describe(`files of a sandbox (${name})`, function () {
    this.timeout(120_000);
    let sandbox: TestSandbox;
    let files: SandboxFiles;
    let now: number;
    /** What the agent does between the upload of a save and its end. */
    let duringUpload: (() => void) | undefined;
    const at = (...names: string[]) => sandbox.at('work', ...names);
    beforeEach(() => {
      sandbox = new TestSandbox(shell);
      now = 0;
      duringUpload = undefined;
      files = filesOf();
    });
    afterEach(() => sandbox.dispose());

    const filesOf = () =>
      new SandboxFiles(
        () => Promise.resolve({ workspace: { ...sandbox.workspace, upload }, workingDir: at() }),
        () => now,
      );
    const upload: SandboxWorkspace['upload'] = async (file, content) => {
      await sandbox.workspace.upload(file, content);
      duringUpload?.();
    };
    const refuses = (work: Promise<unknown>, reason: FileRefusal['reason']) =>
      assert.rejects(work, (error) => error instanceof FileRefusal && error.reason === reason);

    it('lists a whole tree with one request, whatever the names', async () => {
      for (const one of hostile) sandbox.write(`work/folder/${one}`, one);
      mkdirSync(at('node_modules/inner'), { recursive: true });
      const names = [...(await files.list(at())).keys()].toSorted();
      assert.deepEqual(names, ['folder', 'node_modules']);
      const listed = await files.list(at('folder'));
      assert.deepEqual([...listed.keys()].toSorted(), hostile.toSorted());
      assert.equal(sandbox.commands.length, 1);
      for (const one of hostile) {
        assert.equal(listed.get(one)?.size, Buffer.byteLength(one));
        assert.equal(Buffer.from(await files.read(at('folder', one))).toString(), one);
      }
      assert.deepEqual([...(await files.list(at('node_modules'))).keys()], ['inner']);
    });

    it('lists nothing of terminals and uploads', async () => {
      sandbox.write('work/.agent-workspace/t/0/o/0', 'output');
      sandbox.write('work/.agent-workspace-answer-0/content', 'upload');
      sandbox.write('work/kept/.agent-workspaces', '');
      assert.deepEqual([...(await files.list(at(''))).keys()], ['kept']);
      assert.deepEqual([...(await files.list(at('kept'))).keys()], ['.agent-workspaces']);
    });

    it('sends nothing for what was listed two seconds ago', async () => {
      sandbox.write('work/a/b', '1');
      await files.list(at());
      now = 1_999;
      await files.stat(at('a/b'));
      assert.equal(sandbox.commands.length, 1);
      now = 2_000;
      await files.stat(at('a/b'));
      assert.equal(sandbox.commands.length, 2);
    });

    it('saves with an upload and one command, after which nothing is asked', async () => {
      for (let file = 0; file < 200; file += 1) sandbox.write(`work/src/dir ${file % 20}/${file}`, '1');
      sandbox.git('work', 'init', '--quiet');
      await files.list(at());
      const file = at('src/dir 3/3');
      const read = hashOf(await files.read(file));
      const before = [sandbox.commands.length, sandbox.downloads.length];
      now = 60_000;
      await files.write(file, bytes('more'), read);
      const { size, mode, isLink, kind } = await files.stat(file);
      assert.deepEqual([size, mode, isLink, kind], [4, statSync(file).mode & 0o7777, false, 'file']);
      assert.deepEqual(
        [sandbox.commands.length, sandbox.downloads.length],
        [(before[0] ?? 0) + 1, before[1]],
      );
      assert.equal(sandbox.uploads.length, 1);
      await files.write(at('src/new'), bytes('new'), null);
      assert.equal((await files.stat(at('src/new'))).size, 3);
      assert.deepEqual([sandbox.commands.length, sandbox.uploads.length], [(before[0] ?? 0) + 2, 2]);
      // Only what it lists itself says what is in a folder.
      now = 62_000;
      await files.stat(file);
      assert.equal(sandbox.commands.length, (before[0] ?? 0) + 3);
      await files.stat(at('src/dir 3/23'));
      assert.equal(sandbox.commands.length, (before[0] ?? 0) + 3);
      assert.equal((await files.list(at('src'))).size, 21);
      assert.equal(sandbox.commands.length, (before[0] ?? 0) + 4);
    });

    it('knows what it changed itself, without asking', async () => {
      for (const one of ['a', 'folder/b', 'other/c']) sandbox.write(`work/${one}`, one);
      for (const one of ['', 'folder', 'other']) await files.list(at(one));
      const [{ length: before }, { length: uploads }] = [sandbox.commands, sandbox.uploads];
      await files.createFolder(at('made'));
      await files.rename(at('a'), at('made/a'), false);
      await files.rename(at('other'), at('folder/b'), true);
      await files.rename(at('made/a'), at('folder/a'), false);
      await files.delete(at('made'), true);
      const names = async (one: string) => [...(await files.list(at(one))).keys()].toSorted();
      assert.deepEqual(await names(''), ['folder']);
      assert.deepEqual(await names('folder'), ['a', 'b']);
      assert.equal((await files.stat(at('folder/a'))).size, 1);
      assert.equal((await files.stat(at('folder/b'))).kind, 'folder');
      await refuses(files.stat(at('made')), 'missing');
      assert.deepEqual([sandbox.commands.length - before, sandbox.uploads.length], [5, uploads]);
      assert.deepEqual(await names('folder/b'), ['c']);
      // Where it leads isn’t known from its old place.
      symlinkSync('folder', at('link'));
      files.forget();
      await files.list(at());
      await files.rename(at('link'), at('folder/link'), false);
      assert.equal((await files.stat(at('folder/link'))).kind, 'other');
    });

    it('looks again, with one command, for what changed in the folders that were asked for', async () => {
      for (const one of hostile) sandbox.write(`work/${one}-folder`.slice(0, 255), 'x');
      for (const one of hostile.slice(0, -1)) sandbox.write(`work/in/${one}/a`, '1');
      for (const one of ['node_modules/inner/a', 'unseen/a', 'gone/a', 'turned/a'])
        sandbox.write(`work/${one}`, '1');
      await files.list(at());
      for (const one of [
        'node_modules/inner',
        'gone',
        'turned',
        ...hostile.slice(0, -1).map((name) => `in/${name}`),
      ])
        await files.list(at(one));
      assert.deepEqual(await files.refresh(at()), []);
      for (const one of hostile.slice(0, -1)) sandbox.write(`work/in/${one}/a`, '22');
      for (const one of ['node_modules/inner/a', 'unseen/a', 'new']) sandbox.write(`work/${one}`, '22');
      for (const one of ['gone', 'turned']) rmSync(at(one), { recursive: true });
      sandbox.write('work/turned', 'into a file');
      const before = sandbox.commands.length;
      const changes = await files.refresh(at());
      assert.equal(sandbox.commands.length, before + 1);
      assert.deepEqual(
        changes.map(({ path, kind }) => `${kind} ${path}`).toSorted(),
        [
          `created ${at('new')}`,
          `deleted ${at('gone')}`,
          `deleted ${at('turned')}`,
          `created ${at('turned')}`,
          ...['node_modules/inner', ...hostile.slice(0, -1).map((name) => `in/${name}`)].map(
            (one) => `changed ${at(one, 'a')}`,
          ),
        ].toSorted(),
      );
      // What was looked at is fresh, and what was never asked for isn’t shown anywhere.
      assert.equal((await files.list(at())).get('turned')?.kind, 'file');
      assert.equal(sandbox.commands.length, before + 1);
      assert.deepEqual(await files.refresh(at('unseen')), []);
      assert.equal(sandbox.commands.length, before + 1);
    });

    it('leaves a private file private while it’s saved', async () => {
      sandbox.write('work/secret', '1');
      chmodSync(at('secret'), 0o600);
      const read = hashOf(await files.read(at('secret')));
      duringUpload = () => {
        const scratch = sandbox.uploads.at(-1) ?? '';
        assert.equal(statSync(scratch.slice(0, scratch.lastIndexOf('/'))).mode & 0o77, 0);
      };
      await files.write(at('secret'), bytes('2'), read);
      assert.equal(statSync(at('secret')).mode & 0o777, 0o600);
    });

    it('says what kind of file each is', async () => {
      sandbox.write('work/file', '1234');
      mkdirSync(at('dir'));
      for (const target of ['file', 'dir', 'nothing']) symlinkSync(target, at(`to ${target}`));
      symlinkSync('loop', at('loop'));
      execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', at('pipe')]);
      chmodSync(at('file'), 0o751);
      const listed = await files.list(at());
      const told = Object.fromEntries([...listed].map(([one, { kind, isLink }]) => [one, [kind, isLink]]));
      assert.deepEqual(told, {
        file: ['file', false],
        dir: ['folder', false],
        'to file': ['file', true],
        'to dir': ['folder', true],
        'to nothing': ['other', true],
        loop: ['other', true],
        pipe: ['other', false],
      });
      assert.equal(listed.get('file')?.mode, 0o751);
      assert.equal(listed.get('to file')?.size, 4);
    });

    it('shows names that aren’t UTF-8', async () => {
      writeFileSync(Buffer.concat([Buffer.from(`${at()}/caf`), Buffer.of(0xe9)]), 'coffee');
      assert.deepEqual([...(await files.list(at())).keys()], ['caf\\xe9']);
    });

    it('never opens a pipe or a device, and never writes to one', async () => {
      execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', at('pipe')]);
      symlinkSync('pipe', at('to pipe'));
      symlinkSync('/dev/null', at('null'));
      for (const one of ['pipe', 'to pipe', 'null']) await refuses(files.read(at(one)), 'noFile');
      await refuses(files.write(at('pipe'), bytes('x'), hashOf(bytes(''))), 'noFile');
      await refuses(files.write(at('to pipe'), bytes('x'), hashOf(bytes(''))), 'noFile');
      await refuses(files.write(at('null'), bytes('x'), hashOf(bytes(''))), 'outside');
      assert.ok(lstatSync(at('pipe')).isFIFO());
    });

    it('creates a file, and doesn’t replace one', async () => {
      for (const one of hostile) await files.write(at('new', one), bytes(one), null);
      assert.deepEqual(readdirSync(at('new')).toSorted(), hostile.toSorted());
      for (const one of hostile) await refuses(files.write(at('new', one), bytes('other'), null), 'exists');
      for (const one of hostile) assert.equal(readFileSync(at('new', one), 'utf8'), one);
      symlinkSync('nothing', at('dangling'));
      await refuses(files.write(at('dangling'), bytes('x'), null), 'exists');
      assert.ok(!existsSync(at('nothing')));
    });

    it('says that a file is too large, before anything is sent', async () => {
      sandbox.write('work/a', 'old');
      const large = new Uint8Array(largestFile + 1);
      for (const expected of [null, hashOf(bytes('old'))])
        await assert.rejects(files.write(at('a'), large, expected), /larger than 100 MB/);
      assert.deepEqual([sandbox.uploads, sandbox.commands], [[], []]);
      assert.equal(readFileSync(at('a'), 'utf8'), 'old');
    });

    it('saves unless the content has changed since', async () => {
      sandbox.write('work/file', 'one\r\n');
      const read = hashOf(await files.read(at('file')));
      utimesSync(at('file'), 1, 1);
      await files.write(at('file'), bytes('two\r\n'), read);
      assert.equal(readFileSync(at('file'), 'utf8'), 'two\r\n');
      await refuses(files.write(at('file'), bytes('three'), read), 'changed');
      assert.equal(readFileSync(at('file'), 'utf8'), 'two\r\n');
      rmSync(at('file'));
      await refuses(files.write(at('file'), bytes('three'), read), 'missing');
      assert.ok(!existsSync(at('file')));
      mkdirSync(at('file'));
      await refuses(files.write(at('file'), bytes('three'), read), 'isFolder');
    });

    it('keeps the mode, the links and hard links of a file that it saves', async () => {
      for (const one of ['plain', 'target', 'twin']) sandbox.write(`work/${one}`, '1');
      chmodSync(at('plain'), 0o751);
      symlinkSync('target', at('link'));
      linkSync(at('twin'), at('other twin'));
      for (const one of ['plain', 'link', 'twin']) await files.write(at(one), bytes('2'), hashOf(bytes('1')));
      assert.equal(statSync(at('plain')).mode & 0o7777, 0o751);
      assert.equal(readlinkSync(at('link')), 'target');
      for (const one of ['plain', 'target', 'other twin']) assert.equal(readFileSync(at(one), 'utf8'), '2');
    });

    if (process.getuid?.() === 0)
      it('keeps the owner of a file that it saves', async () => {
        sandbox.write('work/file', '1');
        execFileSync('chown', ['1234:1235', at('file')]);
        await files.write(at('file'), bytes('2'), hashOf(bytes('1')));
        const { uid, gid } = statSync(at('file'));
        assert.deepEqual([uid, gid, readFileSync(at('file'), 'utf8')], [1234, 1235, '2']);
      });

    it('changes nothing outside of the agent’s folder', async () => {
      sandbox.write('elsewhere/file', '1');
      symlinkSync('../elsewhere', at('out'));
      symlinkSync('../elsewhere/file', at('file out'));
      const before = sandbox.snapshot('elsewhere');
      const read = hashOf(bytes('1'));
      for (const one of ['out/file', 'file out'])
        await refuses(files.write(at(one), bytes('2'), read), 'outside');
      await refuses(files.write(at('out/new'), bytes('2'), null), 'outside');
      await refuses(files.write(sandbox.at('elsewhere/file'), bytes('2'), read), 'outside');
      await refuses(files.write(`${at()}/../elsewhere/file`, bytes('2'), read), 'outside');
      await refuses(files.createFolder(at('out/new/newer')), 'outside');
      await refuses(files.delete(at('out/file'), true), 'outside');
      await refuses(files.delete(at(), true), 'outside');
      sandbox.write('work/mine', 'mine');
      await refuses(files.rename(at('mine'), at('out/mine'), true), 'outside');
      await refuses(files.rename(at('out/file'), at('file'), true), 'outside');
      assert.deepEqual(sandbox.snapshot('elsewhere'), before);
      await files.delete(at('out'), true);
      assert.deepEqual(sandbox.snapshot('elsewhere'), before);
    });

    it('renames, and replaces only what it may', async () => {
      for (const one of hostile) {
        sandbox.write(`work/${one}`, one);
        await files.rename(at(one), at('deep/er', one), false);
        assert.equal(readFileSync(at('deep/er', one), 'utf8'), one);
      }
      sandbox.write('work/one', '1');
      sandbox.write('work/two/inner', '2');
      await refuses(files.rename(at('one'), at('two'), false), 'exists');
      assert.equal(readFileSync(at('two/inner'), 'utf8'), '2');
      await refuses(files.rename(at('two'), at('two/in itself'), true), 'exists');
      await refuses(files.rename(at('two/inner'), at('two'), true), 'exists');
      assert.equal(readFileSync(at('two/inner'), 'utf8'), '2');
      await files.rename(at('one'), at('two'), true);
      assert.equal(readFileSync(at('two'), 'utf8'), '1');
      await refuses(files.rename(at('gone'), at('x'), true), 'missing');
    });

    it('deletes a link and not its target, and a full folder only if asked to', async () => {
      sandbox.write('work/dir/inner', '1');
      symlinkSync('dir', at('link'));
      await files.delete(at('link'), true);
      assert.ok(existsSync(at('dir/inner')));
      await refuses(files.delete(at('dir'), false), 'notEmpty');
      await files.delete(at('dir'), true);
      await refuses(files.delete(at('dir'), true), 'missing');
      await refuses(files.list(at('dir')), 'missing');
      await files.createFolder(at('one/two'));
      await refuses(files.createFolder(at('one/two')), 'exists');
      assert.ok(statSync(at('one/two')).isDirectory());
    });

    it('leaves nothing of its own behind', async () => {
      sandbox.git('work', 'init', '--quiet');
      await files.write(at('file'), bytes('1'), null);
      await refuses(files.write(at('file'), bytes('1'), null), 'exists');
      await new Promise((resolve) => setImmediate(resolve));
      await files.createFolder(at('more'));
      const left = () => readdirSync(at('.git')).filter((one) => one.includes('agent-workspace'));
      while (left().length > 0) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(readdirSync(at()).toSorted(), ['.git', 'file', 'more']);
    });

    if (name === 'GNU')
      it('loses no byte without a question, whatever both sides do', async () => {
        const name = fc.constantFrom('a', 'b', 'sub/c', 'sub/link');
        const deed = fc.constantFrom(
          'open',
          'save',
          'agent writes',
          'agent deletes',
          'agent writes during a save',
        );
        const steps = fc.array(fc.tuple(name, deed), { minLength: 2, maxLength: 12 });
        const runs = { numRuns: Number(process.env['AW_FILES_RUNS'] ?? 25) };
        let count = 0;
        const property = fc.asyncProperty(steps, async (all) => tryBoth(`run${(count += 1)}`, all));
        await fc.assert(property, seeded('AW_FILES_SEED', runs));
      }).timeout(600_000);

    /** The agent and a person edit files; a save may replace only what the person has seen. */
    async function tryBoth(folder: string, steps: readonly (readonly [string, string])[]): Promise<void> {
      mkdirSync(at(folder, 'sub'), { recursive: true });
      symlinkSync('../a', at(folder, 'sub/link'));
      const seen = new Map<string, string>();
      const content = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
      for (const [step, [one, deed]] of steps.entries()) {
        const file = at(folder, one);
        const write = () => writeFileSync(file, `agent ${step}`);
        if (deed === 'agent writes') write();
        else if (deed === 'agent deletes') rmSync(file, { force: true });
        else if (deed === 'open') {
          files.forget();
          if (existsSync(file)) seen.set(one, Buffer.from(await files.read(file)).toString());
        } else {
          const known = seen.get(one);
          const mine = `mine ${step}`;
          duringUpload = deed === 'save' ? undefined : write;
          const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
          const before = content(file);
          const saving = files.write(file, bytes(mine), known === undefined ? null : hashOf(bytes(known)));
          const error: unknown = await saving.then(
            () => undefined,
            (reason: unknown) => reason,
          );
          const there = duringUpload ? `agent ${step}` : before;
          duringUpload = undefined;
          const mayWrite = known === there && !(known === undefined && isLink);
          assert.equal(error === undefined, mayWrite, String(error));
          assert.ok(error === undefined || error instanceof FileRefusal, String(error));
          assert.equal(content(file), mayWrite ? mine : there);
          if (mayWrite) seen.set(one, mine);
        }
      }
    }
  });
}
after(dispose);
