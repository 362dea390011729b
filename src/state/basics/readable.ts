import type * as z from 'zod/mini';

/** The members of a stored list that can be read; none where something else was stored. */
export function readable<T>(schema: z.ZodMiniType<T>, stored: unknown): T[] {
  const list: unknown[] = Array.isArray(stored) ? stored : [];
  return list.flatMap((one) => {
    const { success, data } = schema.safeParse(one);
    return success ? [data] : [];
  });
}
