import * as l10n from '@vscode/l10n';
import { plainText } from '../../../shared/plainText';
import type { FoundLine } from './searchScripts';

/** How many results of each kind are shown. */
const mostResults = 2_000;

/** A line of the results. */
export interface ReportLine {
  text: string;
  /** Columns that link to a file: at a line, or where the editor last was in it. */
  link?: { from: number; to: number; path: string; line?: number };
}

/** What a search found, by name and then by content, as lines to read; `found` is undefined while that isn’t known. */
export function searchReport(
  names: readonly string[],
  found: readonly FoundLine[] | undefined,
): ReportLine[] {
  const byName = names.slice(0, mostResults).map((path) => linked('', path));
  const lines: ReportLine[] = [{ text: headOf(names.length, l10n.t('Files by name')) }, ...byName];
  if (found === undefined) return lines;
  lines.push({ text: '' }, { text: headOf(found.length, l10n.t('Lines')) });
  let last: string | undefined;
  for (const { path, line, text } of found.slice(0, mostResults)) {
    if (path !== last) lines.push({ text: '' }, linked('', path));
    last = path;
    lines.push({ ...linked('  ', path, line), text: `  ${line}: ${plainText(text, 300)}` });
  }
  return lines;
}

function headOf(count: number, kind: string): string {
  if (count > mostResults) return l10n.t('{0}: the first {1} results', kind, mostResults);
  return count === 0 ? l10n.t('{0}: no results', kind) : `${kind}: ${count}`;
}

function linked(indent: string, path: string, line?: number): ReportLine {
  const text = line === undefined ? plainText(path, 1_000) : String(line);
  const from = indent.length;
  return { text, link: { from, to: from + text.length, path, ...(line !== undefined && { line }) } };
}
