import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { conversationTitle } from '../../../core/lists/names';
import type { Handler } from '../../../editor/handler';
import { askText, needsText } from '../../../editor/inputs';
import { showError } from '../../../editor/progress';
import { plainText } from '../../../shared/plainText';
import type { ReadMarks } from '../../attention';
import type { StartTasks } from '../../start';
import {
  chooseConversation,
  chooseHere,
  readListsAgain,
  rowElsewhere,
  type RowNeeds,
} from '../../targets/editor';

const longestTitle = 200;

/** Rename Conversation…: on the service. */
export function rename(needs: RowNeeds & { starts: StartTasks; marks: ReadMarks }): Handler {
  const { session, model, others, starts, marks, activeConversation } = needs;
  return async (argument) => {
    const title = l10n.t('Rename Conversation');
    const titled = async (conversation: Conversation | undefined) => {
      const text = conversation && (await askTitle(title, conversationTitle(conversation) ?? ''));
      return text === undefined ? undefined : { conversation, text };
    };
    const elsewhere = rowElsewhere(needs, argument);
    const answer = elsewhere
      ? { client: elsewhere.client, chosen: await titled(elsewhere.chosen) }
      : await chooseHere(session, async () =>
          titled(await chooseConversation(model, argument, { title, active: activeConversation() })),
        );
    if (!answer?.chosen?.conversation) return;
    const { conversation, text } = answer.chosen;
    const { baseUrl } = answer.client;
    starts.titles.leave(conversation.id);
    marks.acted(baseUrl, ({ id }) => id === conversation.id);
    let told: string | undefined;
    try {
      told = await answer.client.renameConversation(conversation.id, text);
    } catch (error) {
      void showError(l10n.t('Couldn’t rename the conversation.'), error);
      return;
    } finally {
      await readListsAgain(needs, baseUrl);
    }
    // Some releases answer that all is well, and change nothing.
    const latest = elsewhere
      ? others.find(baseUrl, conversation.id)?.chosen
      : model.conversation(conversation.id);
    const now = told ?? latest?.title ?? undefined;
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
    validate: needsText,
  });
  return typeof answer === 'string' ? plainText(answer, longestTitle) : undefined;
}
