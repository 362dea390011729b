import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LocalGit } from '../../../src/features/start/commands/localGit';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { deliver } from '../../../src/features/changes/model/delivering';
import { readRepositories } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { otherShells } from './shells';
import { type SandboxShell, TestSandbox } from './support';

const never = new AbortController().signal;
const at = Date.now() - 3_600_000;

describe('changes in a sandbox with the programs of another system', function () {
  this.timeout(120_000);
  const { shells, dispose } = otherShells();
  let sandbox: TestSandbox;
  afterEach(() => sandbox.dispose());
  after(dispose);

  /** Everything that a listing and its contents have, without what differs from folder to folder. */
  async function told(shell: SandboxShell | undefined): Promise<unknown> {
    sandbox = new TestSandbox(shell);
    sandbox.clone({
      ...{
        'a b': '1\n',
        gone: 'x',
        'run.sh': '#!\n',
        known: 'small',
        '.gitattributes': '*.crypt filter=crypt\n',
      },
      ...{ 'x.crypt': 'secret', 'moved away': Array.from({ length: 30 }, (_, line) => `${line}\n`).join('') },
    });
    const shop = (...names: string[]) => sandbox.at('work/shop', ...names);
    const put = (name: string, content: string | Buffer) =>
      sandbox.write(path.join('work/shop', name), content);
    const git = (...args: string[]) => sandbox.git('work/shop', ...args);
    git('mv', 'moved away', 'moved here');
    sandbox.commit('work/shop', 'Move');
    git('worktree', 'add', '--quiet', '-b', 'fix', sandbox.at('fixed elsewhere'));
    git('config', 'filter.crypt.required', 'true');
    git('config', 'filter.crypt.clean', 'no-such-program');
    put('x.crypt', 'changed');
    put('a b', '2\n');
    rmSync(shop('gone'));
    chmodSync(shop('run.sh'), 0o755);
    symlinkSync('a b', shop('link'));
    for (const name of [
      '-rf',
      'q"u\'o$te',
      'new\nline',
      ':(top)x',
      'tab\tend ',
      'ünï',
      '*.glob',
      'back\\slash',
    ])
      put(`odd/${name}`, name);
    writeFileSync(Buffer.concat([Buffer.from(`${shop()}/caf`), Buffer.of(0xe9)]), 'coffee');
    for (const name of ['known', 'big tool']) {
      put(name, '');
      truncateSync(shop(name), 30 * 1024 * 1024);
    }
    chmodSync(shop('big tool'), 0o755);
    sandbox.create('work/a/b/deep repository', { inner: '1' });
    sandbox.write('fixed elsewhere/fixed', '1');
    mkdirSync(sandbox.at('work/empty'));
    const all = await readRepositories(
      sandbox.workspace,
      { folder: sandbox.at('work'), branch: null, at },
      new ContentCache(),
    );
    return Promise.all(
      all.map(async ({ source, changes: { repository, files, ...rest } }) => {
        const sides = files.flatMap(({ path: name, before, after }) => [
          [name, before] as const,
          [name, after] as const,
        ]);
        const contents = sides.map(async ([name, version]) =>
          version && version.oid !== '' && version.mode !== '160000'
            ? [name, Buffer.from(await source.content(version)).toString('latin1')]
            : [name, null],
        );
        const { name, basis } = repository;
        return { name, basis, files, ...rest, contents: await Promise.all(contents) };
      }),
    );
  }

  let usual: unknown;
  before(async () => {
    usual = await told(undefined);
    sandbox.dispose();
    const listed = usual as { name: string; unread: string[]; files: { path: string }[] }[];
    assert.deepEqual(listed.map(({ name }) => name).toSorted(), [
      'deep repository',
      'fixed elsewhere',
      'shop',
    ]);
    const shop = listed.find(({ name }) => name === 'shop')!;
    assert.deepEqual(shop.unread, ['x.crypt']);
    assert.equal(shop.files.length, 16);
  });

  for (const [name, shell] of shells) {
    it(`are the same as with GNU’s (${name})`, async () => {
      assert.deepEqual(await told(shell), usual);
    });

    it(`arrive there, files of any name included (${name})`, async () => {
      sandbox = new TestSandbox(shell);
      sandbox.clone({ a: '1\n', gone: 'x\n', 'dir/gone too': 'x\n' });
      sandbox.git('', 'clone', '--quiet', 'origin', 'here');
      sandbox.write('here/a', '2\n');
      rmSync(sandbox.at('here/gone'));
      rmSync(sandbox.at('here/dir'), { recursive: true });
      sandbox.write('here/dir', 'now a file\n');
      for (const odd of ['-n', 'new\nline', 'ü b']) sandbox.write(`here/${odd}`, odd);
      const git = new LocalGit('git', sandbox.at('here'));
      const { base, branch, files } = await git.outgoing('origin', 'origin/main', never);
      const { content, tree } = await git.patch(base, files, never);
      const parcel = { id: `tools-${process.pid}`, repository: 'me/shop', base, branch, tree };
      const place = { workspace: sandbox.workspace, workingDir: sandbox.at('work') };
      for (const _time of [1, 2])
        await deliver(
          parcel,
          content,
          () => Promise.resolve(place),
          () => undefined,
          never,
        );
      sandbox.git('work/shop', 'add', '--all');
      assert.equal(sandbox.git('work/shop', 'write-tree'), tree);
    });
  }

  it('name a program that is missing', async () => {
    const [first] = shells.values();
    sandbox = new TestSandbox(first);
    sandbox.clone({ a: '1' });
    rmSync(path.join(first!.path, 'awk'));
    await assert.rejects(
      readRepositories(
        sandbox.workspace,
        { folder: sandbox.at('work'), branch: null, at },
        new ContentCache(),
      ),
      /doesn’t have the program awk/,
    );
  });
});
