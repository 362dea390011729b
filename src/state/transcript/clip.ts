import type { Clipped } from '../../shared/transcript';

/** Marks what was left out of the middle; an ellipsis would make the engine keep two bytes for each character. */
const cut = '\n· · ·\n';

/**
 * The text, without its middle if it’s longer than `most` characters and a mark in its place is shorter than it:
 * beginnings and ends say the most. So a text that lacks something is shorter than its `length`.
 */
export function clip(text: string, most: number): Clipped {
  if (text.length <= most + cut.length) return { text, length: text.length };
  const half = Math.floor(most / 2);
  const parts = [text.slice(0, half), text.slice(-half)].map((part) => part.replace(/\p{Cs}/gu, '\ufffd'));
  return { text: parts.join(cut), length: text.length };
}
