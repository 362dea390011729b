import type { PageQuery } from '../../api/http/query';
import type { Page } from '../../api/page';

/** The records that were read from a list. */
export interface Records<T> {
  /** In the service's order, without duplicates. */
  items: T[];
  /** False if the service has or may have more, also because some of its records couldn’t be read. */
  complete: boolean;
}

/** When to stop reading before the end of the list. */
export interface Enough<T> {
  /** The maximum number of pages to read. */
  pages?: number;
  /** Stops after a page with a record for which this returns true. */
  found?: (record: T) => boolean;
}

/** Requests one page; an error ends the reading. */
export type FetchPage<T> = (query: PageQuery) => Promise<Page<T>>;

/** Far more than any list has; protects against a service with endless pages. */
const mostPages = 500;

/** Reads a list page by page, 100 records at a time, whatever the views have loaded. No page is read twice. */
export async function readPages<T extends { id: string }>(
  fetchPage: FetchPage<T>,
  { pages = mostPages, found = () => false }: Enough<T> = {},
): Promise<Records<T>> {
  const byId = new Map<string, T>();
  const seen = new Set<string>();
  let pageId: string | null = null;
  let skipped = 0;
  for (let read = 0; read < pages; read += 1) {
    const page: Page<T> = await fetchPage(queryOf(pageId));
    for (const record of page.items) byId.set(record.id, record);
    skipped += page.skipped ?? 0;
    pageId = page.nextPageId;
    if (pageId === null) break;
    // A page that was read before would lead to an endless loop.
    if (seen.has(pageId) || page.items.some(found)) break;
    seen.add(pageId);
  }
  return { items: [...byId.values()], complete: pageId === null && skipped === 0 };
}

/** A record may be among those that can't be read. */
export class Unreadable extends Error {}

/**
 * Makes a function that reads the current version of a record in a list: from the page that had it last, and from the
 * whole list only if it isn't there anymore. Resolves to undefined if the list doesn't have the record; rejects with
 * `Unreadable` if that isn't certain.
 */
export function recordReader<T extends { id: string }>(
  fetchPage: FetchPage<T>,
  id: string,
): () => Promise<T | undefined> {
  const isIt = (record: T) => record.id === id;
  let known: PageQuery | undefined;
  return async () => {
    const page = known && (await fetchPage(known));
    const there = page?.items.find(isIt);
    if (there) return there;
    known = undefined;
    const { items, complete } = await readPages(
      async (query) => {
        const next = await fetchPage(query);
        if (next.items.some(isIt)) known = query;
        return next;
      },
      { found: isIt },
    );
    const found = items.find(isIt);
    if (!found && !complete) throw new Unreadable();
    return found;
  };
}

function queryOf(pageId: string | null): PageQuery {
  return { limit: 100, ...(pageId !== null && { pageId }) };
}
