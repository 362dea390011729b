import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askText } from '../../../platform/inputs';
import { showError } from '../../../platform/progress';
import { plainText } from '../../../shared/plainText';
import { conversationTitle } from '../../../state/sandboxes/names';
import type { CommandDependencies, Handler } from '../../dependencies';
import { chooseConversation } from '../chooseConversation';
import { chooseHere } from '../chooseHere';

const longestTitle = 200;

type Needs = Pick<CommandDependencies, 'session' | 'model' | 'starts' | 'activeConversation'>;

/** Rename Conversation…: on the service. */
export function rename({ session, model, starts, activeConversation }: Needs): Handler {
  return async (argument) => {
    const title = l10n.t('Rename Conversation');
    const answer = await chooseHere(session, async () => {
      const conversation = await chooseConversation(model, argument, { title, active: activeConversation() });
      const text = conversation && (await askTitle(title, conversationTitle(conversation) ?? ''));
      return text === undefined ? undefined : { conversation, text };
    });
    if (!answer?.chosen.conversation) return;
    const { conversation, text } = answer.chosen;
    starts.titles.leave(conversation.id);
    let told: string | undefined;
    try {
      told = await answer.client.renameConversation(conversation.id, text);
    } catch (error) {
      await showError(l10n.t('Couldn’t rename the conversation.'), error);
      await model.refresh('conversations');
      return;
    }
    await model.refresh('conversations');
    // Some releases answer that all is well, and change nothing.
    const now = told ?? model.conversation(conversation.id)?.title ?? undefined;
    if (now === undefined || now === text || now !== (conversation.title ?? '')) return;
    void vscode.window.showWarningMessage(
      l10n.t('The conversation wasn’t renamed: this service keeps the title “{0}”.', plainText(now, 80)),
    );
  };
}

async function askTitle(title: string, value: string): Promise<string | undefined> {
  const answer = await askText({
    title,
    prompt: l10n.t('Title of the conversation'),
    placeholder: l10n.t('For example, Fix the login test'),
    value,
    validate: (text) =>
      text.trim() === '' ? l10n.t('Enter a title, or press Escape to cancel.') : undefined,
  });
  return typeof answer === 'string' ? plainText(answer, longestTitle) : undefined;
}
