import type * as z from 'zod/mini';

/** Where a value is kept when the window closes. */
export interface Store {
  /** What was written last; or anything else, because others can change it. */
  read: () => unknown;
  /** Undefined removes the value. */
  write: (value: unknown) => void;
}

/** The members of a stored list that can be read; none where something else was stored. */
export function readable<T>(schema: z.ZodMiniType<T>, stored: unknown): T[] {
  const list: unknown[] = Array.isArray(stored) ? stored : [];
  return list.flatMap((one) => {
    const { success, data } = schema.safeParse(one);
    return success ? [data] : [];
  });
}
