import process from 'node:process';

/**
 * StrykerJS's options for one run of `npm run mutation`, which puts into the environment what differs.
 * @type {Record<string, unknown>}
 */
export default {
  mutate: env('MUTATION_FILES').split('\n'),
  plugins: ['@stryker-mutator/mocha-runner', new URL('words.mjs', import.meta.url).href],
  ignorers: ['words'],
  testRunner: 'mocha',
  testRunnerNodeArgs: ['--require', 'tsx/cjs'],
  mochaOptions: { spec: env('MUTATION_TESTS').split('\n') },
  coverageAnalysis: 'perTest',
  // What is made while a module loads, such as a table or a schema, takes a new process for each change.
  ignoreStatic: env('MUTATION_CONSTANTS') !== 'true',
  // The tests of a folder measure times, and computers are shared.
  concurrency: 1,
  // A change may spoil what modules share, and every test after it would fail for that.
  maxTestRunnerReuse: 25,
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 30,
  ignorePatterns: ['.vscode-test', '.screenshots', 'dist', 'docs', 'out'],
  disableTypeChecks: false,
  tempDirName: 'out/mutation',
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: env('MUTATION_REPORT') },
};

/** @param {string} name */
function env(name) {
  return process.env[name] ?? '';
}
