import * as z from 'zod/mini';
import { isJsonObject } from './json';
import { type Entry, entrySchema } from './transcript';

let unreadable = 0;
const identified = z.object({
  id: z.catch(z.string(), () => `unreadable-${(unreadable += 1)}`),
  at: z.catch(z.number(), 0),
});

/** An entry, or a line in its place if it can’t be read: one must not hide the others. */
export const shownEntrySchema = z.pipe(
  z.unknown(),
  z.transform((value): Entry => {
    const entry = entrySchema.safeParse(value).data;
    if (entry) return entry;
    const known = identified.parse(isJsonObject(value) ? value : {});
    return { ...known, kind: 'separator', what: 'unread', text: '' };
  }),
);
