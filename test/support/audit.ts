import { spawn } from 'node:child_process';
import { runMain } from './lifetime';
import { projectFolder } from './paths';
import { judgeAudit } from './auditJudge';

/** Runs `npm audit` at level high on the lock file. If the registry offers no audit, says so instead of failing. */
runMain(async () => {
  const npm = spawn('npm', ['audit', '--audit-level=high', '--json'], {
    cwd: projectFolder,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve, reject) => npm.once('close', resolve).once('error', reject));
  const { passed, message } = judgeAudit(output);
  console.log(message);
  return passed ? 0 : 1;
});
