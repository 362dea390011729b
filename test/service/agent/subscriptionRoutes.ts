import { randomUUID } from 'node:crypto';
import { isObject, ok, type Answer, type Call } from '../http';
import { isNew, type Release } from './release';

/** The ChatGPT subscription of an agent server. */
export interface SubscriptionState {
  /** The codes that nobody has entered yet. */
  readonly pending: Set<string>;
  /** Until when its token holds, in milliseconds since 1970; null if it isn’t signed in. */
  until: number | null;
  /** The server can’t reach the sign-in. */
  isOffline: boolean;
}

const unreachable: Answer = {
  status: 500,
  body: {
    detail: 'Internal Server Error',
    exception: '[Errno -3] Temporary failure in name resolution',
    error_id: '0'.repeat(32),
  },
};

/** Answers requests for the subscription; undefined for other requests. */
export function subscriptionAnswer(
  state: SubscriptionState,
  release: Release,
  { method, path, body }: Call,
): Answer | undefined {
  switch (`${method} ${path.replace('/api/llm/subscription/openai/', '')}`) {
    case 'GET status':
      if (!state.isOffline || !hasExpired(state)) return ok(shown(state));
      // Later releases say that there’s no sign-in if they can’t renew it.
      return isNew(release) ? ok(shown({ until: null })) : unreachable;
    case 'POST device/start': {
      if (state.isOffline) return unreachable;
      const code = randomUUID();
      state.pending.add(code);
      const page = 'https://auth.openai.com/codex/device';
      const known = { device_code: code, user_code: 'ABCD-EFGHI', verification_uri: page };
      const expires_at = Date.now() + 900_000;
      return ok({ ...known, verification_uri_complete: null, expires_at, interval_seconds: 5 });
    }
    case 'POST device/poll': {
      const code = 'value' in body && isObject(body.value) ? String(body.value['device_code']) : '';
      if (!state.pending.has(code))
        return { status: 404, body: { detail: 'Subscription device login not found or expired' } };
      if (state.isOffline) return unreachable;
      if (state.until === null) return ok(shown(state));
      state.pending.delete(code);
      return ok(shown(state));
    }
    case 'POST logout':
      state.pending.clear();
      state.until = null;
      return ok(shown(state));
    default:
      return undefined;
  }
}

const hasExpired = ({ until }: SubscriptionState) => until !== null && until < Date.now();

const shown = ({ until }: Pick<SubscriptionState, 'until'>) => ({
  vendor: 'openai',
  connected: until !== null,
  account_email: null,
  expires_at: until,
});
