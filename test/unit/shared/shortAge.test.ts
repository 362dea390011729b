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
    [22 * minute, '¼h'],
    [23 * minute, '½h'],
    [45 * minute, '¾h'],
    [59 * minute, '1h'],
    [hour, '1h'],
    [9.9 * hour, '9h'],
    [10 * hour, '½d'],
    [18 * hour, '¾d'],
    [23.9 * hour, '1d'],
    [day, '1d'],
    [6.9 * day, '6d'],
    [7 * day, '1w'],
    [69.9 * day, '9w'],
    [70 * day, '¼y'],
    [182 * day, '½y'],
    [400 * day, '1y'],
    [9_000 * day, '9y'],
  ] as const) {
    it(`is ${words} after ${ms / hour} h`, () => assert.equal(ago(ms), words));
  }

  it('always has a number and a letter', () => {
    for (let ms = 0; ms < 12 * 365 * day; ms += Math.max(minute, ms / 50))
      assert.match(String(ago(ms)), /^[1-9¼½¾][mhdwy]$/);
  });

  it('is unknown without a date', () => {
    for (const iso of [undefined, null, '', 'yesterday']) assert.equal(shortAge(iso, now), undefined);
  });
});
