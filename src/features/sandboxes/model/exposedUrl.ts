import * as l10n from '@vscode/l10n';
import { no } from '../../../shared/parsed';
import { plainText } from '../../../shared/plainText';
import { isAmbiguous, isLocalInBrowser, parseUrl } from '../../../shared/url';

/** An address from the service: normalized if it may be opened, otherwise the reason why not. */
export type CheckedUrl = { ok: true; url: URL } | { ok: false; reason: string };

/** Checks an address from the service: only https, or http on this computer, may be opened. */
export function checkExposedUrl(address: string): CheckedUrl {
  const url = isAmbiguous(address) ? undefined : parseUrl(address);
  if (!url) return no(l10n.t('not a valid address.'));
  if (url.username !== '' || url.password !== '') return no(l10n.t('contains a user name or password.'));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return no(l10n.t('not a web address.'));
  return url.protocol === 'http:' && !isLocalInBrowser(url.hostname)
    ? no(l10n.t('unencrypted (http) and not on this computer.'))
    : { ok: true, url };
}

/** The display name of an exposed URL: "VS Code" for `VSCODE`, "Web app 1" for `WORKER_1`. Other names stay. */
export function exposedUrlName(name: string): string {
  if (name === 'VSCODE') return 'VS Code';
  if (name === 'AGENT_SERVER') return l10n.t('Agent server');
  const worker = /^WORKER_(\d{1,3})$/.exec(name)?.[1];
  return worker === undefined ? plainText(name, 80) : l10n.t('Web app {0}', worker);
}
