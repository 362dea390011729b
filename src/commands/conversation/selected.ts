import type { Conversation } from '../../api/service/schemas/conversation';
import { refOf } from '../../state/lists/ref';
import type { ServiceModel } from '../../state/lists/serviceModel';
import { chooseConversation } from './chooseConversation';

/** The ids of all selected rows of conversations, or of the row that a command was given. */
export function selectedIds(argument: unknown, selection: unknown): string[] {
  const selected: unknown[] = Array.isArray(selection) && selection.length > 0 ? selection : [argument];
  const ids = selected.flatMap((one) => {
    const ref = refOf(one);
    return ref?.kind === 'conversation' ? [ref.id] : [];
  });
  return [...new Set(ids)];
}

/** The conversations of all selected rows; or that of the active tab, or one that the user selects. */
export async function chooseConversations(
  model: ServiceModel,
  [argument, selection]: readonly unknown[],
  options: Parameters<typeof chooseConversation>[2],
): Promise<Conversation[]> {
  const ids = selectedIds(argument, selection);
  if (ids.length > 1) return ids.flatMap((id) => model.conversation(id) ?? []);
  const chosen = await chooseConversation(model, argument, options);
  return chosen ? [chosen] : [];
}
