import type { ApiClient } from '../api/client';
import { clientOf, type SessionStore } from './session';

/** What was chosen, and the client of the service that it belongs to. */
export interface Chosen<T> {
  client: ApiClient;
  chosen: T;
}

/**
 * Lets the user choose among what the present service has. Undefined when they chose nothing; `'switched'` when the
 * window was connected to another service meanwhile, to which the choice says nothing. A new session at the same service
 * is not another one: its client is the one that is given back.
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
