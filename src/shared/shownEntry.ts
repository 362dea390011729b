import * as z from 'zod/mini';
import { isJsonObject } from './json';
import { type Entry, entrySchema } from './transcript';

let unreadable = 0;

/** What tells where an entry is that can’t be read. `z.catch` would bring 9 kB of helpers into the page. */
function identified(value: unknown): Pick<Entry, 'id' | 'at'> {
  const { id, at } = isJsonObject(value) ? value : {};
  return {
    id: typeof id === 'string' ? id : `unreadable-${(unreadable += 1)}`,
    at: typeof at === 'number' && Number.isFinite(at) ? at : 0,
  };
}

/** An entry, or a line in its place if it can’t be read: one must not hide the others. */
export const shownEntrySchema = z.pipe(
  z.unknown(),
  z.transform((value): Entry => {
    const entry = entrySchema.safeParse(value).data;
    if (entry) return entry;
    return { ...identified(value), kind: 'separator', what: 'unread', text: '' };
  }),
);
