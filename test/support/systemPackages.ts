import { spawnSync } from 'node:child_process';
import { UserError } from './lifetime';
import { findOnPath, run } from './processes';
import { step } from './npm';

/** Whether system packages can be installed without asking anyone: as root, on Debian or Ubuntu. */
export function canInstallSystemPackages(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && findOnPath('apt-get') !== undefined;
}

/** Installs system packages with apt-get; `why` says what they're needed for. */
export async function installSystemPackages(packages: string[], why: string): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await step(`${packages.join(', ')} with apt-get (${why})`, async () => {
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  });
}

/** Whether a program starts on this machine. A downloaded one may lack system libraries. */
export function starts(program: string, env: NodeJS.ProcessEnv = {}): boolean {
  const { status } = spawnSync(program, ['--version'], { env: { ...process.env, ...env }, stdio: 'ignore' });
  return status === 0;
}

/** An error that ends a run: what's missing, and the command that installs it. */
export function missing(what: string, debianPackages: string[]): UserError {
  return new UserError(`${what}\nOn Debian or Ubuntu: sudo apt-get install ${debianPackages.join(' ')}`);
}
