import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { cached } from '../../support/cache';
import { UserError } from '../../support/lifetime';
import { step } from '../../support/npm';
import { findOnPath, run } from '../../support/processes';
import type { Release } from './releases';

const windows = process.platform === 'win32';
const venvPython = windows ? ['Scripts', 'python.exe'] : ['bin', 'python'];
const noPython = 'Python 3.12 was not found (looked on the path and in pyenv)';

/** Python 3.12, the one version that all releases run on; undefined if there is none. */
function findPython(): string | undefined {
  const versions = path.join(process.env['PYENV_ROOT'] ?? path.join(homedir(), '.pyenv'), 'versions');
  const ofPyenv = existsSync(versions) ? readdirSync(versions).filter((name) => /^3\.12\b/.test(name)) : [];
  const candidates = [
    ...ofPyenv.map((name) => path.join(versions, name, 'bin', 'python')),
    findOnPath('python3.12'),
  ];
  // pyenv puts programs on the path that only say that they aren’t there.
  return candidates.find(
    (candidate) => candidate !== undefined && spawnSync(candidate, ['--version']).status === 0,
  );
}

const folderOf = (version: string): string => `service-${version}`;

/** Installs a release into the cache, once. Returns its Python. */
export async function installRelease({ version, requirement }: Release): Promise<string> {
  const python = findPython();
  if (python === undefined) throw new UserError(`${noPython}; the tests with real servers need it.`);
  // The newest may need what isn’t there yet, so which one is installed is left to the installer.
  const asOf = requirement.includes('==') ? undefined : await newestVersion(python, requirement);
  const folder = await cached(folderOf(version), { requirement, asOf, python }, (building) =>
    step(`${requirement} with its Python packages, for tests with a real server (a minute or more)`, () =>
      install(python, requirement, building),
    ),
  );
  return path.join(folder, ...venvPython);
}

async function newestVersion(python: string, name: string): Promise<string | undefined> {
  const answer = await run(python, ['-m', 'pip', 'index', 'versions', name]);
  return /^\S+ \(([\w.]+)\)$/m.exec(answer)?.[1];
}

async function install(python: string, requirement: string, folder: string): Promise<void> {
  await run(python, ['-m', 'venv', folder]);
  const own = path.join(folder, ...venvPython);
  await run(own, ['-m', 'pip', 'install', '--quiet', 'uv']);
  const add = (...args: string[]) =>
    run(own, ['-m', 'uv', 'pip', 'install', '--quiet', '--python', own, ...args]);
  await add('--no-deps', requirement);
  // Its code doesn’t run with every later version of what it needs.
  const constraints = path.join(folder, 'constraints.txt');
  await writeFile(constraints, await lockedVersions(folder));
  await add('--constraint', constraints, requirement);
}

/** The versions in the lock file that comes with a release, as constraints; none if there is no such file. */
async function lockedVersions(folder: string): Promise<string> {
  const packages = path.join(folder, ...(windows ? ['Lib'] : ['lib', 'python3.12']), 'site-packages');
  const lock = await readFile(path.join(packages, 'openhands', 'poetry.lock'), 'utf8').catch(() => '');
  return lock
    .split('[[package]]')
    .filter((block) => !block.includes('[package.source]'))
    .flatMap((block) => /^name = "(.+)"\nversion = "(.+)"$/m.exec(block)?.slice(1).join('==') ?? [])
    .join('\n');
}
