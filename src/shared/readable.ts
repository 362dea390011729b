import type * as z from 'zod/mini';

/** The members of a stored list that can be read; none where something else was stored. */
export function readable<T>(schema: z.ZodMiniType<T>, stored: unknown): T[] {
  const list: unknown[] = Array.isArray(stored) ? stored : [];
  return list.flatMap((one) => {
    const { success, data } = schema.safeParse(one);
    return success ? [data] : [];
  });
}

/** What another version may have stored: an object. Anything else is damage, and is dropped by the next write. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a stored list that can't be read, such as those of a later version; they're written back. */
export function unreadable(schema: z.ZodMiniType, stored: unknown): unknown[] {
  const list: unknown[] = Array.isArray(stored) ? stored : [];
  return list.filter((one) => isRecord(one) && !schema.safeParse(one).success);
}

/** The members of a stored object; none where something else was stored. */
export function membersOf(stored: unknown): Readonly<Record<string, unknown>> {
  return isRecord(stored) ? stored : {};
}
