import assert from 'node:assert/strict';
import { manualClock, realClock, type Clock, type SteppableClock } from '../../service/clock';

describe('reference service: clocks', () => {
  it('runs due actions in order, including newly scheduled ones (manual)', async () => {
    const clock = manualClock();
    const start = clock.now();
    const seen: [what: string, at: number][] = [];
    const note = (what: string) => () => seen.push([what, clock.now() - start]);
    clock.after(20, note('b'));
    clock.after(10, () => {
      note('a')();
      clock.after(5, note('planned'));
    });
    const cancel = clock.after(12, note('canceled'));
    void clock
      .wait(15)
      .then(() => clock.wait(3))
      .then(note('awaited'));
    cancel();
    clock.after(31, note('late'));
    await clock.advance(30);
    assert.deepEqual(seen, [
      ['a', 10],
      ['planned', 15],
      ['awaited', 18],
      ['b', 20],
    ]);
    assert.equal(clock.now() - start, 30);
  });

  const kinds: [kind: string, create: () => Clock & Partial<SteppableClock>][] = [
    ['manual', manualClock],
    ['real', realClock],
  ];
  for (const [kind, create] of kinds) {
    it(`drops actions and ends waits when stopped (${kind})`, async () => {
      const clock = create();
      clock.after(0, () => assert.fail('an action after the stop'));
      const wait = clock.wait(1_000_000);
      clock.stop();
      await wait;
      await new Promise((resolve) => setTimeout(resolve, 2));
    });

    it(`drops actions and keeps waits on dropActions (${kind})`, async () => {
      const clock = create();
      clock.after(0, () => assert.fail('an action after it was dropped'));
      const wait = clock.wait(1);
      clock.dropActions();
      await clock.advance?.(1);
      await wait;
    });
  }

  it('runs an action on time unless canceled (real)', async () => {
    const clock = realClock();
    const cancel = clock.after(1, () => assert.fail('canceled'));
    cancel();
    await new Promise<void>((resolve) => clock.after(2, resolve));
  });
});
