/** How the cells of a column are aligned; empty for as usual. */
export type Align = '' | 'left' | 'center' | 'right';

/** Blocks of Markdown whose text isn't read yet. */
export type SourceBlock =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; depth: number; text: string }
  | { kind: 'code'; text: string; language?: string }
  | { kind: 'list'; ordered: boolean; start: number; items: readonly SourceItem[] }
  | { kind: 'quote'; content: SourceBlock[] }
  | { kind: 'table'; head: string[]; rows: string[][]; align?: Align[] }
  | { kind: 'rule' }
  /** Text that isn't read as Markdown. */
  | { kind: 'source'; text: string };

interface SourceItem {
  /** Null for an item that isn't a task. */
  checked: boolean | null;
  content: SourceBlock[];
  source: string;
}

/** Blocks, and the addresses of reference links by `labelOf` their names. */
export interface SourceText {
  blocks: SourceBlock[];
  definitions: ReadonlyMap<string, string>;
}

/** Real text doesn't nest deeper; below that, the source is shown. */
export const deepest = 12;

/**
 * Reads the blocks of CommonMark with tables and tasks. HTML and definitions of links are text, so that nothing is
 * hidden. Each line is read once for each container it’s in, of which there are at most `deepest`.
 */
export function readBlocks(text: string): SourceText {
  const definitions = new Map<string, string>();
  const blocks = new BlockReader(text.split('\n').map(withoutTabs), 0, definitions).read();
  return { blocks, definitions };
}

/** The name of a reference link, in the form in which names are compared. */
export function labelOf(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Indentation in blanks. */
function withoutTabs(line: string): string {
  const [indent = ''] = /^[ \t]*/.exec(line) ?? [];
  if (!indent.includes('\t')) return line;
  let width = 0;
  for (const character of indent) width += character === '\t' ? 4 - (width % 4) : 1;
  return ' '.repeat(width) + line.slice(indent.length);
}

const fence = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const heading = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const quoteMark = /^ {0,3}> ?/;
const listMark = /^( {0,3})([-+*]|\d{1,9}[.)])([ \t]+|$)/;
const definition = /^ {0,3}\[([^[\]]{1,999})\]:[ \t]*(?:<([^<>]*)>|([^\s<]\S*))/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;

const isBlank = (line: string) => line.trim() === '';
const indentOf = (line: string) => line.length - line.trimStart().length;
const isRule = (line: string) =>
  indentOf(line) < 4 && /^(?:-{3,}|\*{3,}|_{3,})$/.test(line.replace(/[ \t]/g, ''));

/** True for a line that ends a paragraph. */
function startsBlock(line: string): boolean {
  if (fence.test(line) || heading.test(line) || quoteMark.test(line) || isRule(line)) return true;
  const [, , mark = '', gap = ''] = listMark.exec(line) ?? [];
  // A number other than 1 at the start of a line is usually part of a sentence.
  return gap !== '' && (mark.length === 1 || /^1[.)]$/.test(mark));
}

/** Follows the lines of a container, to know whether a line without its mark still belongs to it. */
class OpenParagraph {
  #fence = '';
  isOpen = false;

