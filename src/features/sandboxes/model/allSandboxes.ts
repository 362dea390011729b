import { type ApiClient, needed } from '../../../api/service/client';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { readPages, type Records } from '../../../core/lists/pages';

/**
 * Reads all sandboxes, page by page; a view shows only the pages it has loaded. No sandbox is returned twice. Throws
 * ApiError.
 */
export async function allSandboxes(
  client: Pick<ApiClient, 'sandboxes'>,
  signal?: AbortSignal,
): Promise<Records<Sandbox>> {
  return readPages((query) => needed(client.sandboxes).searchSandboxes(query, signal));
}
