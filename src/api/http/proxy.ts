import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isLoopback, parseUrl, unescaped } from '../../shared/url';

/** A proxy between this computer and a service. */
export interface Proxy {
  /** Who named it: the connection's network options, the editor's settings, or environment variables. */
  source: 'connection' | 'editor' | 'environment';
  /** May hold a user name and password: never show or log it. */
  url: string;
  /** `host:port`, which may be shown. */
  address: string;
}

/** Where proxies are configured. */
export interface ProxySettings {
  /** Hosts as in `NO_PROXY`, separated by commas or blanks. */
  connection: { proxy?: string | undefined; noProxy?: string | undefined };
  /** Undefined if the editor is set to use no proxy, not even the environment's. */
  editor: { proxy?: string | undefined; noProxy: readonly string[] } | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The proxy for requests to `target`, undefined for none: the connection's own, else the editor's, else the
 * environment's, as the editor itself does. For this computer, only the connection's own proxy is used.
 */
export function proxyFor(target: URL, { connection, editor, environment }: ProxySettings): Proxy | undefined {
  if (bypasses(target, connection.noProxy ?? '')) return undefined;
  if (connection.proxy !== undefined) return proxyAt('connection', connection.proxy);
  if (editor === undefined || isLoopback(target.hostname) || bypasses(target, editor.noProxy.join(',')))
    return undefined;
  if (editor.proxy !== undefined && editor.proxy !== '') return proxyAt('editor', editor.proxy);
  const variable = (name: string) =>
    [environment[name.toUpperCase()], environment[name]].find((value) => value !== undefined && value !== '');
  if (bypasses(target, variable('no_proxy') ?? '')) return undefined;
  const secure = target.protocol === 'https:' ? variable('https_proxy') : undefined;
  const named = secure ?? variable('http_proxy');
  return named === undefined ? undefined : proxyAt('environment', named);
}

/** Who signs in to the proxy at an address: each part, empty if there’s none, and the header of HTTP for both, if there’s any. */
export function proxyLogin(address: URL): { username: string; password: string; header: string | undefined } {
  const [username, password] = [unescaped(address.username), unescaped(address.password)];
  const isThere = username !== '' || password !== '';
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return { username, password, header: isThere ? header : undefined };
}

/**
 * A proxy without a scheme is an HTTP proxy. One that is no address can’t be used, but isn’t ignored: requests that are
 * to go through a proxy mustn’t go past it.
 */
function proxyAt(source: Proxy['source'], text: string): Proxy | undefined {
  const named = text.trim();
  if (named === '') return undefined;
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`);
  if (url === undefined || url.hostname === '')
    return { source, url: named, address: named.replace(/^.*@/s, '') };
  return { source, url: url.href, address: `${url.hostname}:${portOf(url)}` };
}

/**
 * Whether `list` names the host of `target`: itself or a domain above it, an address pattern such as `192.168.*`, a range
 * of addresses such as `10.0.0.0/8`, with a port or without, or `*`.
 */
function bypasses(target: URL, list: string): boolean {
  const own = target.hostname.replace(/\.$/, '');
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return true;
    if (entry.includes('/')) return isInRange(own, entry);
    // The end of an IPv6 address isn't a port.
    const name = isIPv6(entry) ? (parseUrl(`http://[${entry}]`)?.hostname ?? '') : entry.toLowerCase();
    const [, text = '', port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(name) ?? [];
    // Requests have names with non-ASCII letters in another form.
    const host = (/[^\0-\x7f]/.test(text) ? (parseUrl(`http://${text}`)?.hostname ?? '') : text).replace(
      /\.$/,
      '',
    );
    if (host === '' || (port !== undefined && Number(port) !== portOf(target))) return false;
    if (host.includes('*')) return isLike(own, host) || (/^\*?\./.test(name) && isLike(own, `*.${host}`));
    return own === host || own.endsWith(`.${host}`);
  });
}

/** Whether an asterisk of `pattern` can stand for the rest of `host`. */
function isLike(host: string, pattern: string): boolean {
  const parts = pattern.split(/\*+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(host);
}

/** Whether the address `host` is in a range such as `10.0.0.0/8`, `fd00::/8`, or `[fd00::]/8`. */
function isInRange(host: string, range: string): boolean {
  const [from = '', length = ''] = range.split('/');
  const [start = '', address = ''] = [from, host].map((text) => text.replace(/^\[(.*)\]$/, '$1'));
  const [type, most] = isIPv6(start) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
  const isOfType = type === 'ipv6' ? isIPv6 : isIPv4;
  if (!/^\d{1,3}$/.test(length) || Number(length) > most || !isOfType(start) || !isOfType(address))
    return false;
  const list = new BlockList();
  list.addSubnet(start, Number(length), type);
  return list.check(address, type);
}

/** The port of an address, by its scheme where it names none. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : protocol.startsWith('socks') ? 1080 : 80;
}
