import type { Clipped, Entry } from './transcript';

/** The texts of an entry that may be shortened. */
export function clippedTexts(entry: Entry): Clipped[] {
  if (entry.kind === 'separator') return [];
  if (entry.kind !== 'step') return [entry.text];
  const output = 'output' in entry.detail ? entry.detail.output : null;
  return output ? [output, entry.problem] : [entry.problem];
}
