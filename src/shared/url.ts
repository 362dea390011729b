/** `text` as a URL, resolved against `base` if it's relative; undefined if it isn't a URL. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    // Not URL.canParse: after many calls, some releases of Node reject letters such as ü.
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Part of a URL without its escapes; with percent signs that escape nothing, and as it is if bytes make no character. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return part;
  }
}

/**
 * True for text that different URL parsers may read as different addresses: browsers take a backslash for a slash and
 * drop tabs and line breaks, others don't. Such an address could lead somewhere other than where it seems to.
 */
export function isAmbiguous(address: string): boolean {
  return /[\\\s\p{C}]/u.test(address);
}

/** Where what is sent to an address goes: its origin. An address that parsers read in different ways is a place of its own. */
export function placeOfUrl(text: string): string {
  const url = text.trim();
  const origin = isAmbiguous(url) ? undefined : parseUrl(url)?.origin;
  return origin === undefined || origin === 'null' ? url : origin;
}

/**
 * True for names and addresses of this computer itself, as `URL.hostname` writes them. Servers tell the address that
 * they listen at, which can be that of no network in particular.
 */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return /^(?:localhost|0\.0\.0\.0|127(?:\.\d{1,3}){3}|\[::1?\]|\[::ffff:(?:0:0|7f[\da-f]{2}:[\da-f]{1,4})\])$/.test(
    name,
  );
}

/** The same for a browser, which also keeps names under localhost on this computer; other clients ask DNS for them. */
export function isLocalInBrowser(hostname: string): boolean {
  return isLoopback(hostname) || hostname.endsWith('.localhost');
}

/** True for an address whose requests cross the network unencrypted, session key included. */
export function isExposedHttp({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}
