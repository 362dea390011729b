import type { Clock } from './clock';
import { ApiError, type ErrorReason, isQuota, isRunLimit } from './errors';

/** Tries in all, the first one included. */
const maxTries = 3;

/** Bound of the first wait; each further one doubles it. With three tries it stays far below the 8 s allowed. */
const firstDelayMs = 500;
/** The longest wait a server can ask for; beyond that, the error tells the user when to try again. */
const longestRetryAfterMs = 60_000;

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Temporary network failures. Certificate errors, proxy refusals and our own timeouts would only repeat. */
const passing = new Set<ErrorReason>([
  'dns',
  'refused',
  'reset',
  'connectTimeout',
  'truncated',
  'unreachable',
]);

/** Failures that prove that no connection was made. */
const neverSent = new Set<ErrorReason>(['dns', 'refused', 'connectTimeout']);

/**
 * Milliseconds to wait before the next try, or undefined if there must be none. Reads are retried after temporary
 * failures; mutations only if the service can't have carried them out.
 */
export function delayBeforeRetry(error: ApiError, tries: number, clock: Clock): number | undefined {
  if (tries >= maxTries || !isRepeatable(error)) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) return retryAfterMs <= longestRetryAfterMs ? retryAfterMs : undefined;
  return clock.random() * firstDelayMs * 2 ** (tries - 1);
}

function isRepeatable(error: ApiError): boolean {
  const { method, status, reason } = error;
  // Waiting a moment frees nothing: the user pauses something, or comes back tomorrow.
  if (isRunLimit(error) || isQuota(error)) return false;
  if (method !== 'GET') return status === 429 || (status === undefined && neverSent.has(reason));
  return status === undefined || status < 300 ? passing.has(reason) : retriedStatuses.has(status);
}

/** Longer waits can't be meant. */
const longestWaitMs = 24 * 60 * 60 * 1_000;

/**
 * Milliseconds that a `Retry-After` header asks for, in seconds or as a date: a day at most. Undefined when it says
 * neither.
 * @param answeredAt the answer’s `Date`: the server’s dates are by its clock, and this computer’s may be wrong
 */
export function parseRetryAfter(
  header: string | null,
  clock: Pick<Clock, 'date'>,
  answeredAt: string | null = null,
): number | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  const told = new Date(answeredAt ?? NaN).getTime();
  const now = Number.isNaN(told) ? clock.date() : told;
  const wait = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1_000 : Math.max(0, date - now);
  return Number.isNaN(wait) ? undefined : Math.min(wait, longestWaitMs);
}

/** The longest that automatic reads wait, so that they notice when a service is back. */
const longestQuietMs = 15 * 60_000;

/**
 * How long the server asked automatic reads to wait by `Retry-After`, in milliseconds: 15 minutes at most, 0 if it
 * didn't.
 */
export function quietAskedBy(error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.min(asked ?? 0, longestQuietMs);
}
