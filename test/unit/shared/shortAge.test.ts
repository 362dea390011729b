import assert from 'node:assert/strict';
import { shortAge } from '../../../src/shared/shortAge';

const now = Date.parse('2026-01-01T00:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const ago = (ms: number) => shortAge(new Date(now - ms).toISOString(), now);

describe('age in two characters', () => {
  for (const [ms, words] of [
    [-day, '1m'],
    [0, '1m'],
    [9.9 * minute, '9m'],
    [10 * minute, '¼h'],
    [30 * minute, '½h'],
    [45 * minute, '¾h'],
    [55 * minute, '1h'],
    [hour, '1h'],
    [9.9 * hour, '9h'],
    [10 * hour, '½d'],
    [23 * hour, '1d'],
    [6.9 * day, '6d'],
    [7 * day, '1w'],
    [69 * day, '9w'],
    [70 * day, '¼y'],
    [200 * day, '½y'],
    [400 * day, '1y'],
    [9.5 * 365 * day, '9y'],
  ] as const) {
    it(`is ${words} after ${ms / hour} h`, () => assert.equal(ago(ms), words));
  }

  it('never has more than two characters, and never jumps back', () => {
    const order = ['m', 'h', 'd', 'w', 'y'];
    let last = -1;
    for (let ms = 0; ms < 9 * 365 * day; ms += Math.max(minute, ms / 50)) {
      const words = ago(ms) ?? '';
      assert.equal(words.length, 2, words);
      const rank = order.indexOf(words.charAt(1));
      assert.ok(rank >= last, `${words} after ${ms}`);
      last = rank;
    }
  });

  it('is unknown without a date, and after ten years', () => {
    for (const iso of [undefined, null, '', 'yesterday', '2015-01-01T00:00:00Z'])
      assert.equal(shortAge(iso, now), undefined);
  });
});
