import { ApiError, type ErrorReason, type Method } from '../../../src/api/http/errors';
import type { Call as Asking, PlainCall, Transport } from '../../../src/api/http/transport';
import { currentSettings } from '../../../src/api/service/current/settings';
import { readErrorBody } from '../../../src/api/http/errorBody';
import {
  serviceSettingsSchema,
  settingsBodySchema,
  type SettingsBody,
} from '../../../src/api/service/schemas/settings';
import {
  providerTokensBodySchema,
  type ProviderTokensBody,
} from '../../../src/api/service/schemas/providerTokens';
import type { ProvidersAccess } from '../../../src/features/settings/model/providers';
import type { SettingsClient } from '../../../src/features/settings/model/record';
import { defaultBehaviour, type Behaviour } from '../../service/behaviour';
import { manualClock } from '../../service/clock';
import { Invalid, type Answer, type Call, type Route } from '../../service/http';
import type { ProfileName } from '../../service/profiles/profile';
import { emptyState, makeSettings, type State, type StoredSettings } from '../../service/records';
import type { Context } from '../../service/routes/context';
import { currentRoutes } from '../../service/routes/current';
import { providerRoutes } from '../../service/routes/providers';
import { settingsRoutes } from '../../service/routes/settings';
import { createProfile } from '../../service/service';
import { SandboxLifecycle } from '../../service/sandboxLifecycle';
import { merging } from '../../../src/api/service/settingsCalls';
import { accessTo, safeguards, type TestSafeguards } from '../core/settings/safeguards';

export type Request = 'getSettings' | 'postSettings' | 'addGitProviders' | 'unsetProviderTokens';

/**
 * How a request fails: before it is sent, in transit (the connection ends and nothing happened), after it was applied
 * (the connection ends), or with a 500 before or after it was applied. `noneSaved` is only for reads: the answer to a
 * user who never saved.
 */
export type Fault = 'notSent' | 'lost' | 'doneThenLost' | 'crash' | 'doneThenCrash' | 'noneSaved';

/** The reference service without HTTP, and a client that throws the same errors as the real one. */
export interface FakeService {
  readonly profile: ProfileName;
  readonly state: State;
  readonly behaviour: Behaviour;
  readonly client: SettingsClient;
  readonly safeguards: TestSafeguards;
  /** For changes of git provider tokens. */
  readonly access: ProvidersAccess;
  /** A separate client; a different `window` has a separate queue. */
  clientOf(who: string, window: string): SettingsClient;
  /** The posted bodies in order. */
  readonly posts: SettingsBody[];
  readonly providerPosts: ProviderTokensBody[];
  /** The number of requests of each kind. */
  readonly counts: Record<Request, number>;
  /** Returns the fault for a request; called for each. */
  fault: (request: Request, who: string) => Fault | undefined;
  /** Called when a request arrives, before it is processed. */
  arrives: (request: Request, who: string) => void;
  /** Called after a request was applied. */
  carriedOut: (request: Request, who: string) => void;
  /** Replaces the answers to `GET /api/settings`. */
  rewrite: (answer: Answer) => Answer;
}

let origins = 0;

const paths: Record<Request, [Method, string]> = {
  getSettings: ['GET', '/api/settings'],
  postSettings: ['POST', '/api/settings'],
  addGitProviders: ['POST', '/api/add-git-providers'],
  unsetProviderTokens: ['POST', '/api/unset-provider-tokens'],
};

/** The same requests to the current generation. */
const currentPaths: Readonly<Record<string, Request>> = {
  'GET /api/v1/settings': 'getSettings',
  'POST /api/v1/settings': 'postSettings',
  'POST /api/v1/secrets/git-providers': 'addGitProviders',
  'DELETE /api/v1/secrets/git-providers': 'unsetProviderTokens',
};

