import type { ApiClient } from '../../api/service/client';
import type { Conversation } from '../../api/service/schemas/conversation';
import { passes, queryOf } from './conversationFilter';

/** A service that can't filter by title is read this far: 10,000 conversations in pages of 100, the newest first. */
const mostPages = 100;

/**
 * The conversations of the service whose titles contain `title`, page by page, whatever the views have loaded. Case
 * doesn't matter. Throws ApiError.
 *
 * @param now milliseconds since the epoch
 */
export async function* conversationsTitled(
  client: Pick<ApiClient, 'listConversations'>,
  title: string,
  now: number,
  signal?: AbortSignal,
): AsyncGenerator<Conversation[]> {
  const query = queryOf({ title }, now);
  const seen = new Set<string>();
  let pageId: string | null = null;
  do {
    const more: { pageId?: string } = pageId === null ? {} : { pageId };
    const page = await client.listConversations({ ...query, ...more, limit: 100 }, signal);
    yield page.items.filter((conversation) => passes({ title }, conversation, now));
    pageId = page.nextPageId;
    if (pageId === null || seen.has(pageId)) return;
    seen.add(pageId);
  } while (seen.size < mostPages);
}
