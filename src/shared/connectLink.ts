import * as l10n from '@vscode/l10n';
import { parseBaseUrl, type BaseUrl } from './baseUrl';
import { no } from './parsed';
import { isAmbiguous } from './url';

/** Longer than any base address. */
const longest = 2_048;

/**
 * Reads a link `vscode://agent-workspace.agent-workspace/connect?url=…`. Anybody can write one, so it may contain an
 * address and nothing else: other parameters are refused, session keys included, and so are characters that make an
 * address look like another one.
 *
 * @param path path of the link
 * @param query query of the link without the question mark, percent-encoded or not
 */
export function parseConnectLink(path: string, query: string): BaseUrl {
  if (path !== '/connect') return no(l10n.t('This version of the extension doesn’t support this link.'));
  if (query.length > longest) return no(l10n.t('The address in the link is too long.'));
  const members = [...new URLSearchParams(query)];
  const [first] = members;
  if (first?.[0] !== 'url') return no(l10n.t('The link has no address.'));
  if (members.length > 1) {
    return no(l10n.t('The link contains more than an address. Session keys are never taken from links.'));
  }
  return linkedAddress(first[1]);
}

/** The base address in a link, unless its characters make it look like another one. */
export function linkedAddress(url: string): BaseUrl {
  if (isAmbiguous(url)) return no(l10n.t('The address in the link contains invalid characters.'));
  if (!/^https?:\/\/[^/]/i.test(url))
    return no(l10n.t('The address in the link must start with http:// or https://.'));
  return parseBaseUrl(url);
}
