import * as z from 'zod/mini';
import { longestName } from './bounded';
import { isJsonObject } from './json';

/** An object of any names. `z.record` leaves out a member that is called `__proto__`, and is large. */
export function lenientMembers<T>(schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.custom<object>(isJsonObject),
    z.transform((members: object, context): Record<string, T> => {
      const read = Object.entries<unknown>({ ...members }).flatMap(([name, value]): [string, T][] => {
        const parsed = schema.safeParse(value);
        if (parsed.success) return [[name, parsed.data]];
        const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }));
        context.issues.push(...(issues as typeof context.issues));
        return [];
      });
      return Object.fromEntries(read);
    }),
  );
}

/** The same in a message between a page and the extension host, like `listOf`. */
export function boundedMembers<T>(schema: z.ZodMiniType<T>) {
  return lenientMembers(schema).check(
    z.refine((members) => {
      const names = Object.keys(members);
      return names.length <= 5_000 && names.every((name) => name.length <= longestName);
    }),
  );
}
