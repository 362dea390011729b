import * as l10n from '@vscode/l10n';
import { parseUrl } from '../shared/url';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|[^.]+\.localhost)$/;

/** Why an address from the service is not opened; undefined when it may be. */
export function whyNotOpened(address: string): string | undefined {
  const url = parseUrl(address);
  if (!url) return l10n.t('it is not a valid address.');
  if (url.username !== '' || url.password !== '') return l10n.t('it carries a user name or password.');
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return l10n.t('only web addresses are opened.');
  return loopback.test(url.hostname)
    ? undefined
    : l10n.t('it is not encrypted (http) and leads beyond this computer.');
}
