import type { ApiClient } from '../api/client';
import type { Sandbox } from '../api/schemas/sandbox';
import { readPages } from './pages';

/**
 * Every sandbox that the service lists, page by page, each once; a view shows only the pages it has loaded. Throws
 * ApiError.
 */
export async function allSandboxes(
  client: Pick<ApiClient, 'searchSandboxes'>,
  signal?: AbortSignal,
): Promise<Sandbox[]> {
  return (await readPages((query) => client.searchSandboxes(query, signal))).items;
}
