import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Canaries } from '../../support/canary';
import { tempFolder } from '../../support/lifetime';

describe('canaries', () => {
  const canaries = new Canaries();
  const [one, other] = [canaries.make('one'), canaries.make('other')];

  it('are found in every encoding, anywhere, even truncated', () => {
    for (const before of ['', 'a', 'bc', 'def']) {
      const text = `${before}${one} and more`;
      for (const content of [
        text,
        text.slice(0, before.length + 12),
        Buffer.from(text, 'utf16le'),
        Buffer.from(text).toString('base64'),
        Buffer.from(text).toString('hex'),
        Buffer.concat([Buffer.from([0, 255, 7]), Buffer.from(text)]),
      ])
        assert.deepEqual(canaries.findIn(content), ['one'], String(content));
    }
    assert.deepEqual(canaries.findIn(`${other}${one}`), ['one', 'other']);
    assert.deepEqual(canaries.findIn('knr and nothing else'), []);
  });

  it('are found in the files of a folder at any depth', async () => {
    const folder = await tempFolder();
    await mkdir(path.join(folder.path, 'a', 'b'), { recursive: true });
    await writeFile(path.join(folder.path, 'a', 'b', '.hidden'), JSON.stringify({ deep: other }));
    await writeFile(path.join(folder.path, 'clean'), 'nothing');
    assert.deepEqual(
      [...(await canaries.findInFiles(folder.path))],
      [[path.join('a', 'b', '.hidden'), ['other']]],
    );
    await folder.remove();
  });
});
