import * as l10n from '@vscode/l10n';
import { no } from './parsed';
import { isAmbiguous, isLoopback, parseUrl } from './url';

/** A valid base address, or a sentence that tells the user what is wrong with it. */
export type BaseUrl = { ok: true; baseUrl: string; origin: string } | { ok: false; reason: string };

/**
 * Checks and normalizes the base address of a service (docs/protocol/service.md, “Base address”). Keeps a path prefix
 * and removes trailing slashes. Refuses user names, queries, and fragments, which would be lost or, worse, shown and
 * sent, and whatever another parser could read as another address.
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
  const lacksIt = /^[\p{L}\d[]/u.test(address) && !/^(?:https?:\/|[a-z][a-z\d+.-]*:\/\/)/i.test(address);
  if (!lacksIt) return address;
  const url = parseUrl(`http://${address}`);
  return `${url && isLoopback(url.hostname) ? 'http' : 'https'}://${address}`;
}

/** Ports of other protocols that `fetch` never connects to (fetch.spec.whatwg.org/#port-blocking). */
const blockedPorts = new Set(
  [
    [0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
    [104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514],
    [515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723],
    [2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ].flat(),
);

/** A sentence about an address with a port that nothing is ever sent to; undefined for others. */
export function portProblem(baseUrl: string): string | undefined {
  const port = parseUrl(baseUrl)?.port ?? '';
  if (port === '' || !blockedPorts.has(Number(port))) return undefined;
  return l10n.t(
    'Port {0} is reserved for another protocol, so nothing can be sent there. Check the port.',
    port,
  );
}
