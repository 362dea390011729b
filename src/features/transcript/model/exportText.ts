import * as l10n from '@vscode/l10n';
import type { AgentEvent } from '../../../api/events/event';
import { changedCounts } from '../../../shared/changedCounts';
import { clippedTexts } from '../../../shared/clippedTexts';
import {
  type Clipped,
  type Entry,
  type Head,
  hookWords,
  isCut,
  type MessageEntry,
  remedyWords,
  type StepDetail,
  type StepEntry,
} from '../../../shared/transcript';
import { plainLines, plainText } from '../../../shared/plainText';
import { senderWords, separatorTitle, thoughtTitle } from '../../../shared/entryTitles';
import { clip } from './clip';
import { isShortened } from './compact';
import { words } from './words';

/** What an export is made from: cleaned, masked events and their entries. */
export interface Exported {
  head: Pick<Head, 'title' | 'masked' | 'areSecretsUnread' | 'hasOlder' | 'problem'>;
  entries: readonly Entry[];
  events: readonly AgentEvent[];
}

/** A conversation as a Markdown document, which says what it lacks. */
export function exportMarkdown(exported: Exported): string {
  const { head, entries } = exported;
  const shortened = entries.filter(isShort).length;
  const notes = leftOut(exported, shortened).map((note) => quoted(withoutTags(note)));
  const title = plainText(head.title, 200) || l10n.t('Conversation');
  const blocks = [`# ${withoutTags(title)}`, notes.join('\n>\n'), ...entries.map(entryMarkdown)];
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
    [head.problem !== '', l10n.t('Out of date: {0}', plainText(head.problem, 1_000))],
    [head.hasOlder, l10n.t('Older events are left out.')],
    [shortened > 0, l10n.t('Long texts shortened: {0}.', shortened)],
    [images > 0, l10n.t('Pictures left out: {0}.', images)],
    [head.masked > 0, l10n.t('Secrets masked: {0}.', head.masked)],
    [head.areSecretsUnread === true, words.secretsUnread()],
    [hidden > 0, l10n.t('Internal events left out: {0}.', hidden)],
  ];
  return notes.flatMap(([isTrue, note]) => (isTrue ? [note] : []));
}

const isShort = (entry: Entry): boolean =>
  printedTexts(entry).some(isCut) || (entry.kind === 'step' && entry.isCut === true);

/** The contents of a file that was read aren’t in Markdown. */
const printedTexts = (entry: Entry): Clipped[] =>
  entry.kind === 'step' && entry.detail.step === 'read' ? [entry.problem] : clippedTexts(entry);

function imagesOf(event: AgentEvent): number {
  if (event.kind === 'message') return event.images;
  return event.kind === 'observation' || event.kind === 'toolCall' ? event.result.images : 0;
}

/**
 * An entry as Markdown, under a heading. All that isn’t in our own words is quoted or fenced, so that no text can look
 * like an entry of somebody else.
 */
export function entryMarkdown(entry: Entry): string {
  const { heading, parts } = partsOf(entry, withoutTags);
  return [heading, ...parts].filter((part) => part !== '').join('\n\n');
}

/** An entry as Markdown, with at most `most` characters below the heading, all quoted. */
export function entryExcerpt(entry: Entry, most: number): string {
  const { heading, parts } = partsOf(entry, (text) => text);
  const text = plainLines(parts.filter((part) => part !== '').join('\n\n'));
  return [heading, quoted(clip(text, most).text)].filter((part) => part !== '').join('\n\n');
}

/** @param shown makes a text what it is outside of fences */
function partsOf(entry: Entry, shown: (text: string) => string): { heading: string; parts: string[] } {
  const time = Number.isFinite(entry.at)
    ? new Date(entry.at).toISOString().slice(0, 19).replace('T', ' ')
    : '';
  const titled = (title: string, ...parts: string[]) => ({ heading: `## ${shown(title)} · ${time}`, parts });
  const said = (text: string) => quoted(shown(text));
  const thought = (text: string, from: MessageEntry['from'] = 'agent') =>
    text === '' ? '' : `${thoughtTitle(from)}:\n\n${said(text)}`;
  switch (entry.kind) {
    case 'message':
      return titled(senderWords[entry.from](), thought(entry.thought, entry.from), said(entry.text.text));
    case 'step':
      return titled(
        stepTitle(entry.detail),
        thought(entry.thought),
        ...stepBody(entry, shown),
        said(entry.problem.text),
        remedyOf(entry),
        ...(entry.hooks ?? []).flatMap(({ on, outcome, text }) => [hookWords[outcome](on), fenced(text)]),
      );
    case 'error':
      return titled(
        l10n.t('Error: {0}', plainText(entry.title, 100)),
        fenced(entry.text.text),
        remedyOf(entry),
      );
    case 'separator':
      return titled(separatorTitle(entry), said(entry.text));
  }
}

