import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, rootCertificates, type SecureContext } from 'node:tls';
import type { OpenSocket } from '../api/agent/socket';
import { NetworkOptionError, UnusableProxyError, type NetworkOption } from '../api/http/networkFailure';
import { proxyLogin, type Proxy } from '../api/http/proxy';
import type { NetworkOptions } from '../shared/connection';

/** Time to connect, handshakes included, in milliseconds; as in the built-in fetch. */
const connectTimeoutMs = 10_000;

/**
 * A fetch with its own dispatcher, for a connection with network options; network.ts loads it when first needed. Throws
 * a NetworkOptionError for a file that can't be used.
 */
export async function createFetch(options: NetworkOptions, proxy: UsedProxy): Promise<typeof fetch> {
  const { undici, dispatcher } = await load(options, proxy);
  const own = undici.fetch as unknown as (input: unknown, init: unknown) => Promise<Response>;
  return (input, init) => {
    if (!(init?.body instanceof FormData)) return own(input, { ...init, dispatcher });
    // undici turns any FormData but its own into text: “[object FormData]” would be sent.
    const body = new undici.FormData();
    init.body.forEach((value, name) => body.append(name, value));
    return own(input, { ...init, body, dispatcher });
  };
}

/** Opens sockets with the connection’s network options. */
export async function createOpenSocket(options: NetworkOptions, proxy: UsedProxy): Promise<OpenSocket> {
  const { undici, dispatcher } = await load(options, proxy);
  return (url, headers) => new undici.WebSocket(url, { headers, dispatcher });
}

type UsedProxy = Pick<Proxy, 'url'> | undefined;

/**
 * Leaves the dispatcher alone that all extensions share: undici would install its own if the built-in fetch hadn't run
 * before.
 */
async function load(options: NetworkOptions, proxy: UsedProxy) {
  const { trusting, identified } = await secureContexts(options);
  await globalThis.fetch('data:,');
  const undici = await import('undici/index-fetch.js');
  const requestTls = { secureContext: identified, timeout: connectTimeoutMs };
  const proxyTls = { secureContext: trusting, timeout: connectTimeoutMs };
  try {
    const url = proxy && new URL(proxy.url.replace(/^socks5h:/i, 'socks5:'));
    const { header: token, ...login } = url ? proxyLogin(url) : {};
    if (url) url.username = url.password = '';
    const uri = url?.href ?? '';
    const dispatcher = new undici.EnvHttpProxyAgent({
      // All three are given, so that it reads no environment.
      ...{ httpProxy: uri, httpsProxy: uri, noProxy: '' },
      connect: requestTls,
      // The client certificate is for the service alone.
      requestTls,
      // With `proxyTls`, undici would speak TLS to a SOCKS proxy, too. Of a login in the address, it would take none
      // without a password, or with a percent sign that escapes nothing.
      ...(uri.startsWith('socks') ? login : { proxyTls, ...(token !== undefined && { token }) }),
    });
    return { undici, dispatcher };
  } catch (error) {
    // Its text may quote the password of the proxy.
    throw proxy ? new UnusableProxyError() : error;
  }
}

/** What to trust, without and with the client certificate. Throws a NetworkOptionError. */
export async function secureContexts({
  caFile,
  certFile,
  keyFile,
}: NetworkOptions): Promise<Record<'trusting' | 'identified', SecureContext>> {
  const [own, cert, key] = await Promise.all([
    read('caFile', caFile),
    read('certFile', certFile),
    read('keyFile', keyFile),
  ]);
  // Node leaves out those in a file that it can’t read, apart from the first.
  for (const one of certificatesIn(own)) attempt('caFile', () => new X509Certificate(one));
  for (const one of certificatesIn(cert)) attempt('certFile', () => new X509Certificate(one));
  const ca = own === undefined ? undefined : [...usualCertificates(), own];
  const trusting = attempt('caFile', () => createSecureContext({ ca }));
  const identified =
    cert === undefined ? trusting : attempt('keyFile', () => createSecureContext({ ca, cert, key }));
  return { trusting, identified };
}

/** Each certificate of a PEM file; all of its text if there is none, and none without a file. */
function certificatesIn(pem: string | undefined): readonly string[] {
  if (pem === undefined) return [];
  return (
    pem.match(/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^]*?(?:-----END [A-Z0-9 ]+-----|$)/g) ?? [pem]
  );
}

/** The certificates that Node trusts, with those of `NODE_EXTRA_CA_CERTS` where Node lists them. */
function usualCertificates(): readonly string[] {
  // Missing before Node 22.15.
  const list = getCACertificates as typeof getCACertificates | undefined;
  return list === undefined ? rootCertificates : list('default');
}

async function read(option: NetworkOption, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new NetworkOptionError(option, codeOf(error));
  });
}

function attempt<T>(option: NetworkOption, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new NetworkOptionError(option, codeOf(error));
  }
}

/** The code alone: the text of the error may quote the path or the content. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'not PEM';
}
