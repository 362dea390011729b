import { ApiError } from '../../../api/http/errors';
import type { ApiClient } from '../../../api/service/client';

/** What the settings need from a service's client. */
export type SettingsClient = Pick<
  ApiClient,
  | 'baseUrl'
  | 'origin'
  | 'abilities'
  | 'describeFields'
  | 'getSettings'
  | 'postSettings'
  | 'addGitProviders'
  | 'unsetProviderTokens'
>;

/** The error of a failed request; throws any other error. */
export function requestError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
