import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { AgentConversation } from './agent/conversation';
import { AgentFleet } from './agent/fleet';
import type { Release } from './agent/release';
import type { Origins } from './agent/sandboxFiles';
import { defaultBehaviour, type Behaviour, type Delays } from './behaviour';
import { manualClock, realClock, type SteppableClock } from './clock';
import { addControl, controlPrefix } from './control';
import { ConversationStarts } from './conversationStarts';
import { Faults, type Failure, type FailRule } from './faults';
import type { Violation } from './guard';
import { HostedAccounts } from './hosted/accounts';
import { hostedRoutes } from './hosted/routes';
import { crashed, type Route } from './http';
import { applyPatch, stateAsJson, type Patch } from './patch';
import { serve, type Pipeline } from './pipeline';
import { currentProfile } from './profiles/current';
import { documentedProfile } from './profiles/documented';
import { hostedProfile } from './profiles/hosted';
import { observedProfile } from './profiles/observed';
import type { Profile, ProfileName, ProfileSource } from './profiles/profile';
import { RateLimiter } from './rateLimit';
import { emptyState, type State } from './records';
import { Recorder, type RecordedRequest, type RequestListener, type WaitOptions } from './recorder';
import type { Context } from './routes/context';
import { conversationRoutes } from './routes/conversations';
import { eventRoutes } from './routes/events';
import { currentRoutes } from './routes/current';
import { healthRoutes } from './routes/health';
import { providerRoutes } from './routes/providers';
import { sandboxRoutes } from './routes/sandboxes';
import { settingsRoutes } from './routes/settings';
import { suggestionRoutes } from './routes/suggestions';
import { SandboxLifecycle } from './sandboxLifecycle';
import { beyondSpecification } from './settingsFields';
import { generateConversations, generateSandboxes, lifelikeState } from './seed';

export type { Effect, Failure, FailRule } from './faults';
export type { ProfileName } from './profiles/profile';
export * from './records';

/** What a service holds when it starts. */
interface StartingData {
  /** `none`, the default: nothing but one spec. */
  seed?: 'none' | 'lifelike' | undefined;
  /** Generated records in addition to the seed. */
  sandboxes?: number | undefined;
  conversations?: number | undefined;
}

/** How a service starts. By default, it's quick and without the rate limit. */
export interface ServiceOptions extends StartingData, Partial<Omit<Behaviour, 'delays'>> {
  profile: ProfileName;
  /** Random if absent. If empty, the service has no key and checks none. */
  sessionKey?: string;
  /** Any free port if absent or 0. */
  port?: number;
  /** `manual`: time moves only with `advance`, also for the delays of the rate limit and of failures. */
  clock?: 'real' | 'manual';
  delays?: Partial<Delays>;
  /** Simulates agents with servers of this release, on their own port; none if absent. */
  agents?: Release | undefined;
  /** The repositories that sandboxes clone, by name; others get a sample repository. */
  origins?: Origins;
  /** How many requests to keep; 10,000 if absent. */
  keptRequests?: number;
}

/** A running service. Its `state` and `behaviour` may be changed at any time. */
export interface ReferenceService {
  /** Without a trailing slash. */
  readonly url: string;
  readonly sessionKey: string;
  readonly profile: ProfileName;
  readonly clock: 'real' | 'manual';
  readonly state: State;
  readonly behaviour: Behaviour;
  /** Of a hosted service. */
  readonly accounts: HostedAccounts | undefined;
  /** What it answers, such as `POST /api/v1/sandboxes/{id}/pause`. */
  readonly endpoints: readonly string[];
  /** Oldest first. */
  readonly requests: readonly RecordedRequest[];
  readonly violations: readonly Violation[];

  /** Makes requests fail. A request gets the oldest rule that fits. */
  fail(rule: FailRule): Failure;
  /** Ends all rules and lets held requests continue. */
  clearFailures(): void;
  findFailure(id: number): Failure | undefined;
  /** Lists a sandbox with this status the next `readings` times, regardless of its real one. */
  showSandboxAs(id: string, status: string, readings: number): void;

