import type { Clock } from './clock';
import type { ApiError, ErrorReason } from './errors';

/** Tries in all, the first one included. */
export const maxTries = 3;

/** Bound of the first wait; each further one doubles it. With three tries it stays far below the 8 s allowed. */
const firstDelayMs = 500;
/** A server that asks for a longer wait is not waited for; the user is told when to return. */
const longestRetryAfterMs = 60_000;

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Network failures that pass. A certificate, a proxy's refusal or a time-out of ours would only be met again. */
const passing = new Set<ErrorReason>([
  'dns',
  'refused',
  'reset',
  'connectTimeout',
  'truncated',
  'unreachable',
]);

/** Failures that tell for sure that no connection was made. */
const neverSent = new Set<ErrorReason>(['dns', 'refused', 'connectTimeout']);

/**
 * Milliseconds to wait before the next try, or undefined when there must be none. Reading is repeated on what passes;
 * a mutation only when the service cannot have carried it out.
 */
export function delayBeforeRetry(error: ApiError, tries: number, clock: Clock): number | undefined {
  if (tries >= maxTries || !isRepeatable(error)) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) return retryAfterMs <= longestRetryAfterMs ? retryAfterMs : undefined;
  return clock.random() * firstDelayMs * 2 ** (tries - 1);
}

function isRepeatable({ method, status, reason }: ApiError): boolean {
  if (method === 'POST') return status === 429 || (status === undefined && neverSent.has(reason));
  return status === undefined || status < 300 ? passing.has(reason) : retriedStatuses.has(status);
}

/** Milliseconds that a `Retry-After` header asks for, in seconds or as a date; undefined when it says neither. */
export function parseRetryAfter(header: string | null, clock: Clock): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return /[a-z]/i.test(value) && !Number.isNaN(date) ? Math.max(0, date - clock.date()) : undefined;
}
