import * as z from 'zod/mini';
import { type AgentServerInfo, serverInfoOf } from '../serverInfo';
import type { Clock } from '../http/clock';
import { pathSegment } from '../http/ids';
import { pageQuery, type PageQuery } from '../http/query';
import type { Transport } from '../http/transport';
import { maybe, maybeText, maybeTime, lenientList, recordId } from '../lenient';
import { lenientMembers } from '../../shared/members';
import { pageOf } from '../page';
import { hasStatus, optional, patchTitle, record } from './calls';
import type { Conversation } from './schemas/conversation';
import { tagCalls } from './tags';

/**
 * Asks `GET /server_info`, which needs no valid key, whether this is an agent server. Undefined for anything else,
 * including errors.
 */
export const recognizeAgentServer = (
  transport: Transport,
  signal?: AbortSignal,
): Promise<AgentServerInfo | undefined> =>
  transport
    .request({ method: 'GET', route: '/server_info', read: serverInfoOf, ...optional }, signal)
    .catch(() => undefined);

const count = maybe(z.number());
const usageSchema = z.object({
  accumulated_cost: count,
  accumulated_token_usage: maybe(z.object({ prompt_tokens: count, completion_tokens: count })),
});
const statsSchema = z.object({ usage_to_metrics: lenientMembers(usageSchema) });

/** What an agent and its helpers have used together, in the form of an app server’s `metrics`. */
function metricsOf({ usage_to_metrics: all }: z.infer<typeof statsSchema>): Conversation['metrics'] {
  const every = Object.values(all);
  // A negative amount can’t be right, nor can a sum with it.
  const sum = (of: (one: z.infer<typeof usageSchema>) => number | null | undefined) => {
    const amounts = every.flatMap((one) => of(one) ?? []);
    if (amounts.length === 0) return null;
    return amounts.reduce((total, amount) => total + (amount >= 0 ? amount : NaN), 0);
  };
  return {
    accumulated_cost: sum((one) => one.accumulated_cost),
    accumulated_token_usage: {
      prompt_tokens: sum((one) => one.accumulated_token_usage?.prompt_tokens),
      completion_tokens: sum((one) => one.accumulated_token_usage?.completion_tokens),
    },
  };
}

/** Remembers what the agent server at each base URL has said about itself: keys change, the server doesn’t. */
export interface ServerMemory {
  /** Whether conversations there can have a container each. */
  hasContainers(baseUrl: string): boolean;
  /** What the server has just said about that. */
  setHasContainers(baseUrl: string, has: boolean): void;
}

/**
 * The state of a container; null for any other. Archived ones never come back. One that runs looks like none: the server
 * has to say that it has containers.
 */
function containerOf(
  { runtime_status: status, can_resume: canResume }: RuntimeInfo,
  hasContainers: boolean,
): string | null {
  if (status === 'missing') return canResume === false ? 'archived' : 'paused';
  if (status === 'available') return hasContainers ? 'running' : null;
  return status === 'starting' || status === 'error' ? status : null;
}

interface RuntimeInfo {
  runtime_status?: string | null | undefined;
  can_resume?: boolean | null | undefined;
}

/** Named members only: the others have the agent’s secrets (docs/protocol/agent-server.md, “The record of a conversation”). */
const conversationSchema = z.object({
  id: recordId,
  title: maybeText,
  created_at: maybeTime,
  updated_at: maybeTime,
  execution_status: maybeText,
  parent_conversation_id: maybeText,
  sub_conversation_ids: maybe(lenientList(z.string())),
  // Since 1.58; without containers, it’s always available.
  runtime_info: maybe(z.object({ runtime_status: maybeText, can_resume: maybe(z.boolean()) })),
  tags: maybe(lenientMembers(z.unknown())),
  agent: maybe(z.object({ llm: maybe(z.object({ model: maybeText })) })),
  workspace: maybe(z.object({ working_dir: maybeText })),
  stats: maybe(statsSchema),
});

/** What the names of this extension’s tags begin with. */
export const tagPrefix = 'agentworkspace';

const route = '/api/conversations/{id}';

/**
 * What a standalone agent server has instead of a service: its conversations (docs/protocol/agent-server.md, “Listing
 * conversations”).
 * @param sessionKey goes into the records as their server's key, so that conversations can be followed
 */
export function agentServerCalls(
  transport: Transport,
  sessionKey: string | null,
  memory: ServerMemory,
  clock?: Clock,
) {
  const asService = z.pipe(
    conversationSchema,
    z.transform(({ agent, tags, workspace, stats, runtime_info: runtime, ...own }): Conversation => {
      const id = pathSegment(own.id);
      const reach = id !== undefined && {
        conversation_url: `${transport.baseUrl}/api/conversations/${id}`,
        session_api_key: sessionKey,
      };
      const container = runtime ? containerOf(runtime, memory.hasContainers(transport.baseUrl)) : null;
      return {
        ...own,
        // The server keeps the last word of an agent whose container was paused at work.
        ...(container === 'paused' && own.execution_status === 'running' && { execution_status: 'paused' }),
        tags: ownTags(tags),
        llm_model: agent?.llm?.model ?? null,
        folder: workspace?.working_dir ?? null,
        container,
        metrics: stats ? metricsOf(stats) : null,
        ...reach,
      };
    }),
  );
  return {
    /** `GET /api/conversations/search`, the newest first. */
    listConversations: (query: PageQuery = {}, signal?: AbortSignal) =>
      transport.request(
        {
          method: 'GET',
          route: '/api/conversations/search',
          query: pageQuery({ pageId: query.pageId, limit: query.limit }),
          read: pageOf(asService, query.pageId),
          elements: 'items',
        },
        signal,
      ),

    /** `GET /api/conversations/<id>`; null when there is no such conversation. */
    getConversation: (id: string, signal?: AbortSignal) =>
      transport
        .request(
          { method: 'GET', route, id, read: record(asService), expects: (error) => hasStatus(error, 404) },
          signal,
        )
        .catch((error: unknown) => {
          if (hasStatus(error, 404)) return null;
          throw error;
        }),

    ...tagCalls(transport, route, clock),

    /** `PATCH /api/conversations/<id>`. */
    renameConversation: (id: string, title: string, signal?: AbortSignal) =>
      patchTitle(transport, route, id, title, signal),

    /** `DELETE /api/conversations/<id>`: its folder of files stays. */
    deleteConversation: (id: string, _isAlone: boolean, signal?: AbortSignal) =>
      transport.request({ method: 'DELETE', route, id }, signal),
  };
}

/** The tags that this extension sets; those of others may say anything. */
const ownTags = (tags: Record<string, unknown> | null | undefined) =>
  Object.fromEntries(Object.entries(tags ?? {}).filter(([name]) => name.startsWith(tagPrefix)));
