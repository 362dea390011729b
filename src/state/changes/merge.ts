import { hunksBetween, type Hunk, linesOf, withHunks } from './lines';

/** A merged file. */
export interface Merged {
  content: Uint8Array;
  /** Places where both sides changed the same lines: both stand there, between merge markers. */
  conflicts: number;
}

/** Bytes at the beginning of a file that git checks to tell whether it's text. */
const looksAt = 8_000;

/** Whether git takes a file for binary; such files can’t be merged. */
export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, looksAt).includes(0);
}

/**
 * Merges two sides of a text file by lines. Works on bytes, so that every encoding in which a line ends with the byte
 * of LF passes unharmed. If each side has line ends of a single kind, a difference in kind is a change of its own: a
 * checkout with CRLF takes the changes of one with LF and keeps its CRLF.
 */
export function mergeFiles(base: Uint8Array, here: Uint8Array, agent: Uint8Array): Merged {
  const latin1 = (content: Uint8Array) => Buffer.from(content).toString('latin1');
  const texts = [latin1(base), latin1(here), latin1(agent)] as const;
  const ends = mergedEnds(lineEndsOf(texts[0]), lineEndsOf(texts[1]), lineEndsOf(texts[2]));
  if (ends === undefined) return mergeTexts(...texts);
  const [o, h, a] = texts;
  const { content, conflicts } = mergeTexts(withLf(o), withLf(h), withLf(a));
  const text = Buffer.from(content).toString('latin1');
  return { content: Buffer.from(ends === 'crlf' ? withCrlf(text) : text, 'latin1'), conflicts };
}

type LineEnds = 'lf' | 'crlf' | 'none' | 'mixed';

function lineEndsOf(text: string): LineEnds {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  if (crlf === 0 && lf === 0) return 'none';
  return crlf === 0 ? 'lf' : lf === 0 ? 'crlf' : 'mixed';
}

/** The kind that a merged file gets; undefined where the sides are alike, or nothing has to be decided. */
function mergedEnds(base: LineEnds, here: LineEnds, agent: LineEnds): LineEnds | undefined {
  const kinds = new Set([base, here, agent].filter((kind) => kind !== 'none'));
  if (kinds.has('mixed') || kinds.size < 2) return undefined;
  const changedHere = here !== 'none' && here !== base;
  return changedHere ? here : agent;
}

const withLf = (text: string) => text.replaceAll('\r\n', '\n');
const withCrlf = (text: string) => text.replaceAll('\n', '\r\n');

function mergeTexts(base: string, here: string, agent: string): Merged {
  const lines = linesOf(base);
  const sides = [hunksBetween(lines, linesOf(here)), hunksBetween(lines, linesOf(agent))] as const;
  let conflicts = 0;
  const hunks = regions(sides).map((region): Hunk => {
    const { start, end } = region;
    const [mine, theirs] = [textOf(lines, region, region.sides[0]), textOf(lines, region, region.sides[1])];
    if (region.sides[1].length === 0 || mine.join('') === theirs.join('')) return { start, end, lines: mine };
    if (region.sides[0].length === 0) return { start, end, lines: theirs };
    conflicts += 1;
    return { start, end, lines: marked(mine, theirs) };
  });
  return { content: Buffer.from(withHunks(lines, hunks), 'latin1'), conflicts };
}

/** Lines of the base that at least one side changed, with the hunks of each side. */
interface Region {
  start: number;
  end: number;
  sides: [here: Hunk[], agent: Hunk[]];
}

/** Changes that overlap or touch are one region. */
function regions([here, agent]: readonly [readonly Hunk[], readonly Hunk[]]): Region[] {
  const all = [
    ...here.map((hunk) => ({ hunk, side: 0 as const })),
    ...agent.map((hunk) => ({ hunk, side: 1 as const })),
  ].toSorted((a, b) => a.hunk.start - b.hunk.start);
  const found: Region[] = [];
  for (const { hunk, side } of all) {
    let region = found.at(-1);
    if (!region || hunk.start > region.end) {
      region = { start: hunk.start, end: hunk.end, sides: [[], []] };
      found.push(region);
    }
    region.end = Math.max(region.end, hunk.end);
    region.sides[side].push(hunk);
  }
  return found;
}

/** What a side has in place of a region. */
function textOf(lines: readonly string[], { start, end }: Region, hunks: readonly Hunk[]): string[] {
  let text: string[] = [];
  let line = start;
  for (const hunk of hunks) {
    text = text.concat(lines.slice(line, hunk.start), hunk.lines);
    line = hunk.end;
  }
  return text.concat(lines.slice(line, end));
}

/** Both sides between the markers that the editor knows, which stand on lines of their own. */
function marked(here: readonly string[], agent: readonly string[]): string[] {
  const lineEnd = [...here, ...agent].some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  const ended = (lines: readonly string[]) =>
    lines.map((line) => (line.endsWith('\n') ? line : line + lineEnd));
  return [
    `<<<<<<< local${lineEnd}`,
    ...ended(here),
    `=======${lineEnd}`,
    ...ended(agent),
    `>>>>>>> agent${lineEnd}`,
  ];
}
