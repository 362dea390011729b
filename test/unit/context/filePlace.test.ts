import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Address, filePlace } from '../../../src/features/context/model/filePlace';

const address = (scheme: string, at: string, authority = '', query = ''): Address => ({
  scheme,
  authority,
  path: at,
  query,
  fsPath: at,
});
const noLink = () => Promise.resolve(false);

describe('places of files on this computer', () => {
  let top: string;
  let work: string;
  const isInside = async (file: string, folders = [work]) => {
    const at = folders.map((folder) => address('file', folder));
    return (await filePlace(address('file', file), at, noLink)).isInside;
  };

  before(() => {
    top = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-workspace-test-')));
    work = path.join(top, 'work');
    for (const folder of ['work/src/deep', 'work-other', 'home/.ssh'])
      mkdirSync(path.join(top, folder), { recursive: true });
    for (const file of ['work/a.ts', 'work/src/b.ts', 'work/..c.ts', 'work-other/a.ts', 'home/.ssh/id_rsa'])
      writeFileSync(path.join(top, file), 'text');
    symlinkSync(path.join(top, 'home'), path.join(work, 'linked'), 'junction');
    symlinkSync(path.join(work, 'src', 'deep'), path.join(work, 'short'), 'junction');
    symlinkSync(work, path.join(top, 'opened'), 'junction');
  });
  after(() => rmSync(top, { recursive: true, force: true }));

  it('are in the workspace however they are written and whichever way they are reached', async () => {
    for (const file of ['work/a.ts', 'work/src/../a.ts', 'work//src/b.ts', 'work/..c.ts', 'opened/a.ts'])
      assert.equal(await isInside(`${top}/${file}`), true, file);
    assert.equal(await isInside(`${work}/a.ts`, [`${top}/opened`]), true);
    assert.equal(await isInside(`${work}/a.ts`, [`${top}/home`, `${work}/`]), true);
    assert.equal(await isInside(`${work}/a.ts`, [path.parse(top).root]), true);
  });

  it('are outside if dots or links lead out, or if that can’t be determined', async () => {
    for (const file of [
      'home/.ssh/id_rsa',
      'work/../home/.ssh/id_rsa',
      'work/src/../../home/.ssh/id_rsa',
      'work/linked/.ssh/id_rsa',
      // The editor goes up from the link itself.
      'work/short/../../home/.ssh/id_rsa',
      'work-other/a.ts',
      'work',
      'work/none.ts',
      'work/a.ts\0',
    ])
      assert.equal(await isInside(`${top}/${file}`), false, file);
    assert.equal(await isInside(`${work}/a.ts`, []), false);
    assert.equal(await isInside(`${work}/a.ts`, [`${top}/none`]), false);
  });

  it('are outside if only their case differs from the workspace’s, on case-sensitive disks', async function () {
    const other = path.join(top, 'WORK');
    try {
      mkdirSync(other);
    } catch {
      this.skip();
    }
    writeFileSync(path.join(other, 'a.ts'), 'text');
    assert.equal(await isInside(path.join(other, 'a.ts')), false);
  });

  it('have the path that links lead to, too', async () => {
    const place = (file: string) => filePlace(address('file', file), [], noLink);
    const given = path.join(work, 'linked', '.ssh', 'id_rsa');
    assert.deepEqual((await place(given)).paths, [given, path.join(top, 'home', '.ssh', 'id_rsa')]);
    assert.deepEqual((await place(`${work}/src/../a.ts`)).paths, [path.join(work, 'a.ts')]);
  });

  it('aren’t looked at on another computer, unless it has a folder of the workspace', async () => {
    const given = path.join(work, 'linked', '.ssh', 'id_rsa');
    const file = address('file', given, 'other.example');
    const elsewhere = [address('file', top), address('file', top, 'third.example')];
    assert.deepEqual(await filePlace(file, elsewhere, noLink), { paths: [given], isInside: false });
    const { paths, isInside } = await filePlace(file, [address('file', top, 'other.example')], noLink);
    assert.deepEqual([paths.length, isInside], [2, true]);
  });
});

describe('places of files elsewhere', () => {
  const host = 'ssh-remote+host';
  const folder = address('vscode-remote', '/work', host);
  const isInside = async (file: Address, links: readonly string[] = []) =>
    (await filePlace(file, [folder], (one) => Promise.resolve(links.includes(one)))).isInside;

  it('are in the workspace by scheme, host, and path', async () => {
    assert.equal(await isInside(address('vscode-remote', '/work/src/a.ts', host)), true);
    for (const file of [
      address('file', '/work/src/a.ts'),
      address('file', '/work/src/a.ts', host),
      address('git', '/work/src/a.ts', host),
      address('vscode-remote', '/work/src/a.ts', 'ssh-remote+other'),
      address('vscode-remote', '/work/src/a.ts', host, 'path=/etc/passwd'),
      address('vscode-remote', '/work/../etc/passwd', host),
      address('vscode-remote', '/work/..\\..\\etc\\passwd', host),
      address('vscode-remote', '/work-other/a.ts', host),
      address('vscode-remote', '/Work/src/a.ts', host),
      address('vscode-remote', '/work', host),
      address('untitled', 'Untitled-1'),
    ])
      assert.deepEqual(
        await filePlace(file, [folder], noLink),
        { paths: [file.path], isInside: false },
        JSON.stringify(file),
      );
  });

  it('are outside if links are on the way, or may be', async () => {
    const file = address('vscode-remote', '/work/src/a.ts', host);
    for (const link of ['/work/src', '/work/src/a.ts']) assert.equal(await isInside(file, [link]), false);
    // The workspace itself may be one.
    assert.equal(await isInside(file, ['/work']), true);
    const { isInside: isKnown } = await filePlace(file, [folder], () => Promise.reject(new Error('gone')));
    assert.equal(isKnown, false);
  });
});
