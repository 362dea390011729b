import * as l10n from '@vscode/l10n';
import type { Handler } from '../../../editor/handler';
import { askText, needsText } from '../../../editor/inputs';
import { showError } from '../../../editor/progress';
import type { Aside } from '../../../shared/conversationMessages';
import { chooseLive, type LiveNeeds } from './choose';
import { workOn } from './work';

/** Ask on the Side…: asks a question that doesn’t change the conversation. */
export function ask(
  needs: LiveNeeds & { showAside: (id: string, aside: Aside, service?: string) => Promise<void> },
): Handler {
  return async (argument) => {
    const title = l10n.t('Ask on the Side');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    const question = await askText({
      title,
      prompt: l10n.t('The agent answers from what it knows. The conversation stays as it is.'),
      placeholder: l10n.t('For example, Which files have you changed so far?'),
      validate: needsText,
    });
    if (typeof question !== 'string') return;
    try {
      const reply = await workOn(live.model, l10n.t('Asking the agent…'), (signal) =>
        live.model.ask(question, signal),
      );
      if (reply !== undefined)
        await needs.showAside(live.model.id, { question, answer: reply }, live.service);
    } catch (error) {
      await showError(l10n.t('Couldn’t ask the agent.'), error);
    }
  };
}
