import * as z from 'zod/mini';
import type { SettablePolicy } from '../../shared/transcript';
import type { AgentEvent } from '../events/event';
import { sentId } from '../events/eventId';
import { eventsOf, readEventsPage } from '../events/page';
import { eventSchema } from '../events/schema';
import { ApiError } from '../http/errors';
import { recordId } from '../lenient';
import type { Page } from '../page';
import { searchParams } from '../http/query';
import { type Call, createTransport, type TransportOptions } from '../http/transport';
import type { AgentAddress } from './address';
import { type AgentFeatures, featuresOf } from './features';
import { policyBodies } from '../policyBodies';
import { type AgentConversation, agentConversationSchema } from './schemas/conversation';
import { type AgentServerInfo, serverInfoOf } from '../serverInfo';
import { openEventSocket, type OpenSocket, type EventSocket, type SocketListener } from './socket';

/** A message to an agent. */
interface AgentMessage {
  text: string;
  /** Data URIs. */
  images: readonly string[];
  /**
   * Whether to start the agent. While it works or waits, this executes pending actions without approval: pass true only
   * right after the state was read as idle, paused, finished, or error.
   */
  run: boolean;
}

/** A page of a conversation’s events. */
interface AgentEventsQuery {
  pageId?: string | undefined;
  /** An event’s own `timestamp`: only events at that moment or later. */
  from?: string | undefined;
  /** An event’s own `timestamp`: only events before that moment. */
  before?: string | undefined;
  newestFirst?: boolean | undefined;
  /** The most events to return; a full page if absent. */
  limit?: number | undefined;
}

/**
 * One method per endpoint of a conversation (docs/protocol/live-conversations.md, “The conversation at the agent
 * server”). Throws ApiError.
 */
export interface AgentClient {
  readonly features: AgentFeatures;
  /** `GET C`: answered immediately, even while a step runs. */
  getConversation(signal?: AbortSignal): Promise<AgentConversation>;
  /**
   * `GET C/events/search`, in the order of the server’s log, which isn’t strictly chronological. One at a time: where
   * reads block, each waiting one occupies a thread of the server.
   */
  searchEvents(query?: AgentEventsQuery, signal?: AbortSignal): Promise<Page<AgentEvent>>;
  /**
   * `GET C/events/count`: how many events there are; undefined for a server that doesn’t count. Blocks like `GET
   * C/events/search`.
   */
  countEvents(signal?: AbortSignal): Promise<number | undefined>;
  /** `GET C/events/<id>`: blocks like `GET C/events/search`. */
  getEvent(id: string, signal?: AbortSignal): Promise<AgentEvent>;
  /** `POST C/events`. */
  sendMessage(message: AgentMessage, signal?: AbortSignal): Promise<void>;
  /** `POST C/events/respond_to_confirmation`: answers all pending actions. Accepting is just a run. */
  accept(signal?: AbortSignal): Promise<void>;
  /** Rejects all pending actions. The reason is for the agent, which doesn’t continue on its own. */
  reject(reason: string, signal?: AbortSignal): Promise<void>;
  /** `POST C/run`. Never while the agent works (freezes older servers) or waits (executes actions without approval). */
  run(signal?: AbortSignal): Promise<void>;
  /** `POST C/pause`: the current step still ends. */
  pause(signal?: AbortSignal): Promise<void>;
  /** `POST C/interrupt`, where `features.interrupts`. */
  interrupt(signal?: AbortSignal): Promise<void>;
  /** `POST C/confirmation_policy`. */
  setPolicy(policy: SettablePolicy, signal?: AbortSignal): Promise<void>;
  /** `POST C/switch_profile`: continues with the model of a profile. Executes nothing. */
  switchModel(profile: string, signal?: AbortSignal): Promise<void>;
  /** `POST C/switch_acp_model`: an ACP agent continues with a model, named as the agent names it. */
  switchAgentModel(model: string, signal?: AbortSignal): Promise<void>;
  /** `POST C/condense`: replaces earlier events in the model’s context with a summary. Calls the model. */
  condense(signal?: AbortSignal): Promise<void>;
  /** `POST C/goal`: works and judges its work in turn, for a limited number of rounds. Each round is a run. */
  startGoal(objective: string, rounds: number, signal?: AbortSignal): Promise<void>;
  /** `POST C/goal/stop`: the current step still ends. */
  stopGoal(signal?: AbortSignal): Promise<void>;
  /** `POST C/goal/resume`: continues with the goal that was stopped last. */
  resumeGoal(signal?: AbortSignal): Promise<void>;
  /** `POST C/secrets`: adds or replaces a secret, which can’t be undone. */
  giveSecret(name: string, value: string, signal?: AbortSignal): Promise<void>;
  /**
   * `POST C/fork`: a new conversation in the same folder, with the events up to this one; where `features.branches`. Runs
   * nothing. Resolves to its id.
   */
  fork(from: { eventId: string; title: string }, signal?: AbortSignal): Promise<string>;
  /** `POST C/navigate`: the next step continues after this event; where `features.branches`. Executes nothing. */
  navigate(eventId: string, signal?: AbortSignal): Promise<void>;
  /** `POST C/ask_agent`: leaves no trace in the conversation. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /**
   * Listens to events through a socket. Only if `features.sockets`: connecting freezes older servers. Never throws.
   * @returns a function that closes the socket
   */
  listen(listener: SocketListener): EventSocket;
}

