import { type ApiClient, needed } from '../../api/service/client';
import type { SandboxSpec } from '../../api/service/schemas/sandboxSpec';
import { plainText } from '../../shared/plainText';
import { readPages, type Records } from '../../core/lists/pages';
import { limits } from './inputs';

/** Reads the specs to start sandboxes from, up to the page limit. */
export function readSpecs(client: ApiClient, signal: AbortSignal): Promise<Records<SandboxSpec>> {
  return readPages((query) => needed(client.sandboxes).searchSandboxSpecs(query, signal), {
    pages: limits.pages,
  });
}

/** The ids of specs, and nothing else: other values in a spec can be secret. */
export function specsLine({ items, complete }: Records<SandboxSpec>): string {
  const shown = items.slice(0, 50).map(({ id }) => plainText(id, 512));
  const all = complete && shown.length === items.length;
  return `Sandbox specs${all ? '' : ' (incomplete)'}: ${JSON.stringify(shown)}`;
}