const remedyOf = ({ remedy }: { remedy?: StepEntry['remedy'] }) => (remedy ? remedyWords[remedy]() : '');

type TitlesByStep = { [S in StepDetail['step']]: (detail: Extract<StepDetail, { step: S }>) => string };

const titles: TitlesByStep = {
  terminal: () => l10n.t('Command'),
  edit: ({ path, files, ...lines }) => {
    const named = plainText(path, 200);
    const what = files === undefined ? named : l10n.t('{0} and {1} more', named, files - 1);
    const [title, counts] = [l10n.t('Edited {0}', what), changedCounts(lines)];
    return counts === '' ? title : `${title} (${counts})`;
  },
  read: ({ path, how }) => readWords[how ?? 'file'](plainText(path, 200)),
  plan: () => l10n.t('Plan'),
  mcp: ({ tool }) => l10n.t('Tool: {0}', plainText(tool, 100)),
  browser: ({ tool }) => l10n.t('Tool: {0}', plainText(tool, 100)),
  think: () => l10n.t('Thought'),
  finish: () => l10n.t('Finished'),
  other: ({ tool }) => l10n.t('Tool: {0}', plainText(tool, 100)),
};

const readWords = {
  file: (path: string) => l10n.t('Read {0}', path),
  list: (path: string) => l10n.t('Listed {0}', path),
  search: (pattern: string) => l10n.t('Searched for {0}', pattern),
};

const stepTitle = (detail: StepDetail): string =>
  (titles[detail.step] as (detail: StepDetail) => string)(detail);

const marks = { todo: '[ ]', in_progress: '[~]', done: '[x]' };
const signs = { same: ' ', added: '+', removed: '-', gap: '…', file: '' };

function stepBody({ detail }: StepEntry, shown: (text: string) => string): string[] {
  switch (detail.step) {
    case 'terminal':
      return [fenced(`$ ${detail.command}`), fenced(detail.output?.text ?? ''), exit(detail.exitCode)];
    case 'edit':
      return [fenced(detail.diff.map(({ kind, text }) => signs[kind] + text).join('\n'))];
    case 'read':
      return [];
    case 'plan':
      return [
        detail.tasks
          .map(({ status, title }) => `- ${marks[status]} ${shown(plainText(title, 500))}`)
          .join('\n'),
      ];
    case 'think':
    case 'finish':
      return [quoted(shown(detail.text))];
    case 'mcp':
    case 'browser':
    case 'other':
      return [fenced(detail.input), fenced(detail.output?.text ?? '')];
  }
}

const exit = (code: number | null) => (code === null ? '' : l10n.t('Exit code: {0}', code));

/** Each line as a quotation. */
const quoted = (text: string) => (text === '' ? '' : text.replace(lineEnds, '\n').replace(/^/gm, '> '));

const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

const tags = /<(?=[a-z/!?])/gi;
/** What may begin a tag; and what is read first: escaped characters, addresses, code, and what code may be part of. */
const tokens =
  /\\[^<]|<https?:\/\/[^\s<>]*>|:\/\/(?=([^\s<`]{0,999}))\1(?=\S)|(`+)(?!`)[^|]*?(?<!`)\2(?!`)|`+|[[|]|<(?=[a-z/!?])/gi;

/**
 * A text in Markdown without tags, which could end a quotation or hide what follows. What’s certainly code stays as it is:
 * that in a fence at the beginning of a line, or in one line without anything that could change where it ends.
 */
function withoutTags(text: string): string {
  const lines = text.replace(lineEnds, '\n').split('\n');
  let fence = '';
  // One line may be a title or an item.
  let [isCertain, isClear] = [lines.length > 1, true];
  const live = (line: string) =>
    line.replace(tokens, (token) => {
      if (token === '<') return '&lt;';
      isClear &&= !/^(?::.*|`+|[[|])$/.test(token);
      return isClear ? token : token.replace(tags, '&lt;');
    });
  return lines
    .map((line) => {
      if (fence !== '') {
        if (!new RegExp(`^\\s*${fence}+[ \\t]*$`).test(line)) return line;
        fence = '';
        isCertain = /^\S/.test(line);
        return line;
      }
      // Other blanks end no paragraph, and no fence either.
      isClear ||= /^[ \t]*$/.test(line);
      if (isCertain) [fence = ''] = /^(?:`{3,}|~{3,})(?=[^`|]*$)/.exec(line) ?? [];
      isCertain &&= !/^[\s>*+\d.)-]*(?:```|~~~)/.test(line);
      isClear ||= fence !== '';
      return fence === '' ? live(line) : line;
    })
    .join('\n');
}

/** Text as it is, in a fence that nothing in it can close. */
function fenced(colored: string): string {
  if (colored === '') return '';
  // Codes go first: without them, what they separate could close the fence.
  const text = withoutCodes(colored);
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}\n${text}\n${fence}`;
}

/** Without the codes that color a terminal. */
const withoutCodes = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, '');
