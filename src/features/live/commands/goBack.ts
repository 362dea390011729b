import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { agreedTo, askPick } from '../../../editor/inputs';
import { membersOf } from '../../../shared/membersOf';
import { plainText } from '../../../shared/plainText';
import { senderWords } from '../../../shared/entryTitles';
import type { Entry } from '../../../shared/transcript';
import { serverOf, tellFailed } from '../../targets/editor';
import { refuseUnlessResting } from '../model/goingBack';
import type { ConversationModel } from '../model/model';
import { chooseLive, type LiveNeeds, titleOf } from './choose';
import { tell } from './steer';
import { workOn } from './work';

type Needs = LiveNeeds & {
  showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void>;
};

/** Branch Conversation…: starts a new conversation with everything up to an entry. */
export function branchHere(needs: Needs): Handler {
  return async (argument) => {
    const title = l10n.t('Branch Conversation');
    const at = await choosePlace(needs, argument, title);
    if (!at) return;
    const { model, service, entry } = at;
    const { folder } = model.head.about;
    const detail = l10n.t(
      'A new conversation begins with everything up to “{0}”. Both agents work in the same folder, {1}: each sees and can overwrite what the other does there.',
      entry.words,
      folder || '…',
    );
    if (!(await agreedTo(l10n.t('Branch from here?'), detail, l10n.t('Branch Here')))) return;
    try {
      const name = l10n.t('{0} (branch)', titleOf(model));
      const id = await workOn(model, l10n.t('Branching the conversation…'), () =>
        model.branch(entry.id, name),
      );
      if (id === undefined) return;
      await needs.model.refresh('conversations');
      await needs.showConversation(id, 'composer', service);
    } catch (error) {
      await needs.model.refresh('conversations');
      await tellFailed(l10n.t('Couldn’t branch the conversation.'), error);
    }
  };
}

/** Go Back Here…: the agent continues from an earlier entry. */
export function goBackHere(needs: Needs): Handler {
  return async (argument) => {
    const at = await choosePlace(needs, argument, l10n.t('Go Back Here'));
    if (!at) return;
    const { model, service, entry } = at;
    const detail = l10n.t(
      'The agent continues from “{0}” and no longer knows what came after it. Later entries stay in the transcript. Files stay as they are now.',
      entry.words,
    );
    if (!(await agreedTo(l10n.t('Go back to here?'), detail, l10n.t('Go Back')))) return;
    const outcome = await workOn(model, l10n.t('Going back…'), () => model.goBack(entry.id));
    tell(outcome);
    if (outcome?.kind === 'done') await needs.showConversation(model.id, 'composer', service);
  };
}

interface Place {
  id: string;
  /** The beginning of the entry. */
  words: string;
}

/** The entry that the command was called with, or a message that the user selects. */
async function choosePlace(needs: Needs, argument: unknown, title: string) {
  const live = serverOf(needs) && (await chooseLive(needs, argument, { title }));
  if (!live) return undefined;
  const { model } = live;
  try {
    // Before anything is asked; the agent server is asked again before anything is done.
    refuseUnlessResting(model.head);
  } catch (error) {
    await tellFailed(title, error);
    return undefined;
  }
  const { entry: given } = membersOf(argument);
  const known = model.entries.find(({ id }) => id === given);
  const entry = known ? { id: known.id, words: wordsOf(known) } : await askPlace(model, title);
  return entry && { ...live, entry };
}

async function askPlace(model: ConversationModel, title: string): Promise<Place | undefined> {
  const items = await workOn(model, l10n.t('Loading the conversation…'), () =>
    Promise.resolve(
      model.entries
        .filter((entry) => entry.kind === 'message')
        .toReversed()
        .map((entry) => ({
          id: entry.id,
          words: wordsOf(entry),
          label: wordsOf(entry),
          description: senderWords[entry.from](),
        })),
    ),
  );
  if (items?.length === 0)
    void vscode.window.showInformationMessage(l10n.t('The conversation has no message yet.'));
  if (!items || items.length === 0) return undefined;
  const picked = await askPick({ title, placeholder: l10n.t('Select the message to continue from'), items });
  return typeof picked === 'object' ? picked : undefined;
}

/** An entry in a few words. */
function wordsOf(entry: Entry): string {
  const text =
    entry.kind === 'message'
      ? entry.text.text
      : entry.kind === 'step'
        ? entry.summary || ('command' in entry.detail ? entry.detail.command : entry.thought)
        : '';
  return plainText(text.trim(), 80) || l10n.t('this entry');
}
