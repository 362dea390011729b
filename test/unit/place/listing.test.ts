import assert from 'node:assert/strict';
import { parseEachListing, parseFolderListing } from '../../../src/features/place/model/listing';

const each = (text: string) => parseEachListing(Buffer.from(text));

describe('listings of several folders', () => {
  it('are read up to what isn’t an answer', () => {
    const found = each('same\n0 3 12 3\nabc2 0\n0 0 \n');
    assert.deepEqual(
      found.map((one) => (typeof one === 'object' ? [Buffer.from(one.answer).toString(), one.sum] : one)),
      ['same', ['abc', '12 3'], undefined, ['', '']],
    );
    // Each of these was read again and again, until no memory was left.
    for (const text of ['', 'same', '0 -3\n', '0 3', 'a b c\n', '0 1e1\n', '\0'.repeat(100)])
      assert.deepEqual(each(text), [], JSON.stringify(text));
    assert.deepEqual(each('same\n0 -9\n0 3 1\nabc'), ['same']);
  });
});

describe('the listing of a folder', () => {
  const told = (answer: string, isDeep: boolean) =>
    [...parseFolderListing(Buffer.from(answer, 'latin1'), isDeep)].flatMap(([folder, entries]) =>
      [...entries].map(([name, { kind, isLink, mode, size, modifiedAt }]) =>
        [`${folder}/${name}`, kind, isLink, mode.toString(8), size, modifiedAt].join(' '),
      ),
    );

  it('is read as GNU’s find and as stat print it', () => {
    const links = ['81a4 644 7 50 9 ./a//\n', '41ed 755 8 60 9 ./in/to//\n', '//\n'].join('');
    const gnu = [
      'f 640 3 1.0005 7 f 1',
      'l 777 1 2.5 7 a',
      'd 755 4 3 7 in',
      'l 777 1 2 7 in/to',
      'p 600 0 4 7 p',
    ];
    const stat = [
      ...['81a0 640 3 1 7 ./f 1//\n', 'a1ff 777 1 2 7 ./a//\n', '41ed 755 4 3 7 ./in//\n'],
      ...['a1ff 777 1 2 7 ./in/to//\n', '1180 600 0 4 7 ./p//\n'],
    ];
    const same = ['/a file true 644 7 50000', '/in folder false 755 4 3000', '/p other false 600 0 4000'];
    assert.deepEqual(told(`${links}G${gnu.map((one) => `${one}\0`).join('')}`, true), [
      ...['/f 1 file false 640 3 1001', ...same],
      'in/to folder true 755 8 60000',
    ]);
    assert.deepEqual(told(`${links}S${stat.join('')}`, true), [
      ...['/f 1 file false 640 3 1000', ...same],
      'in/to folder true 755 8 60000',
    ]);
  });

  it('ends where it was cut', () => {
    assert.deepEqual(told('//\nGf 640 3 1 7 a\0f 640 3 1 7 b', true), ['/a file false 640 3 1000']);
    assert.deepEqual(told('//\nS81a0 640 3 1 7 ./a//\n81a0 640 3 1 7 ./b', true), [
      '/a file false 640 3 1000',
    ]);
    for (const nothing of ['', '//\n', '//\nG', '//\nS', '81a4 644 7 50 9 ./a'])
      assert.deepEqual(told(nothing, true), [], JSON.stringify(nothing));
  });

  it('knows of the folders below only what they have, unless they’re listed by themselves', () => {
    const answer =
      '//\nGd 755 4 1 7 in\0d 755 4 1 7 node_modules\0d 755 4 1 7 .agent-workspace\0d 755 4 1 7 my.agent-workspace\0';
    const listed = (isDeep: boolean) => [...parseFolderListing(Buffer.from(answer), isDeep).keys()];
    assert.deepEqual(listed(true), ['', 'in', 'my.agent-workspace']);
    assert.deepEqual(listed(false), ['']);
    assert.deepEqual(told(answer, true), [
      '/in folder false 755 4 1000',
      '/node_modules folder false 755 4 1000',
      '/my.agent-workspace folder false 755 4 1000',
    ]);
  });

  it('shows the bytes of names that aren’t UTF-8, and keeps a mark at the beginning', () => {
    assert.deepEqual(told('//\nGf 640 3 1 7 a\xe9\x7f\x80\0', true), [
      '/a\\xe9\x7f\\x80 file false 640 3 1000',
    ]);
    assert.deepEqual(told('//\nGf 640 3 1 7 \xef\xbb\xbfa\0', true), ['/\ufeffa file false 640 3 1000']);
  });
});
