import assert from 'node:assert/strict';
import type { ApiClient } from '../../src/api/service/client';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { ServiceModel } from '../../src/core/lists/serviceModel';
import { SessionStore } from '../../src/core/session/session';
import { quiet } from './builders/quiet';

/** The requests from Connect to the first rows, in order; the last three are made at once. */
const lists = [
  'GET /api/v1/app-conversations',
  'GET /api/v1/app-conversations/search',
  'GET /api/v1/sandboxes/search',
];
export const requestsToFirstRows = {
  // One each for the address, the key, and the session.
  first: ['GET /api/settings', 'GET /api/settings', 'GET /api/settings', ...lists],
  // The checks of the address and the key try the other generation's route first: a refusal proves no generation.
  current: [
    ...['GET /api/settings', 'GET /api/v1/settings', 'GET /api/settings', 'GET /api/v1/settings'],
    ...['GET /api/v1/settings', ...lists],
  ],
} as const;

/**
 * Makes a window's requests from Connect to the first rows: address, key, session, and the visible lists.
 * @param make makes a client with this key; all clients share what they know about the generation
 */
export async function connectToFirstRows(
  baseUrl: string,
  sessionKey: string,
  make: (sessionKey: string) => ApiClient,
): Promise<ServiceModel> {
  await checkConnection(make('address-check'));
  await checkConnection(make(sessionKey));
  const connection = { name: 'Team', baseUrl, origin: baseUrl };
  const session = new SessionStore({
    readTarget: () => Promise.resolve({ connection, sessionKey }),
    createClient: (_connection, key) => make(key),
  });
  await session.reload();
  await session.verify();
  const model = new ServiceModel({ session, ...quiet });
  await Promise.all([model.refresh('conversations'), model.refresh('sandboxes')]);
  session.dispose();
  return model;
}

/** Asserts that these were the requests: the settings in order, then the lists in any order. */
export function assertRequestsToFirstRows(
  asked: readonly string[],
  generation: keyof typeof requestsToFirstRows,
): void {
  const expected = requestsToFirstRows[generation];
  const inOrder = expected.length - lists.length;
  assert.deepEqual([...asked.slice(0, inOrder), ...asked.slice(inOrder).sort()], expected);
}
