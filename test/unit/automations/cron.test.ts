import assert from 'node:assert/strict';
import { atTime, isOften, nextRun, parseCron } from '../../../src/features/automations/model/cron';

const next = (schedule: string, after: string, timezone = 'UTC') => {
  const due = nextRun(schedule, timezone, Date.parse(after));
  return due === undefined ? undefined : new Date(due).toISOString();
};

describe('schedules in cron’s form', () => {
  for (const [schedule, after, due] of [
    ['0 9 * * *', '2026-03-05T08:59:59Z', '2026-03-05T09:00:00.000Z'],
    ['0 9 * * *', '2026-03-05T09:00:00Z', '2026-03-06T09:00:00.000Z'],
    ['*/15 * * * *', '2026-03-05T08:46:00Z', '2026-03-05T09:00:00.000Z'],
    ['5/20 * * * *', '2026-03-05T08:46:00Z', '2026-03-05T09:05:00.000Z'],
    ['30 17 * * 1-5', '2026-03-06T18:00:00Z', '2026-03-09T17:30:00.000Z'],
    ['30 17 * * MON,fri', '2026-03-06T18:00:00Z', '2026-03-09T17:30:00.000Z'],
    ['0 0 * * 7', '2026-03-05T00:00:00Z', '2026-03-08T00:00:00.000Z'],
    ['0 0 29 2 *', '2026-03-05T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 29 feb *', '2097-03-05T00:00:00Z', '2104-02-29T00:00:00.000Z'],
    // Either day will do.
    ['0 0 13 * 5', '2026-03-07T00:00:00Z', '2026-03-13T00:00:00.000Z'],
    ['0 0 1 * 5', '2026-03-28T00:00:00Z', '2026-04-01T00:00:00.000Z'],
    ['0 0 1 * 0-6', '2026-03-28T00:00:00Z', '2026-04-01T00:00:00.000Z'],
  ] as const)
    it(`finds when ${schedule} is due after ${after}`, () => assert.equal(next(schedule, after), due));

  it('goes by the clocks of a time zone, also when they change', () => {
    const berlin = (schedule: string, after: string) => next(schedule, after, 'Europe/Berlin');
    assert.equal(berlin('0 9 * * *', '2026-01-05T08:30:00Z'), '2026-01-06T08:00:00.000Z');
    assert.equal(berlin('0 9 * * *', '2026-03-28T12:00:00Z'), '2026-03-29T07:00:00.000Z');
    assert.equal(berlin('0 0 * * *', '2026-10-25T12:00:00Z'), '2026-10-25T23:00:00.000Z');
    assert.equal(next('0 9 * * 1', '2026-03-01T23:00:00Z', 'Asia/Tokyo'), '2026-03-02T00:00:00.000Z');
    // 02:30 isn't on the clock that night; something near it is due, and once.
    const missing = berlin('30 2 29 3 *', '2026-03-28T12:00:00Z');
    assert.match(String(missing), /^2026-03-29T0[01]:30/);
    assert.equal(berlin('30 2 29 3 *', String(missing)), '2027-03-29T00:30:00.000Z');
  });

  it('knows nothing of what it can’t read, and of what is never due', () => {
    for (const other of [
      ...['', 'x', '@daily', '* * * *', '0 0 9 * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *'],
      ...[
        '* * * * 8',
        '5-1 * * * *',
        '*/0 * * * *',
        '1,,2 * * * *',
        '* * L * *',
        '* * * * 1#2',
        '-1 * * * *',
      ],
      ...['* * * * unm', 'mon * * * *', '1-2-3 * * * *', '1.5 * * * *'],
    ])
      assert.equal(parseCron(other), undefined, other);
    assert.equal(next('0 0 31 2 *', '2026-03-05T00:00:00Z'), undefined);
    assert.equal(next('0 9 * * *', '2026-03-05T00:00:00Z', 'Europe/Nowhere'), undefined);
    assert.equal(nextRun(null, null, 0), undefined);
    assert.equal(nextRun('0 9 * * *', null, 0), 9 * 60 * 60_000);
  });

  it('are made of a time of day, and of nothing that isn’t one', () => {
    assert.deepEqual(
      ['09:00', ' 7:05 ', '00:00', '23:59'].map((text) => atTime(text, '* * 1-5')),
      ['0 9 * * 1-5', '5 7 * * 1-5', '0 0 * * 1-5', '59 23 * * 1-5'],
    );
    for (const other of ['', '9', '24:00', '12:60', '9:5', '-1:00', '9:00 pm', '12:00:00', '９:00'])
      assert.equal(atTime(other, '* * *'), undefined, other);
  });

  it('are worth a warning when they’re due every few minutes', () => {
    const often = ['* * * * *', '*/5 * * * *', '0,5 9 * * *', '0 * * * *', '0 9 * * *', 'x'].map((schedule) =>
      isOften(schedule, 'UTC', Date.parse('2026-03-05T08:00:00Z')),
    );
    assert.deepEqual(often, [true, true, true, false, false, false]);
  });
});
