import process from 'node:process';

/**
 * StrykerJS's options for `npm run mutation`, which passes what differs between runs in environment variables.
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
  // A change to what a module makes while it loads, such as a table or a schema, takes a new process.
  ignoreStatic: env('MUTATION_CONSTANTS') !== 'true',
  // Some tests measure time, and the computer may be doing other work.
  concurrency: 1,
  // A change may corrupt state that modules share, which would make every later test fail.
  maxTestRunnerReuse: 25,
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 30,
  ignorePatterns: ['.vscode-test', '.screenshots', 'dist', 'docs/api', 'out'],
  disableTypeChecks: false,
  tempDirName: 'out/mutation',
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: env('MUTATION_REPORT') },
};

/** @param {string} name */
function env(name) {
  return process.env[name] ?? '';
}
