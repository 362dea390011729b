import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import { conversationName } from '../../../core/lists/names';
import { refOf } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { conversationIcon } from '../../../core/lists/stateIcons';
import { conversationStateWords } from '../../../core/lists/stateWords';
import { conversationState, lastActive, waitsForUser } from '../../../core/lists/status';
import { askPick } from '../../../editor/inputs';
import { showError } from '../../../editor/progress';
import { changesScheme } from '../../../ids';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { conversationAt } from '../model/changePlace';
import { tellNone, tellSwitched } from './tellNone';

/**
 * The conversation that a command is about without asking: the row's, that whose changes a menu is about, or else the
 * active one. Menus of a tab or of Source Control give arguments of their own.
 */
export function namedConversation(
  argument: unknown,
  active: ConversationAt | undefined,
): ConversationAt | undefined {
  const ref = refOf(argument);
  if (ref?.kind === 'conversation') return ref;
  return changesAt(argument) ?? active;
}

const changesAt = (uri: unknown): ConversationAt | undefined =>
  uri instanceof vscode.Uri && uri.scheme === changesScheme ? conversationAt(uri) : undefined;

/** The conversation whose changes are in the active editor. */
export const changesInEditor = (): ConversationAt | undefined =>
  changesAt(vscode.window.activeTextEditor?.document.uri);

/** The row's conversation, or, from the palette, that in the active tab or one of those that fit. */
export async function chooseConversation(
  model: ServiceModel,
  argument: unknown,
  {
    title,
    fits = () => true,
    none = l10n.t('No conversations.'),
    active,
  }: {
    title: string;
    fits?: (conversation: Conversation) => boolean;
    none?: string;
    /** The id of the conversation in the active tab. */
    active?: string | undefined;
  },
): Promise<Conversation | undefined> {
  const at = namedConversation(argument, active === undefined ? undefined : { id: active });
  // Another service may use the same id for something else.
  if (at?.service !== undefined && at.service !== model.service) {
    tellSwitched();
    return undefined;
  }
  const named = at?.id;
  const known = named === undefined ? undefined : model.conversation(named);
  // A row's conversation is never replaced by another one.
  if (known || (named !== undefined && named !== active)) return known;
  await model.refresh('conversations');
  const { items: loaded, nextPageId } = model.conversations.state;
  const items = loaded.filter(fits).toSorted(byUrgency).map(choiceOf);
  if (items.length === 0 && nextPageId === null) {
    await tellNone(model, 'conversations', none);
    return undefined;
  }
  const picked = await askPick<Choice>({
    title,
    placeholder:
      nextPageId === null
        ? l10n.t('Select a conversation')
        : l10n.t('Select a conversation, or type part of a title to search all of them'),
    items,
    ...(nextPageId !== null && {
      search: async (text, add, signal) => {
        const known = new Set(loaded.map(({ id }) => id));
        try {
          await sleep(typingPauseMs, undefined, { signal });
          for await (const found of model.conversationsTitled(text, signal)) {
            add(found.filter((one) => !known.has(one.id) && fits(one)).map(choiceOf));
            for (const { id } of found) known.add(id);
          }
        } catch (error) {
          if (!signal.aborted) void showError(l10n.t('Couldn’t read the conversations.'), error);
        }
      },
    }),
  });
  return typeof picked === 'object' ? picked.conversation : undefined;
}

/** Nothing is asked before the user pauses this long, in milliseconds. */
const typingPauseMs = 200;

interface Choice extends vscode.QuickPickItem {
  conversation: Conversation;
}

/** As in the view: those that wait for the user first, then the last active. */
function byUrgency(a: Conversation, b: Conversation): number {
  return Number(waitsForUser(b)) - Number(waitsForUser(a)) || lastActive(b) - lastActive(a);
}

/** A conversation as pickers show it. */
export function choiceOf(conversation: Conversation): Choice {
  const { name, color } = conversationIcon(conversation);
  return {
    conversation,
    label: conversationName(conversation),
    // A picker doesn't spin icons.
    iconPath: new vscode.ThemeIcon(
      name.replace(/~spin$/, ''),
      color === undefined ? undefined : new vscode.ThemeColor(color),
    ),
    description: joined(
      conversationStateWords(conversationState(conversation)),
      plainText(conversation.selected_repository ?? '', 80),
    ),
  };
}
