/** Numbers that JavaScript holds exactly have 16 digits at most. */
const isNumeric = (id: string) => /^-?\d{1,16}$/.test(id);

/**
 * An ID as it’s held, so that two IDs are one only if the server says so: some servers number their events, and a text
 * that looks like a number is held in quotes. Undefined if it’s no ID, or a number too large to be told from the next one.
 */
export function readId(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined;
  if (typeof id !== 'string' || id === '') return undefined;
  return isNumeric(id) || id.startsWith('"') ? JSON.stringify(id) : id;
}

/** The ID as the server told it, to name the event in a request. */
export function sentId(id: string): string | number {
  if (id.startsWith('"')) return JSON.parse(id) as string;
  return isNumeric(id) ? Number(id) : id;
}
