import assert from 'node:assert/strict';
import { addTotals, totalsLine, totalsOfEnded } from '../../support/reporter';

describe('totals of a test run', () => {
  it('add up', () => {
    const sum = addTotals({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 });
    assert.deepEqual(sum, { passed: 11, failed: 22, skipped: 33 });
  });

  it('close a run in one line, which tells of skipped tests only if there are any', () => {
    assert.equal(totalsLine({ passed: 5, failed: 0, skipped: 0 }), '5 passed, 0 failed');
    assert.equal(totalsLine({ passed: 5, failed: 1, skipped: 2 }), '5 passed, 1 failed, 2 skipped');
  });

  const all = { passed: 7, failed: 0, skipped: 0 };
  const cases: [string, ReturnType<typeof totalsOfEnded>, number][] = [
    ['ended well', totalsOfEnded(0, all), 0],
    ['ended with failures', totalsOfEnded(1, { ...all, failed: 3 }), 3],
    ['crashed after its tests', totalsOfEnded('SIGSEGV', all), 1],
    ['crashed before it counted', totalsOfEnded(1), 1],
    ['said that all is well without a test', totalsOfEnded(0), 1],
  ];
  for (const [name, { failed }, expected] of cases) {
    it(`of a suite that ${name} have ${expected} failed`, () => assert.equal(failed, expected));
  }
});
