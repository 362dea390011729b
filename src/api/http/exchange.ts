import { visibleText } from '../../shared/plainText';
import { parseUrl } from '../../shared/url';
import { type Body, discard, noBody, parseElements, parseJson, readBody, bodyText } from './body';
import type { Clock } from './clock';
import { readErrorBody } from './errorBody';
import { ApiError, type ErrorFacts, type ErrorReason, type Method } from './errors';
import { parseRetryAfter } from './retry';
import { unlessAborted } from './signals';
import { tlsCodeOf } from './tlsWords';

/** Largest answer that is read, and how much of an error's body is. */
const answerCap = 16 * 1024 * 1024;
const errorBodyCap = 64 * 1024;
/** Characters dropped at the end of an error's body that was cut: part of a secret there wouldn't be recognized. */
const longestSecret = 4 * 1024;

/** The request, in words that may be logged. */
export interface RequestTarget {
  method: Method;
  /** Path with `{id}` in place of the id. */
  route: string;
}

/** A request ready to be sent. */
export interface OutgoingRequest extends RequestTarget {
  url: string;
  init: RequestInit;
  /** The answer will be sent back to the service, so its numbers are kept exactly. */
  exact: boolean;
  /** An element of that list that nests too deep is marked, see body.ts; empty for none. */
  elements: string;
  /** Maximum size of a binary answer; undefined for JSON. */
  maxBytes: number | undefined;
  /** Called with the headers of a successful answer. */
  onHeaders: ((headers: Headers) => void) | undefined;
  /** Sends it; does not follow redirects. */
  fetch: typeof globalThis.fetch;
  clock: Clock;
  /** Blots out the request's secrets if the server repeats them. */
  conceal: (text: string) => string;
  /** Its key came from signing in. */
  signIn: boolean;
  /** `host:port` of the proxy that is named for the request. */
  proxyAddress: () => string | undefined;
}

/** What's known about the request so far, even if it fails. */
export interface Progress {
  /** Undefined until the answer's headers arrive. */
  status: number | undefined;
  /** Length of the answer's body after decompression. */
  bytes: number;
}

/**
 * Sends a request once. Returns the JSON of its answer (undefined if empty), or its bytes if `maxBytes` is set. Throws
 * an ApiError for an answer that can't be used, and whatever `fetch` throws if there's no answer.
 */
export async function exchange(
  request: OutgoingRequest,
  signal: AbortSignal,
  progress: Progress,
): Promise<unknown> {
  const { response, body } = await unlessAborted(answerTo(request, signal, progress), signal);
  const { status } = response;
  if (isRedirect(response)) {
    await discard(response.body);
    throw failure(request, 'redirected', { status, location: redirectTarget(response, request) });
  }
  if (body === undefined) throw await statusFailure(request, response, signal, progress);
  request.onHeaders?.(response.headers);
  const { bytes, complete } = body;
  if (request.maxBytes !== undefined) {
    if (!complete) throw failure(request, 'tooLarge', { status });
    progress.bytes = bytes.byteLength;
    return new Uint8Array(bytes);
  }
  progress.bytes = bytes.byteLength;
  const text = bodyText(body);
  // Nothing is left of a body whose first piece is too large.
  if (text === '' && complete) return undefined;
  if (!mediaTypeIs(response, /^application\/(?:[\w.+-]+\+)?json$/))
    throw failure(request, 'notService', { status });
  if (!complete) throw failure(request, 'tooLarge', { status });
  const json = request.elements ? parseElements(text, request.elements) : parseJson(text, request.exact);
  if (!json.ok) throw failure(request, /^\s*</.test(text) ? 'notService' : json.reason, { status });
  return json.value;
}

/** The answer, with its body unless it's an error or a redirect. */
async function answerTo(
  request: OutgoingRequest,
  signal: AbortSignal,
  progress: Progress,
): Promise<{ response: Response; body: Body | undefined }> {
  const response = await request.fetch(request.url, { ...request.init, signal });
  progress.status = response.status;
  if (!response.ok) return { response, body: undefined };
  // If `fetch` noticed the abort late, nobody is waiting anymore.
  signal.throwIfAborted();
  const { maxBytes } = request;
  // The announced length of a binary answer is checked before anything is read.
  if (maxBytes !== undefined && Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await discard(response.body);
    return { response, body: { ...noBody, complete: false } };
  }
  return { response, body: await readBody(response.body, maxBytes ?? answerCap) };
}

/** The error for a request that was sent. A change that the answer doesn't prove refused may have gone through. */
export function failure(
  { method, route }: RequestTarget,
  reason: ErrorReason,
  facts: ErrorFacts = {},
): ApiError {
  const outcomeUnknown = method !== 'GET' && !provesRefusal(facts.status);
  return new ApiError(reason, method, route, { outcomeUnknown, ...facts });
}

/** 408 and 499 don't: the server lost patience or the connection, but may have made the change. */
function provesRefusal(status = 0): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 499;
}

async function statusFailure(
  request: OutgoingRequest,
  response: Response,
  signal: AbortSignal,
  progress: Progress,
): Promise<ApiError> {
  const { status, headers } = response;
  // The status counts even if the body breaks off.
  const body = await unlessAborted(readBody(response.body, errorBodyCap), signal).catch(() => noBody);
  const text = bodyText(body);
  progress.bytes = body.bytes.byteLength;
  const isPage = mediaTypeIs(response, /^text\/html$/);
  // Services refuse in JSON; a page is of a proxy or a network that asks to sign in, and says nothing about the key.
  const isOther = isPage && (status === 401 || status === 403);
  const code = mediaTypeIs(response, /json/) ? undefined : tlsCodeOf(status, text);
  return failure(request, code !== undefined ? 'tls' : isOther ? 'notService' : reasonOfStatus(status), {
    status,
    code,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), request.clock, headers.get('date')),
    ...(status === 401 && request.signIn && { signIn: true }),
    location: status === 407 ? request.proxyAddress() : undefined,
    ...readErrorBody(
      body.complete ? text : visibleText(text).slice(0, -longestSecret),
      isPage,
      request.conceal,
    ),
  });
}

/** The editor's `fetch` shows a redirect as it is; one that follows the standard for browsers shows an opaque one. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Origin that a redirect points to; the scheme alone for an address that has none. */
function redirectTarget({ headers }: Response, { url, conceal }: OutgoingRequest): string | undefined {
  const location = headers.get('location');
  const target = location === null ? undefined : parseUrl(location, new URL(url));
  return target && conceal(target.origin === 'null' ? target.protocol : target.origin);
}

function mediaTypeIs({ headers }: Response, pattern: RegExp): boolean {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  return pattern.test(type);
}

const statusReasons: Readonly<Record<number, ErrorReason>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'methodNotAllowed',
  407: 'proxy',
  408: 'timeout',
  409: 'conflict',
  413: 'payloadTooLarge',
  422: 'invalid',
  429: 'rateLimited',
  // A network that asks to sign in.
  511: 'notService',
};

function reasonOfStatus(status: number): ErrorReason {
  return statusReasons[status] ?? (status >= 500 ? 'serverError' : 'unexpectedStatus');
}