/** A step may run for minutes. */
const stepTimeoutMs = 600_000;

const conversationRoute = '/api/conversations/{id}';

/** What is needed to reach a conversation’s agent server, besides its address. */
export interface AgentOptions extends Omit<TransportOptions, 'baseUrl' | 'sessionKey'> {
  /** By default with `globalThis.WebSocket`. */
  openSocket?: OpenSocket;
}

/** An agent server whose release is known. */
export interface KnownAgentServer extends AgentServerInfo {
  release: string;
}

/**
 * Asks for the server’s release and capabilities without sending the key: the address must first prove to be an agent
 * server. Throws an ApiError, of reason `badShape` for another server.
 */
export async function readAgentServer(
  { baseUrl }: Pick<AgentAddress, 'baseUrl'>,
  options: AgentOptions,
  signal?: AbortSignal,
): Promise<KnownAgentServer> {
  const transport = createTransport({ ...options, baseUrl, sessionKey: null });
  return transport.request(
    { method: 'GET', route: '/server_info', read: (json) => known(serverInfoOf(json)) },
    signal,
  );
}

const known = (info: AgentServerInfo | undefined): KnownAgentServer | undefined =>
  info?.release === undefined ? undefined : { ...info, release: info.release };

const successSchema = z.object({ success: z.literal(true) });
const countSchema = z.int().check(z.gte(0));
const forkedSchema = z.object({ id: recordId });
const responseSchema = z.object({ response: z.string() });

