import { spawn } from 'node:child_process';
import { runMain } from './lifetime';
import { projectFolder } from './paths';
import { judgeAudit } from './auditJudge';

/** `npm audit` at level high over the lock file. A registry that offers no audit is said, and is no failure. */
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
