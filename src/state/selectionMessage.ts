import * as l10n from '@vscode/l10n';
import { plainText } from '../shared/plainText';

/** Code that the user selected. Lines count from 1, as people see them. */
export interface Selection {
  /** Relative to the workspace. */
  path: string;
  /** The editor's id of the language, such as `typescript`. */
  language: string;
  parts: readonly SelectedPart[];
  /** Problems that the editor shows within the selection. */
  problems: readonly SelectedProblem[];
}

export interface SelectedPart {
  firstLine: number;
  lastLine: number;
  text: string;
}

export interface SelectedProblem {
  line: number;
  severity: 'error' | 'warning' | 'information' | 'hint';
  /** Who found it, and its code there: `ts 2322`. */
  source: string;
  message: string;
}

/** Characters of code in one message; more than that is better read by the agent itself, from the file. */
export const longestCode = 20_000;
const mostProblems = 20;

/** The Markdown text that puts a selection in front of an agent: where it is, the code, and its problems. */
export function selectionMessage({ path, language, parts, problems }: Selection): string {
  let room = longestCode;
  const blocks = parts.map((part) => {
    const code = cut(part.text, room);
    room = Math.max(0, room - code.length);
    const heading = l10n.t('In {0}, {1}:', inlineCode(path), linesWords(part));
    if (code === '') return `${heading}\n\n${l10n.t('(left out: the selection is too long)')}`;
    const block = `${heading}\n\n${fenced(code, language)}`;
    if (code === part.text) return block;
    const left = part.text.length - code.length;
    return `${block}\n\n${l10n.t('(cut here: {0} more characters, to be read in the file)', left)}`;
  });
  return [...blocks, ...problemsBlock(problems)].join('\n\n');
}

function linesWords({ firstLine, lastLine }: SelectedPart): string {
  return firstLine === lastLine
    ? l10n.t('line {0}', firstLine)
    : l10n.t('lines {0} to {1}', firstLine, lastLine);
}

/** At most `max` characters, ended at a line's end where there is one and never within a character. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.lastIndexOf('\n', max);
  const whole = text.slice(0, end > 0 ? end : max);
  return /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole;
}

/** A fence is longer than any run of backticks in the code, so that the code cannot end it. */
function fenced(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  const info = /^[\w+#.-]+$/.test(language) ? language : '';
  return `${fence}${info}\n${code.replace(/\r\n?/g, '\n').replace(/\n$/, '')}\n${fence}`;
}

function inlineCode(text: string): string {
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
  const lines = problems.slice(0, mostProblems).map(({ line, severity, source, message }) => {
    const from = source === '' ? '' : ` (${plainText(source, 60)})`;
    return `- ${l10n.t('line {0}', line)}, ${severityWords(severity)}${from}: ${plainText(message, 500)}`;
  });
  const more = problems.length - lines.length;
  return [
    [
      l10n.t('Problems that the editor shows there:'),
      '',
      ...lines,
      ...(more > 0 ? [`- ${l10n.t('and {0} more', more)}`] : []),
    ].join('\n'),
  ];
}

function severityWords(severity: SelectedProblem['severity']): string {
  switch (severity) {
    case 'error':
      return l10n.t('error');
    case 'warning':
      return l10n.t('warning');
    case 'information':
      return l10n.t('information');
    case 'hint':
      return l10n.t('hint');
  }
}
