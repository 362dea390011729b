import * as l10n from '@vscode/l10n';
import type { Sandbox } from '../api/schemas/sandbox';
import { parseUrl } from '../shared/url';

/** A sandbox as readable JSON. Only members known to be harmless: an unknown one could hold a secret. */
export function detailsOf(sandbox: Sandbox): string {
  const shown = {
    id: sandbox.id,
    status: sandbox.status,
    status_detail: sandbox.status_detail,
    sandbox_spec_id: sandbox.sandbox_spec_id,
    created_at: sandbox.created_at,
    created_by_user_id: sandbox.created_by_user_id,
    exposed_urls: sandbox.exposed_urls?.map(({ name, url }) => {
      const parsed = parseUrl(url);
      return { name, url: parsed ? `${parsed.origin}${parsed.pathname}` : l10n.t('not a valid address') };
    }),
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}
