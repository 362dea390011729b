import assert from 'node:assert/strict';
import {
  automationName,
  dueWords,
  isAutomationOn,
  runLog,
  runWords,
  triggerWords,
} from '../../../src/features/automations/model/words';

/** With ordinary spaces: releases of ICU differ in which one is before “AM”. */
const cron = (schedule: string, timezone?: string, language = 'en') =>
  triggerWords({ type: 'cron', schedule, timezone }, language).replaceAll('\u202f', ' ');

describe('automations in words', () => {
  for (const [schedule, words] of [
    ['* * * * *', 'Every minute'],
    ['*/1 * * * *', 'Every minute'],
    ['*/01 * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['5 * * * *', 'Every hour, 5 min past'],
    ['0 9 * * *', 'Every day at 9:00 AM'],
    ['30 17 * * 1-5', 'Monday to Friday at 5:30 PM'],
    ['0 9 * * 1', 'Monday at 9:00 AM'],
    [' 0  9 * * 0,3,7 ', 'Sunday, Wednesday, Sunday at 9:00 AM'],
    ['0 0 1 * *', 'Day 1 of each month at 12:00 AM'],
  ] as const)
    it(`says “${words}” for ${schedule}`, () => assert.equal(cron(schedule), words));

  it('shows any other schedule as it is, and never another one', () => {
    for (const other of [
      ...['*/7 * * * *', '*/0 * * * *', '60 * * * *', '0 24 * * *', '0 9 1 * 1', '0 9 * 1 *', '0 9 32 * *'],
      '0 9 1 * 1-5',
      ...['0 9 * * 8', '0 9 * * MON', '@daily', '0 0 9 * * *', '1,2 9 * * *', '0 9 * * 1,'],
    ])
      assert.equal(cron(other), `Schedule ${other}`);
  });

  it('names the time zone, the events of a source, and a trigger that it doesn’t know', () => {
    assert.equal(cron('0 9 * * 1', 'Europe/Berlin'), 'Monday at 9:00 AM (Europe/Berlin)');
    const event = (on: string | string[] | null) =>
      triggerWords({ type: 'event', source: 'github', on }, 'en');
    assert.equal(event('push'), 'On push from github');
    assert.equal(event(['push', 'release']), 'On push, release from github');
    assert.doesNotMatch(event(['a', 'b', 'c', 'd', 'e', 'f']), /\bf\b/);
    for (const none of [
      ...[null, undefined, {}, { type: 'cron' }, { type: 'moon' }, { type: 'event', source: 'github' }],
      ...[
        { type: 'event', source: 'github', on: [] },
        { type: 'event', on: 'push' },
      ],
    ])
      assert.equal(triggerWords(none, 'en'), 'Unknown trigger');
    assert.equal(cron('\u202e[x](command:y)'), 'Schedule [x] (command:y)');
  });

  it('says what a run does, or how it ended', () => {
    const words = (status: string | null, current_phase?: string) =>
      runWords({ id: 'r', status, current_phase });
    assert.equal(words('RUNNING', 'Loading skills'), 'Loading skills');
    assert.deepEqual(
      ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'SKIPPED', 'odd', null].map((one) =>
        words(one),
      ),
      ['Starting', 'Running', 'Completed', 'Failed', 'Canceled', 'Skipped', 'odd', 'Unknown'],
    );
  });

  it('writes the time of a schedule like that of its next run', () => {
    const now = new Date(2026, 2, 5, 8).getTime();
    for (const language of ['en', 'en-GB', 'de', 'ja', 'zh-cn']) {
      const due = dueWords(new Date(2026, 2, 6, 3).getTime(), now, language).replaceAll('\u202f', ' ');
      const time = /at (.+)$/.exec(cron('0 3 * * *', undefined, language))?.[1];
      assert.ok(time && due.includes(time), `${time} in ${due}`);
    }
  });

  it('says when something is due: the weekday of the next days, else the date', () => {
    const now = new Date(2026, 2, 5, 8).getTime();
    const due = (...[month, day, year = 2026]: number[]) =>
      dueWords(new Date(year, month!, day, 9).getTime(), now, 'en');
    assert.match(due(2, 6), /^Fri.* 9:00/);
    assert.match(due(3, 1), /^Apr 1.* 9:00/);
    assert.match(due(1, 29, 2028), /^Feb 29, 2028.* 9:00/);
    const at = Date.UTC(2026, 2, 6, 23, 30);
    assert.match(dueWords(at, at, 'en', 'Asia/Kathmandu'), /^Sat.* 5:15/);
    assert.match(dueWords(at, at, 'en', 'UTC'), /^Fri.* 11:30/);
  });

  it('knows whether an automation is on, also by the state of later releases', () => {
    const isOn = (values: object) => isAutomationOn({ id: 'a', ...values });
    assert.deepEqual(
      [
        {},
        { enabled: true },
        { enabled: false },
        { enabled: true, state: 'INACTIVE' },
        { state: 'active' },
      ].map(isOn),
      [true, true, false, false, true],
    );
    assert.equal(isOn({ enabled: true, state: 'DRAFT' }), false);
    assert.equal(automationName({ name: ' \n' }), 'Unnamed');
  });

  it('shows all of what is known of a run without a conversation', () => {
    const run = {
      id: 'r',
      status: 'FAILED',
      created_at: '2026-01-01T00:00:00Z',
      error_detail: 'No model.\nTrace',
    };
    // Wherever the test runs.
    assert.match(
      runLog(run, 'en'),
      /^Failed · (?:Dec 31, 2025|Jan 1, 2026), \d+:\d\d\s[AP]M\n\nNo model\.\nTrace$/,
    );
    assert.match(runLog(run, 'de'), /^Failed · \d\d\.\d\d\.202[56], \d\d:\d\d\n/);
    assert.equal(runLog({ id: 'r', created_at: 'soon' }, 'en'), 'Unknown · soon');
    assert.equal(runLog({ id: 'r' }, 'en'), 'Unknown');
  });
});
