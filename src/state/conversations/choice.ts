import type { GitProvider } from '../../shared/gitProviders';
import type { Place, StartOptions } from './startConversation';

/** What was selected for a new conversation, apart from its message. */
export interface ConversationChoice {
  /** `owner/name`; undefined for none. */
  repository: string | undefined;
  /** Undefined for the default branch of the repository. */
  branch: string | undefined;
  /** Undefined to let the service detect it. */
  provider: GitProvider | undefined;
  place: Place;
  /** Undefined for the service's default. */
  model: string | undefined;
  /** Undefined to let the service generate one. */
  title: string | undefined;
}

/** The request for a choice. */
export function requestOf(
  message: string,
  { repository, branch, provider, model, title }: Partial<ConversationChoice>,
): StartOptions['request'] {
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
