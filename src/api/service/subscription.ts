import * as z from 'zod/mini';
import { type Clock, systemClock } from '../http/clock';
import type { Transport } from '../http/transport';
import { maybe, maybeText } from '../lenient';
import { hasStatus, ifThere, record } from './calls';
import { authorizationOf, type DeviceSignIn, untilDecided } from './deviceSignIn';

const statusSchema = z.object({
  connected: z.boolean(),
  account_email: maybeText,
  expires_at: maybe(z.number()),
});
/** Whether the server is signed in to ChatGPT. It renews that at `expires_at`, in milliseconds since 1970. */
export type Subscription = z.infer<typeof statusSchema>;

/** The ChatGPT subscription of an agent server, since 1.34. No token ever comes here. Throws ApiError. */
export interface SubscriptionCalls {
  /** `GET /api/llm/subscription/openai/status`; undefined for a server that has none. */
  readSubscription(signal?: AbortSignal): Promise<Subscription | undefined>;
  /** `POST .../device/start` and `POST .../device/poll`: the server signs in, and the user enters its code. */
  subscriptionSignIn: DeviceSignIn;
  /** `POST .../logout`. */
  signOutOfSubscription(signal?: AbortSignal): Promise<void>;
}

const route = '/api/llm/subscription/openai';

/** Where the pages to sign in are: others aren’t opened without a question. */
const vendor = 'openai.com';

/** The calls for the ChatGPT subscription of a standalone agent server. */
export function subscriptionCalls(transport: Transport, clock: Clock = systemClock): SubscriptionCalls {
  const status = (signal?: AbortSignal): Promise<Subscription | undefined> => {
    const call = { method: 'GET', route: `${route}/status`, read: record(statusSchema), once: true } as const;
    return ifThere(transport, call, signal).catch((error: unknown) => {
      // Releases before 1.58 fail if they can’t renew the sign-in; later ones say that there is none.
      if (hasStatus(error, 500)) return { connected: false };
      throw error;
    });
  };
  return {
    readSubscription: status,
    subscriptionSignIn: {
      begin: (signal) => {
        const read = (json: unknown) => {
          const told = Object(json) as { interval_seconds?: unknown };
          // When the code expires, polls say so, whatever the clocks say.
          return authorizationOf({ ...told, interval: told.interval_seconds }, `https://${vendor}`, clock);
        };
        return ifThere(transport, { method: 'POST', route: `${route}/device/start`, read }, signal);
      },
      finish: (authorization, signal) => {
        const { deviceCode: code } = authorization;
        const how = { body: { device_code: code }, secrets: [code], once: true };
        const call = { method: 'POST', route: `${route}/device/poll`, ...how } as const;
        return untilDecided(authorization, signal, clock, async () => {
          const polled = await ifThere(transport, { ...call, read: record(statusSchema) }, signal);
          // A code that is gone has expired, unless it was used, and that answer was lost.
          if ((polled ?? (await status(signal)))?.connected) return { kind: 'signedIn', token: '' };
          return polled ? undefined : { kind: 'expired' };
        });
      },
    },
    signOutOfSubscription: (signal) =>
      transport.request({ method: 'POST', route: `${route}/logout` }, signal),
  };
}