  add(line: string): void {
    if (this.#fence !== '') {
      if (closes(line, this.#fence)) this.#fence = '';
      return;
    }
    let inner = line;
    for (let depth = 0; depth < deepest && (quoteMark.test(inner) || listMark.test(inner)); depth += 1)
      inner = inner.replace(quoteMark.test(inner) ? quoteMark : listMark, '');
    this.#fence = fence.exec(inner)?.[2] ?? '';
    const wasOpen = this.isOpen;
    this.isOpen =
      this.#fence === '' &&
      !isBlank(inner) &&
      !heading.test(inner) &&
      !isRule(inner) &&
      (wasOpen || indentOf(inner) < 4);
  }

  takes(line: string): boolean {
    return this.isOpen && !isBlank(line) && !startsBlock(line) && !listMark.test(line);
  }
}

function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return indentOf(line) < 4 && text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

class BlockReader {
  readonly #lines: readonly string[];
  readonly #depth: number;
  readonly #definitions: Map<string, string>;
  readonly #blocks: SourceBlock[] = [];
  /** Lines of the paragraph that isn't finished. */
  #paragraph: string[] = [];
  #at = 0;

  constructor(lines: readonly string[], depth: number, definitions: Map<string, string>) {
    this.#lines = lines;
    this.#depth = depth;
    this.#definitions = definitions;
  }

  read(): SourceBlock[] {
    while (this.#at < this.#lines.length) this.#next(this.#lines[this.#at] ?? '');
    this.#endParagraph();
    return this.#blocks;
  }

  #next(line: string): void {
    if (isBlank(line)) {
      this.#endParagraph();
      this.#at += 1;
      return;
    }
    const isContinued = this.#paragraph.length > 0;
    if (isContinued && (this.#underlined(line) || this.#table(line))) return;
    if (isContinued && !startsBlock(line)) {
      this.#paragraph.push(line.trim());
      this.#at += 1;
      return;
    }
    this.#endParagraph();
    if (this.#code(line) || this.#fenced(line) || this.#heading(line) || this.#rule(line)) return;
    if (this.#quote(line) || this.#list(line) || this.#defined(line)) return;
    this.#paragraph.push(line.trim());
    this.#at += 1;
  }

  #endParagraph(): void {
    if (this.#paragraph.length > 0)
      this.#blocks.push({ kind: 'paragraph', text: this.#paragraph.join('\n') });
    this.#paragraph = [];
  }

  #underlined(line: string): boolean {
    const [, mark] = underline.exec(line) ?? [];
    if (mark === undefined) return false;
    const text = this.#paragraph.join('\n');
    this.#paragraph = [];
    this.#blocks.push({ kind: 'heading', depth: mark.startsWith('=') ? 1 : 2, text });
    this.#at += 1;
    return true;
  }

  /** A table whose head is the last line of the paragraph; `line` would be below it. */
  #table(line: string): boolean {
    const head = this.#paragraph.at(-1) ?? '';
    if (!/^[-:| \t]+$/.test(line) || !line.includes('-') || !(head + line).includes('|')) return false;
    const columns = cellsOf(line);
    if (!columns.every((cell) => /^:?-+:?$/.test(cell)) || cellsOf(head).length !== columns.length)
      return false;
    this.#paragraph.pop();
    this.#endParagraph();
    const rows: string[][] = [];
    for (this.#at += 1; this.#at < this.#lines.length; this.#at += 1) {
      const row = this.#lines[this.#at] ?? '';
      if (isBlank(row) || startsBlock(row)) break;
      rows.push(cellsOf(row));
    }
    const align = columns.map(alignOf);
    const isAligned = align.some((one) => one !== '');
    this.#blocks.push({ kind: 'table', head: cellsOf(head), rows, ...(isAligned && { align }) });
    return true;
  }

  #code(line: string): boolean {
    if (indentOf(line) < 4) return false;
    const lines = this.#take((one) => isBlank(one) || indentOf(one) >= 4).map((one) => one.slice(4));
    this.#blocks.push({ kind: 'code', text: lines.join('\n').trimEnd() });
    return true;
  }

  #fenced(line: string): boolean {
    const [, indent = '', mark = ''] = fence.exec(line) ?? [];
    if (mark === '') return false;
    this.#at += 1;
    const lines = this.#take((one) => !closes(one, mark));
    this.#at += 1;
    const info = line.trim().slice(mark.length).trim();
    const code = lines.map((one) => one.slice(Math.min(indent.length, indentOf(one))));
    // The name of a language isn't shown, but nobody can hide a sentence behind it.
    const isName = /^[\w+#.-]{0,20}$/.test(info);
    const text = [...(isName ? [] : [info]), ...code].join('\n');
    this.#blocks.push({ kind: 'code', text, ...(isName && info !== '' && { language: info }) });
    return true;
  }

  #heading(line: string): boolean {
    const found = heading.exec(line);
    if (found === null) return false;
    const words = line.slice(found[0].length).trim();
    const bare = words.replace(/(?<!#)#+$/, '');
    const text = bare === '' || /[ \t]$/.test(bare) ? bare.trimEnd() : words;
    this.#blocks.push({ kind: 'heading', depth: found[1]?.length ?? 1, text });
    this.#at += 1;
    return true;
  }

  #rule(line: string): boolean {
    if (!isRule(line)) return false;
    this.#blocks.push({ kind: 'rule' });
    this.#at += 1;
    return true;
  }

  #quote(line: string): boolean {
    if (!quoteMark.test(line)) return false;
    const open = new OpenParagraph();
    const source = this.#take((one) => {
      const isMarked = quoteMark.test(one);
      if (!isMarked && !open.takes(one)) return false;
      open.add(one.replace(quoteMark, ''));
      return true;
    });
    const inner = () => source.map((one) => one.replace(quoteMark, ''));
    this.#blocks.push(...this.#within(source, () => [{ kind: 'quote', content: this.#contentOf(inner()) }]));
    return true;
  }

