/** `text` as a URL, resolved against `base` if it's relative; undefined if it isn't a URL. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    // Not URL.canParse: after many calls, some releases of Node reject letters such as ü.
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * True for text that different URL parsers may read as different addresses: browsers take a backslash for a slash and
 * drop tabs and line breaks, others don't. Such an address could lead somewhere other than where it seems to.
 */
export function isAmbiguous(address: string): boolean {
  return /[\\\s\p{C}]/u.test(address);
}

/** True for names and addresses of this computer itself, as `URL.hostname` writes them. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The same for a browser, which also keeps names under localhost on this computer; other clients ask DNS for them. */
export function isLocalInBrowser(hostname: string): boolean {
  return isLoopback(hostname) || hostname.endsWith('.localhost');
}

/** True for an address whose requests cross the network unencrypted, session key included. */
export function isExposedHttp({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}
