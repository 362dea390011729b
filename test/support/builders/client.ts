import type { ApiClient } from '../../../src/api/service/client';
import { ApiError, type ErrorReason } from '../../../src/api/http/errors';

/** A client with only the methods that a test is about; any other call throws. */
export function aClient(methods: Partial<ApiClient> = {}): ApiClient {
  return new Proxy(methods, {
    get: (target, name) => {
      if (name in target) return target[name as keyof ApiClient];
      // Read by await, by assertion messages, and by the session.
      if (typeof name === 'symbol' || ['then', 'toJSON', 'ended', 'generation'].includes(name))
        return undefined;
      throw new Error(`the test has no answer for ${name}`);
    },
  }) as ApiClient;
}

export const anError = (reason: ErrorReason, status?: number): ApiError =>
  new ApiError(reason, 'GET', '/api/settings', { status });
