import type { ConversationQuery } from '../http/query';
import type { Transport } from '../http/transport';
import type { Page } from '../page';
import { hasStatus, isMissing, patchTitle, readList, readOne, segmentOf } from './calls';
import { conversationsRoute, sandboxCalls, type SandboxObserver } from './sandboxes';
import { type Conversation, conversationSchema } from './schemas/conversation';
import { storedEvents } from './storedEvents';
import type { Settled, TagChange } from './tags';

/** Conversations, which every service has. */
export interface ConversationCalls {
  /** `GET /api/v1/app-conversations`, or its `/search` on services where the first is a batch get. */
  listConversations(query?: ConversationQuery, signal?: AbortSignal): Promise<Page<Conversation>>;
  /** `GET /api/v1/app-conversations` with one id; null when there is no such conversation. */
  getConversation(id: string, signal?: AbortSignal): Promise<Conversation | null>;
  /**
   * Renames a conversation, on services that can: `PATCH /api/conversations/<id>`, or `PATCH
   * /api/v1/app-conversations/<id>` where that is gone. Resolves to the title in the answer, which is the old one on
   * release 1.7; undefined where the answer has none.
   */
  renameConversation(id: string, title: string, signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Sets and removes tags of a conversation, and keeps its others. Resolves to whether the service has them now;
   * undefined where it keeps no tags.
   */
  tagConversation(id: string, change: TagChange, signal?: AbortSignal): Promise<boolean | undefined>;
  /**
   * Waits until other clients have written what they changed in an older reading of the tags, and writes again what
   * they undid that way. Needed once after each change of tags that a service keeps.
   */
  settleTags(id: string, signal?: AbortSignal): Promise<Settled>;
  /**
   * Deletes a conversation with those that its agent started, on services that can: `DELETE
   * /api/v1/app-conversations/<id>`, which also deletes its sandbox if no other conversation is in there. Services
   * without that route have `DELETE /api/conversations/<id>`, which deletes the sandbox with whatever else is in there
   * (docs/protocol/live-conversations.md, “Deleting”).
   *
   * @param isAlone whether no other conversation is in its sandbox, as just read; only then is `DELETE
   *   /api/conversations/<id>` sent
   */
  deleteConversation(id: string, isAlone: boolean, signal?: AbortSignal): Promise<void>;
}

const conversationSearchRoute = '/api/v1/app-conversations/search';

/** What each app server has, as in the first generation. */
export function appServer(transport: Transport, observer?: SandboxObserver) {
  /** Where this service lists conversations, once that is known. */
  let listRoute = conversationsRoute;

  const conversations: ConversationCalls = {
    listConversations: async (query, signal) => {
      try {
        return await readList(transport, listRoute, conversationSchema, query, signal, isBatchGet);
      } catch (error) {
        if (listRoute !== conversationsRoute || !isBatchGet(error)) throw error;
        const page = await readList(
          transport,
          conversationSearchRoute,
          conversationSchema,
          query,
          signal,
        ).catch((other: unknown) => {
          // Neither exists: report the answer of the specified path.
          throw isMissing(other) ? error : other;
        });
        listRoute = conversationSearchRoute;
        return page;
      }
    },

    getConversation: (id, signal) => readOne(transport, conversationsRoute, conversationSchema, id, signal),

    renameConversation: async (id, title, signal) => {
      try {
        return await patchTitle(transport, '/api/conversations/{id}', id, title, signal);
      } catch (error) {
        if (!isMissing(error)) throw error;
        return await patchTitle(transport, `${conversationsRoute}/{id}`, id, title, signal);
      }
    },

    tagConversation: () => Promise.resolve(undefined),
    settleTags: () => Promise.resolve('kept'),

    deleteConversation: async (id, isAlone, signal) => {
      try {
        await deleteWithRest(transport)(id, isAlone, signal);
      } catch (error) {
        if (!isAlone || !isMissing(error)) throw error;
        // For an unknown conversation, it answers false with 200.
        const read = (json: unknown) => (json === true ? true : undefined);
        await transport.request({ method: 'DELETE', id, route: '/api/conversations/{id}', read }, signal);
      }
    },
  };

  return {
    ...conversations,
    sandboxes: sandboxCalls(transport, observer),
    events: storedEvents(transport),
    /** The web page of a conversation. Throws an ApiError of reason `badId`. */
    conversationPageUrl: (id: string) =>
      `${transport.baseUrl}/conversations/${segmentOf(id, '/conversations/{id}')}`,
  };
}

/** Deletes a conversation by the route that spares others in its sandbox. */
export const deleteWithRest =
  (transport: Transport): ConversationCalls['deleteConversation'] =>
  (id, _isAlone, signal) =>
    transport.request({ method: 'DELETE', id, route: `${conversationsRoute}/{id}` }, signal);

/** The route reads conversations by their ids here, so the list is elsewhere. */
const isBatchGet = (error: unknown) => hasStatus(error, 404, 405, 422);
