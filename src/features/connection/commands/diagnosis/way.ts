import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect, type PeerCertificate, type SecureContext } from 'node:tls';
import { portOf, proxyLogin, type Proxy } from '../../../../api/http/proxy';
import { unlessAborted } from '../../../../api/http/signals';

/** How long each check on the way to a service may take, in milliseconds. */
const lookTimeoutMs = 10_000;

/** What a host name resolved to. */
export type NameFound =
  { kind: 'number' } | { kind: 'found'; addresses: string[] } | { kind: 'failed'; code: string };

/** Node takes IPv6 addresses without the brackets of `URL.hostname`. */
const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** Resolves a host name as the system does. */
export async function findName(hostname: string, signal: AbortSignal): Promise<NameFound> {
  const bare = withoutBrackets(hostname);
  if (isIP(bare) !== 0) return { kind: 'number' };
  try {
    const found = await within(signal, lookup(bare, { all: true }));
    return { kind: 'found', addresses: found.map(({ address }) => address) };
  } catch (error) {
    return { kind: 'failed', code: codeOf(error) };
  }
}

/** The certificate of a service, in its own words: untrusted text. */
interface ShownCertificate {
  subject: string;
  issuer: string;
  /** As OpenSSL writes dates, such as `Nov 21 12:00:00 2026 GMT`. */
  validFrom: string;
  validTo: string;
  /** Such as `DNS:localhost, IP Address:127.0.0.1`. */
  names: string;
}

/** The outcome of a secure connection. `refused` is the code of the reason when it wasn't accepted. */
export interface TlsSeen {
  refused?: string;
  protocol?: string;
  certificate?: ShownCertificate | undefined;
}

/** Makes a TLS connection as a request would, through the proxy where there is one, and sends nothing over it. */
export async function lookAtTls(
  target: URL,
  proxy: Proxy | undefined,
  secureContext: SecureContext | undefined,
  signal: AbortSignal,
): Promise<TlsSeen> {
  const seen: TlsSeen = {};
  const open: { destroy(): unknown }[] = [];
  try {
    const host = withoutBrackets(target.hostname);
    const tunnel = proxy && (await within(signal, tunnelTo(target, proxy, open)));
    const socket = connect({
      ...(tunnel ? { socket: tunnel } : { host, port: portOf(target) }),
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(secureContext && { secureContext }),
    });
    open.push(socket);
    // A refused connection has forgotten the certificate by the time it reports the error.
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error) => {
      seen.certificate ??= shown(socket.getPeerCertificate());
      return destroy(error);
    };
    await within(
      signal,
      new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject)),
    );
    const protocol = socket.getProtocol();
    if (protocol !== null) seen.protocol = protocol;
    seen.certificate = shown(socket.getPeerCertificate());
  } catch (error) {
    seen.refused = codeOf(error);
  } finally {
    for (const one of open) one.destroy();
  }
  return seen;
}

function tunnelTo(target: URL, proxy: Proxy, open: { destroy(): unknown }[]): Promise<Socket> {
  const address = new URL(proxy.url);
  const { protocol, hostname, port } = address;
  const { header } = proxyLogin(address);
  const place = `${target.hostname}:${portOf(target)}`;
  const request = (protocol === 'https:' ? https : http).request({
    method: 'CONNECT',
    hostname: withoutBrackets(hostname),
    port,
    path: place,
    headers: {
      host: place,
      ...(header !== undefined && { 'proxy-authorization': header }),
    },
  });
  open.push(request);
  return new Promise((resolve, reject) => {
    request.once('error', reject).once('connect', ({ statusCode }, socket: Socket) => {
      open.push(socket);
      if (statusCode === 200) resolve(socket);
      else reject(Object.assign(new Error('refused'), { code: `proxy: HTTP ${statusCode ?? 0}` }));
    });
    request.end();
  });
}

function shown(certificate: PeerCertificate | undefined): ShownCertificate | undefined {
  if (!certificate || Object.keys(certificate).length === 0) return undefined;
  const { subject, issuer, valid_from: validFrom, valid_to: validTo, subjectaltname = '' } = certificate;
  const name = (entity: Partial<typeof subject>) => [entity.CN, entity.O].filter(Boolean).flat().join(', ');
  return { subject: name(subject), issuer: name(issuer), validFrom, validTo, names: subjectaltname };
}

/** Settles as `work` does, but no later than the timeout or the signal. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(coded('ETIMEDOUT')), lookTimeoutMs);
  return unlessAborted(work, AbortSignal.any([signal, late.signal])).finally(() => clearTimeout(timer));
}

const coded = (code: string) => Object.assign(new Error(code), { code });

/** The code alone: the text of an error may quote anything. */
function codeOf(error: unknown): string {
  const own = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return own instanceof Error && 'code' in own && typeof own.code === 'string' ? own.code : 'unknown';
}
