import assert from 'node:assert/strict';
import { decodedText } from '../../../src/shared/decodedText';

describe('the text in a file', () => {
  const text = '{"a": "Zoë 日本"}';
  const utf16 = Buffer.from(text, 'utf16le');

  for (const [encoding, bytes] of [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['UTF-16 BE', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()])],
  ] as const)
    it(`is read from ${encoding}`, () => {
      assert.equal(decodedText(bytes), text);
    });

  for (const [encoding, bytes] of [
    ['Windows-1252', Buffer.from('{"a": "Zoë"}', 'latin1')],
    ['Shift JIS', Buffer.from([0x22, 0x93, 0xfa, 0x96, 0x7b, 0x22])],
    ['half a character', Buffer.from('ë').subarray(0, 1)],
    ['an odd number of bytes in UTF-16', Buffer.from([0xff, 0xfe, 0x22])],
    ['half a pair in UTF-16', Buffer.from([0xff, 0xfe, 0x00, 0xd8])],
  ] as const)
    it(`isn’t guessed from ${encoding}`, () => {
      assert.equal(decodedText(bytes), undefined);
    });
});
