import { parseBaseUrl } from '../../shared/baseUrl';
import { type Clock, systemClock } from './clock';
import { concealing } from './errorBody';
import { ApiError, type ErrorReason } from './errors';
import { stringifyExactly } from './exactNumbers';
import { exchange, failure, type OutgoingRequest, type Progress, type RequestTarget } from './exchange';
import { fileSegment, pathSegment } from './ids';
import { type Limiter, limiterFor } from './limiter';
import { classifyFailure } from './networkFailure';
import type { Proxy } from './proxy';
import { delayBeforeRetry } from './retry';
import { type Life, lifeOf, wait } from './signals';

/**
 * Time for one try as a whole, from its start to the last byte of the answer. Waiting for a turn does not count. Making
 * the connection has a limit of its own in `fetch`, see networkFetch.ts.
 */
const readTimeoutMs = 30_000;
const mutationTimeoutMs = 60_000;

/** Shows administrators, and tests, that the key was left out on purpose. */
const withoutKey = { 'X-Agent-Workspace-Probe': 'without-session-key' };

/** One try, for the log. Can't contain headers, bodies, ids or query values. */
export interface RequestEvent extends RequestTarget, Progress {
  /** From 1. */
  attempt: number;
  /** From leaving the queue to the end. */
  ms: number;
  /** Why the try failed, if it did. */
  reason: ErrorReason | undefined;
  /** The server's own words about that, as in ApiError: bounded, plain, without the request's secrets. */
  serverText: string | undefined;
  /** Malformed elements of a list that were left out. */
  skipped: number;
  /** True for an error answer that a healthy service may give here, and that the caller knows what to do with. */
  expected: boolean;
}

/** What the reader of an answer reports besides the value. */
type Tally = Pick<RequestEvent, 'skipped'>;

/** A request to make. */
export interface Call<T> extends RequestTarget {
  /** Take the places of `{id}` in the route, in order. */
  id?: string | readonly string[];
  /** Takes the place of `{file}` in the route: an absolute path. */
  file?: string;
  query?: URLSearchParams;
  /** Asks for the bytes from this one on. */
  from?: number;
  /** The last of them; by default, the last there is. */
  to?: number;
  /** Sent as JSON, with the numbers that `exact` kept; FormData and URLSearchParams are sent as forms. */
  body?: unknown;
  /** The answer is binary, with at most this many bytes: `read` gets a Uint8Array. */
  maxBytes?: number;
  /** Called with the headers of a successful answer, before it is read. */
  onHeaders?: (headers: Headers) => void;
  /** Keeps the answer's numbers exactly, see exactNumbers.ts. */
  exact?: boolean;
  /**
   * An element of the answer's list, which is its member of this name or the answer, that nests too deep is marked with
   * `tooDeep`, and the others are read.
   */
  elements?: string;
  /** Besides those of every request. */
  headers?: Readonly<Record<string, string>>;
  /** Secrets in the body. */
  secrets?: string[];
  timeoutMs?: number;
  /** Never retried: the request is right only for the state that was read just before. */
  once?: boolean;
  /** True for an error that a healthy service may answer. */
  expects?: (error: ApiError) => boolean;
  /** Turns the answer's JSON (undefined if empty) into the value; undefined if it has another shape. */
  read: (json: unknown, tally: Tally) => T | undefined | Promise<T | undefined>;
}

/** A request of which only success matters. */
export type PlainCall = Omit<Call<void>, 'read'>;

/** How requests to one service are made. */
export interface TransportOptions {
  /** Base address of the service; a path prefix is kept. */
  baseUrl: string;
  /** Null sends no key, only to see whether the service asks for one. */
  sessionKey: string | null;
  /**
   * The key goes into the header `Authorization`, as hosted services want it. `signIn`: the key came from signing in,
   * so if it’s refused, the user signs in again.
   */
  authentication?: 'apiKey' | 'signIn' | undefined;
  /** The organization that requests are about, if the user has several. */
  organization?: string | undefined;
  /**
   * Aborted when the key was cleared or replaced. From then on nothing carries the key: all requests, even those under
   * way, fail with reason `keyRevoked`.
   */
  ended?: AbortSignal | undefined;
  /** By default `globalThis.fetch`, looked up at each call: the editor replaces it for proxies and certificates. */
  fetch?: typeof globalThis.fetch;
  /** The proxy for an address, to name it where it fails. */
  proxyFor?: (target: URL) => Pick<Proxy, 'address'> | undefined;
  /** Called after each try of each request. */
  log?: (event: RequestEvent) => void;
  /** Secrets that no error may repeat, besides the key and those of the request. */
  knownSecrets?: {
    /** All that are known. */
    readonly values: readonly string[];
    /** Takes in the secrets of each request, before it's made. */
    learn(secrets: readonly string[]): void;
  };
  /** Defaults to the limiter that all clients of the origin share. */
  limiter?: Limiter;
  clock?: Clock;
}

/** Makes the requests to one service, and is the only place that does. */
export interface Transport {
  readonly baseUrl: string;
  readonly origin: string;
  /** Throws nothing but ApiError. */
  request<T>(call: Call<T>, signal?: AbortSignal): Promise<T>;
  /** Throws nothing but ApiError. What is answered isn’t read. */
  request(call: PlainCall, signal?: AbortSignal): Promise<void>;
}

