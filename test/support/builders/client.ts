import type { ApiClient } from '../../../src/api/service/client';
import { ApiError, type ErrorReason } from '../../../src/api/http/errors';

/** A client of which a test names only the methods it is about; any other call is an error. */
export function aClient(methods: Partial<ApiClient> = {}): ApiClient {
  return new Proxy(methods, {
    get: (target, name) => {
      if (name in target) return target[name as keyof ApiClient];
      // Asked by await, by assertion messages, and by the session.
      if (typeof name === 'symbol' || ['then', 'toJSON', 'ended', 'generation'].includes(name))
        return undefined;
      throw new Error(`the test has no answer for ${name}`);
    },
  }) as ApiClient;
}

export const anError = (reason: ErrorReason, status?: number): ApiError =>
  new ApiError(reason, 'GET', '/api/settings', { status });
