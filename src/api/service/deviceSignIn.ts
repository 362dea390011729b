import * as z from 'zod/mini';
import { atMost } from '../../shared/bounded';
import { caught } from '../../shared/caught';
import { isAmbiguous, isExposedHttp, parseUrl } from '../../shared/url';
import { type Clock, systemClock } from '../http/clock';
import { ApiError, type ErrorReason } from '../http/errors';
import { wait } from '../http/signals';
import { createTransport, type TransportOptions } from '../http/transport';
import { hasStatus, record } from './calls';

/** A sign-in in progress: the user enters the code on the page, and until then, the service is polled. */
export interface DeviceAuthorization {
  /** Secret. */
  deviceCode: string;
  userCode: string;
  /** Where the user enters the code; undefined for an address that can’t be opened safely. */
  page: SignInPage | undefined;
  intervalMs: number;
  /** By the client’s clock. */
  expiresAt: number;
}

/** A page that the service sends the user to: https, or on this computer. */
interface SignInPage {
  url: URL;
  /** It’s on the service’s own host, or on one below it. */
  isOwn: boolean;
}

/** How a sign-in has ended. Secrets are in `token`. */
type SignInOutcome =
  | { kind: 'signedIn'; token: string }
  /** The user has declined, or let the time pass. */
  | { kind: 'denied' | 'expired' };

/** Signing in to a service by a code in the browser (RFC 8628). No key is sent. */
export interface DeviceSignIn {
  /** Begins to sign in; undefined if the service doesn’t offer it. Throws an ApiError if it can’t be asked. */
  begin(signal?: AbortSignal): Promise<DeviceAuthorization | undefined>;
  /** Asks until the user has decided. Throws an ApiError, with reason `canceled` for the signal. */
  finish(authorization: DeviceAuthorization, signal: AbortSignal): Promise<SignInOutcome>;
}

/** Identifies this client; a service that keeps no list of clients ignores it. */
const client_id = 'agent-workspace';

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

const second = 1_000;
/** What RFC 8628 has for an answer without an interval, and for one more `slow_down`. */
const defaultInterval = 5;
const longestIntervalMs = 60 * second;
const longestLife = 3_600;

/** Text that fits into a header, a form, or a message. */
const printable = z.string().check(z.regex(/^[\x21-\x7e]+$/), atMost(8_192));
const seconds = z.number().check(z.gte(0));

const authorizationSchema = z.object({
  device_code: printable,
  user_code: z.string().check(z.regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,38}[\x21-\x7e])?$/)),
  verification_uri: printable,
  verification_uri_complete: z.nullish(printable),
  expires_in: caught(seconds, longestLife),
  interval: caught(seconds, defaultInterval),
});

/** As some services spell the member. */
const withUri = z.object({ verification_url: printable });

const tokenSchema = z.object({
  access_token: printable,
  token_type: z.nullish(z.string().check(z.regex(/^bearer$/i))),
});

/** Throws an ApiError of reason `badUrl` when the base address can’t be used. */
export function deviceSignIn(
  options: Pick<TransportOptions, 'baseUrl' | 'fetch' | 'proxyFor' | 'log' | 'knownSecrets'> & {
    clock?: Clock;
  },
): DeviceSignIn {
  const { clock = systemClock } = options;
  const transport = createTransport({ ...options, sessionKey: null });

  return {
    begin: async (signal) => {
      const call = {
        method: 'POST',
        route: '/oauth/device/authorize',
        body: new URLSearchParams({ client_id }),
        once: true,
        expects: isNotOffered,
        read: (json: unknown) => {
          const uri = withUri.safeParse(json).data?.verification_url;
          const told = { ...(uri && { verification_uri: uri }), ...(Object(json) as object) };
          return authorizationOf(told, transport.baseUrl, clock);
        },
      } as const;
      try {
        const begun = await transport.request(call, signal);
        options.knownSecrets?.learn([begun.deviceCode]);
        return begun;
      } catch (error) {
        if (isNotOffered(error)) return undefined;
        throw error;
      }
    },
    finish: (authorization, signal) => {
      const { deviceCode } = authorization;
      const call = {
        method: 'POST',
        route: '/oauth/device/token',
        body: new URLSearchParams({ grant_type, device_code: deviceCode, client_id }),
        once: true,
        expects: isUndecided,
      } as const;
      const how = { secrets: [deviceCode], read: record(tokenSchema) };
      return untilDecided(authorization, signal, clock, async () => {
        const { access_token } = await transport.request({ ...call, ...how }, signal);
        options.knownSecrets?.learn([access_token]);
        return { kind: 'signedIn', token: access_token };
      });
    },
  };
}

