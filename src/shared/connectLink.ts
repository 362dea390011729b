import * as l10n from '@vscode/l10n';
import { parseBaseUrl, type BaseUrl } from './baseUrl';

/** More than any base address needs. */
const longest = 2_048;

/**
 * Reads a link `vscode://agent-workspace.agent-workspace/connect?url=…`. Anybody can write one, so it says an address
 * and nothing else: any further member is refused, a key among them, as is everything that makes an address look like
 * another.
 *
 * @param path of the link
 * @param query of the link, percent-encoded or not, without the question mark
 */
export function parseConnectLink(path: string, query: string): BaseUrl {
  if (path !== '/connect')
    return no(l10n.t('This version of the extension does not know what the link asks for.'));
  if (query.length > longest) return no(l10n.t('The address in the link is too long.'));
  const members = [...new URLSearchParams(query)];
  const [first] = members;
  if (first?.[0] !== 'url') return no(l10n.t('The link names no address.'));
  if (members.length > 1) {
    return no(
      l10n.t('The link carries more than an address. Session keys in particular are never taken from links.'),
    );
  }
  const url = first[1];
  if (/[\s\p{C}\\]/u.test(url))
    return no(l10n.t('The address in the link has characters that do not belong there.'));
  if (!/^https?:\/\/[^/]/i.test(url))
    return no(l10n.t('The link does not name an address that begins with http:// or https://.'));
  return parseBaseUrl(url);
}

function no(reason: string): BaseUrl {
  return { ok: false, reason };
}
