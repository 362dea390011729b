import { plainLines } from '../../../shared/plainText';
import { readBlocks, type Align, type SourceBlock } from './blocks';
import { readInlines } from './inlines';
import { inlineLines, type Inline } from './tokens';

export type { Inline } from './tokens';

interface ListItem {
  /** Null for an item that isn't a task. */
  checked: boolean | null;
  content: readonly Block[];
}

export type Block =
  | { kind: 'paragraph'; content: readonly Inline[] }
  | { kind: 'heading'; depth: number; content: readonly Inline[] }
  | { kind: 'code'; text: string; language?: string }
  | { kind: 'list'; ordered: boolean; start: number; items: readonly ListItem[] }
  | { kind: 'quote'; content: readonly Block[] }
  | {
      kind: 'table';
      head: readonly (readonly Inline[])[];
      rows: readonly (readonly (readonly Inline[])[])[];
      align?: readonly Align[];
    }
  | { kind: 'rule' }
  /** Text that is too long or too intricate to be read as Markdown. */
  | { kind: 'plain'; text: string };

/** The most characters that are read as Markdown; the rest is plain text. */
const longest = 50_000;

/** The most parts that are drawn of one text; the rest is plain text. */
const mostParts = 8_000;

/** Reads Markdown of an unknown author. What would take long to read or draw is plain text; the rest is read. */
export function parseMarkdown(source: string): Block[] {
  const text = plainLines(source);
  const end = text.length > longest ? text.lastIndexOf('\n', longest) : text.length;
  const head = text.slice(0, end > 0 ? end : longest);
  const rest = text.slice(head.length).trim();
  const { blocks, definitions } = readBlocks(head);
  const read = new Reader(definitions).blocks(blocks);
  return rest === '' ? read : joined([...read, plain(rest)]);
}

const plain = (text: string): Block => ({ kind: 'plain', text });

/** Makes one of plain blocks that follow each other. */
function joined(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  let texts: string[] = [];
  const flush = () => {
    if (texts.length > 0) result.push(plain(texts.join('\n\n')));
    texts = [];
  };
  for (const block of blocks) {
    if (block.kind === 'plain') texts.push(block.text);
    else {
      flush();
      result.push(block);
    }
  }
  flush();
  return result;
}

/** Reads the text in blocks, until there are enough parts to draw. */
class Reader {
  readonly #definitions: ReadonlyMap<string, string>;
  #partsLeft = mostParts;

  constructor(definitions: ReadonlyMap<string, string>) {
    this.#definitions = definitions;
  }

  blocks(sources: readonly SourceBlock[]): Block[] {
    const [blocks, rest] = this.#whileRoom(sources, (source) => this.#block(source));
    return joined([...blocks.flat(), ...(rest.length > 0 ? [plain(rest.map(sourceOf).join('\n\n'))] : [])]);
  }

  /** What was made of the sources while there was room, and the sources that are left. */
  #whileRoom<S, T>(sources: readonly S[], make: (source: S) => T): [T[], readonly S[]] {
    const made: T[] = [];
    for (const source of sources) {
      if (this.#partsLeft <= 0) break;
      this.#partsLeft -= 1;
      made.push(make(source));
    }
    return [made, sources.slice(made.length)];
  }

  #block(source: SourceBlock): Block[] {
    switch (source.kind) {
      case 'paragraph': {
        const content = this.#inlines(source.text);
        return [content === undefined ? plain(source.text) : { kind: 'paragraph', content }];
      }
      case 'heading': {
        const content = this.#inlines(source.text);
        return [
          content === undefined ? plain(source.text) : { kind: 'heading', depth: source.depth, content },
        ];
      }
      case 'source':
        return [{ kind: 'paragraph', content: inlineLines(source.text) }];
      case 'quote':
        return [{ kind: 'quote', content: this.blocks(source.content) }];
      case 'list': {
        const [items, rest] = this.#whileRoom(source.items, ({ checked, content }) => ({
          checked,
          content: this.blocks(content),
        }));
        return [
          { ...source, items },
          ...(rest.length > 0 ? [plain(sourceOf({ ...source, items: rest }))] : []),
        ];
      }
      case 'table': {
        const head = source.head.map((cell) => this.#cell(cell));
        const [rows, rest] = this.#whileRoom(source.rows, (row) => row.map((cell) => this.#cell(cell)));
        return [{ ...source, head, rows }, ...(rest.length > 0 ? [plain(rest.map(rowOf).join('\n'))] : [])];
      }
      case 'code':
      case 'rule':
        return [source];
    }
  }

  #cell(text: string): Inline[] {
    this.#partsLeft -= 1;
    return this.#inlines(text) ?? [{ kind: 'text', text }];
  }

  /** Undefined for text that has too many parts or would take too many steps. */
  #inlines(text: string): Inline[] | undefined {
    const inlines = readInlines(text, this.#definitions);
    const parts = inlines === undefined ? 0 : partsIn(inlines);
    if (parts > this.#partsLeft) return undefined;
    this.#partsLeft -= parts;
    return inlines;
  }
}

function partsIn(inlines: readonly Inline[]): number {
  return inlines.reduce(
    (sum, inline) => sum + ('content' in inline ? partsIn(inline.content) : 0),
    inlines.length,
  );
}

const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The block as Markdown. */
function sourceOf(block: SourceBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.depth)} ${block.text}`;
    case 'list':
      return block.items.map(({ source }) => source).join('\n');
    case 'quote':
      return block.content.map(sourceOf).join('\n\n').replace(/^/gm, '> ');
    case 'table':
      return [block.head, ...block.rows].map(rowOf).join('\n');
    case 'rule':
      return '---';
    case 'paragraph':
    case 'source':
    case 'code':
      return block.text;
  }
}
