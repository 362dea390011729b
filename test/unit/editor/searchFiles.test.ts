import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SearchFiles } from '../../../src/editor/searchFiles';

const [one, two] = ['https://one.example', 'https://two.example'];

describe('what is kept for the next search', () => {
  let folder: string;
  let files: SearchFiles;
  const all = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'search-'));
    files = new SearchFiles(folder, { conversations: 3, bytes: 1_000 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is there for its own service and conversation only', async () => {
    await files.write(one, 'a', { text: 'kept' });
    assert.deepEqual(await files.read(one, 'a'), { text: 'kept' });
    assert.equal(await files.read(two, 'a'), undefined);
    assert.equal(await files.read(one, '../a'), undefined);
    await files.remove(one, 'a');
    assert.equal(await files.read(one, 'a'), undefined);
  });

  it('has names that say nothing, and is only the user’s', async () => {
    await files.write(one, '../../outside', { text: 'kept' });
    const [file = ''] = await all();
    assert.ok(file.startsWith(folder));
    assert.match(file.slice(folder.length), /^[/\\][0-9a-f]{32}[/\\][0-9a-f]{32}\.json$/);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o077, 0);
  });

  it('stays within its bounds, oldest first', async () => {
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      const before = await all();
      await files.write(index % 2 ? one : two, id, { text: id });
      const [added = ''] = (await all()).filter((file) => !before.includes(file));
      await utimes(added, index, index);
    }
    await files.tidy();
    const kept = async (id: string) => (await files.read(one, id)) ?? (await files.read(two, id));
    assert.deepEqual(
      await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (id) => Boolean(await kept(id)))),
      [false, false, true, true, true],
    );
    await files.write(one, 'large', { text: 'x'.repeat(980) });
    await files.tidy();
    assert.equal((await all()).length, 1);
  });

  it('goes with its connection', async () => {
    await files.write(one, 'a', {});
    await files.write(two, 'a', {});
    await files.keepOnly([two]);
    assert.deepEqual([await files.read(one, 'a'), await files.read(two, 'a')], [undefined, {}]);
    await files.keepOnly([]);
    assert.deepEqual(await all(), []);
  });

  it('is nothing where it can’t be read or written', async () => {
    await files.write(one, 'a', {});
    const [file = ''] = await all();
    await writeFile(file, '{"half');
    assert.equal(await files.read(one, 'a'), undefined);
    const blocked = new SearchFiles(join(file, 'in a file'));
    await blocked.write(one, 'a', {});
    assert.equal(await blocked.read(one, 'a'), undefined);
    await blocked.remove(one, 'a');
    await blocked.tidy();
    await blocked.keepOnly([]);
  });
});
