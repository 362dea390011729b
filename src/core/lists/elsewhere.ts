import type { Conversation } from '../../api/service/schemas/conversation';
import type { Connection } from '../../shared/connection';
import type { Chosen } from '../session/chooseAt';

/** The agents of a connection that wait for the user. */
export interface WaitingElsewhere {
  readonly connection: Connection;
  readonly conversations: readonly Conversation[];
}

/** The conversations of the connections that the window isn’t on. A service is named by its base URL. */
export interface ConversationsElsewhere {
  /** The connections with agents that wait for the user. */
  readonly waiting: readonly WaitingElsewhere[];
  /** A conversation, with the client that reaches it. */
  find(service: string, id: string): Chosen<Conversation> | undefined;
  /** Reads a connection now, or all of those that are on screen; resolves when the answers are in. */
  refresh(service?: string): Promise<void>;
  /** Shows or reads more of a connection. */
  loadMore(service: string): Promise<void>;
}
