import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { cached } from '../../support/cache';
import { UserError } from '../../support/lifetime';
import { step } from '../../support/npm';
import { findOnPath, run } from '../../support/processes';
import { installCanvas } from './canvas';
import type { Release } from './releases';

const windows = process.platform === 'win32';
const venvPython = windows ? ['Scripts', 'python.exe'] : ['bin', 'python'];
/** The versions that all releases run on, in order of preference. */
const pythons = ['3.12', '3.13'];

/** A Python that all releases run on; undefined if there is none. */
function findPython(): string | undefined {
  const versions = path.join(process.env['PYENV_ROOT'] ?? path.join(homedir(), '.pyenv'), 'versions');
  const ofPyenv = existsSync(versions) ? readdirSync(versions) : [];
  const candidates = pythons.flatMap((version) => [
    ...ofPyenv
      .filter((name) => name.startsWith(`${version}.`))
      .map((name) => path.join(versions, name, 'bin', 'python')),
    findOnPath(`python${version}`),
  ]);
  // pyenv’s shims may only say that the version isn’t installed.
  return candidates.find(
    (candidate) => candidate !== undefined && spawnSync(candidate, ['--version']).status === 0,
  );
}

const folderOf = (version: string): string => `service-${version}`;

/** An installed release. */
export interface Installed {
  /** The Python that it runs on. */
  readonly python: string;
  /** Its folder in the cache. */
  readonly folder: string;
}

/** Installs a release into the cache unless it’s there. Throws a one-line UserError. */
export async function installRelease(release: Release): Promise<Installed> {
  const python = findPython();
  if (python === undefined)
    throw new UserError(`Python ${pythons.join(' or ')} was not found on the path or in pyenv.`);
  return install(release, python).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    const lines = error.message.split('\n').filter((line) => line.trim() !== '');
    throw new UserError(`${release.requirement} could not be installed: ${lines.at(-1)?.trim()}`);
  });
}

async function install(release: Release, python: string): Promise<Installed> {
  if (release.isCanvas) return { python, folder: await installCanvas(release, python) };
  const { version, requirement } = release;
  // The newest version may need packages that aren’t published yet, so the installer picks the version.
  const asOf = requirement.includes('==') ? undefined : await newestVersion(python, requirement);
  const folder = await cached(folderOf(version), { requirement, asOf, python }, (building) =>
    step(`${requirement} with its Python packages, for tests with a real server (a minute or more)`, () =>
      installPackages(python, requirement, building),
    ),
  );
  return { python: path.join(folder, ...venvPython), folder };
}

async function newestVersion(python: string, name: string): Promise<string | undefined> {
  const answer = await run(python, ['-m', 'pip', 'index', 'versions', name]);
  return /^\S+ \(([\w.]+)\)$/m.exec(answer)?.[1];
}

async function installPackages(python: string, requirement: string, folder: string): Promise<void> {
  await run(python, ['-m', 'venv', folder]);
  const own = path.join(folder, ...venvPython);
  await run(own, ['-m', 'pip', 'install', '--quiet', 'uv']);
  const add = (...args: string[]) =>
    run(own, ['-m', 'uv', 'pip', 'install', '--quiet', '--python', own, ...args]);
  await add('--no-deps', requirement);
  // The release doesn’t run with every later version of its dependencies.
  const constraints = path.join(folder, 'constraints.txt');
  await writeFile(constraints, await lockedVersions(folder));
  await add('--constraint', constraints, requirement);
}

/** The versions in the release’s lock file, as constraints; empty if there’s no lock file. */
async function lockedVersions(folder: string): Promise<string> {
  const [library = ''] = windows ? ['Lib'] : readdirSync(path.join(folder, 'lib'));
  const file = path.join(folder, windows ? '' : 'lib', library, 'site-packages', 'openhands', 'poetry.lock');
  const lock = await readFile(file, 'utf8').catch(() => '');
  return lock
    .split('[[package]]')
    .filter((block) => !block.includes('[package.source]'))
    .flatMap((block) => /^name = "(.+)"\nversion = "(.+)"$/m.exec(block)?.slice(1).join('==') ?? [])
    .join('\n');
}
