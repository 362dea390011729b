import type { ErrorReason } from './errors';
import { portOf } from './proxy';

/** What the network layer says about a failure. */
export interface NetworkFailure {
  reason: ErrorReason;
  /** False when no connection was made, so that the service cannot have seen the request. */
  sent: boolean;
  /** Such as `ECONNREFUSED`. */
  code?: string;
  /** Address of the proxy that failed, or name of the network option that can’t be used. */
  location?: string;
}

/** Network options of a connection that name a file. */
export type NetworkOption = 'caFile' | 'certFile' | 'keyFile';

/** A file that the network options name and that cannot be used; thrown by a fetch before anything is sent. */
export class NetworkOptionError extends Error {
  constructor(
    readonly option: NetworkOption,
    /** Such as `ENOENT`. */
    readonly code: string,
  ) {
    super(`${option}: ${code}`);
  }
}

/** A proxy that can’t be used, for its kind or its address; thrown by a fetch before anything is sent. */
export class UnusableProxyError extends Error {}

/** What `NetworkFailure` names as the code for a proxy that can’t be used. */
export const unusableProxy = 'UNUSABLE';

/** The same for a proxy that wants its users to sign in. */
export const proxySignIn = 'HTTP 407';

/** Which part of the exchange failed: all up to the end of the answer's headers, or its body. */
export type ExchangePhase = 'headers' | 'body';

/** An error of Node's network layer. */
interface CodedError {
  code: string;
  syscall?: unknown;
  hostname?: unknown;
  address?: unknown;
  port?: unknown;
}

const tlsCodes =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH$|INVALID_|PATH_LENGTH_|EPROTO$)/;

/**
 * Reasons by the code of the failure. `fetch` has no connect phase that could be timed from here: its own limit of 10 s
 * for making a connection shows as `UND_ERR_CONNECT_TIMEOUT`, the operating system's as an `ETIMEDOUT` of `connect`.
 */
function byCode(
  { code, syscall }: CodedError,
  phase: ExchangePhase,
): Pick<NetworkFailure, 'reason' | 'sent'> | undefined {
  const unsent = (reason: ErrorReason) => ({ reason, sent: false });
  const sent = (reason: ErrorReason) => ({ reason, sent: true });
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return unsent('dns');
  // What was damaged after the handshake may have been an answer.
  if (tlsCodes.test(code))
    return phase === 'body'
      ? sent('truncated')
      : /BAD_RECORD|DECRYPT/.test(code)
        ? sent('reset')
        : unsent('tls');
  if (code.startsWith('HPE_')) return sent(phase === 'headers' ? 'notService' : 'truncated');
  switch (code) {
    case 'ECONNREFUSED':
      return unsent('refused');
    case 'UND_ERR_CONNECT_TIMEOUT':
      return unsent('connectTimeout');
    case 'ETIMEDOUT':
      return syscall === 'connect' ? unsent('connectTimeout') : sent('reset');
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
    case 'ENETUNREACH':
    case 'ENETDOWN':
    case 'EADDRNOTAVAIL':
      return unsent('unreachable');
    case 'UND_ERR_PRX_TLS':
    // The error for a proxy that refuses CONNECT. Our own aborts are handled earlier.
    case 'UND_ERR_ABORTED':
      return unsent('proxy');
    case 'UND_ERR_HEADERS_OVERFLOW':
      return sent('notService');
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return sent('timeout');
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
      return sent('reset');
    case 'UND_ERR_SOCKET':
      return sent(phase === 'headers' ? 'reset' : 'truncated');
    default:
      return undefined;
  }
}

/** Classifies what `fetch`, or reading the body of its answer, threw; `url` is what was asked for. */
export function classifyFailure(error: unknown, phase: ExchangePhase, url: URL): NetworkFailure {
  if (error instanceof NetworkOptionError) {
    return { reason: 'networkOption', sent: false, code: error.code, location: error.option };
  }
  if (error instanceof UnusableProxyError) return { reason: 'proxy', sent: false, code: unusableProxy };
  if (isSignInOfProxy(error)) return { reason: 'proxy', sent: false, code: proxySignIn };
  const causes = codedCauses(error);
  for (const cause of causes) {
    const proxy = addressOfProxy(cause, url);
    if (proxy !== undefined) return { reason: 'proxy', sent: false, code: cause.code, location: proxy };
    const known = byCode(cause, phase);
    if (known !== undefined) return { ...known, code: cause.code };
  }
  const code = causes[0]?.code;
  return {
    reason: phase === 'headers' ? 'unreachable' : 'truncated',
    sent: true,
    ...(code === undefined ? {} : { code }),
  };
}

/** The error and its causes, outermost first: `fetch` wraps errors, and trying several addresses aggregates them. */
function codedCauses(error: unknown, depth = 0): CodedError[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const code = codeOf(error);
  const own = code === undefined ? [] : [{ ...(error as Partial<CodedError>), code }];
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [
    ...inner.flatMap((each) => codedCauses(each, depth + 1)),
    ...own,
    ...codedCauses(error.cause, depth + 1),
  ];
}

/**
 * Fetch keeps a 407 to itself: of all its errors, only that one has a cause without code and words. Of a tunnel’s, it
 * tells the status.
 */
function isSignInOfProxy(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const isBare = depth > 0 && error.message === '' && error.name === 'Error' && !('code' in error);
  return isBare || error.message.includes('(407)') || isSignInOfProxy(error.cause, depth + 1);
}

/** undici's parser has lost the codes of its errors in some releases, but not their name. */
function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'HTTPParserError' ? 'HPE_UNKNOWN' : undefined;
}

/** If an address other than the service's own couldn't be reached, it's that of a proxy. */
function addressOfProxy({ syscall, hostname, address, port }: CodedError, url: URL): string | undefined {
  if (syscall === 'getaddrinfo') {
    return typeof hostname === 'string' && hostname !== url.hostname ? hostname : undefined;
  }
  if (syscall !== 'connect' || typeof address !== 'string' || typeof port !== 'number') return undefined;
  return port === portOf(url) ? undefined : `${address}:${port}`;
}