  /** Calls `listener` as each request arrives and ends. Returns a function that stops this. */
  onRequest(listener: RequestListener): () => void;
  /** Resolves to the next request that fits once it has ended (or arrived). Past ones count only with `after`. */
  waitForRequest(
    fits: (request: RecordedRequest) => boolean,
    options?: WaitOptions,
    signal?: AbortSignal,
  ): Promise<RecordedRequest>;

  /** The simulated agent of a conversation; undefined if there is none. */
  agentOf(conversationId: string): AgentConversation | undefined;

  /** Advances a manual clock, running in order everything that falls due. Throws if the clock isn't manual. */
  advance(ms: number): Promise<void>;
  /** Merges records into `state` and options into `behaviour`. */
  patch(patch: Patch): void;
  /** The whole state, secrets included. */
  stateAsJson(): ReturnType<typeof stateAsJson>;
  /**
   * Acts as if the process restarted: sandboxes that are processes are gone, and unfinished starts stay where they are.
   */
  restart(): void;
  /** Starts over: the starting data, no rules, no requests, no violations, and the original `behaviour`. */
  reset(data?: StartingData): void;
  close(): Promise<void>;
}

/** The profiles by name. */
export const createProfile: Readonly<Record<ProfileName, (source: ProfileSource) => Profile>> = {
  observed: observedProfile,
  documented: documentedProfile,
  current: currentProfile,
  hosted: hostedProfile,
};

/** Starts a service on 127.0.0.1. */
export async function startService(options: ServiceOptions): Promise<ReferenceService> {
  const {
    profile: profileName,
    sessionKey = randomBytes(16).toString('hex'),
    clock: clockKind = 'real',
  } = options;
  const steppable: SteppableClock | undefined = clockKind === 'manual' ? manualClock() : undefined;
  const clock = steppable ?? realClock();
  const state = startingState(options, clock.now(), profileName);
  const behaviour = startingBehaviour(options);
  const sandboxes = new SandboxLifecycle(state, behaviour, clock);
  const accounts = profileName === 'hosted' ? new HostedAccounts(state, behaviour, clock) : undefined;
  const agents =
    options.agents && new AgentFleet(options.agents, state, clock, options.origins ?? {}, accounts && routed);
  const agentsUrl = (sandboxId: string) =>
    agents && (accounts ? `${agents.url}/runtime/team-1/${sandboxId}/8000` : agents.url);
  const profile = createProfile[profileName]({ state, behaviour, sandboxes, agentsUrl });
  const starts = new ConversationStarts(state, behaviour, clock, sandboxes);
  const context: Context = { profile, state, behaviour, clock, sandboxes, starts, agents, accounts };
  const routes = [
    ...[...sandboxRoutes(context), ...conversationRoutes(context)].map((route) => savedFirst(route, context)),
    ...eventRoutes(context),
    ...(profileName === 'current' || accounts
      ? currentRoutes(context)
      : [...settingsRoutes(context), ...providerRoutes(context), ...suggestionRoutes(context)]),
    ...healthRoutes(context),
    ...(accounts ? hostedRoutes(context, accounts, () => service.url) : []),
  ];
  const recorder = new Recorder(options.keptRequests ?? 10_000);
  const faults = new Faults();
  const limiter = new RateLimiter(clock);
  const violations: Violation[] = [];
  const app = createApp(
    {
      context,
      sessionKey,
      recorder,
      faults,
      limiter,
      violations,
      takesOtherMethod: otherMethodMatcher(routes),
    },
    routes,
  );

  const stopWork = () => {
    agents?.reset();
    accounts?.clear();
    sandboxes.clear();
    clock.dropActions();
    limiter.clear();
  };

  const service: ReferenceService = {
    url: '',
    sessionKey,
    profile: profileName,
    clock: clockKind,
    state,
    behaviour,
    accounts,
    endpoints: routes.map((route) => `${route.method} ${route.path.replace(/:\w+/g, '{id}')}`),
    requests: recorder.requests,
    violations,
    fail: (rule) => faults.fail(rule),
    clearFailures: () => faults.clear(),
    findFailure: (id) => faults.find(id),
    showSandboxAs: (id, status, readings) => sandboxes.showAs(id, status, readings),
    onRequest: (listener) => recorder.onRequest(listener),
    waitForRequest: (fits, wait, signal) => recorder.waitForRequest(fits, wait, signal),
    agentOf: (id) => {
      const record = state.conversations.get(id);
      return record && agents?.of(record)?.agent;
    },
    async advance(ms) {
      if (!steppable) throw new Error('Only a service with a manual clock can be advanced');
      await steppable.advance(ms);
    },
    patch: (patch) => applyPatch(patch, state, behaviour),
    stateAsJson: () => stateAsJson(state),
    restart() {
      stopWork();
      if (profile.awaitsSandbox()) state.sandboxes.clear();
    },
    reset(data = options) {
      faults.clear();
      stopWork();
      recorder.requests.length = 0;
      violations.length = 0;
      Object.assign(state, startingState(data, clock.now(), profileName));
      Object.assign(behaviour, startingBehaviour(options));
    },
    async close() {
      faults.clear();
      clock.stop();
      await agents?.close();
      await app.close();
    },
  };
  addControl(app, service);
  await agents?.listen();
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const { port } = app.server.address() as AddressInfo;
  return Object.assign(service, { url: `http://127.0.0.1:${port}` });
}

