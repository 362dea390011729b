import * as l10n from '@vscode/l10n';
import { Lexer, type Token, type Tokens } from 'marked';
import { plainLines } from '../../shared/plainText';
import { webLink } from '../../shared/webLink';

/** Text within a line. There's no HTML and no picture: both become text. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'deleted'; content: readonly Inline[] }
  /** `url` is a web address. */
  | { kind: 'link'; url: string; content: readonly Inline[] }
  | { kind: 'break' };

interface ListItem {
  /** Null for an item that isn't a task. */
  checked: boolean | null;
  content: readonly Block[];
}

export type Block =
  | { kind: 'paragraph'; content: readonly Inline[] }
  | { kind: 'heading'; depth: number; content: readonly Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; start: number; items: readonly ListItem[] }
  | { kind: 'quote'; content: readonly Block[] }
  | { kind: 'table'; head: readonly (readonly Inline[])[]; rows: readonly (readonly (readonly Inline[])[])[] }
  | { kind: 'rule' };

/** Real text doesn't nest deeper; below that, the source is shown. */
const deepest = 12;

/** The most characters that are read as Markdown; the rest is plain text. */
const longest = 50_000;

/** Reads Markdown of an unknown author. Text that would take long to parse is returned as is. */
export function parseMarkdown(source: string): Block[] {
  const text = plainLines(source);
  const end = text.length > longest ? text.lastIndexOf('\n', longest) : text.length;
  const head = text.slice(0, end > 0 ? end : longest);
  const rest = text.slice(head.length).trim();
  return [...blocksOfSource(head), ...(rest === '' ? [] : [plain(rest)])];
}

function blocksOfSource(text: string): Block[] {
  if (isIntricate(text)) return [plain(text)];
  try {
    return Lexer.lex(text, { gfm: true }).flatMap((token) => blocksOf(token, 0));
  } catch {
    // Too deep for the parser's recursion.
    return [plain(text)];
  }
}

/** Marks whose number in one paragraph decides how long the parser may take. */
const marks = /[*_~[\]<!`@]|https?:|www\./g;
const mostMarks = 600;
const longestWord = 2_000;
const mostNested = 40;

/** True for text that the parser could need seconds for; no person writes such text, and hardly any agent. */
function isIntricate(text: string): boolean {
  const prose = text.replace(/^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?^ {0,3}\1/gm, '');
  return prose
    .split(/\n\s*\n/)
    .some(
      (paragraph) =>
        (paragraph.match(marks)?.length ?? 0) > mostMarks ||
        paragraph.split(/\s+/, 20_000).some(({ length }) => length > longestWord) ||
        paragraph.split('\n').some((line) => (/^[\s>*+-]*/.exec(line)?.[0].length ?? 0) > mostNested * 2),
    );
}

function plain(text: string): Block {
  return { kind: 'paragraph', content: lines(text) };
}

/** Text as is, with its line ends. */
function lines(text: string): Inline[] {
  return text.split('\n').flatMap((line, index): Inline[] => {
    const inline: Inline = { kind: 'text', text: line };
    return index === 0 ? [inline] : [{ kind: 'break' }, inline];
  });
}

/** By the type of the token. */
type Readers<T> = Readonly<Partial<Record<string, (token: never, depth: number) => T[]>>>;

const blockReaders: Readers<Block> = {
  space: () => [],
  hr: () => [{ kind: 'rule' }],
  heading: ({ depth, tokens }: Tokens.Heading, deep) => [
    { kind: 'heading', depth, content: inlinesOf(tokens, deep) },
  ],
  code: ({ text }: Tokens.Code) => [{ kind: 'code', text }],
  blockquote: ({ tokens }: Tokens.Blockquote, deep) => [
    { kind: 'quote', content: tokens.flatMap((token) => blocksOf(token, deep + 1)) },
  ],
  list: ({ ordered, start, items }: Tokens.List, deep) => [
    {
      kind: 'list',
      ordered,
      start: start === '' ? 1 : start,
      items: items.map(({ task, checked, tokens }) => ({
        checked: task ? checked === true : null,
        content: tokens.flatMap((token) => (token.type === 'checkbox' ? [] : blocksOf(token, deep + 1))),
      })),
    },
  ],
  table: ({ header, rows }: Tokens.Table, deep) => [
    {
      kind: 'table',
      head: header.map(({ tokens }) => inlinesOf(tokens, deep)),
      rows: rows.map((row) => row.map(({ tokens }) => inlinesOf(tokens, deep))),
    },
  ],
  paragraph: ({ tokens }: Tokens.Paragraph, deep) => [
    { kind: 'paragraph', content: inlinesOf(tokens, deep) },
  ],
  text: ({ tokens, text }: Tokens.Text, deep) => [
    { kind: 'paragraph', content: tokens ? inlinesOf(tokens, deep) : lines(decoded(text)) },
  ],
};

/** A block of a kind that isn't known here, such as HTML, comes as its source. */
function blocksOf(token: Token, deep: number): Block[] {
  const read = deep > deepest ? undefined : blockReaders[token.type];
  const source = token.raw.trimEnd();
  return read ? read(token as never, deep) : source === '' ? [] : [plain(source)];
}

const inlineReaders: Readers<Inline> = {
  text: ({ text, tokens }: Tokens.Text, deep) => (tokens ? inlinesOf(tokens, deep) : lines(decoded(text))),
  escape: ({ text }: Tokens.Escape) => [{ kind: 'text', text }],
  codespan: ({ text }: Tokens.Codespan) => [{ kind: 'code', text }],
  br: () => [{ kind: 'break' }],
  strong: ({ tokens }: Tokens.Strong, deep) => [{ kind: 'strong', content: inlinesOf(tokens, deep) }],
  em: ({ tokens }: Tokens.Em, deep) => [{ kind: 'emphasis', content: inlinesOf(tokens, deep) }],
  del: ({ tokens }: Tokens.Del, deep) => [{ kind: 'deleted', content: inlinesOf(tokens, deep) }],
  link: ({ href, tokens }: Tokens.Link, deep) => linkOf(href, inlinesOf(tokens, deep)),
  image: ({ href, text }: Tokens.Image) =>
    linkOf(href, [{ kind: 'text', text: l10n.t('[Picture: {0}]', decoded(text) || href) }]),
};

function inlinesOf(tokens: readonly Token[], deep: number): Inline[] {
  return tokens.flatMap((token) => {
    const read = deep > deepest ? undefined : inlineReaders[token.type];
    return read ? read(token as never, deep + 1) : lines(token.raw);
  });
}

/** Only web addresses become links; of anything else the text remains, with the address in it. */
function linkOf(href: string, content: readonly Inline[]): Inline[] {
  const url = webLink(decoded(href))?.href;
  if (url !== undefined) return [{ kind: 'link', url, content }];
  return [...content, { kind: 'text', text: ` (${href})` }];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  '#39': "'",
};

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => entities[name] ?? whole);
}