export function fakeService(
  profileName: ProfileName,
  settings: Partial<StoredSettings> | null = {},
  more: Partial<Behaviour> = {},
): FakeService {
  const behaviour = { ...defaultBehaviour(), ...more };
  const extra = profileName === 'observed' ? behaviour.extraSettings : {};
  const state = emptyState();
  state.settings = settings === null ? null : makeSettings({ ...extra, ...settings });
  const sandboxes = new SandboxLifecycle(state, behaviour, manualClock());
  const profile = createProfile[profileName]({ state, behaviour, sandboxes });
  const context = { profile, state, behaviour } as Context;
  const routes =
    profileName === 'current'
      ? currentRoutes(context)
      : [...settingsRoutes(context), ...providerRoutes(context)];

  const call = async (
    who: string,
    request: Request,
    body: unknown,
    [method, path] = paths[request],
  ): Promise<unknown> => {
    const fail = (reason: ErrorReason, facts = {}) => new ApiError(reason, method, path, facts);
    const mutates = method !== 'GET';
    const fault = service.fault(request, who);
    if (fault === 'notSent') throw fail('refused');
    service.counts[request] += 1;
    service.arrives(request, who);
    // A real request takes time.
    await new Promise((resolve) => setImmediate(resolve));
    if (fault === 'lost') throw fail('reset', { outcomeUnknown: mutates });
    if (fault === 'crash') throw fail('serverError', { status: 500, outcomeUnknown: mutates });
    if (fault === 'noneSaved') throw fail('notFound', { status: 404, serverText: 'Settings not found' });
    const answer = service.rewrite(await perform(routes, method, path, body, profile));
    service.carriedOut(request, who);
    if (fault === 'doneThenLost') throw fail('reset', { outcomeUnknown: mutates });
    if (fault === 'doneThenCrash') throw fail('serverError', { status: 500, outcomeUnknown: mutates });
    // Requests are sent as text.
    const sent: unknown = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
    if (answer.status >= 200 && answer.status < 300) return sent;
    const text = sent === undefined ? (answer.text ?? '') : JSON.stringify(sent);
    throw fail(reasonOf(answer.status), {
      status: answer.status,
      ...readErrorBody(text, false, (words) => words),
    });
  };

  /** The client's own code for the current generation, on requests that go straight to the service. */
  const currentAt = (who: string, origin: string): SettingsClient => {
    const request = async (asked: Asking<unknown> | PlainCall, signal?: AbortSignal): Promise<unknown> => {
      const { method, route, body } = asked;
      signal?.throwIfAborted();
      const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
      const kind = currentPaths[`${method} ${route}`];
      if (kind === 'postSettings') service.posts.push(sent as SettingsBody);
      if (kind === 'addGitProviders') service.providerPosts.push(sent as ProviderTokensBody);
      const answer =
        kind === undefined
          ? (await perform(routes, method, route, sent, profile)).body
          : await call(who, kind, sent, [method, route]);
      const value = 'read' in asked ? await asked.read(answer, { skipped: 0 }) : null;
      if (value === undefined) throw new ApiError('badShape', method, route);
      return value;
    };
    const transport: Transport = { baseUrl: origin, origin, request: request as Transport['request'] };
    return { baseUrl: origin, origin, ...currentSettings(transport) };
  };

  const firstAt = (who: string, origin: string): SettingsClient => ({
    baseUrl: origin,
    origin,
    getSettings: async (signal) => {
      signal?.throwIfAborted();
      return serviceSettingsSchema.parse(await call(who, 'getSettings', undefined));
    },
    postSettings: async (given) => {
      const body = settingsBodySchema.parse(JSON.parse(JSON.stringify(given)));
      service.posts.push(body);
      await call(who, 'postSettings', body);
    },
    addGitProviders: async (given) => {
      const body = providerTokensBodySchema.parse(JSON.parse(JSON.stringify(given)));
      service.providerPosts.push(body);
      await call(who, 'addGitProviders', body);
    },
    describeFields: () => Promise.resolve({ fields: [], elsewhere: [] }),
    unsetProviderTokens: async () => {
      await call(who, 'unsetProviderTokens', undefined);
    },
    abilities: () => ({ ...merging, replaces: true, movesTokens: true }),
  });

  const clientAt = profileName === 'current' ? currentAt : firstAt;
  origins += 1;
  const origin = `http://service-${origins}`;
  const client = clientAt('', origin);
  const guards = safeguards();
  const service: FakeService = {
    profile: profileName,
    state,
    behaviour,
    client,
    safeguards: guards,
    access: accessTo(client, guards),
    clientOf: (who, window) => clientAt(who, `${origin}-${window}`),
    posts: [],
    providerPosts: [],
    counts: { getSettings: 0, postSettings: 0, addGitProviders: 0, unsetProviderTokens: 0 },
    fault: () => undefined,
    arrives: () => undefined,
    carriedOut: () => undefined,
    rewrite: (answer) => answer,
  };
  return service;
}

async function perform(
  routes: readonly Route[],
  method: Method,
  path: string,
  value: unknown,
  profile: Context['profile'],
): Promise<Answer> {
  const call: Call = { method, path, params: {}, query: new URLSearchParams(), body: { value } };
  const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
  if (route === undefined) return profile.notThere(call, false);
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof Invalid) return profile.invalid(error.issues);
    throw error;
  }
}

function reasonOf(status: number): ErrorReason {
  const reasons: Partial<Record<number, ErrorReason>> = {
    400: 'invalid',
    401: 'unauthorized',
    404: 'notFound',
    405: 'methodNotAllowed',
    422: 'invalid',
  };
  return reasons[status] ?? 'serverError';
}
