import type { ApiClient } from './client';
import { ApiError, isSettingsNotFound } from '../http/errors';
import type { ServiceSettings } from './schemas/settings';

/** The result of checking a service. Only the settings endpoint is sure to check the key. */
export type ConnectionCheck =
  /** The key is accepted. */
  | { kind: 'ok'; settings: ServiceSettings }
  /** The key is accepted, and this user has never saved settings. */
  | { kind: 'neverSaved' }
  /** 401 or 403. */
  | { kind: 'refused'; error: ApiError }
  /** The service is of a newer generation, which this client does not speak. */
  | { kind: 'newerGeneration'; error: ApiError }
  | { kind: 'failed'; error: ApiError };

/** Asks for the settings and, only when they are not where they should be, whether a newer generation has them. */
export async function checkConnection(client: ApiClient, signal?: AbortSignal): Promise<ConnectionCheck> {
  try {
    return { kind: 'ok', settings: await client.getSettings(signal) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isSettingsNotFound(error)) return { kind: 'neverSaved' };
    const { reason } = error;
    if (reason === 'unauthorized' || reason === 'forbidden') return { kind: 'refused', error };
    const missing = reason === 'notFound' || reason === 'methodNotAllowed' || reason === 'notService';
    if (missing && (await client.hasNewerSettings(signal))) return { kind: 'newerGeneration', error };
    return { kind: 'failed', error };
  }
}
