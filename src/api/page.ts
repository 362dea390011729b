import * as z from 'zod/mini';
import { ApiError } from './http/errors';
import type { Call } from './http/transport';

/** One page of a list. `nextPageId` asks for the page after it; null on the last one. */
export interface Page<T> {
  items: T[];
  nextPageId: string | null;
  /** How many elements at least couldn't be read, if any: the page says nothing about what isn't in it. */
  skipped?: number;
}

/** A page's id is text. A number is sent back as it is written; anything else isn't a page that can be continued. */
const pageSchema = z.object({
  items: z.array(z.unknown()),
  next_page_id: z.nullish(z.union([z.string(), z.number()])),
});

/** Elements, and milliseconds, read without a pause: there may be ten thousand, or few with whole files in them. */
const burst = 1_000;
const burstMs = 15;

/** Awaited before each element, so that other work gets its turn now and then. */
export function pauses(): () => Promise<void> | undefined {
  let [count, began] = [0, performance.now()];
  return () => {
    count += 1;
    if (count <= burst && performance.now() - began <= burstMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        [count, began] = [0, performance.now()];
        resolve();
      }),
    );
  };
}

/**
 * Reads `{"items": [...], "next_page_id": ...}` or a bare array, which is the whole list. Null elements stand for what
 * a batch get did not find. One malformed element does not lose the others; undefined if nothing is usable.
 *
 * @param pageId of the page itself: one that names itself as the next would cause an endless loop
 */
export function pageOf<T>(schema: z.ZodMiniType<T>, pageId?: string): Call<Page<T>>['read'] {
  return async (json, tally) => {
    const page = pageSchema.safeParse(Array.isArray(json) ? { items: json } : json);
    if (!page.success) return undefined;
    const found = page.data.items.filter((element) => element !== null);
    const items: T[] = [];
    const pause = pauses();
    for (const element of found) {
      await pause();
      const parsed = schema.safeParse(element);
      if (parsed.success) items.push(parsed.data);
    }
    if (items.length === 0 && found.length > 0) return undefined;
    const unread = found.length - items.length;
    tally.skipped = unread;
    const next = String(page.data.next_page_id ?? '');
    const isLoop = next !== '' && next === pageId;
    // What is on the pages behind a loop is as unknown as what can't be read.
    const skipped = isLoop ? Math.max(unread, 1) : unread;
    return { items, nextPageId: next === '' || isLoop ? null : next, ...(skipped > 0 && { skipped }) };
  };
}

/** Far more than any list has. */
const mostPages = 500;

/**
 * All pages of a list, as long as they're asked for. Throws an ApiError of reason `badShape` for a list without an end:
 * nobody may mistake what was read for the whole list.
 */
export async function* pagesOf<T>(
  route: string,
  read: (pageId: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<Page<T>, undefined> {
  const seen = new Set<string | undefined>();
  for (let pageId: string | undefined; seen.size < mostPages && !seen.has(pageId);) {
    seen.add(pageId);
    const page = await read(pageId);
    yield page;
    if (page.nextPageId === null) return;
    pageId = page.nextPageId;
  }
  throw new ApiError('badShape', 'GET', route);
}
