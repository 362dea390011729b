import assert from 'node:assert/strict';
import { TerminalLine, type TerminalPlace } from '../../../src/features/place/model/terminalLine';
import { settled } from '../../support/settled';
import { FakeClock } from '../api/support/clock';

describe('the line to a terminal', () => {
  const nothing = () => undefined;

  for (const isWhole of [false, true])
    it(`rests ${isWhole ? 'for all of the time after a failure, whatever is typed' : 'until something is typed'}`, async () => {
      const clock = new FakeClock();
      const place = { workingDir: '/work' } as TerminalPlace;
      const on = { output: nothing, skipped: nothing, stalled: nothing, ended: nothing };
      const desk = { reach: () => Promise.resolve(place), clock, on };
      const line = new TerminalLine(desk, place, 'id', { pid: 1, child: 2, segment: 1 }, nothing);
      let rested = 0;
      const rest = () => void line.rest(1_000, isWhole).then(() => (rested += 1));
      rest();
      line.stir();
      await settled();
      assert.equal(rested, isWhole ? 0 : 1);
      await clock.pass(1_000);
      assert.equal(rested, 1);
      rest();
      line.end(undefined);
      await settled();
      assert.equal(rested, 2, 'nothing waits for a terminal that has ended');
    });
});
