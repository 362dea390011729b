import { ApiError, type ErrorReason } from '../../../src/api/http/errors';
import type { SandboxCalls } from '../../../src/api/service/sandboxes';
import { type ApiClient, createClient } from '../../../src/api/service/client';
import type { CustomSecretCalls } from '../../../src/api/service/current/customSecrets';
import type { ProfileCalls } from '../../../src/api/service/current/profiles';
import type { RepositoryCalls } from '../../../src/api/service/current/repositories';
import type { StoredEvents } from '../../../src/api/service/storedEvents';

type Grouped = SandboxCalls & StoredEvents & ProfileCalls & CustomSecretCalls & RepositoryCalls;

/** A client with the calls of all groups beside those of the client, so that a test needn’t say where each one is. */
export type FlatClient = ApiClient & Grouped & { conversationPageUrl: (id: string) => string };

const groups = ['sandboxes', 'events', 'profiles', 'secrets', 'repositories'] as const;

/** The calls of a client’s groups as its own; of the groups that it has when one is called. */
export function flat(client: ApiClient): FlatClient {
  return new Proxy(client, {
    get: (target, name, receiver) => {
      if (name in target) return Reflect.get(target, name, receiver) as unknown;
      const group = groups.map((each) => target[each]).find((each) => each && name in each);
      return group && (Reflect.get(group, name) as unknown);
    },
  }) as FlatClient;
}

/** A real client with the calls of its groups as its own. */
export const flatClient = (...options: Parameters<typeof createClient>): FlatClient =>
  flat(createClient(...options));

/** What a test’s methods have to do with for their group to be there; sandboxes and events always are. */
const signs: Record<(typeof groups)[number], RegExp> = {
  sandboxes: /^/,
  events: /^/,
  profiles: /Profile/,
  secrets: /Secret/,
  repositories: /^search(Repositories|Branches)/,
};

/** A client with only the methods that a test is about; any other call throws. */
export function aClient(methods: Partial<FlatClient> = {}): FlatClient {
  const client: FlatClient = new Proxy(methods, {
    get: (target, name) => {
      if (name in target) return target[name as keyof FlatClient];
      const group = groups.find((each) => each === name);
      if (group)
        return ['', ...Object.keys(target)].some((method) => signs[group].test(method)) ? client : undefined;
      // Read by await, by assertion messages, and by the session.
      if (
        typeof name === 'symbol' ||
        ['then', 'toJSON', 'ended', 'agents', 'sparesOthers', 'conversationPageUrl'].includes(name)
      )
        return undefined;
      throw new Error(`the test has no answer for ${name}`);
    },
  }) as FlatClient;
  return client;
}

export const anError = (reason: ErrorReason, status?: number): ApiError =>
  new ApiError(reason, 'GET', '/api/settings', { status });
