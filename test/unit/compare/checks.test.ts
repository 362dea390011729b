import assert from 'node:assert/strict';
import { checksOf } from '../../../src/features/compare/model/checks';
import { message, step, terminal } from '../../support/conversation/entries';

const named = (...commands: string[]) =>
  checksOf(commands.map((command) => terminal(command, ''))).map(({ command }) => command);

describe('the checks that an agent ran', () => {
  it('are what tests, lints, builds, and checks types, whatever the language', () => {
    const checks = [
      'npm test',
      'npm run test:unit -- --grep slug',
      'npx tsc --noEmit',
      'yarn lint',
      'cd shop && pytest -q',
      'CI=1 pnpm run build',
      'python -m pytest tests',
      'cargo clippy',
      'go vet ./...',
      './gradlew check',
      'make',
      'dotnet test',
      'npm install && npm test',
    ];
    assert.deepEqual(named(...checks), checks);
  });

  it('aren’t commands that only name something like it', () => {
    assert.deepEqual(
      named(
        ...['cat test', 'ls tests', 'git commit -m "Fix the build"', 'echo "npm test"', 'grep -r test src'],
        ...['npm install jest ', 'pip install pytest -q', 'cd test', 'node latest.js', 'ls', ''],
        'cd shop && cat test',
        ...["sed -i 's/a/b/' test ", 'mkdir build'],
        ...['CI=1 cat test', 'LEVEL=2  EMPTY= ls tests', 'URL=a=b grep test src'],
        ...["git commit -m 'fix; npm test ;'", 'echo "a\\"; npm test ;"', 'echo a\\; npm test'],
        // Only the beginning is looked at.
        `echo ${'x'.repeat(2_000)} && npm test`,
      ),
      [],
    );
  });

  it('are shown as they last ended, with how often they ran', () => {
    const entries = [
      terminal('npm  test', '1 failing', 1),
      message('agent', 'I fix it.'),
      terminal('npx eslint .', '', 0),
      terminal('npm test', 'ok', 0),
      ...(['rejected', 'left', 'pending'] as const).map((state) => terminal('npm test', '', 0, { state })),
      step({ step: 'think', text: 'npm test' }),
    ];
    assert.deepEqual(checksOf(entries), [
      { command: 'npx eslint .', exitCode: 0, isSure: true, runs: 1 },
      { command: 'npm test', exitCode: 0, isSure: true, runs: 2 },
    ]);
    const running = step({ step: 'terminal', command: 'npm test', output: null, exitCode: null });
    assert.equal(checksOf([...entries, running]).at(-1)?.exitCode, null);
  });

  it('are in doubt where the exit code may be that of another command', () => {
    const sure = (command: string) => checksOf([terminal(command, '')])[0]?.isSure;
    for (const command of [
      'npm test | tail -5',
      'npm test || true',
      'npm test; ls',
      'npm test &',
      'make\nls',
    ])
      assert.equal(sure(command), false, command);
    for (const command of [
      'npm test 2>&1',
      'npm test >&2',
      'npm test &> log',
      'cd a; npm test',
      'ls | wc && npm test && npm run lint',
      'pytest -k "a|b"',
      'npm test &&\n  npm run lint',
      'npm test;',
    ])
      assert.equal(sure(command), true, command);
  });

  it('are bounded, however long a transcript and its commands are', () => {
    const many = Array.from({ length: 200 }, (_, at) => terminal(`npm test -- ${at}`, ''));
    const checks = checksOf(many);
    assert.deepEqual([checks.length, checks.at(-1)?.command], [50, 'npm test -- 199']);
    const [long] = checksOf([terminal(`npm test ${`'"\\`.repeat(400_000)}`, '')]);
    assert.ok((long?.command.length ?? 0) <= 301);
  });
});
