import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { developmentEnvironment } from '../../src/ids';
import { projectFolder } from '../support/paths';

interface Task {
  label: string;
  type?: string;
  script?: string;
  command?: string;
  dependsOn?: string[];
  isBackground?: boolean;
  problemMatcher?: {
    pattern: { regexp: string };
    background: { beginsPattern: string; endsPattern: string };
  };
}

const read = (name: string): unknown => JSON.parse(readFileSync(path.join(projectFolder, name), 'utf8'));
const { configurations } = read('.vscode/launch.json') as {
  configurations: { type: string; env: Record<string, string>; preLaunchTask: string }[];
};
const { tasks } = read('.vscode/tasks.json') as { tasks: Task[] };
const { scripts } = read('package.json') as { scripts: Record<string, string> };
const task = (label: string) => tasks.find((each) => each.label === label);

describe('F5', () => {
  it('starts the extension after existing tasks with existing scripts', () => {
    const [launch, ...others] = configurations;
    assert.ok(launch && others.length === 0);
    assert.equal(launch.type, 'extensionHost');
    assert.deepEqual(task(launch.preLaunchTask)?.dependsOn, ['build', 'service']);
    for (const { label, dependsOn = [], type, script = '' } of tasks) {
      for (const needed of dependsOn) assert.ok(task(needed), `${label} needs ${needed}`);
      if (type === 'npm') assert.ok(script in scripts, `${label} runs ${script}`);
    }
    assert.deepEqual(
      tasks.filter(({ isBackground }) => isBackground).map(({ label }) => label),
      ['watch', 'service'],
    );
  });

  it('connects to the service of the task and recognizes its ready line', async () => {
    const [launch] = configurations;
    const { command = '', problemMatcher } = task('service') ?? {};
    const [program, ...args] = command.split(' ');
    assert.deepEqual([program, ...args.slice(0, 4)], ['npm', 'run', '--silent', 'service', '--']);
    const option = (name: string) => args[args.indexOf(name) + 1];
    assert.deepEqual(launch?.env, {
      [developmentEnvironment.url]: `http://127.0.0.1:${option('--port')}`,
      [developmentEnvironment.sessionKey]: option('--key'),
    });

    // The actual script, as npm runs it, at a free port.
    const [runner, entry = ''] = (scripts['service'] ?? '').split(' ');
    assert.equal(runner, 'tsx');
    const start = (port: string) => {
      const own = args.slice(4).map((arg) => (arg === option('--port') ? port : arg));
      return spawn(process.execPath, ['--import', 'tsx', entry, ...own], { cwd: projectFolder });
    };
    const firstLine = async (stream: Readable) =>
      ((await once(createInterface(stream), 'line')) as [string])[0];
    const child = start('0');
    try {
      const line = await firstLine(child.stdout);
      assert.match(line, new RegExp(problemMatcher?.background.endsPattern ?? '^$'));
      // A port in use is reported as a problem.
      const { url } = JSON.parse(line) as { url: string };
      const problem = await firstLine(start(new URL(url).port).stderr);
      assert.match(problem, new RegExp(problemMatcher?.pattern.regexp ?? '^$'));
    } finally {
      child.kill('SIGTERM');
    }
    await once(child, 'close');
  });

  it('recommends the extensions for linting and formatting', () => {
    const { recommendations } = read('.vscode/extensions.json') as { recommendations: string[] };
    assert.deepEqual(recommendations, ['dbaeumer.vscode-eslint', 'esbenp.prettier-vscode']);
  });
});
