import type * as z from 'zod/mini';
import { isJsonObject } from './json';

/** The members of a stored list that can be read; none where something else was stored. */
export function readable<T>(schema: z.ZodMiniType<T>, stored: unknown): T[] {
  const list: unknown[] = Array.isArray(stored) ? stored : [];
  return list.flatMap((one) => {
    const { success, data } = schema.safeParse(one);
    return success ? [data] : [];
  });
}

/** The members of a stored list that can't be read, such as those of a later version; they're written back. */
export function unreadable(schema: z.ZodMiniType, stored: unknown): unknown[] {
  const list: unknown[] = Array.isArray(stored) ? stored : [];
  return list.filter((one) => isJsonObject(one) && !schema.safeParse(one).success);
}

/** What to store for a text in place of `stored`: one in another form, as a later version has it, stays until there's a new one. */
export function storedText(text: string, stored: unknown): unknown {
  return text === '' && typeof stored === 'object' && stored !== null ? stored : text;
}
