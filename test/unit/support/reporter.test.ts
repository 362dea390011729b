import assert from 'node:assert/strict';
import { addTotals, totalsLine, totalsOfEnded } from '../../support/reporter';

describe('totals of a test run', () => {
  it('add up', () => {
    const sum = addTotals({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 });
    assert.deepEqual(sum, { passed: 11, failed: 22, skipped: 33 });
  });

  it('end a run with a single line that mentions skipped tests only if there are any', () => {
    assert.equal(totalsLine({ passed: 5, failed: 0, skipped: 0 }), '5 passed, 0 failed');
    assert.equal(totalsLine({ passed: 5, failed: 1, skipped: 2 }), '5 passed, 1 failed, 2 skipped');
  });

  const all = { passed: 7, failed: 0, skipped: 0 };
  const cases: [string, ReturnType<typeof totalsOfEnded>, number][] = [
    ['ended well', totalsOfEnded(0, all), 0],
    ['ended with failures', totalsOfEnded(1, { ...all, failed: 3 }), 3],
    ['crashed after its tests', totalsOfEnded('SIGSEGV', all), 1],
    ['crashed before counting', totalsOfEnded(1), 1],
    ['ended well without a test', totalsOfEnded(0), 1],
  ];
  for (const [name, { failed }, expected] of cases) {
    it(`count ${expected} failures for a suite that ${name}`, () => assert.equal(failed, expected));
  }
});