function startingState(data: StartingData, now: number, profile: ProfileName): State {
  const state = data.seed === 'lifelike' ? lifelikeState(now) : emptyState();
  if (profile !== 'observed') for (const name of beyondSpecification) delete state.settings?.[name];
  const sandboxes = generateSandboxes(data.sandboxes ?? 0, now);
  for (const sandbox of sandboxes) state.sandboxes.set(sandbox.id, sandbox);
  for (const conversation of generateConversations(data.conversations ?? 0, now, sandboxes))
    state.conversations.set(conversation.id, conversation);
  return state;
}

function startingBehaviour(options: ServiceOptions): Behaviour {
  const defaults = defaultBehaviour();
  const hosted = options.profile === 'hosted' && { bearer: true };
  const given = Object.entries(options).filter(([name]) => name in defaults);
  return {
    ...defaults,
    ...hosted,
    ...Object.fromEntries(given),
    delays: { ...defaults.delays, ...options.delays },
  };
}

/** What the router in front of a hosted service’s sandboxes adds to the paths of their agent servers. */
const routed = /^\/runtime\/team-1\/[^/]+\/\d+(?=\/|$)/;

/** A route that, with `failsUnsaved`, crashes until settings are saved. */
function savedFirst(route: Route, { state, behaviour }: Context): Route {
  const fails = () => behaviour.failsUnsaved && state.settings === null;
  return { ...route, handle: (call) => (fails() ? crashed() : route.handle(call)) };
}

/** The HTTP server. It does the routing; everything else goes through the pipeline. */
function createApp(pipeline: Pipeline, routes: Route[]): FastifyInstance {
  const app = Fastify({
    bodyLimit: 64 * 1024 * 1024,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 16_384 },
    // A path that can't be decoded counts as one that doesn't exist.
    frameworkErrors: (_error, request, reply) => void serve(pipeline, undefined, request, reply),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => serve(pipeline, route, request, reply),
    });
  }
  app.setNotFoundHandler((request, reply) =>
    request.url.startsWith(`${controlPrefix}/`)
      ? reply.code(404).send({ error: 'no such control path' })
      : serve(pipeline, undefined, request, reply),
  );
  return app;
}

/** Makes a check for whether a call's path has a route for another method. */
function otherMethodMatcher(routes: Route[]): Pipeline['takesOtherMethod'] {
  const known = routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }));
  return (call) => known.some(({ method, pattern }) => method !== call.method && pattern.test(call.path));
}
