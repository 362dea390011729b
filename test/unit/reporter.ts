import Mocha from 'mocha';
import TotalsReporter from '../support/reporter';
import { RowTable } from './faults/rows';

/**
 * The reporter of the unit tests. It also prints what the extension withstands, and fails for tests that
 * docs/reliability.md relies on and that didn't run although their file did.
 */
export default class UnitReporter extends TotalsReporter {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_RUN_END } = Mocha.Runner.constants;
    const table = new RowTable();
    const count = (passed: boolean) => (test: Mocha.Runnable) =>
      table.count({ file: test.file, title: test.title, fullTitle: test.fullTitle(), passed });
    runner.on(EVENT_TEST_PASS, count(true));
    runner.on(EVENT_TEST_FAIL, count(false));
    // Before the one of `TotalsReporter`, so that its totals include what is missing.
    runner.on(EVENT_RUN_END, () => {
      console.log(
        '\n  What the extension withstands: cases passed of those run [files with tests that did not run here]',
      );
      for (const line of table.lines()) console.log(`  ${line}`);
      // A run of some tests proves nothing about the others.
      if (options?.grep !== undefined) return;
      const suite = new Mocha.Suite('docs/reliability.md');
      for (const missing of table.missing()) {
        const test = new Mocha.Test('relies on tests that ran');
        suite.addTest(test);
        runner.failures += 1;
        runner.emit(EVENT_TEST_FAIL, test, new Error(missing));
      }
    });
    super(runner, options);
  }
}
