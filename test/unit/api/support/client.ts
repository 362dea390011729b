import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import type { ClientOptions } from '../../../../src/api/service/client';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { type FlatClient, flatClient } from '../../../support/builders/client';
import { type Generation, ownMemory } from '../../../../src/api/service/generation';
import { ApiError } from '../../../../src/api/http/errors';
import { createLimiter, type Limiter } from '../../../../src/api/http/limiter';
import type { RequestEvent } from '../../../../src/api/http/transport';
import { FakeClock } from './clock';

/** The session key of the clients below. It must never reach another origin. */
export const sessionKey = 'canary-session-key-7b1e';

/** A clock that skips retry delays and never triggers a timeout by itself. */
export const hastyClock = () => new FakeClock((ms) => ms < 10_000);

/** A limiter that lets every request pass at once. */
export const noLimits: Limiter = { enter: () => Promise.resolve(() => undefined) };

/**
 * A client with its own limiter and log.
 * @param options `known`: what an earlier client has found there
 */
export function testClient(
  baseUrl: string,
  { known, ...options }: Partial<ClientOptions> & { clock?: FakeClock; known?: Generation } = {},
): {
  client: FlatClient;
  clock: FakeClock;
  events: RequestEvent[];
  generation: () => Generation | undefined;
} {
  const clock = options.clock ?? hastyClock();
  const events: RequestEvent[] = [];
  const limiter = createLimiter(clock);
  const log = (event: RequestEvent) => void events.push(event);
  const generations = options.generations ?? ownMemory();
  if (known) generations.set(new URL(baseUrl).href.replace(/\/$/, ''), known);
  const client = flatClient({ baseUrl, sessionKey, limiter, log, ...options, generations, clock });
  return { client, clock, events, generation: () => generations.get(client.baseUrl) };
}

/** What a standalone agent server can do by itself, once a client knows its release. */
export async function agentCalls(server: { url: string; sessionKey: string }): Promise<AgentServerCalls> {
  const { client } = testClient(server.url, { sessionKey: server.sessionKey, known: 'agentServer' });
  await checkConnection(client);
  assert.ok(client.agents);
  return client.agents;
}

/** The ApiError that `work` rejects with. */
export async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    (value) => assert.fail(`succeeded with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, `not an ApiError: ${String(error)}`);
  return error;
}

/**
 * Resolves when `work` has ended within a few turns of the event loop. This is far less than the 50 ms allowed for
 * canceling, and doesn’t depend on the speed of the machine.
 */
export async function endsAtOnce<T>(work: Promise<T>): Promise<T> {
  const late = (async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    throw new Error('Still running after five turns of the event loop');
  })();
  return Promise.race([work, late]);
}
