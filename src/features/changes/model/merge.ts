import type { Steps } from '../../../core/basics/steps';
import type { Hunk } from '../../../core/text/hunk';
import { hunksBetween, linesOf, linesWith, withHunks } from '../../../core/text/lines';

/** The result of merging both sides of a file. */
export interface MergedContent {
  content: Uint8Array;
  /** How many places both sides changed; each has both versions, between merge markers. */
  conflicts: number;
}

/** Bytes at the beginning of a file that git checks to tell whether it's text. */
const looksAt = 8_000;

/** Whether git treats a file as binary; such files can’t be merged. */
export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, looksAt).includes(0);
}

/**
 * Merges two sides of a text file by lines. Works on bytes, so that every encoding in which a line ends with the byte
 * of LF passes unharmed. If each side has line ends of a single kind, a difference in kind is a change of its own: a
 * checkout with CRLF takes the changes of one with LF and keeps its CRLF. Works in steps, because files can be long.
 */
export function* mergeFiles(base: Uint8Array, here: Uint8Array, agent: Uint8Array): Steps<MergedContent> {
  const [o, h, a] = [latin1(base), latin1(here), latin1(agent)] as const;
  const ends = mergedEnds(lineEndsOf(o), lineEndsOf(h), lineEndsOf(a));
  yield;
  const { text, conflicts } = yield* ends === undefined
    ? mergeTexts(o, h, a)
    : mergeTexts(withLf(o), withLf(h), withLf(a));
  return { content: Buffer.from(ends === 'crlf' ? withCrlf(text) : text, 'latin1'), conflicts };
}

type LineEnds = 'lf' | 'crlf' | 'none' | 'mixed';

function lineEndsOf(text: string): LineEnds {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  if (crlf === 0 && lf === 0) return 'none';
  return crlf === 0 ? 'lf' : lf === 0 ? 'crlf' : 'mixed';
}

/** The kind of line end for the merged file; undefined if the sides agree, or there’s nothing to decide. */
function mergedEnds(base: LineEnds, here: LineEnds, agent: LineEnds): LineEnds | undefined {
  const kinds = new Set([base, here, agent].filter((kind) => kind !== 'none'));
  if (kinds.has('mixed') || kinds.size < 2) return undefined;
  const changedHere = here !== 'none' && here !== base;
  return changedHere ? here : agent;
}

/** Bytes as text, one character per byte. */
export const latin1 = (content: Uint8Array): string => Buffer.from(content).toString('latin1');
export const withLf = (text: string): string => text.replaceAll('\r\n', '\n');
const withCrlf = (text: string) => text.replaceAll('\n', '\r\n');

function* mergeTexts(base: string, here: string, agent: string): Steps<{ text: string; conflicts: number }> {
  const lines = linesOf(base);
  const [mine, theirs] = [linesOf(here), linesOf(agent)];
  yield;
  const sides = [yield* hunksBetween(lines, mine), yield* hunksBetween(lines, theirs)] as const;
  yield;
  let conflicts = 0;
  const hunks = regions(sides).map((region): Hunk => {
    const { start, end } = region;
    const [mine, theirs] = [
      linesWith(lines, region.sides[0], region),
      linesWith(lines, region.sides[1], region),
    ];
    if (region.sides[1].length === 0 || mine.join('') === theirs.join('')) return { start, end, lines: mine };
    if (region.sides[0].length === 0) return { start, end, lines: theirs };
    conflicts += 1;
    return { start, end, lines: marked(mine, theirs) };
  });
  return { text: withHunks(lines, hunks), conflicts };
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
