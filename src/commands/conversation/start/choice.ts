import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import type { ConversationRequest } from '../../../api/service/schemas/conversation';
import { askPick, type Answer, type PickStep } from '../../../platform/inputs';
import type { GitProvider } from '../../../state/conversations/gitRemote';
import type { Place } from '../../../state/conversations/startConversation';

/** What the user selected for a new conversation, apart from its message. */
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

/** An item that stands for parts of a choice. */
export type ChoiceItem<P extends keyof ConversationChoice> = vscode.QuickPickItem &
  Pick<ConversationChoice, P>;

/** Asks for one part of a choice, and puts it there. */
export async function askPart<P extends keyof ConversationChoice>(
  choice: Pick<ConversationChoice, P>,
  part: P,
  step: PickStep<ChoiceItem<P>>,
): Promise<Answer<unknown>> {
  const answer = await askPick<ChoiceItem<P>>({
    canGoBack: true,
    // A place is a record.
    isCurrent: (item) => isDeepStrictEqual(item[part], choice[part]),
    ...step,
  });
  if (typeof answer === 'object') {
    const chosen: Pick<ConversationChoice, P> = answer;
    choice[part] = chosen[part];
  }
  return answer;
}

/** The request for a choice. */
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