/** Throws an ApiError of reason `badUrl` if the address can’t be used. */
export function createAgentClient(
  address: AgentAddress,
  sessionKey: string,
  version: string | null,
  options: AgentOptions,
): AgentClient {
  const { baseUrl, id } = address;
  const transport = createTransport({ ...options, baseUrl, sessionKey });
  const features = featuresOf(version);
  const patient = { timeoutMs: stepTimeoutMs };
  const waiting = features.blocksWhileRunning ? patient : {};

  const get = <T>(
    path: string,
    read: Call<T>['read'],
    signal: AbortSignal | undefined,
    rest: Partial<Call<T>> = {},
  ): Promise<T> =>
    transport.request({ method: 'GET', route: conversationRoute + path, id, read, ...rest }, signal);

  const post = async (
    path: string,
    body: object | undefined,
    signal?: AbortSignal,
    rest: Pick<Call<true>, 'timeoutMs' | 'secrets'> = features.holdsMessages ? patient : {},
  ): Promise<void> => {
    const route = conversationRoute + path;
    await transport.request(
      { method: 'POST', route, id, body, read: succeeded, once: true, ...rest },
      signal,
    );
  };

  return {
    features,
    getConversation: (signal) => get('', (json) => agentConversationSchema.safeParse(json).data, signal),
    searchEvents: ({ pageId, from, before, newestFirst = false, limit: most } = {}, signal) => {
      const query = {
        page_id: pageId,
        sort_order: newestFirst ? 'TIMESTAMP_DESC' : 'TIMESTAMP',
        timestamp__gte: from,
        timestamp__lt: before,
      };
      return readEventsPage(
        (limit) =>
          get('/events/search', eventsOf(pageId), signal, {
            query: searchParams({ limit, ...query }),
            elements: 'items',
            ...waiting,
          }),
        most,
      );
    },
    countEvents: (signal) =>
      get('/events/count', (json) => countSchema.safeParse(json).data, signal, {
        expects: hasNoCount,
        ...waiting,
      }).catch((error: unknown) => {
        if (hasNoCount(error)) return undefined;
        throw error;
      }),
    getEvent: (eventId, signal) =>
      get('/events/{id}', (json) => eventSchema.safeParse(json).data, signal, {
        id: [id, String(sentId(eventId))],
        elements: 'items',
        ...waiting,
      }),
    sendMessage: ({ text, images, run }, signal) => {
      const content = [
        { type: 'text', text },
        ...(images.length > 0 ? [{ type: 'image', image_urls: images }] : []),
      ];
      return post('/events', { role: 'user', content, run }, signal);
    },
    accept: (signal) => post('/events/respond_to_confirmation', { accept: true }, signal),
    reject: (reason, signal) => post('/events/respond_to_confirmation', { accept: false, reason }, signal),
    run: (signal) => post('/run', undefined, signal),
    pause: (signal) => post('/pause', undefined, signal),
    interrupt: (signal) => post('/interrupt', undefined, signal),
    setPolicy: (policy, signal) => post('/confirmation_policy', { policy: policyBodies[policy] }, signal),
    switchModel: (profile, signal) => post('/switch_profile', { profile_name: profile }, signal),
    switchAgentModel: (model, signal) => post('/switch_acp_model', { model }, signal),
    condense: (signal) => post('/condense', undefined, signal, patient),
    startGoal: (objective, rounds, signal) => post('/goal', { objective, max_iterations: rounds }, signal),
    stopGoal: (signal) => post('/goal/stop', undefined, signal),
    resumeGoal: (signal) => post('/goal/resume', undefined, signal),
    giveSecret: (name, value, signal) =>
      post('/secrets', { secrets: { [name]: value } }, signal, { ...waiting, secrets: [value] }),
    fork: ({ eventId, title }, signal) =>
      transport.request(
        {
          method: 'POST',
          route: `${conversationRoute}/fork`,
          id,
          body: { from_event_id: sentId(eventId), title },
          once: true,
          read: (json) => forkedSchema.safeParse(json).data?.id,
        },
        signal,
      ),
    navigate: async (eventId, signal) => {
      const body = { event_id: sentId(eventId) };
      // The answer is the conversation.
      const read = (json: unknown) => forkedSchema.safeParse(json).success || undefined;
      await transport.request(
        { method: 'POST', route: `${conversationRoute}/navigate`, id, body, read, once: true },
        signal,
      );
    },
    ask: (question, signal) =>
      transport.request(
        {
          method: 'POST',
          route: `${conversationRoute}/ask_agent`,
          id,
          body: { question },
          timeoutMs: stepTimeoutMs,
          read: (json) => responseSchema.safeParse(json).data?.response,
        },
        signal,
      ),
    listen: (listener) =>
      openEventSocket(address, sessionKey, listener, options.openSocket, features.countsEvents),
  };
}

/** Only for a server without the route: one that has it and answers nonsense may have more events than it shows. */
const hasNoCount = (error: unknown): boolean =>
  error instanceof ApiError && (error.reason === 'notFound' || error.reason === 'methodNotAllowed');

/** Only `{"success": true}` proves success: releases answer a failure with 200, too. */
export const succeeded = (json: unknown) => successSchema.safeParse(json).success || undefined;
