import { webLink } from '../shared/webLink';
import { labelOf } from './blocks';
import { build, decoded, textToken, type Bracket, type Inline, type Run, type MarkdownToken } from './tokens';

type Definitions = ReadonlyMap<string, string>;

interface OpenBracket {
  token: Bracket;
  /** Position of its text. */
  from: number;
  /** How many runs there were before. */
  runs: number;
}

/** The most steps that a text may take, for each of its characters; only what was written to be slow takes more. */
const mostSteps = 30;

/** Reads text with marks, links and line ends. Undefined for text that would take too many steps. */
export function readInlines(text: string, definitions: Definitions): Inline[] | undefined {
  const tokens = new InlineReader(text, definitions).read();
  return tokens && build(tokens);
}

const ordinary = /(?:[^\\`*_~![\]<&\nhw]|[hw](?!ttps?:\/\/|ww\.)){1,500}/iy;
const escaped = /\\[!-/:-@[-`{-~]/y;
const entity = /&(amp|lt|gt|quot|nbsp|#39);/y;
/** An address in pointed brackets, or a tag of HTML. */
const pointed = /<(?:(https?:\/\/[^\s<>]*)>|[/!?a-z][^<>]*>)/iy;
const bareLink = /(?:https?:\/\/(?:\[[\da-f:.]{2,45}\])?|www\.)(?:(?!\*\*|~~)[^\s<>[\]"`])*/iy;
const title = /\s+(?:"[^"]*"|'[^']*'|\([^()]*\))/y;
const label = /\[([^[\]]{0,999})\]/y;

class InlineReader {
  readonly #text: string;
  readonly #definitions: Definitions;
  readonly #tokens: MarkdownToken[] = [];
  /** Runs that aren't paired yet. */
  #runs: Run[] = [];
  readonly #brackets: OpenBracket[] = [];
  /** Brackets before this one can't start a link, since they have one within. */
  #linksFrom = 0;
  #ticks: Map<number, number[]> | undefined;
  #steps: number;
  #at = 0;

  constructor(text: string, definitions: Definitions) {
    this.#text = text;
    this.#definitions = definitions;
    this.#steps = mostSteps * text.length + 1_000;
  }

  read(): MarkdownToken[] | undefined {
    while (this.#at < this.#text.length && this.#steps > 0) this.#next(this.#text.charAt(this.#at));
    this.#pair(0);
    return this.#steps > 0 ? this.#tokens : undefined;
  }

  /** The match of a sticky pattern here, or at `from`. */
  #match(pattern: RegExp, from = this.#at): RegExpExecArray | null {
    pattern.lastIndex = from;
    return pattern.exec(this.#text);
  }

  #next(first: string): void {
    switch (first) {
      case '\n':
        this.#add({ kind: 'break' }, 1);
        return;
      case '\\':
        if (this.#text.charAt(this.#at + 1) === '\n') this.#at += 1;
        else if (this.#match(escaped)) this.#say(this.#text.charAt(this.#at + 1), 2);
        else this.#say(first, 1);
        return;
      case '`':
        this.#code();
        return;
      case '*':
      case '_':
      case '~':
        this.#run(first);
        return;
      case '[':
        this.#bracket('[');
        return;
      case '!':
        if (this.#text.charAt(this.#at + 1) === '[') this.#bracket('![');
        else this.#say(first, 1);
        return;
      case ']':
        this.#closeBracket();
        return;
      case '<': {
        const [source = first, href] = this.#match(pointed) ?? [];
        const url = href === undefined ? undefined : webLink(decoded(href))?.href;
        if (url === undefined) this.#say(source);
        else this.#add({ kind: 'link', url, content: [textToken(decoded(href ?? ''))] }, source.length);
        return;
      }
      case '&': {
        const [source = first] = this.#match(entity) ?? [];
        this.#say(decoded(source), source.length);
        return;
      }
      default: {
        const link = this.#match(bareLink);
        if (link) this.#bare(link[0]);
        else this.#say(this.#match(ordinary)?.[0] ?? first);
      }
    }
  }

  #add(token: MarkdownToken, length: number): void {
    this.#tokens.push(token);
    this.#at += length;
  }

  /** Adds text; `length` is that of its source. */
  #say(text: string, length = text.length): void {
    const last = this.#tokens.at(-1);
    if (last?.kind === 'text') last.text += text;
    else this.#tokens.push({ kind: 'text', text });
    this.#at += length;
  }

  #runLength(mark: string): number {
    let end = this.#at;
    while (this.#text.charAt(end) === mark) end += 1;
    return end - this.#at;
  }

  #code(): void {
    const length = this.#runLength('`');
    const from = this.#at + length;
    const end = this.#closingTicks(length, from);
    if (end === undefined) {
      this.#say('`'.repeat(length));
      return;
    }
    const code = this.#text.slice(from, end).replaceAll('\n', ' ');
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    this.#add({ kind: 'code', text: isPadded ? code.slice(1, -1) : code }, 0);
    this.#at = end + length;
  }

  /** Where the next run of as many backticks starts. All runs are looked for once. */
  #closingTicks(length: number, from: number): number | undefined {
    if (this.#ticks === undefined) {
      this.#ticks = new Map();
      for (const { 0: run, index } of this.#text.matchAll(/`+/g)) {
        const starts = this.#ticks.get(run.length) ?? [];
        this.#ticks.set(run.length, starts);
        starts.push(index);
      }
      for (const starts of this.#ticks.values()) starts.reverse();
    }
    const starts = this.#ticks.get(length) ?? [];
    while ((starts.at(-1) ?? from) < from) starts.pop();
    return starts.at(-1);
  }

  #run(mark: string): void {
    const length = this.#runLength(mark);
    const { opens, closes } = sides(mark, this.#before(), this.#after(this.#at + length));
    const run: Run = { kind: 'run', mark, length, left: length, opens, closes, opened: [], closed: [] };
    if (mark !== '~' || length <= 2) this.#runs.push(run);
    this.#add(run, length);
  }

  #before(): string {
    const unit = this.#text.charAt(this.#at - 1);
    return /[\udc00-\udfff]/.test(unit) ? this.#text.slice(this.#at - 2, this.#at) : unit;
  }

  #after(at: number): string {
    const point = this.#text.codePointAt(at);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  #bracket(source: '[' | '!['): void {
    const token: Bracket = { kind: 'bracket', source, href: undefined };
    this.#add(token, source.length);
    this.#brackets.push({ token, from: this.#at, runs: this.#runs.length });
  }

  #closeBracket(): void {
    const open = this.#brackets.pop();
    const at = this.#brackets.length;
    const isPicture = open?.token.source === '![';
    const isDead = !isPicture && at < this.#linksFrom;
    this.#linksFrom = Math.min(this.#linksFrom, at);
    const target = open === undefined || isDead ? undefined : this.#target(open);
    if (open === undefined || target === undefined) {
      this.#say(']');
      return;
    }
    open.token.href = target.href;
    this.#pair(open.runs);
    const source = this.#text.slice(this.#at, target.end);
    this.#add({ kind: 'end', source }, source.length);
    if (!isPicture) this.#linksFrom = at;
  }

  /** Where the link leads whose text ends here. */
  #target({ from }: OpenBracket): { href: string; end: number } | undefined {
    const next = this.#at + 1;
    if (this.#text.charAt(next) === '(') {
      const inline = this.#inlineTarget(next + 1);
      if (inline !== undefined) return inline;
    }
    if (this.#definitions.size === 0) return undefined;
    const [source = '', explicit = ''] = this.#match(label, next) ?? [];
    const own = this.#at - from <= 999 ? this.#text.slice(from, this.#at) : '';
    this.#steps -= own.length;
    const href = this.#definitions.get(labelOf(explicit || own));
    return href === undefined ? undefined : { href, end: next + source.length };
  }

  /** `address "title")` */
  #inlineTarget(from: number): { href: string; end: number } | undefined {
    let at = this.#spaceEnd(from);
    const [bracketed, inside] = this.#match(/<([^<>\n]*)>/y, at) ?? [];
    const start = at;
    if (bracketed !== undefined) at += bracketed.length;
    else
      for (let depth = 0; at < this.#text.length; at += 1) {
        const character = this.#text.charAt(at);
        if (character === ')') depth -= 1;
        else if (character === '(') depth += 1;
        if (/[\s\p{Cc}]/u.test(character) || depth < 0) break;
        if (character === '\\') at += 1;
        this.#steps -= 1;
        if (this.#steps < 0) return undefined;
      }
    const address = inside ?? this.#text.slice(start, at);
    at += this.#match(title, at)?.[0].length ?? 0;
    at = this.#spaceEnd(at);
    if (this.#text.charAt(at) !== ')') return undefined;
    return { href: address.replace(/\\([!-/:-@[-`{-~])/g, '$1'), end: at + 1 };
  }

  #spaceEnd(from: number): number {
    return from + (this.#match(/\s*/y, from)?.[0].length ?? 0);
  }

  /** An address in the text. */
  #bare(found: string): void {
    const isWord = /[\p{L}\p{N}_]/u.test(this.#before()) && !cjk.test(this.#before());
    const source = isWord ? '' : trimmedAddress(found);
    const text = decoded(source);
    const url = webLink(/^www\./i.test(text) ? `http://${text}` : text)?.href;
    if (source === '' || url === undefined) this.#say(found);
    else this.#add({ kind: 'link', url, content: [textToken(text)] }, source.length);
  }

  /** Pairs the runs from this one on, as CommonMark does. */
  #pair(from: number): void {
    const openers: Run[] = [];
    /** By kind of end: openers below were searched in vain. */
    const searched = new Map<string, number>();
    const runs = this.#runs.splice(from);
    for (const run of runs) {
      while (run.closes && run.left > 0 && this.#steps > 0) {
        const kind = `${run.mark}${run.opens}${run.length % 3}${run.mark === '~' ? run.length : ''}`;
        const lowest = searched.get(kind) ?? 0;
        let at = openers.length - 1;
        for (; at >= lowest && !pairs(openers[at], run); at -= 1) this.#steps -= 1;
        const opener = at >= lowest ? openers[at] : undefined;
        if (opener === undefined) {
          searched.set(kind, openers.length);
          break;
        }
        const length = Math.min(opener.left, run.left, 2);
        opener.left -= length;
        run.left -= length;
        opener.opened.push(length);
        run.closed.push(length);
        openers.length = opener.left > 0 ? at + 1 : at;
        for (const [other, height] of searched) searched.set(other, Math.min(height, openers.length));
      }
      if (run.opens && run.left > 0) openers.push(run);
    }
  }
}

function pairs(opener: Run | undefined, { mark, length, opens }: Run): boolean {
  if (opener?.mark !== mark) return false;
  if (mark === '~') return opener.length === length;
  const isEither = opener.closes || opens;
  return !isEither || (opener.length + length) % 3 !== 0 || (opener.length % 3 === 0 && length % 3 === 0);
}

const cjk =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Yi}\u3000-\u303f\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uffef]/u;
const punctuation = /[\p{P}\p{S}]/u;

/**
 * Whether a run of marks can open and close a style between these characters. Chinese, Japanese and Korean have no
 * spaces, so their punctuation counts as a letter, and next to their letters any punctuation may be in the style, as in
 * the extension “CJK-friendly emphasis” of CommonMark.
 */
function sides(mark: string, before: string, after: string): { opens: boolean; closes: boolean } {
  const isGap = (character: string) => character === '' || /\s/u.test(character);
  const isPunctuation = (character: string) => punctuation.test(character) && !cjk.test(character);
  const isApart = (character: string) =>
    isGap(character) || isPunctuation(character) || (mark !== '_' && cjk.test(character));
  const left = !isGap(after) && (!isPunctuation(after) || isApart(before));
  const right = !isGap(before) && (!isPunctuation(before) || isApart(after));
  if (mark !== '_') return { opens: left, closes: right };
  return {
    opens: left && (!right || punctuation.test(before)),
    closes: right && (!left || punctuation.test(after)),
  };
}

/** Punctuation of Chinese and Japanese, and quotation marks: no address has them as they are. */
const afterAddress =
  /[\u2018-\u201f\u2026\u00ab\u00bb]|(?=[\p{P}\p{S}\p{Z}])[\u3000-\u303f\u30fb\ufe10-\uffef]/u;

/** An address without the punctuation of the sentence around it. */
function trimmedAddress(found: string): string {
  const foreign = found.search(afterAddress);
  let text = foreign === -1 ? found : found.slice(0, foreign);
  let surplus = text.split(')').length - text.split('(').length;
  for (;;) {
    const [end = ''] = /(?:&(?:amp|lt|gt|quot|nbsp|#39);|[?!.,:;*_~'])$/.exec(text.slice(-6)) ?? [];
    if (end === '' && !(text.endsWith(')') && surplus > 0)) return text;
    if (end === '') surplus -= 1;
    text = text.slice(0, -(end.length || 1));
  }
}
