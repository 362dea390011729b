import assert from 'node:assert/strict';
import { runWords, triggerWords } from '../../../src/features/automations/model/words';

const cron = (schedule: string, timezone?: string) =>
  triggerWords({ type: 'cron', schedule, timezone }, 'en');

describe('automations in words', () => {
  for (const [schedule, words] of [
    ['* * * * *', 'Every minute'],
    ['*/1 * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['5 * * * *', 'Every hour, 5 min past'],
    ['0 9 * * *', 'Every day at 09:00'],
    ['30 17 * * 1-5', 'Monday to Friday at 17:30'],
    ['0 9 * * 1', 'Monday at 09:00'],
    [' 0  9 * * 0,3,7 ', 'Sunday, Wednesday, Sunday at 09:00'],
    ['0 0 1 * *', 'Day 1 of each month at 00:00'],
  ] as const)
    it(`says “${words}” for ${schedule}`, () => assert.equal(cron(schedule), words));

  it('shows any other schedule as it is, and never another one', () => {
    for (const other of [
      ...['*/7 * * * *', '*/0 * * * *', '60 * * * *', '0 24 * * *', '0 9 1 * 1', '0 9 * 1 *', '0 9 32 * *'],
      ...['0 9 * * 8', '0 9 * * MON', '@daily', '0 0 9 * * *', '1,2 9 * * *', '0 9 * * 1,'],
    ])
      assert.equal(cron(other), `Schedule ${other}`);
  });

  it('names the time zone, the events of a source, and a trigger that it doesn’t know', () => {
    assert.equal(cron('0 9 * * 1', 'Europe/Berlin'), 'Monday at 09:00 (Europe/Berlin)');
    const event = (on: string | string[] | null) =>
      triggerWords({ type: 'event', source: 'github', on }, 'en');
    assert.equal(event('push'), 'On push from github');
    assert.equal(event(['push', 'release']), 'On push, release from github');
    for (const none of [null, undefined, {}, { type: 'cron' }, { type: 'moon' }])
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
});
