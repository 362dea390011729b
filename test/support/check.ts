import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runMain } from './lifetime';
import { npmCli } from './npm';
import { projectFolder } from './paths';
import { startProcess } from './processes';
import { noTotals, totalsLine } from './reporter';

const atATime = 2;

const { scripts } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Runs every script of package.json that is called `check:…`, two at a time, and ends with how many passed. */
runMain(async () => {
  const totals = { ...noTotals };
  const waiting = Object.keys(scripts).filter((name) => name.startsWith('check:'));
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const lines: string[] = [];
      const started = performance.now();
      const running = startProcess(process.execPath, [npmCli(), 'run', '--silent', name], {
        cwd: projectFolder,
        onLine: (line) => lines.push(line),
      });
      const code = await running.ended;
      totals[code === 0 ? 'passed' : 'failed'] += 1;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log([`${code === 0 ? '✔' : '✘'} ${name}, ${seconds} s`, ...lines].join('\n'));
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  console.log(totalsLine(totals));
  return totals.failed === 0 ? 0 : 1;
});
