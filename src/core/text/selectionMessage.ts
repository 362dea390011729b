import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import { nameList } from '../../shared/joined';
import type { QuotedSelection, SelectedPart, SelectedProblem, Selection } from '../../shared/selection';

/** The most characters of code in one message. Agents should read more than that from the file itself. */
export const longestCode = 20_000;
const mostProblems = 20;

/** Quotes a selection for an agent, as Markdown: where it is, the code, and its problems. */
export function quotedSelection(selection: Selection): QuotedSelection {
  const { path, parts } = selection;
  return {
    text: selectionText(selection),
    label: nameList([plainText(path, 400), ...parts.map(linesWords)]),
  };
}

/** What a user wrote in a message, apart from the selections quoted in it. */
export function instructionIn(message: string, quoted: readonly QuotedSelection[]): string {
  let rest = asSaved(message);
  for (const { text } of quoted) rest = rest.split(asSaved(text)).join('');
  return rest.trim();
}

/** A short name for a message: the first line of the instruction, else the first selection; empty for no message. */
export function messageLabel(message: string, quoted: readonly QuotedSelection[]): string {
  const firstLine = (text: string) => asSaved(text).trim().split('\n', 1).join();
  const line = firstLine(instructionIn(message, quoted) || message);
  return quoted.find(({ text }) => firstLine(text) === line)?.label ?? line;
}

/** Text as it is after the editor saved it, which can change line ends and trim lines. */
function asSaved(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?<![ \t])[ \t]+$/gm, '');
}

function selectionText({ path, language, parts, problems }: Selection): string {
  let room = longestCode;
  const blocks = parts.map((part) => {
    const code = cut(part.text, room);
    room = Math.max(0, room - code.length);
    const heading = l10n.t('In {0}, {1}:', inlineCode(path), linesWords(part));
    if (code === '') return `${heading}\n\n${l10n.t('(omitted: the selection is too long)')}`;
    const block = `${heading}\n\n${fenced(code, language)}`;
    if (code === part.text) return block;
    const left = part.text.length - code.length;
    return `${block}\n\n${l10n.t('(truncated: {0} more characters in the file)', left)}`;
  });
  return [...blocks, ...problemsBlock(problems)].join('\n\n');
}

function linesWords({ firstLine, lastLine }: SelectedPart): string {
  return firstLine === lastLine
    ? l10n.t('line {0}', firstLine)
    : l10n.t('lines {0}–{1}', firstLine, lastLine);
}

/** At most `max` characters, cut at the end of a line if possible and never within a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.lastIndexOf('\n', max);
  const whole = text.slice(0, end > 0 ? end : max);
  return /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole;
}

/** The fence is longer than any run of backticks in the code, so the code can't end it. */
export function fenced(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  const info = /^[\w+#.-]+$/.test(language) ? language : '';
  return `${fence}${info}\n${code.replace(/\r\n?/g, '\n').replace(/\n$/, '')}\n${fence}`;
}

/** A name as code in a line of Markdown. */
export function inlineCode(text: string): string {
  const line = plainText(text, 400);
  const mark = '`'.repeat(longestRun(line) + 1);
  const space = mark.length > 1 ? ' ' : '';
  return `${mark}${space}${line}${space}${mark}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function problemsBlock(problems: readonly SelectedProblem[]): string[] {
  if (problems.length === 0) return [];
  const lines = problems.slice(0, mostProblems).map((one) => `- ${problemLine(one)}`);
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`- ${l10n.t('and {0} more', more)}`);
  return [`${l10n.t('Problems reported by the editor:')}\n\n${lines.join('\n')}`];
}

/** A problem in one line. */
export function problemLine({ line, severity, source, message }: SelectedProblem): string {
  const from = source === '' ? '' : ` (${plainText(source, 60)})`;
  return `${l10n.t('line {0}', line)}, ${severities[severity]()}${from}: ${plainText(message, 500)}`;
}

const severities: Record<SelectedProblem['severity'], () => string> = {
  error: () => l10n.t('error'),
  warning: () => l10n.t('warning'),
  information: () => l10n.t('information'),
  hint: () => l10n.t('hint'),
};
