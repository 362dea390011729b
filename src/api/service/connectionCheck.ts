import type { ApiClient } from './client';
import { ApiError, isSettingsNotFound, refusesKey } from '../http/errors';
import type { ServiceSettings } from './schemas/settings';

/** The result of checking a service. Only the settings endpoint is sure to check the key. */
export type ConnectionCheck =
  /** The key is accepted. */
  | { kind: 'ok'; settings: ServiceSettings }
  /** The key is accepted, and this user has never saved settings. */
  | { kind: 'neverSaved' }
  /** 401 or 403. */
  | { kind: 'refused'; error: ApiError }
  /** The key is accepted by a standalone agent server, which has conversations but no sandboxes. */
  | { kind: 'agentServer'; release: string | undefined }
  | { kind: 'failed'; error: ApiError };

/** Asks for the settings, wherever the service's generation has them. */
export async function checkConnection(
  client: Pick<ApiClient, 'getSettings'>,
  signal?: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    return { kind: 'ok', settings: await client.getSettings(signal) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isSettingsNotFound(error)) return { kind: 'neverSaved' };
    const { reason, release } = error;
    if (reason === 'agentServer') return { kind: reason, release };
    if (refusesKey(error)) return { kind: 'refused', error };
    return { kind: 'failed', error };
  }
}

/** Whether the service takes the key. */
export const isAccepted = ({ kind }: ConnectionCheck): boolean => kind !== 'refused' && kind !== 'failed';