/** What a service says of a sign-in that it begins; undefined if that isn’t one. */
export function authorizationOf(
  told: object,
  baseUrl: string,
  clock: Clock,
): DeviceAuthorization | undefined {
  const read = authorizationSchema.safeParse(told).data;
  return (
    read && {
      deviceCode: read.device_code,
      userCode: read.user_code,
      page: pageOf(read.verification_uri, read.verification_uri_complete, baseUrl),
      intervalMs: Math.min(Math.max(read.interval, 1) * second, longestIntervalMs),
      expiresAt: clock.now() + Math.min(read.expires_in, longestLife) * second,
    }
  );
}

/** Asks at the pace that the service wants until there’s an outcome, or the code expires. */
export async function untilDecided(
  { intervalMs, expiresAt }: DeviceAuthorization,
  signal: AbortSignal,
  clock: Clock,
  ask: () => Promise<SignInOutcome | undefined>,
): Promise<SignInOutcome> {
  let pause = intervalMs;
  for (;;) {
    const left = expiresAt - clock.now();
    if (left <= 0) return { kind: 'expired' };
    await wait(Math.min(pause, left), signal, clock).catch(() => {
      throw new ApiError('canceled', 'POST', '');
    });
    try {
      const ended = await ask();
      if (ended) return ended;
    } catch (error) {
      const ended = outcomes.get(codeOf(error));
      if (ended) return ended;
      if (codeOf(error) === 'slow_down') pause = Math.min(pause + 5 * second, longestIntervalMs);
      // Whatever keeps the service from answering may pass before the code expires.
      else if (isPassing(error)) pause = Math.min(pause * 2, longestIntervalMs);
      else if (!isUndecided(error)) throw error;
    }
  }
}

const outcomes = new Map<string, SignInOutcome>([
  ['access_denied', { kind: 'denied' }],
  // As some services spell it.
  ['authorization_declined', { kind: 'denied' }],
  ['expired_token', { kind: 'expired' }],
]);

/** The page, with the code filled in if that is the same page. */
function pageOf(
  address: string,
  complete: string | null | undefined,
  baseUrl: string,
): SignInPage | undefined {
  const [url, whole] = [address, complete ?? address].map((text) =>
    isAmbiguous(text) ? undefined : parseUrl(text),
  );
  const isWeb = url && ['https:', 'http:'].includes(url.protocol) && !isExposedHttp(url);
  if (!isWeb || url.username || url.password) return undefined;
  const isSame = whole?.origin === url.origin && !whole.username && !whole.password;
  const own = new URL(baseUrl);
  const isBelow = url.protocol === 'https:' && `.${url.hostname}`.endsWith(`.${own.hostname}`);
  return { url: isSame ? whole : url, isOwn: url.origin === own.origin || isBelow };
}

/** The code of an error answer, as RFC 8628 has it; empty for other errors. */
const codeOf = (error: unknown) => (error instanceof ApiError ? (error.errorCode ?? '') : '');

const isUndecided = (error: unknown) => ['authorization_pending', 'slow_down'].includes(codeOf(error));

/** An answer that shows that there’s no signing in by a code: no such route, a page, or a refusal. */
function isNotOffered(error: unknown): boolean {
  if (!(error instanceof ApiError) || isBusy(error)) return false;
  const isOther = ['badShape', 'notService', 'redirected', 'tooLarge', 'truncated'].includes(error.reason);
  return isOther || (error.status ?? 500) < 500;
}

const isBusy = (error: unknown) => hasStatus(error, 408, 425, 429);

/** Reasons that pass with the network, which may have a page of its own to sign in to. */
const passing: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  ...(['dns', 'refused', 'reset', 'connectTimeout', 'timeout', 'truncated', 'unreachable'] as const),
  ...(['redirected', 'notService'] as const),
]);

const isPassing = (error: unknown) =>
  error instanceof ApiError && (isBusy(error) || (error.status ?? 0) >= 500 || passing.has(error.reason));
