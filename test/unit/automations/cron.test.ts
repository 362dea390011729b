import assert from 'node:assert/strict';
import type * as cron from '../../../src/features/automations/model/cron';
import { loadedAnew, StepCounter } from '../steps';

const load = () => loadedAnew('features/automations/model/cron') as typeof cron;

describe('schedules in cron’s form', () => {
  // Nothing is known of what another test asked.
  let { atTime, isOften, nextRun, parseCron } = load();
  beforeEach(() => void ({ atTime, isOften, nextRun, parseCron } = load()));

  const next = (schedule: string, after: string, timezone = 'UTC') => {
    const due = nextRun(schedule, timezone, Date.parse(after));
    return due === undefined ? undefined : new Date(due).toISOString();
  };

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
    // 02:30 isn't on the clock that night; 03:30 is due, and once.
    const missing = berlin('30 2 29 3 *', '2026-03-28T12:00:00Z');
    assert.equal(missing, '2026-03-29T01:30:00.000Z');
    assert.equal(berlin('30 2 29 3 *', missing), '2027-03-29T00:30:00.000Z');
    // Just before the clock is set back.
    assert.equal(berlin('30 1 25 10 *', '2026-10-24T12:00:00Z'), '2026-10-24T23:30:00.000Z');
  });

  it('is later, never earlier, where the clock has no such time', () => {
    const cases = [
      ['30 2 * * *', 'America/New_York', '2026-03-08T06:00:00Z', '2026-03-08T07:30:00.000Z'],
      ['0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-04T03:00:00.000Z'],
      ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', '2026-10-03T15:45:00.000Z'],
      // Once where the clock has a time twice.
      ['30 1 * * *', 'America/New_York', '2026-11-01T04:00:00Z', '2026-11-01T05:30:00.000Z'],
      ['30 1 * * *', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-02T06:30:00.000Z'],
    ] as const;
    for (const [schedule, zone, after, due] of cases)
      assert.equal(next(schedule, after, zone), due, `${zone} ${after}`);
  });

  it('finds the same however often it’s asked, and whatever the clock does in between', () => {
    const zone = 'Europe/Berlin';
    for (const [after, due] of [
      ['2026-01-05T07:00:00Z', '2026-01-05T08:17:00.000Z'],
      ['2026-01-05T08:16:59Z', '2026-01-05T08:17:00.000Z'],
      ['2026-01-05T08:17:00Z', '2026-01-06T08:17:00.000Z'],
      // The clock was set back.
      ['2026-01-03T12:00:00Z', '2026-01-04T08:17:00.000Z'],
    ] as const)
      assert.equal(next('17 9 * * *', after, zone), due, after);
  });

  it('looks once for a schedule that is never due, though there may be many of them', () => {
    const steps = new StepCounter(/automations\/model\/cron\.ts$/);
    try {
      const fresh = load();
      const stepsOn = (time: string) => {
        steps.take();
        assert.equal(fresh.nextRun('0 0 30 2 *', 'UTC', Date.parse(time)), undefined);
        return steps.take();
      };
      const first = stepsOn('2026-01-01T00:00:00Z');
      for (let day = 1; day < 29; day += 1) {
        const again = stepsOn(`2026-01-${String(day).padStart(2, '0')}T12:00:00Z`);
        assert.ok(again < first / 50, `${first} steps, then ${again}`);
      }
    } finally {
      steps.end();
    }
  });

  it('knows nothing about what it can’t read, or what is never due', () => {
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
    for (const none of [null, undefined, '']) assert.equal(nextRun('0 9 * * *', none, 0), 9 * 60 * 60_000);
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
