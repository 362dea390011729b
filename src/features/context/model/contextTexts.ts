import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import type { QuotedSelection, SelectedProblem } from '../../../shared/selection';
import { cut, fenced, inlineCode, longestCode, problemLine } from '../../../core/text/selectionMessage';

const mostNames = 500;
const mostProblems = 100;

/** The names of the files in a folder, for an agent. */
export function folderQuote(folder: string, files: readonly string[]): QuotedSelection {
  return { label: folder, text: `${l10n.t('Files in {0}:', inlineCode(folder))}\n\n${nameLines(files)}` };
}

/** The problems that the editor reports in files, for an agent. */
export function problemsQuote(
  files: readonly { path: string; problems: readonly SelectedProblem[] }[],
): QuotedSelection {
  const lines = files.flatMap(({ path, problems }) =>
    problems.map((one) => `${inlineCode(path)}, ${problemLine(one)}`),
  );
  const list = bulleted(lines, mostProblems);
  return { label: l10n.t('Problems'), text: `${l10n.t('Problems reported by the editor:')}\n\n${list}` };
}

/**
 * What isn’t committed, for an agent.
 * @param added files that Git doesn’t track yet
 * @param folder whose changes they are, if there are several
 */
export function changesQuote(
  label: string,
  diff: string,
  added: readonly string[],
  folder = '',
): QuotedSelection {
  const code = cut(diff, longestCode);
  const left = diff.length - code.length;
  const heading = l10n.t('Changes that aren’t committed yet:');
  return {
    label: joined(label, folder),
    text: [
      folder === '' ? heading : l10n.t('{0}: {1}', inlineCode(folder), heading),
      ...(code === '' ? [] : [fenced(code, 'diff')]),
      ...(left > 0 ? [l10n.t('(truncated: {0} more characters)', left)] : []),
      ...(added.length > 0 ? [`${l10n.t('Files that aren’t in the diff:')}\n\n${nameLines(added)}`] : []),
    ].join('\n\n'),
  };
}

/** The paths of the files in a diff that Git printed. */
export function pathsInDiff(diff: string): string[] {
  return [...diff.matchAll(/^(?:---|\+\+\+) "?[ab]\/(.+?)"?\t?$/gm)].map(([, path = '']) => path);
}

const nameLines = (names: readonly string[]) => bulleted(names.map(inlineCode), mostNames);

function bulleted(lines: readonly string[], most: number): string {
  const shown =
    lines.length > most ? [...lines.slice(0, most), l10n.t('and {0} more', lines.length - most)] : lines;
  return shown.map((line) => `- ${line}`).join('\n');
}

/** A glob for files and folders with this in their paths, in whichever case; undefined for what can't be a path. */
export function namePattern(query: string): string | undefined {
  if (query.length > 100) return undefined;
  const name = query
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '')
    .replace(/[^\p{L}\p{N}/._-]/gu, '?')
    .replace(/\p{L}/gu, (letter) => {
      const both = new Set(
        [letter, letter.toLowerCase(), letter.toUpperCase()].filter((one) => /^.$/u.test(one)),
      );
      return both.size === 1 ? letter : `[${[...both].join('')}]`;
    });
  return name === '' ? undefined : `{**/*${name}*,**/*${name}*/**}`;
}

/** A file or folder that was found. */
export interface FoundPath {
  kind: 'file' | 'folder';
  path: string;
}

/** The files and folders with a query in their names, the best first: by name, then by path, shorter ones first. */
export function bestPaths(files: readonly string[], query: string, most: number): FoundPath[] {
  const wanted = query
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '')
    .toLowerCase();
  const folders = new Set(files.flatMap(foldersOf));
  const all: FoundPath[] = [
    ...files.map((path) => ({ kind: 'file' as const, path })),
    ...[...folders].map((path) => ({ kind: 'folder' as const, path })),
  ];
  const rank = ({ path }: FoundPath) => {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    if (name.startsWith(wanted)) return 0;
    return name.includes(wanted) ? 1 : 2;
  };
  // What is only in a folder of that name isn't meant, unless the query has a slash.
  const isMeant = (one: FoundPath) =>
    rank(one) < 2 || (wanted.includes('/') && one.path.toLowerCase().includes(wanted));
  return all
    .filter(isMeant)
    .toSorted((a, b) => rank(a) - rank(b) || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, most);
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
