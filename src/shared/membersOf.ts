/** What another version may have stored: an object. Anything else is damage, and is dropped by the next write. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a stored object; none where something else was stored. */
export function membersOf(stored: unknown): Readonly<Record<string, unknown>> {
  return isRecord(stored) ? stored : {};
}