  #list(line: string): boolean {
    const first = listMark.exec(line);
    if (first === null) return false;
    const type = typeOf(first);
    const from = this.#at;
    const items: { lines: string[]; source: string }[] = [];
    for (;;) {
      const found = listMark.exec(this.#lines[this.#at] ?? '');
      if (found === null || typeOf(found) !== type || isRule(found.input)) break;
      const before = this.#at;
      const lines = this.#item(found);
      items.push({ lines, source: this.#lines.slice(before, this.#at).join('\n').trimEnd() });
    }
    const start = Number.parseInt(first[2] ?? '', 10);
    const source = this.#lines.slice(from, this.#at);
    this.#blocks.push(
      ...this.#within(source, () => [
        {
          kind: 'list',
          ordered: !Number.isNaN(start),
          start: Number.isNaN(start) ? 1 : start,
          items: items.map(({ lines, source: own }) => ({ ...this.#itemOf(lines), source: own })),
        },
      ]),
    );
    return true;
  }

  /** The lines of an item, without its mark and indentation. */
  #item(found: RegExpExecArray): string[] {
    const [{ length }, indent = '', mark = '', gap = ''] = found;
    const rest = found.input.slice(length);
    // Five blanks or more are the item's first line of code.
    const isCode = gap.length > 4;
    const width = isCode || rest === '' ? indent.length + mark.length + 1 : length;
    const lines = [isCode ? gap.slice(1) + rest : rest];
    const open = new OpenParagraph();
    open.add(lines[0] ?? '');
    let wasBlank = rest === '';
    this.#at += 1;
    const more = this.#take((one) => {
      const belongs = isBlank(one) || indentOf(one) >= width || (!wasBlank && open.takes(one));
      // An item that begins with an empty line ends with the next one.
      if (!belongs || (isBlank(one) && wasBlank && lines.length === 1 && rest === '')) return false;
      wasBlank = isBlank(one);
      open.add(one.slice(Math.min(width, indentOf(one))));
      return true;
    });
    return [...lines, ...more.map((one) => one.slice(Math.min(width, indentOf(one))))];
  }

  #itemOf(lines: readonly string[]): Omit<SourceItem, 'source'> {
    const [, box] = /^\[([ xX])\][ \t]/.exec(lines[0] ?? '') ?? [];
    if (box === undefined) return { checked: null, content: this.#contentOf(lines) };
    const [first = '', ...more] = lines;
    return { checked: box !== ' ', content: this.#contentOf([first.slice(4), ...more]) };
  }

  /** A definition is remembered, and shown as it is. */
  #defined(line: string): boolean {
    const [, name = '', bracketed, bare = ''] = definition.exec(line) ?? [];
    const label = labelOf(name);
    if (label === '') return false;
    if (!this.#definitions.has(label)) this.#definitions.set(label, bracketed ?? bare);
    this.#blocks.push({ kind: 'source', text: line.trim() });
    this.#at += 1;
    return true;
  }

  /** The lines from here on that fit. */
  #take(fits: (line: string) => boolean): string[] {
    const from = this.#at;
    while (this.#at < this.#lines.length && fits(this.#lines[this.#at] ?? '')) this.#at += 1;
    return this.#lines.slice(from, this.#at);
  }

  #within(source: readonly string[], read: () => SourceBlock[]): SourceBlock[] {
    if (this.#depth < deepest) return read();
    return [{ kind: 'source', text: source.join('\n').trimEnd() }];
  }

  #contentOf(lines: readonly string[]): SourceBlock[] {
    return new BlockReader(lines, this.#depth + 1, this.#definitions).read();
  }
}

/** Items with the same mark form a list. */
const typeOf = ({ 2: mark = '' }: RegExpExecArray) => mark.at(-1);

/** The cells of a row: all that are there, and none that aren't. */
function cellsOf(line: string): string[] {
  const row = line.trim().replace(/^\|/, '');
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (cells.length > 1 && cells.at(-1) === '') cells.pop();
  return cells;
}

/** The alignment that the line below a table’s head gives to a column. */
function alignOf(cell: string): Align {
  if (!cell.endsWith(':')) return cell.startsWith(':') ? 'left' : '';
  return cell.startsWith(':') ? 'center' : 'right';
}
