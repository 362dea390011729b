import * as z from 'zod/mini';
import { type AgentServerInfo, serverInfoOf } from '../serverInfo';
import { ApiError } from '../http/errors';
import { pathSegment } from '../http/ids';
import { pageQuery, type PageQuery } from '../http/query';
import type { Transport } from '../http/transport';
import { maybe, maybeText, maybeTime, recordId } from '../lenient';
import { pageOf } from '../page';
import { hasStatus, optional, record, send } from './calls';
import type { Conversation } from './schemas/conversation';

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

/** Named members only: the others have the agent’s secrets. */
const conversationSchema = z.object({
  id: recordId,
  title: maybeText,
  created_at: maybeTime,
  updated_at: maybeTime,
  execution_status: maybeText,
  parent_conversation_id: maybeText,
  agent: maybe(z.object({ llm: maybe(z.object({ model: maybeText })) })),
});

const route = '/api/conversations/{id}';

/**
 * What a standalone agent server has instead of a service: its conversations (generations: “G3”).
 * @param sessionKey goes into the records as their server's key, so that conversations can be followed
 */
export function agentServerCalls(transport: Transport, sessionKey: string | null) {
  const asService = z.pipe(
    conversationSchema,
    z.transform(({ agent, ...own }): Conversation => {
      const id = pathSegment(own.id);
      const reach = id !== undefined && {
        conversation_url: `${transport.baseUrl}/api/conversations/${id}`,
        session_api_key: sessionKey,
      };
      return { ...own, llm_model: agent?.llm?.model ?? null, ...reach };
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

    /** `DELETE /api/conversations/<id>`: its folder of files stays. */
    deleteConversation: (id: string, signal?: AbortSignal) =>
      send(transport, { method: 'DELETE', route, id }, signal),
  };
}

/** While `isByItself`, refuses what only a service has, without a request. */
export function onlyOfServices(transport: Transport, isByItself: () => boolean): Transport {
  return {
    ...transport,
    request: async (call, signal) => {
      if (isByItself() && call.route.startsWith('/api/v1/'))
        throw new ApiError('agentServer', call.method, call.route);
      return transport.request(call, signal);
    },
  };
}
