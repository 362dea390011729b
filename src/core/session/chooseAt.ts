import type { ApiClient } from '../../api/service/client';
import { clientOf, type SessionStore } from './session';

/** A choice, and the client of the service that it belongs to. */
export interface Chosen<T> {
  client: ApiClient;
  chosen: T;
}

/**
 * Lets the user choose among what the current service has. Returns undefined if they choose nothing, and `'switched'` if
 * the window connects to another service before they do. A new session with the same service is not a switch; its client
 * is returned.
 */
export async function chooseAt<T>(
  session: Pick<SessionStore, 'current'>,
  choose: (client: ApiClient) => Promise<T | undefined>,
): Promise<Chosen<T> | 'switched' | undefined> {
  const before = clientOf(session.current);
  if (!before) return undefined;
  const chosen = await choose(before);
  if (chosen === undefined) return undefined;
  const client = clientOf(session.current);
  return client?.baseUrl === before.baseUrl ? { client, chosen } : 'switched';
}

/**
 * The current client of the service that `client` is of, since replacing a key ends a client. After a switch: `client`.
 */
export function latestOf(session: Pick<SessionStore, 'current'>, client: ApiClient): ApiClient {
  const current = clientOf(session.current);
  return current?.baseUrl === client.baseUrl ? current : client;
}
