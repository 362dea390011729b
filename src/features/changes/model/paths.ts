import { groupBy } from '../../../core/basics/groupBy';
import type { NotApplied } from './notApplied';

/** Maximum size of a name on most file systems, in bytes. */
const longestName = 255;
/** Longest path in bytes, leaving room for the folder’s own path. */
const longestPath = 3_000;

/** Names of devices, with any extension. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|:|$)/i;
/** Characters that some file systems ignore in names (HFS+). */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/**
 * Why a path inside a folder must not be written to; undefined if it may be.
 *
 * @param path as git has it: relative, with slashes
 * @param windows whether the folder's computer treats names as Windows does
 */
export function pathProblem(path: string, windows: boolean): NotApplied | undefined {
  if (/^[a-z]:/i.test(path)) return 'outside';
  const names = path.split(/[/\\]/);
  if (names.some((name) => name === '' || /^\.[. ]*$/.test(name))) return 'outside';
  if (isInGit(path)) return 'git';
  // Lone surrogates have no bytes of their own; a backslash is a separator elsewhere.
  if (/\p{Surrogate}/u.test(path) || /[\u0000-\u001f\u007f\\]/.test(path)) return 'name';
  if (names.some((name) => Buffer.byteLength(name) > longestName)) return 'name';
  if (Buffer.byteLength(path) > longestPath) return 'name';
  return windows && names.some(isOddOnWindows) ? 'windows' : undefined;
}

/** Whether any file system takes a folder on this path for Git’s own, so that git leaves out what is below. */
export const isInGit = (path: string): boolean => path.split(/[/\\]/).some(isGit);

/**
 * Whether any file system takes a name for `.git`: by case, Unicode form, streams, short names, or ignored characters.
 */
function isGit(name: string): boolean {
  const plain = name
    .replace(ignorable, '')
    .normalize('NFKC')
    .replace(/:.*/s, '')
    .replace(/(?<![. ])[. ]+$/, '')
    .toLowerCase();
  return plain === '.git' || /^git~\d+$/.test(plain);
}

function isOddOnWindows(name: string): boolean {
  return devices.test(name) || /[<>:"|?*]/.test(name) || /[. ]$/.test(name);
}

/** How a file system sees a path if it ignores case and Unicode forms. */
function foldedPath(path: string): string {
  return Array.from(path.normalize('NFC'), folded).join('').normalize('NFC');
}

/**
 * Some letters, such as sigma, have two lowercase forms that a file system treats as one. Dotless i is a letter of its
 * own.
 */
function folded(letter: string): string {
  const capital = letter.toUpperCase();
  return (capital.length === letter.length && letter !== 'ı' ? capital : letter).toLowerCase();
}

/** The paths that, on some file system, are the same file, or a file and its folder. */
export function colliding(paths: readonly string[]): Set<string> {
  const byFolded = groupBy(new Set(paths), foldedPath);
  const found = new Set<string>();
  const add = (some: Iterable<string>) => {
    for (const path of some) found.add(path);
  };
  for (const [folded, same] of byFolded) {
    if (same.length > 1) add(same);
    for (let end = folded.indexOf('/'); end !== -1; end = folded.indexOf('/', end + 1)) {
      const folder = byFolded.get(folded.slice(0, end));
      if (!folder) continue;
      add(folder);
      add(same);
    }
  }
  return found;
}
