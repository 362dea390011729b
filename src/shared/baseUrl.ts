import * as l10n from '@vscode/l10n';
import { no } from './parsed';
import { isAmbiguous, isLoopback, parseUrl } from './url';

/** A valid base address, or a sentence that tells the user what is wrong with it. */
export type BaseUrl = { ok: true; baseUrl: string; origin: string } | { ok: false; reason: string };

/**
 * Checks and normalizes the base address of a service (specification: "Base address"). Keeps a path prefix and removes
 * trailing slashes. Refuses user names, queries, and fragments, which would be lost or, worse, shown and sent, and
 * whatever another parser could read as another address.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const address = text.trim();
  const url = parseUrl(address);
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return no(
      l10n.t('Enter an address that starts with http:// or https://, such as http://localhost:3000.'),
    );
  }
  if (isAmbiguous(address)) return no(l10n.t('Remove backslashes, spaces, and invisible characters.'));
  if (url.username !== '' || url.password !== '') {
    return no(
      l10n.t('Remove the user name and password from the address. You enter the session key separately.'),
    );
  }
  if (/[?#]/.test(text)) return no(l10n.t('Remove everything from “?” or “#” on.'));
  return { ok: true, baseUrl: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin };
}

/** An address as people type it, with the scheme it may lack: http on this computer, https anywhere else. */
export function withScheme(text: string): string {
  const address = text.trim();
  const lacksIt = /^[\p{L}\d[]/u.test(address) && !/^[a-z][a-z\d+.-]*:\/\//i.test(address);
  if (!lacksIt) return address;
  const url = parseUrl(`http://${address}`);
  return `${url && isLoopback(url.hostname) ? 'http' : 'https'}://${address}`;
}
