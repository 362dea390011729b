import * as l10n from '@vscode/l10n';
import type { AgentEvent } from '../../api/events/event';
import {
  type Clipped,
  clippedTexts,
  type Entry,
  type Head,
  isCut,
  senderWords,
  separatorWords,
  type StepDetail,
  type StepEntry,
} from '../../shared/transcript';
import { plainText } from '../../shared/plainText';
import { isShortened } from './compact';

/** What an export is made from: cleaned, masked events and their entries. */
export interface Exported {
  head: Pick<Head, 'title' | 'masked' | 'hasOlder' | 'problem'>;
  entries: readonly Entry[];
  events: readonly AgentEvent[];
}

/** A conversation as a Markdown document, which says what it lacks. */
export function exportMarkdown(exported: Exported): string {
  const { head, entries } = exported;
  const shortened = entries.filter((entry) => printedTexts(entry).some(isCut)).length;
  const notes = leftOut(exported, shortened).map((note) => `> ${note}`);
  const title = plainText(head.title, 200) || l10n.t('Conversation');
  const blocks = [`# ${title}`, notes.join('\n>\n'), ...entries.map(entryMarkdown)];
  return blocks.filter((part) => part !== '').join('\n\n') + '\n';
}

/** A conversation as JSON: `{title, leftOut, events}`, the events as cleaned, without bookkeeping. */
export function exportJson(exported: Exported): string {
  const events = exported.events.filter(({ kind }) => kind !== 'hidden');
  const lacking = leftOut(exported, events.filter(isShortened).length);
  return `${JSON.stringify({ title: exported.head.title, leftOut: lacking, events }, null, 2)}\n`;
}

/** What an export lacks, in sentences. */
function leftOut({ head, events }: Exported, shortened: number): string[] {
  const images = events.reduce((sum, event) => sum + imagesOf(event), 0);
  const hidden = events.filter(({ kind }) => kind === 'hidden').length;
  const notes: [isTrue: boolean, note: string][] = [
    [head.problem !== '', l10n.t('Out of date: {0}', head.problem)],
    [head.hasOlder, l10n.t('Older events are left out.')],
    [shortened > 0, l10n.t('Long texts shortened: {0}.', shortened)],
    [images > 0, l10n.t('Pictures left out: {0}.', images)],
    [head.masked > 0, l10n.t('Secrets masked: {0}.', head.masked)],
    [hidden > 0, l10n.t('Internal events left out: {0}.', hidden)],
  ];
  return notes.flatMap(([isTrue, note]) => (isTrue ? [note] : []));
}

/** The contents of a file that was read aren’t in Markdown. */
const printedTexts = (entry: Entry): Clipped[] =>
  entry.kind === 'step' && entry.detail.step === 'read' ? [entry.problem] : clippedTexts(entry);

function imagesOf(event: AgentEvent): number {
  if (event.kind === 'message') return event.images;
  return event.kind === 'observation' ? event.result.images : 0;
}

/** An entry as Markdown, under a heading. */
export function entryMarkdown(entry: Entry): string {
  const time = Number.isFinite(entry.at)
    ? new Date(entry.at).toISOString().slice(0, 19).replace('T', ' ')
    : '';
  const titled = (title: string, ...parts: string[]) =>
    [`## ${title} · ${time}`, ...parts].filter((part) => part !== '').join('\n\n');
  switch (entry.kind) {
    case 'message':
      return titled(senderWords[entry.from](), quoted(entry.thought), entry.text.text);
    case 'step':
      return titled(
        stepTitle(entry.detail),
        quoted(entry.thought),
        ...stepBody(entry),
        quoted(entry.problem.text),
      );
    case 'error':
      return titled(l10n.t('Error: {0}', plainText(entry.title, 100)), fenced(entry.text.text));
    case 'separator':
      return titled(separatorWords[entry.what](), quoted(entry.text));
  }
}

type TitlesByStep = { [S in StepDetail['step']]: (detail: Extract<StepDetail, { step: S }>) => string };

const titles: TitlesByStep = {
  terminal: () => l10n.t('Command'),
  edit: ({ path, added, removed }) => l10n.t('Edited {0} (+{1} −{2})', plainText(path, 200), added, removed),
  read: ({ path }) => l10n.t('Read {0}', plainText(path, 200)),
  plan: () => l10n.t('Plan'),
  mcp: ({ tool }) => l10n.t('Tool: {0}', plainText(tool, 100)),
  browser: ({ tool }) => l10n.t('Tool: {0}', plainText(tool, 100)),
  think: () => l10n.t('Thought'),
  finish: () => l10n.t('Finished'),
  other: ({ tool }) => l10n.t('Tool: {0}', plainText(tool, 100)),
};

const stepTitle = (detail: StepDetail): string =>
  (titles[detail.step] as (detail: StepDetail) => string)(detail);

const marks = { todo: '[ ]', in_progress: '[~]', done: '[x]' };
const signs = { same: ' ', added: '+', removed: '-', gap: '…' };

function stepBody({ detail }: StepEntry): string[] {
  switch (detail.step) {
    case 'terminal':
      return [fenced(`$ ${detail.command}`), fenced(detail.output?.text ?? ''), exit(detail.exitCode)];
    case 'edit':
      return [fenced(detail.diff.map(({ kind, text }) => signs[kind] + text).join('\n'))];
    case 'read':
      return [];
    case 'plan':
      return [
        detail.tasks.map(({ status, title }) => `- ${marks[status]} ${plainText(title, 500)}`).join('\n'),
      ];
    case 'think':
    case 'finish':
      return [detail.text];
    case 'mcp':
    case 'browser':
    case 'other':
      return [fenced(detail.input), fenced(detail.output?.text ?? '')];
  }
}

const exit = (code: number | null) => (code === null ? '' : l10n.t('Exit code: {0}', code));

/** Each line as a quotation. */
const quoted = (text: string) => (text === '' ? '' : text.replace(/^/gm, '> '));

/** Text as it is, in a fence that nothing in it can close. */
function fenced(text: string): string {
  if (text === '') return '';
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}\n${withoutCodes(text)}\n${fence}`;
}

/** Without the codes that color a terminal. */
const withoutCodes = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, '');
