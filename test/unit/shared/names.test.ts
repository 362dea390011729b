import assert from 'node:assert/strict';
import { documentName, documentPath } from '../../../src/shared/documentNames';
import { lastPart } from '../../../src/shared/lastPart';
import { quoted } from '../../../src/shared/shellScript';
import { shownEntrySchema } from '../../../src/shared/shownEntry';
import { nextRevision, soundTime } from '../../../src/shared/soundTime';

describe('names of documents', () => {
  it('have nothing in them that separates names or isn’t seen', () => {
    assert.equal(documentName('a\\b/c:d*e?f"g<h>i|j k.ts'), 'a_b_c_d_e_f_g_h_i_j k.ts');
    assert.equal(documentName('Fix\nit'), 'Fix it');
    assert.ok(documentName('a'.repeat(200)).length <= 100);
  });

  it('keep the folders of a path, but no way out of them', () => {
    assert.equal(documentPath('/work\\src/../a:b/./...//c.ts'), 'work/src/a_b/.../c.ts');
  });
});

describe('the last part of a name', () => {
  it('is what comes after the last slash of any kind that something follows', () => {
    for (const [path, last] of [
      ['/work/shop', 'shop'],
      ['C:\\work\\shop\\', 'shop'],
      ['shop//', 'shop'],
      ['openai/gpt-5', 'gpt-5'],
      ['shop', 'shop'],
      ['//', '//'],
      ['', ''],
    ])
      assert.equal(lastPart(path!), last);
  });
});

describe('a word of the shell', () => {
  it('has no signs in it that the shell obeys', () =>
    assert.equal(quoted(`it's "$HOME" 'x'`), String.raw`'it'\''s "$HOME" '\''x'\'''`));
});

describe('the time of a stored change', () => {
  const hour = 3_600_000;

  it('counts unless no working clock gave it', () => {
    const now = Date.now();
    for (const time of [0, 1, now, now + 23 * hour]) assert.equal(soundTime(time), time);
    for (const odd of [-1, now + 25 * hour, Infinity, NaN]) assert.equal(soundTime(odd), 0);
  });

  it('is later than that of the change before, even if the clock was set back', () => {
    const now = Date.now();
    assert.equal(nextRevision(now + hour), now + hour + 1);
    for (const before of [0, now - hour, now + 25 * hour]) {
      const next = nextRevision(before);
      assert.ok(next >= now && next < now + hour, `${next - now} ms after ${before}`);
    }
  });
});

describe('an entry for the page', () => {
  it('is a line in its own place if it can’t be read', () => {
    const shown = (value: unknown) => shownEntrySchema.parse(value);
    const unread = { kind: 'separator', what: 'unread', text: '' };
    assert.deepEqual(shown({ id: 'a', at: 5, kind: 'odd' }), { ...unread, id: 'a', at: 5 });
    for (const at of [NaN, Infinity, '5', undefined])
      assert.deepEqual(shown({ id: 'a', at }), { ...unread, id: 'a', at: 0 });
    const nameless = [null, 'x', { id: 7, at: 5 }].map(shown);
    assert.equal(new Set(nameless.map(({ id }) => id)).size, 3);
    assert.deepEqual(
      nameless.map(({ at }) => at),
      [0, 0, 5],
    );
  });
});
