import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { crashed, ok, type Answer } from '../http';
import type { Release } from './release';

/** Git’s empty tree. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const largestDiff = 1024 * 1024;

const statuses: Record<string, string> = { A: 'ADDED', D: 'DELETED', M: 'UPDATED', T: 'UPDATED' };

/** The server's answers about a repository, bugs included. */
export function gitAnswer(release: Release, what: string, place: string): Answer {
  try {
    return ok(what === 'changes' ? changes(release, place) : diff(release, place));
  } catch {
    return release === '1.58.0' ? { status: 400, body: { detail: 'Git command failed' } } : crashed();
  }
}

const gitIn =
  (folder: string) =>
  (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

/** Without an origin, everything counts as new. */
function reference(git: ReturnType<typeof gitIn>): string {
  try {
    return git('merge-base', 'HEAD', 'origin/HEAD').trim();
  } catch {
    return emptyTree;
  }
}

/** Splits lines at whitespace like the real server, so a path with a space fails the whole request. */
function changes(release: Release, folder: string): unknown {
  const git = gitIn(folder);
  const ref = reference(git);
  const tracked = git('-c', 'core.quotePath=false', 'diff', '--name-status', '--no-renames', ref)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [letter = '', name, ...more] = line.split(/\s+/);
      if (name === undefined || more.length > 0) throw new Error('unexpected line');
      if (release === '1.7.1' && letter === 'D' && ref === emptyTree) throw new Error('no such file');
      return { status: statuses[letter], path: name };
    });
  const untracked = git('-c', 'core.quotePath=false', 'ls-files', '--others', '--exclude-standard')
    .split('\n')
    .filter((name) => name !== '')
    .map((name) => ({ status: 'ADDED', path: name }));
  return [...tracked, ...untracked];
}

/** Both sides, without carriage returns and final newlines. */
function diff(release: Release, file: string): unknown {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if ((size ?? 0) > largestDiff) throw new Error('too large');
  if (release === '1.7.1' && size === undefined) throw new Error('no such file');
  const git = gitIn(path.dirname(file));
  const told = (text: string) => text.replaceAll('\r', '').replace(/\n$/, '');
  const original = () => git('show', `${reference(git)}:./${path.basename(file)}`);
  return {
    modified: size === undefined ? '' : told(readFileSync(file, 'utf8')),
    original: told(orEmpty(original)),
  };
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
