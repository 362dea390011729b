import type { ApiClient } from '../api/client';
import type { SandboxSpec } from '../api/schemas/sandboxSpec';
import { plainText } from '../shared/plainText';
import { readPages, type Records } from '../state/pages';
import { limits } from './inputs';

/** The specs to start sandboxes from, as far as anybody lists them. */
export function readSpecs(client: ApiClient, signal: AbortSignal): Promise<Records<SandboxSpec>> {
  return readPages((query) => client.searchSandboxSpecs(query, signal), { pages: limits.pages });
}

/** Their ids, and nothing else: what a spec sets may be secret. */
export function specsLine({ items, complete }: Records<SandboxSpec>): string {
  const shown = items.slice(0, 50).map(({ id }) => plainText(id, 512));
  const all = complete && shown.length === items.length;
  return `Sandbox specs${all ? '' : ', the first of them'}: ${JSON.stringify(shown)}`;
}
