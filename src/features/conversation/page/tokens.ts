import * as l10n from '@vscode/l10n';
import { webLink } from '../shared/webLink';
import { deepest } from './blocks';

/** Text within a line. There's no HTML and no picture: both become text. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'deleted'; content: readonly Inline[] }
  /** `url` is a web address. */
  | { kind: 'link'; url: string; content: readonly Inline[] }
  | { kind: 'break' };

/** A run of `*`, `_` or `~`, of which some may start or end a style. */
export interface Run {
  kind: 'run';
  mark: string;
  length: number;
  /** How many aren't used yet. */
  left: number;
  opens: boolean;
  closes: boolean;
  /** The lengths of the marks that are used, the innermost first. */
  opened: number[];
  closed: number[];
}

/** The start of a link or picture, if `href` is known; otherwise text. */
export interface Bracket {
  kind: 'bracket';
  source: string;
  href: string | undefined;
}

export type MarkdownToken = Inline | Run | Bracket | { kind: 'end'; source: string };

/** Text as is, with its line ends. */
export function inlineLines(text: string): Inline[] {
  return text.split('\n').flatMap((line, index): Inline[] => {
    const inline: Inline = { kind: 'text', text: line };
    return index === 0 ? [inline] : [{ kind: 'break' }, inline];
  });
}

type Styled = Extract<Inline, { content: unknown }>;

interface Frame {
  content: Inline[];
  close: (content: Inline[]) => Inline[];
}

/** Nests what the tokens start and end. What is nested too deep keeps its marks. */
export function build(tokens: readonly MarkdownToken[]): Inline[] {
  const root: Inline[] = [];
  const frames: Frame[] = [{ content: root, close: (content) => content }];
  const here = () => frames.at(-1)?.content ?? root;
  const say = (text: string) => {
    const last = here().at(-1);
    if (last?.kind === 'text') last.text += text;
    else if (text !== '') here().push(textToken(text));
  };
  const open = (source: string, close: Frame['close']) => {
    const isDeep = frames.length > deepest;
    if (isDeep) say(source);
    frames.push({ content: isDeep ? here() : [], close });
  };
  const end = (source: string) => {
    const frame = frames.pop();
    if (frame?.content === here()) say(source);
    else if (frame !== undefined) for (const inline of frame.close(frame.content)) here().push(inline);
  };
  for (const token of tokens) {
    if (token.kind === 'run') {
      for (const length of token.closed) end(token.mark.repeat(length));
      say(token.mark.repeat(token.left));
      for (const length of token.opened.toReversed())
        open(token.mark.repeat(length), (content) => [{ kind: styleOf(token.mark, length), content }]);
    } else if (token.kind === 'end') end(token.source);
    else if (token.kind === 'text') say(token.text);
    else if (token.kind !== 'bracket') here().push(token);
    else if (token.href === undefined) say(token.source);
    else {
      const { href, source } = token;
      open(source, (content) =>
        source === '[' ? linkOf(href, withoutLinks(content)) : pictureOf(href, wordsOf(content)),
      );
    }
  }
  return root;
}

const styleOf = (mark: string, length: number): Exclude<Styled['kind'], 'link'> =>
  mark === '~' ? 'deleted' : length === 2 ? 'strong' : 'emphasis';

export const textToken = (text: string) => ({ kind: 'text' as const, text });

function withoutLinks(content: readonly Inline[]): Inline[] {
  return content.flatMap((inline): Inline[] => {
    if (!('content' in inline)) return [inline];
    const inner = withoutLinks(inline.content);
    return inline.kind === 'link' ? inner : [{ ...inline, content: inner }];
  });
}

function wordsOf(content: readonly Inline[]): string {
  return content
    .map((inline) => ('content' in inline ? wordsOf(inline.content) : 'text' in inline ? inline.text : ' '))
    .join('');
}

const pictureOf = (href: string, words: string) =>
  linkOf(href, [textToken(l10n.t('[Picture: {0}]', words || href))]);

/** Only web addresses become links; of anything else the text remains, with the address in it. */
function linkOf(href: string, content: readonly Inline[]): Inline[] {
  const url = webLink(decoded(href))?.href;
  if (url !== undefined) return [{ kind: 'link', url, content }];
  return [...content, textToken(` (${href})`)];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  '#39': "'",
};

export function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => entities[name] ?? whole);
}
