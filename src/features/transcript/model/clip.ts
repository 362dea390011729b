import type { Clipped } from '../../../shared/transcript';
import { wellFormed } from '../../../shared/wellFormed';

/** Marks what was left out of the middle; an ellipsis would make the engine keep two bytes for each character. */
const cut = '\n· · ·\n';
/** The same mark within a line. */
const cutInLine = ' · · · ';

/**
 * The text, without its middle if it’s longer than `most` characters and a mark in its place is shorter than it:
 * beginnings and ends say the most. So a text that lacks something is shorter than its `length`.
 */
export function clip(text: string, most: number): Clipped {
  return { text: withoutMiddle(text, most, cut), length: text.length };
}

/** Clips a text of one line like `clip`. */
export const clipLine = (text: string, most: number): string => withoutMiddle(text, most, cutInLine);

function withoutMiddle(text: string, most: number, mark: string): string {
  if (text.length <= most + mark.length) return text;
  const half = Math.floor(most / 2);
  return [text.slice(0, half), text.slice(-half)].map(wellFormed).join(mark);
}

/** Clips every text in a value, at any depth. Returns the value itself if none was too long. */
export function clipAll(value: unknown, most: number): unknown {
  if (typeof value === 'string') return clip(value, most).text;
  if (typeof value !== 'object' || value === null) return value;
  const all = Object.entries(value as Readonly<Record<string, unknown>>);
  const members = all.map(([name, member]) => [name, clipAll(member, most)] as const);
  if (members.every(([, member], index) => member === all[index]?.[1])) return value;
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
