import type { ConversationRequest } from '../../../api/schemas/conversation';
import type { GitProvider } from '../../../state/gitRemote';
import type { Place } from '../../../state/startConversation';

/** What the user chose for a new conversation, beside its message. */
export interface ConversationChoice {
  /** `owner/name`; undefined: none. */
  repository: string | undefined;
  /** Undefined: the repository's default branch. */
  branch: string | undefined;
  /** Undefined: the service finds out. */
  provider: GitProvider | undefined;
  place: Place;
  /** Undefined: the service's setting. */
  model: string | undefined;
  /** Undefined: the service makes one up. */
  title: string | undefined;
}

/** The request that a choice stands for. */
export function requestOf(
  message: string,
  { repository, branch, provider, model, title }: ConversationChoice,
): Omit<ConversationRequest, 'sandbox_id'> {
  return {
    ...(message !== '' && {
      initial_message: { role: 'user', content: [{ type: 'text', text: message }] },
    }),
    ...(repository !== undefined && {
      selected_repository: repository,
      ...(branch !== undefined && { selected_branch: branch }),
      ...(provider !== undefined && { git_provider: provider }),
    }),
    ...(model !== undefined && { llm_model: model }),
    ...(title !== undefined && { title }),
  };
}
