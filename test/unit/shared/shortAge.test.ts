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
    [10 * minute, undefined],
    [59 * minute, undefined],
    [hour, '1h'],
    [9.9 * hour, '9h'],
    [10 * hour, undefined],
    [23.9 * hour, undefined],
    [day, '1d'],
    [6.9 * day, '6d'],
    [7 * day, '1w'],
    [69.9 * day, '9w'],
    [70 * day, undefined],
    [400 * day, undefined],
  ] as const) {
    it(`is ${words ?? 'left to words'} after ${ms / hour} h`, () => assert.equal(ago(ms), words));
  }

  it('has a digit and a letter, or isn’t there', () => {
    for (let ms = 0; ms < 3 * 365 * day; ms += Math.max(minute, ms / 50))
      assert.match(ago(ms) ?? '1m', /^[1-9][mhdw]$/);
  });

  it('is unknown without a date', () => {
    for (const iso of [undefined, null, '', 'yesterday']) assert.equal(shortAge(iso, now), undefined);
  });
});
