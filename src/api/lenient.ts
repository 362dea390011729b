import * as z from 'zod/mini';
import { someText } from '../shared/bounded';
import { caught } from '../shared/caught';
import { recordTime } from './time';

/** A member that may be absent or null, and counts as null when it has another type than expected. */
export function maybe<T extends z.core.SomeType>(schema: T) {
  return caught(z.nullish(schema), null);
}

/** Reads a text like `maybe`, in a third of the time: lists have thousands. */
export const maybeText = z.optional(
  z.transform((value: unknown): string | null => (typeof value === 'string' ? value : null)),
);

/** Reads a time in ISO 8601 like `maybe`. */
export const maybeTime = z.optional(z.transform(recordTime));

/** A member that takes `fallback` when it is absent or null. */
export function orElse<T>(schema: z.ZodMiniType<T>, fallback: () => T) {
  return z.pipe(
    z.nullish(schema),
    z.transform((value: T | null | undefined): T => value ?? fallback()),
  );
}

/** A list whose elements that do not fit are left out. If none does, it's another list, and not an empty one. */
export function lenientList<T>(schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((elements: unknown[], context): T[] => {
      const read = elements.flatMap((element) => {
        const parsed = schema.safeParse(element);
        return parsed.success ? [parsed.data] : [];
      });
      if (read.length === 0 && elements.length > 0) context.issues.push({ code: 'custom', input: elements });
      return read;
    }),
  );
}

/** What every record has: an id that is not empty. */
export const recordId = someText;
