import assert from 'node:assert/strict';
import {
  addTime,
  addTotals,
  failureText,
  heaviest,
  noTotals,
  totalsLine,
  totalsOfEnded,
} from '../../support/reporter';

describe('totals of a test run', () => {
  it('add up', () => {
    const sum = addTotals(
      { passed: 1, failed: 1, skipped: 3, failures: ['adds'], times: { 'a.ts': 5, 'b.ts': 1 } },
      { passed: 10, failed: 1, skipped: 30, failures: ['removes'], times: { 'b.ts': 20 } },
    );
    assert.deepEqual(sum, {
      passed: 11,
      failed: 2,
      skipped: 33,
      failures: ['adds', 'removes'],
      times: { 'a.ts': 5, 'b.ts': 21 },
    });
  });

  it('name the files that took longest', () => {
    const times = { 'a.ts': 900, 'b.ts': 61_260, 'c.ts': 5_000 };
    assert.equal(heaviest({ ...noTotals, times }, 2), 'b.ts 61.3 s, c.ts 5.0 s');
    assert.equal(heaviest(noTotals), '');
  });

  it('count the time of each file’s tests and hooks', () => {
    const times = {};
    for (const [file, duration] of [
      ['/project/test/ui/saving/saving.test.ts', 4_000],
      ['/project/test/ui/saving/saving.test.ts', 500],
      ['C:\\project\\out\\host-1a2b\\tools.test.js', 7],
      [undefined, 9],
      ['/project/test/unit/skipped.test.ts', undefined],
    ] as const) {
      addTime(times, { file, duration });
    }
    assert.deepEqual(times, { 'ui/saving/saving.test.ts': 4_500, 'tools.test.js': 7 });
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
