import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from './lifetime';
import { run } from './processes';

/** Runs one step of the setup. Prints what it installs and how long that took. */
export async function step(what: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  process.stdout.write(`  installing ${what} … `);
  try {
    await work();
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
  process.stdout.write(`${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

/** Creates a folder that npm treats as a separate package. */
export async function packageFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  return folder;
}

/**
 * Installs npm packages into their own folder, without running their install scripts. `node` is the Node that npm runs
 * on and installs for.
 */
export async function npmInstall(node: string, folder: string, ...args: string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--loglevel=error'];
  await npm(node, folder, ['install', ...args, '--ignore-scripts', ...quiet]);
}

/** Runs the machine's npm on the given Node, without the environment that an enclosing `npm run` sets. */
export async function npm(node: string, cwd: string, args: string[]): Promise<void> {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      !/^npm_(package|lifecycle|command|config_(local_prefix|global_prefix|prefix|omit|include|dev))/i.test(
        name,
      )
    ) {
      env[name] = value;
    }
  }
  const search = `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const cli = npmCli();
  await run(node, [cli, ...args], { cwd, env: { ...env, PATH: search } });
}

/** npm's own script: the one that runs this script, or the one next to this Node. */
export function npmCli(): string {
  const { ['npm_execpath']: running } = process.env;
  const nodeBin = path.dirname(process.execPath);
  const candidates = [
    ...(running?.endsWith('npm-cli.js') ? [running] : []),
    path.join(nodeBin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(nodeBin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    '/usr/share/nodejs/npm/bin/npm-cli.js',
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (!found)
    throw new UserError('Can’t find npm next to this Node. Run this through npm, as in "npm test".');
  return found;
}
