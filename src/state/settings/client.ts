import { ApiError } from '../../api/errors';
import type { ApiClient } from '../../api/client';

/** What the settings need of the client of a service. */
export type SettingsClient = Pick<
  ApiClient,
  'origin' | 'getSettings' | 'postSettings' | 'addGitProviders' | 'unsetProviderTokens'
>;

/** The error of a request that failed; throws anything that is none. */
export function requestError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** Whether a change that failed may have taken place all the same, so that only reading back tells. */
export function mayHaveHappened({ outcomeUnknown, status }: ApiError): boolean {
  return outcomeUnknown || (status !== undefined && (status < 300 || status >= 500));
}
