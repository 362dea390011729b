import assert from 'node:assert/strict';
import { addTotals, failureText, noTotals, totalsLine, totalsOfEnded } from '../../support/reporter';

describe('totals of a test run', () => {
  it('add up', () => {
    const sum = addTotals(
      { passed: 1, failed: 1, skipped: 3, failures: ['adds'] },
      { passed: 10, failed: 1, skipped: 30, failures: ['removes'] },
    );
    assert.deepEqual(sum, { passed: 11, failed: 2, skipped: 33, failures: ['adds', 'removes'] });
  });

  it('end a run with a single line that mentions skipped tests only if there are any', () => {
    assert.equal(totalsLine({ ...noTotals, passed: 5 }), '5 passed, 0 failed');
    assert.equal(
      totalsLine({ ...noTotals, passed: 5, failed: 1, skipped: 2 }),
      '5 passed, 1 failed, 2 skipped',
    );
  });

  it('end with why each test failed, and where', () => {
    const error = new Error('Timeout.\nCall log:\n\u001b[2m  - waiting for a row\u001b[22m');
    error.stack = `Error: ${error.message}
      at click (/project/node_modules/browser/index.js:1:1)
      at Context.<anonymous> (/project/test/ui/lists.test.ts:86:5)`;
    assert.deepEqual(failureText('lists: groups', error).split('\n'), [
      'lists: groups',
      '  Error: Timeout.',
      '  Call log:',
      '  - waiting for a row',
      '  at Context.<anonymous> (/project/test/ui/lists.test.ts:86:5)',
    ]);
    // As a parallel run hands it over.
    assert.equal(failureText('groups', { stack: error.stack }), failureText('groups', error));
    assert.equal(failureText('lists: groups', 'closed'), 'lists: groups\n  closed');
  });

  const all = { ...noTotals, passed: 7 };
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
