/** Numbers that JavaScript holds exactly have 16 digits at most. */
const isNumeric = (id: string) => /^-?\d{1,16}$/.test(id);

/**
 * An ID as it’s kept, so that two IDs are the same only if they are on the server: some servers number their events,
 * and a text that looks like a number is kept in quotes. Undefined if it isn’t an ID, or is a number too large to be
 * distinguished from the next one.
 */
export function readId(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined;
  if (typeof id !== 'string' || id === '') return undefined;
  return isNumeric(id) || id.startsWith('"') ? JSON.stringify(id) : id;
}

/** The ID as the server sent it, to name the event in a request. */
export function sentId(id: string): string | number {
  if (id.startsWith('"')) return JSON.parse(id) as string;
  return isNumeric(id) ? Number(id) : id;
}
