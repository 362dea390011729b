import * as l10n from '@vscode/l10n';
import { parseUrl } from './url';

/** A base address that can be used, or one sentence for the user about why it cannot. */
export type BaseUrl = { ok: true; baseUrl: string; origin: string } | { ok: false; reason: string };

/**
 * Checks and normalises the base address of a service (specification: "Base address"). A path prefix is kept and
 * trailing slashes go. User names, queries and fragments are refused: they would be lost or, worse, shown and sent.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = parseUrl(text.trim());
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return no(
      l10n.t('Enter an address that begins with http:// or https://, such as http://localhost:3000.'),
    );
  }
  if (url.username !== '' || url.password !== '') {
    return no(
      l10n.t('Leave the user name and password out of the address; the session key is asked for separately.'),
    );
  }
  if (/[?#]/.test(text)) return no(l10n.t('Leave out everything from “?” or “#” on.'));
  return { ok: true, baseUrl: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin };
}

function no(reason: string): BaseUrl {
  return { ok: false, reason };
}
