import type { ApiClient } from '../api/client';
import type { Sandbox } from '../api/schemas/sandbox';

/**
 * Every sandbox that the service lists, page by page, each once; a view shows only the pages it has loaded. Throws
 * ApiError.
 */
export async function allSandboxes(
  client: Pick<ApiClient, 'searchSandboxes'>,
  signal?: AbortSignal,
): Promise<Sandbox[]> {
  const byId = new Map<string, Sandbox>();
  const asked = new Set<string>();
  let pageId: string | null = null;
  do {
    if (pageId !== null) asked.add(pageId);
    const page = await client.searchSandboxes({ limit: 100, ...(pageId !== null && { pageId }) }, signal);
    for (const sandbox of page.items) byId.set(sandbox.id, sandbox);
    pageId = page.nextPageId;
    // A service whose pages go round in a circle has been read when the first one comes back.
  } while (pageId !== null && !asked.has(pageId));
  return [...byId.values()];
}
