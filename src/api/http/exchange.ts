import { visibleText } from '../../shared/plainText';
import { parseUrl } from '../../shared/url';
import { type BodyText, discard, parseJson, readBytes, readText } from './body';
import type { Clock } from './clock';
import { readErrorBody } from './errorBody';
import { ApiError, type ErrorFacts, type ErrorReason, type Method } from './errors';
import type { Phase } from './networkFailure';
import { parseRetryAfter } from './retry';
import { unlessAborted } from './signals';

/** Largest answer that is read, and how much of an error's body is. */
const answerCap = 16 * 1024 * 1024;
const errorBodyCap = 64 * 1024;
/** Characters dropped at the end of an error's body that was cut: part of a secret there wouldn't be recognized. */
const longestSecret = 4 * 1024;

/** The request, in words that may be logged. */
export interface Target {
  method: Method;
  /** Path with `{id}` in place of the id. */
  route: string;
}

/** A request ready to be sent. */
export interface Outgoing extends Target {
  url: string;
  init: RequestInit;
  /** The answer will be sent back to the service, so its numbers are kept exactly. */
  exact: boolean;
  /** Maximum size of a binary answer; undefined for JSON. */
  maxBytes: number | undefined;
  /** Sends it; does not follow redirects. */
  fetch: typeof globalThis.fetch;
  clock: Clock;
  /** Blots out the request's secrets if the server repeats them. */
  conceal: (text: string) => string;
  /** `host:port` of the proxy that is named for the request. */
  proxyAddress: () => string | undefined;
}

/** What's known about the request so far, even if it fails. */
export interface Progress {
  phase: Phase;
  status: number | undefined;
  /** Length of the answer's body after decompression. */
  bytes: number;
}

/**
 * Sends a request once. Returns the JSON of its answer (undefined if empty), or its bytes if `maxBytes` is set. Throws
 * an ApiError for an answer that can't be used, and whatever `fetch` throws if there's no answer.
 */
export async function exchange(request: Outgoing, signal: AbortSignal, progress: Progress): Promise<unknown> {
  const { response, body } = await unlessAborted(answerTo(request, signal, progress), signal);
  const { status } = response;
  if (isRedirect(response)) {
    await discard(response.body);
    throw failure(request, 'redirected', { status, location: redirectTarget(response, request) });
  }
  if (body === undefined) throw await statusFailure(request, response, signal, progress);
  if (body instanceof Uint8Array) return body;

  const { text, bytes, complete } = body;
  progress.bytes = bytes;
  if (text === '') return undefined;
  if (!mediaTypeIs(response, /^application\/(?:[\w.+-]+\+)?json$/))
    throw failure(request, 'notService', { status });
  if (!complete) throw failure(request, 'tooLarge', { status });
  const json = parseJson(text, request.exact);
  if (!json.ok) throw failure(request, json.reason, { status });
  return json.value;
}

/** The answer, with its body unless it's an error or a redirect. */
async function answerTo(
  request: Outgoing,
  signal: AbortSignal,
  progress: Progress,
): Promise<{ response: Response; body: BodyText | Uint8Array | undefined }> {
  const response = await request.fetch(request.url, { ...request.init, signal });
  progress.status = response.status;
  progress.phase = 'body';
  if (!response.ok) return { response, body: undefined };
  // If `fetch` noticed the abort late, nobody is waiting anymore.
  signal.throwIfAborted();
  const { maxBytes } = request;
  return {
    response,
    body:
      maxBytes === undefined
        ? await readText(response.body, answerCap)
        : await bytesOf(request, response, maxBytes, progress),
  };
}

/** An announced length is checked before anything is read. */
async function bytesOf(
  request: Outgoing,
  { status, headers, body }: Response,
  maxBytes: number,
  progress: Progress,
): Promise<Uint8Array> {
  const isTooLong = Number(headers.get('content-length') ?? 0) > maxBytes;
  if (isTooLong) await discard(body);
  const content = isTooLong ? undefined : await readBytes(body, maxBytes);
  if (content === undefined) throw failure(request, 'tooLarge', { status });
  progress.bytes = content.byteLength;
  return content;
}

/** The error for a request that was sent. A change that the answer doesn't prove refused may have gone through. */
export function failure({ method, route }: Target, reason: ErrorReason, facts: ErrorFacts = {}): ApiError {
  const outcomeUnknown = method !== 'GET' && !provesRefusal(facts.status);
  return new ApiError(reason, method, route, { outcomeUnknown, ...facts });
}

/** 408 and 499 don't: the server lost patience or the connection, but may have made the change. */
function provesRefusal(status = 0): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 499;
}

async function statusFailure(
  request: Outgoing,
  response: Response,
  signal: AbortSignal,
  progress: Progress,
): Promise<ApiError> {
  const { status, headers } = response;
  // The status counts even if the body breaks off.
  const body = await unlessAborted(readText(response.body, errorBodyCap), signal).catch(() => undefined);
  const { text = '', bytes = 0, complete = true } = body ?? {};
  progress.bytes = bytes;
  return failure(request, reasonOfStatus(status), {
    status,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), request.clock),
    location: status === 407 ? request.proxyAddress() : undefined,
    ...readErrorBody(
      complete ? text : visibleText(text).slice(0, -longestSecret),
      mediaTypeIs(response, /^text\/html$/),
      request.conceal,
    ),
  });
}

/** The editor's `fetch` shows a redirect as it is; one that follows the standard for browsers shows an opaque one. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Origin that a redirect points to; the scheme alone for an address that has none. */
function redirectTarget({ headers }: Response, { url, conceal }: Outgoing): string | undefined {
  const location = headers.get('location');
  const target = location === null ? undefined : parseUrl(location, new URL(url));
  return target && conceal(target.origin === 'null' ? target.protocol : target.origin);
}

function mediaTypeIs({ headers }: Response, pattern: RegExp): boolean {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  return pattern.test(type);
}

function reasonOfStatus(status: number): ErrorReason {
  switch (status) {
    case 400:
    case 422:
      return 'invalid';
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'notFound';
    case 405:
      return 'methodNotAllowed';
    case 407:
      return 'proxy';
    case 408:
      return 'timeout';
    case 409:
      return 'conflict';
    case 413:
      return 'payloadTooLarge';
    case 429:
      return 'rateLimited';
    default:
      return status >= 500 ? 'serverError' : 'unexpectedStatus';
  }
}
