/** How many elements two lists have in common at their beginning and, behind that, at their end. */
export function commonEnds<T>(old: readonly T[], now: readonly T[]): [start: number, end: number] {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [start, end];
}
