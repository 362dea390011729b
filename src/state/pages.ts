import type { PageQuery } from '../api/query';
import type { Page } from '../api/schemas/page';

/** What was read of a list. */
export interface Records<T> {
  /** Each once, in the service's order. */
  items: T[];
  /** False when the service has more pages than were asked for. */
  complete: boolean;
}

/** Where reading ends before the list does. */
export interface Enough<T> {
  /** Pages to read at most. */
  pages?: number;
  /** No page is read after the one with a record that fits. */
  found?: (record: T) => boolean;
}

/**
 * Reads a list page by page, a hundred records at a time, whatever the views have loaded.
 *
 * @param fetchPage asks for one page; what it throws ends the reading
 */
export async function readPages<T extends { id: string }>(
  fetchPage: (query: PageQuery) => Promise<Page<T>>,
  { pages = Infinity, found = () => false }: Enough<T> = {},
): Promise<Records<T>> {
  const byId = new Map<string, T>();
  const asked = new Set<string>();
  let pageId: string | null = null;
  let read = 0;
  do {
    if (pageId !== null) asked.add(pageId);
    const page: Page<T> = await fetchPage({ limit: 100, ...(pageId !== null && { pageId }) });
    for (const record of page.items) byId.set(record.id, record);
    pageId = page.nextPageId;
    read += 1;
    // A service whose pages go round in a circle has been read when the first one comes back.
    if (pageId !== null && asked.has(pageId)) pageId = null;
    if (page.items.some(found)) break;
  } while (pageId !== null && read < pages);
  return { items: [...byId.values()], complete: pageId === null };
}
