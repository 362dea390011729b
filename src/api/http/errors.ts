import type { Issue } from './validationError';

/** Why a request failed. Closed: every reason has its sentence and next step in src/editor/errorText.ts. */
export type ErrorReason =
  /** The caller's signal was aborted. */
  | 'canceled'
  /** The session key was cleared or replaced; nothing is sent with it anymore. */
  | 'keyRevoked'
  /** An id that must not go into a path; no request was made. */
  | 'badId'
  /** A base address that cannot be used; no request was made. */
  | 'badUrl'
  /** A file that the connection's network options name cannot be used; no request was made. */
  | 'networkOption'
  | 'dns'
  | 'refused'
  /** The connection was lost before an answer began. */
  | 'reset'
  | 'tls'
  | 'proxy'
  | 'connectTimeout'
  | 'timeout'
  /** Any 3xx; redirects are never followed. */
  | 'redirected'
  /** An answer that is not JSON, such as a web page, also one of a proxy or a network that asks to sign in. */
  | 'notService'
  /** JSON that is not what the endpoint answers. */
  | 'badShape'
  /** The answer broke off, or arrived damaged. */
  | 'truncated'
  /** The answer is larger than this client accepts. */
  | 'tooLarge'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'conflict'
  | 'payloadTooLarge'
  /** 400 or 422, or a request body that this client refused to send (then without a status). */
  | 'invalid'
  | 'rateLimited'
  | 'serverError'
  | 'unexpectedStatus'
  /** The service says that no settings are saved, although saved settings were read before. */
  | 'noneSaved'
  /** The address is of a standalone agent server, which has conversations but neither sandboxes nor this interface. */
  | 'agentServer'
  /** Another window on this computer is changing the same settings; no request was made. */
  | 'busy'
  /** No connection, for any other cause. */
  | 'unreachable';

/** The methods that the services know. All but GET change something. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Details of a failure. */
export interface ErrorFacts {
  /** HTTP status, if there was an answer. */
  status?: number | undefined;
  /** Code of the network layer, such as `ECONNREFUSED`. */
  code?: string | undefined;
  /** The server's own words: one line of plain text, at most 200 characters, known secrets blotted out. */
  serverText?: string | undefined;
  /** Elements of the validation error body (docs/protocol/service.md, “Validation error body”). */
  issues?: Issue[] | undefined;
  /** The server’s code for the error, such as `CONCURRENCY_LIMIT_REACHED`. */
  errorCode?: string | undefined;
  /** How many of something the server allows, and how many there are, if its answer says so. */
  limit?: number | undefined;
  current?: number | undefined;
  /** The key that was refused came from signing in. */
  signIn?: boolean | undefined;
  /** The wait that the server asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** Origin that a redirect pointed to, address (`host:port`) of the proxy that failed, or name of a network option. */
  location?: string | undefined;
  /** Release of an agent server, such as `1.58.0`, if it says so. */
  release?: string | undefined;
  /** True for a mutation that may have happened although it failed. */
  outcomeUnknown?: boolean;
}

/** The only error of this folder. Never contains headers, ids, queries or request bodies. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly serverText: string | undefined;
  readonly issues: Issue[] | undefined;
  readonly errorCode: string | undefined;
  readonly limit: number | undefined;
  readonly current: number | undefined;
  readonly signIn: boolean | undefined;
  readonly retryAfterMs: number | undefined;
  readonly location: string | undefined;
  readonly release: string | undefined;
  readonly outcomeUnknown: boolean;

  constructor(
    readonly reason: ErrorReason,
    readonly method: Method,
    /** Template of the path, such as `/api/v1/sandboxes/{id}/pause`. */
    readonly route: string,
    facts: ErrorFacts = {},
  ) {
    super([method, route, facts.status, reason, facts.code].filter((part) => part !== undefined).join(' '));
    this.status = facts.status;
    this.code = facts.code;
    this.serverText = facts.serverText;
    this.issues = facts.issues;
    this.errorCode = facts.errorCode;
    this.limit = facts.limit;
    this.current = facts.current;
    this.signIn = facts.signIn;
    this.retryAfterMs = facts.retryAfterMs;
    this.location = facts.location;
    this.release = facts.release;
    this.outcomeUnknown = facts.outcomeUnknown ?? false;
  }
}

/** Text of the 404 for a user who has never saved; a 404 with any other text is a missing endpoint. */
const neverSavedText = 'Settings not found';

/** True if the service knows the user but has no settings for them yet: the defaults apply. */
export function isSettingsNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'notFound' && error.serverText === neverSavedText;
}

/** The routes whose requests make a service run something more. */
const runRoutes = new Set([
  '/api/v1/sandboxes',
  '/api/v1/sandboxes/{id}/resume',
  '/api/v1/app-conversations',
  '/api/conversations',
]);

/** Whether a text, if there is one, has such words. */
const says = (text: string | undefined, words: RegExp) => Boolean(text && words.test(text));

/** Whether a 429 is about a quota that the service doesn’t reset soon, such as how much the user may start in a day. */
export function isQuota({ reason, errorCode, serverText }: ApiError): boolean {
  return (
    reason === 'rateLimited' && (says(errorCode, /quota|daily/i) || says(serverText, /\b(?:daily|quota)\b/i))
  );
}

/** Whether a 429 is about how much runs at once, going by its words, and not about the rate of requests. */
export function isRunLimit(error: ApiError): boolean {
  const { reason, method, route, serverText, limit } = error;
  if (isQuota(error)) return false;
  if (reason !== 'rateLimited' || method !== 'POST' || !runRoutes.has(route)) return false;
  return limit !== undefined || (serverText !== undefined && !/too many requests/i.test(serverText));
}

/** Whether Agent Canvas answered in place of a server behind it that doesn’t run, going by its words. */
export function isDownBehindCanvas({ status, serverText }: ApiError): boolean {
  return status === 502 && says(serverText, /^Bad Gateway: connect E[A-Z]+/);
}

/** Whether an agent server can’t read what it stored, since it was started with another `OH_SECRET_KEY`, by its words. */
export function hasOtherSecretKey({ status, serverText }: ApiError): boolean {
  return status === 409 && says(serverText, /encrypted with a different key/i);
}

const unanswered: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  ...(['dns', 'refused', 'reset', 'tls', 'proxy', 'connectTimeout', 'timeout', 'unreachable'] as const),
  ...(['canceled', 'keyRevoked'] as const),
]);

/** Whether the key was refused, for everything or for this. */
export const refusesKey = (error: unknown): boolean =>
  error instanceof ApiError && (error.reason === 'unauthorized' || error.reason === 'forbidden');

/** Whether the key of a sandbox was refused, going by the route: it has one of its own. */
export const refusesSandboxKey = (error: unknown): boolean =>
  error instanceof ApiError && refusesKey(error) && !error.route.startsWith('/api/v1/');

/** Whether a server gave no answer, so that others of several requests to it would wait in vain, too. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && unanswered.has(error.reason);
