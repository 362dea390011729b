import process from 'node:process';

const isHost = env('MUTATION_GUARD') === 'host';

/**
 * StrykerJS's options for `npm run mutation`, which passes what differs between runs in environment variables.
 * @type {Record<string, unknown>}
 */
export default {
  mutate: env('MUTATION_FILES').split('\n'),
  plugins: [isHost ? beside('host.mjs') : '@stryker-mutator/mocha-runner', beside('words.mjs')],
  ignorers: ['words'],
  testRunner: isHost ? 'host' : 'mocha',
  testRunnerNodeArgs: ['--require', 'tsx/cjs'],
  ...(isHost ? {} : { mochaOptions: { spec: env('MUTATION_TESTS').split('\n') } }),
  coverageAnalysis: 'perTest',
  // A change to what a module makes while it loads, such as a table or a schema, takes a new process.
  ignoreStatic: !isHost && env('MUTATION_CONSTANTS') !== 'true',
  // Some tests measure time, and the computer may be doing other work.
  concurrency: 1,
  // A change may corrupt state that modules share, which would make every later test fail.
  maxTestRunnerReuse: 25,
  timeoutMS: isHost ? 120_000 : 10_000,
  dryRunTimeoutMinutes: 30,
  ignorePatterns: ['.vscode-test', '.screenshots', 'dist', 'docs/api', 'out'],
  disableTypeChecks: false,
  tempDirName: 'out/mutation',
  reporters: [isHost ? 'each' : 'progress-append-only', 'json'],
  jsonReporter: { fileName: env('MUTATION_REPORT') },
};

/** @param {string} name */
function beside(name) {
  return new URL(name, import.meta.url).href;
}

/** @param {string} name */
function env(name) {
  return process.env[name] ?? '';
}