/** Throws an ApiError of reason `badUrl` when the base address cannot be used. */
export function createTransport(options: TransportOptions): Transport {
  const base = parseBaseUrl(options.baseUrl);
  if (!base.ok) throw new ApiError('badUrl', 'GET', '/');
  const { baseUrl, origin } = base;
  const { sessionKey, ended, log, clock = systemClock, limiter = limiterFor(origin) } = options;

  const identity = identityOf(options);
  // Headers can't carry other characters, and fetch would quote the key in its error.
  const isSendable = /^[\t\x20-\x7e\x80-\xff]*$/.test(sessionKey ?? '');

  function outgoing(call: PlainCall): OutgoingRequest {
    const { method, route, secrets = [] } = call;
    if (secrets.length > 0) options.knownSecrets?.learn(secrets);
    const ids = [call.id ?? []].flat();
    const path = route.replaceAll(/\{(?:id|file)\}/g, (place) => {
      const segment = place === '{id}' ? pathSegment(ids.shift() ?? '') : fileSegment(call.file ?? '');
      if (segment === undefined) throw new ApiError('badId', method, route);
      return segment;
    });
    if (!isSendable) throw new ApiError('unauthorized', method, route);
    const url = addressOf(baseUrl + path, call.query);
    const headers: Record<string, string> = {
      Accept: 'application/json',
      ...call.headers,
      ...identity,
    };
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (call.from !== undefined) headers['Range'] = `bytes=${call.from}-${call.to ?? ''}`;
    if (call.body instanceof FormData || call.body instanceof URLSearchParams) init.body = call.body;
    else if (call.body !== undefined) {
      headers['Content-Type'] = 'application/json';
      init.body = stringifyExactly(call.body);
    }
    return {
      method,
      route,
      url,
      init,
      exact: call.exact ?? false,
      elements: call.elements ?? '',
      maxBytes: call.maxBytes,
      onHeaders: call.onHeaders,
      clock,
      conceal: (text) =>
        concealing([sessionKey ?? '', ...secrets, ...(options.knownSecrets?.values ?? [])])(text),
      fetch: options.fetch ?? globalThis.fetch,
      signIn: options.authentication === 'signIn',
      proxyAddress: () => options.proxyFor?.(new URL(url))?.address,
    };
  }

  async function attempt(
    call: Call<unknown> | PlainCall,
    request: OutgoingRequest,
    number: number,
    life: Life,
    endedBy: () => EndReason | undefined,
  ): Promise<unknown> {
    const { method, route } = call;
    const leave = await limiter.enter(life.signal);
    const began = clock.now();
    const stopTimer = life.limit(call.timeoutMs ?? (method === 'GET' ? readTimeoutMs : mutationTimeoutMs));
    const progress: Progress = { status: undefined, bytes: 0 };
    const tally: Tally = { skipped: 0 };
    let failed: ApiError | undefined;
    try {
      const answer = await exchange(request, life.signal, progress);
      const value = 'read' in call ? await call.read(answer, tally) : null;
      if (value === undefined) throw failure(call, 'badShape', { status: progress.status });
      return value;
    } catch (error) {
      const ended = endedBy();
      failed =
        ended === undefined
          ? toApiError(error, request, progress, life.expired())
          : new ApiError(ended, method, route, { outcomeUnknown: method !== 'GET' });
      throw failed;
    } finally {
      stopTimer();
      leave();
      const ms = Math.round(clock.now() - began);
      log?.({
        method,
        route,
        attempt: number,
        ms,
        ...progress,
        reason: failed?.reason,
        serverText: failed?.serverText,
        expected: failed !== undefined && call.expects?.(failed) === true,
        ...tally,
      });
    }
  }

  async function request(call: Call<unknown> | PlainCall, signal?: AbortSignal): Promise<unknown> {
    const sent = outgoing(call);
    const life = lifeOf([signal, ended], clock);
    const endedBy = (): EndReason | undefined =>
      ended?.aborted === true ? 'keyRevoked' : signal?.aborted === true ? 'canceled' : undefined;
    try {
      for (let number = 1; ; number += 1) {
        try {
          return await attempt(call, sent, number, life, endedBy);
        } catch (error) {
          // If time ran out while reading an error's body, the whole request is over.
          const isOver = !(error instanceof ApiError) || life.expired() || call.once === true;
          const delay = isOver ? undefined : delayBeforeRetry(error, number, clock);
          if (delay === undefined) throw error;
          await wait(delay, life.signal, clock);
        }
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // The request ended before this try began, so nothing was sent.
      throw new ApiError(endedBy() ?? 'canceled', call.method, call.route);
    } finally {
      life.dispose();
    }
  }

  return { baseUrl, origin, request: request as Transport['request'] };
}

/** An address as text: fetch parses it anyway. */
function addressOf(path: string, query: URLSearchParams | undefined): string {
  const text = query?.toString() ?? '';
  return text === '' ? path : `${path}?${text}`;
}

/** The headers that say who asks. Services accept it in one of two; only the one that this service wants is sent. */
function identityOf({ sessionKey, authentication, organization }: TransportOptions): Record<string, string> {
  if (sessionKey === null) return withoutKey;
  if (authentication === undefined) return { 'X-Session-API-Key': sessionKey };
  return {
    Authorization: `Bearer ${sessionKey}`,
    ...(organization !== undefined && { 'X-Org-Id': organization }),
  };
}

/** The reason for a request canceled by its caller or because the key changed. */
type EndReason = Extract<ErrorReason, 'canceled' | 'keyRevoked'>;

function toApiError(
  error: unknown,
  request: OutgoingRequest,
  { status }: Progress,
  expired: boolean,
): ApiError {
  if (error instanceof ApiError) return error;
  if (expired) return failure(request, 'timeout');
  const phase = status === undefined ? 'headers' : 'body';
  const { reason, sent, code, ...known } = classifyFailure(error, phase, new URL(request.url));
  const location = known.location ?? (reason === 'proxy' ? request.proxyAddress() : undefined);
  return failure(request, reason, { code, location, ...(sent ? {} : { outcomeUnknown: false }) });
}
