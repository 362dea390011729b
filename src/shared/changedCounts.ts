/**
 * Counts of lines that were added and removed: “+12 −3”, “+120” for a new file. Empty if nothing has changed.
 * @param words a number as people read it
 */
export const changedCounts = (
  { added, removed }: { added: number; removed: number },
  words: (count: number) => string = String,
): string => [added > 0 && `+${words(added)}`, removed > 0 && `−${words(removed)}`].filter(Boolean).join(' ');
