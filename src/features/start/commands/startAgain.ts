import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { confirmed } from '../../../editor/inputs';
import type { MessageEditor } from '../../../editor/messageEditor';
import { gitProviders } from '../../../shared/gitProviders';
import { plainText } from '../../../shared/plainText';
import { chooseLive, type Live, type LiveNeeds, readFirst } from '../../live/editor';
import type { ConversationChoice } from '../model/choice';

type Needs = LiveNeeds & { message: MessageEditor };

/** Start Again…: the editor of a new message with the first message of a conversation, and its options. */
export function startAgain(needs: Needs): Handler {
  return async (argument) => {
    const live = await chooseLive(needs, argument, { title: l10n.t('Start Again') });
    const none = l10n.t('This conversation has no message of yours to start again with.');
    const first = live && (await readFirst(live.model, none));
    if (!first) return;
    const { message } = needs;
    if (message.text !== '' && message.text !== first.text.trim()) {
      const agreed = await confirmed(
        l10n.t('Replace the message of your new conversation?'),
        l10n.t('“{0}” hasn’t been sent.', plainText(message.text, 80)),
        l10n.t('Replace'),
      );
      if (!agreed) return;
      await message.discard();
    }
    const { folder } = live.model.head.about;
    const choice = choiceOf(needs, live);
    await message.restore(first.text, { choice, ...(folder !== '' && { folder }) });
    if (first.images > 0)
      void vscode.window.showInformationMessage(
        l10n.t('The pictures of the message aren’t included. Add them after the conversation has started.'),
      );
  };
}

/** The options of a conversation, as far as its service says; one of another service has its models, too. */
function choiceOf({ model, conversations }: Needs, { model: live, service }: Live): ConversationChoice {
  const { id, head } = live;
  const isHere = service === conversations.service;
  const record = isHere ? model.conversation(id) : undefined;
  const provider = gitProviders.find((name) => name === record?.git_provider);
  const repository = record?.selected_repository ?? head.about.repository;
  const branch = record?.selected_branch ?? head.about.branch;
  const llm = isHere ? (record?.llm_model ?? head.about.model) : '';
  return {
    place: { kind: 'default' },
    ...(repository !== '' && { repository, ...(branch !== '' && { branch }) }),
    ...(provider && { provider }),
    ...(llm !== '' && { model: llm }),
  };
}
