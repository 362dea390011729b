import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cached } from '../../support/cache';
import { tempFolder, type TempFolder } from '../../support/lifetime';

describe('the cache of installations', () => {
  let cache: TempFolder;
  beforeEach(async () => (cache = await tempFolder()));
  afterEach(() => cache.remove());

  const install = (
    marker: number,
    content: string,
    ready: () => Promise<unknown> = () => Promise.resolve(),
  ) =>
    cached(
      'tool',
      marker,
      async (folder) => {
        await writeFile(path.join(folder, 'content'), content);
        await ready();
      },
      cache.path,
    );
  const contentOf = (folder: string) => readFile(path.join(folder, 'content'), 'utf8');

  it('builds once, and again for another marker', async () => {
    const folder = await install(1, 'first');
    assert.equal(await install(1, 'again'), folder);
    assert.equal(await contentOf(folder), 'first');
    await install(2, 'second');
    assert.equal(await contentOf(folder), 'second');
    assert.deepEqual(await readdir(cache.path), ['tool']);
  });

  for (const old of [[], [1]])
    it(`leaves what another run has installed in the meantime${old.length > 0 ? ' in place of an old one' : ''}`, async () => {
      for (const marker of old) await install(marker, 'old');
      let go: (value?: unknown) => void = () => undefined;
      let slow: Promise<string> | undefined;
      // The fast one begins once the slow one builds, or it might be complete before the slow one looks.
      await new Promise<void>((building) => {
        slow = install(2, 'slow', () => {
          building();
          return new Promise((resolve) => (go = resolve));
        });
      });
      const folder = await install(2, 'fast');
      go();
      assert.equal(await slow, folder);
      assert.equal(await contentOf(folder), 'fast');
      assert.deepEqual(await readdir(cache.path), ['tool']);
    });

  it('builds again what couldn’t be built', async () => {
    await assert.rejects(
      install(1, '', () => Promise.reject(new Error('no network'))),
      /no network/,
    );
    assert.equal(await contentOf(await install(1, 'later')), 'later');
  });
});
