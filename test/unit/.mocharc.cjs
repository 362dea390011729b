const { availableParallelism } = require('node:os');
const path = require('node:path');

module.exports = {
  spec: ['test/unit/**/*.test.ts'],
  require: ['tsx/cjs', path.join(__dirname, 'globals.ts')],
  extension: ['ts'],
  // For a busy computer: quiet, most take milliseconds.
  timeout: 90_000,
  forbidOnly: true,
  exit: false,
  parallel: true,
  // Unlike Mocha's default, as many as there are cores: on two, one at a time takes twice as long.
  jobs: availableParallelism(),
  reporter: 'test/unit/reporter.ts',
};
