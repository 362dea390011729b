import type * as vscode from 'vscode';
import { askPick, type Answer, type PickStep } from '../../../editor/inputs';
import { same } from '../../../shared/same';
import type { ConversationChoice } from '../model/choice';

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
    isCurrent: (item) => same(item[part], choice[part]),
    ...step,
  });
  if (typeof answer === 'object') {
    const chosen: Pick<ConversationChoice, P> = answer;
    choice[part] = chosen[part];
  }
  return answer;
}
