import path from 'node:path';
import process from 'node:process';

/**
 * For `npm run mutation -- FILE`, such as src/state/settings/cells.ts or 'src/state/mcp/**\/*.ts': how well the unit tests
 * of its folder guard it, or those that AW_MUTATION_TESTS names. Each small change, such as a turned condition, should
 * make one of them fail. The report lists those that nothing notices, for a human to judge.
 */
const [mutated = ''] = process.argv.slice(-1);
const folder = path.dirname(mutated.replace(/\*.*/, 'x')).replace(/^src/, 'test/unit');
const tests = process.env['AW_MUTATION_TESTS'] ?? `${folder}/**/*.test.ts`;

export default {
  commandRunner: {
    command: `npx mocha --no-config --require tsx/cjs --timeout 20000 --bail --reporter dot '${tests}'`,
  },
  concurrency: 1,
  ignorePatterns: ['.vscode-test', '.screenshots', 'dist', 'docs', 'out'],
  tempDirName: 'out/mutation',
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false },
};
