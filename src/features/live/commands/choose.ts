import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import type { ConversationsElsewhere } from '../../../core/lists/elsewhere';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import type { ConfiguredConnections } from '../../../editor/connectionEntries';
import { showNotice } from '../../../editor/notifications';
import { commandIds } from '../../../ids';
import { plainText } from '../../../shared/plainText';
import {
  changesInEditor,
  chooseConversation,
  namedConversation,
  chooseHere,
  isElsewhere,
} from '../../targets/editor';
import { words } from '../../transcript';
import type { ConversationModel } from '../model/model';
import type { ConversationModels } from '../model/models';

export type LiveNeeds = { session: SessionStore; model: ServiceModel; others: ConversationsElsewhere } & {
  conversations: ConversationModels;
  listConnections: () => ConfiguredConnections;
  activeTab: () => ConversationAt | undefined;
};

/** A conversation that a command is about. */
export interface Live {
  model: ConversationModel;
  /** The base URL of its service. */
  service: string | undefined;
  /** The repository that it’s about, if the list of conversations names it. */
  repository: string | null | undefined;
}

/**
 * The model of the row's conversation, of that in the active tab or whose changes are there, or of one that the user
 * selects; undefined if the service has no transcripts, or can’t be reached. A named conversation may not be in the list:
 * it can come from a link, or be on another service than the connected one, which is held while the command runs.
 */
export async function chooseLive(
  needs: LiveNeeds,
  argument: unknown,
  options: Parameters<typeof chooseConversation>[2],
): Promise<Live | undefined> {
  const { session, model, conversations, activeTab } = needs;
  const choose = () => chooseConversation(model, argument, options);
  const active = activeTab() ?? (options.fits ? undefined : changesInEditor());
  const at = namedConversation(argument, active) ?? (await chooseHere(session, choose))?.chosen;
  if (!at) return undefined;
  const { id } = at;
  const here = conversations.service;
  const service = 'service' in at && typeof at.service === 'string' ? at.service : here;
  const live = conversations.model(id, service);
  if (live) {
    const known = service === here ? model.conversation(id)?.selected_repository : live.head.about.repository;
    return { model: live, service, repository: known === '' ? undefined : known };
  }
  const why = whyNoModel(needs, service);
  if (service === here) void vscode.window.showInformationMessage(why);
  else
    void showNotice('warning', why, [{ title: l10n.t('Connect…') }]).then(
      (picked) => picked && vscode.commands.executeCommand(commandIds.connectionConnect, { url: service }),
    );
  return undefined;
}

/** Why a conversation of a service can’t be worked on here. */
export function whyNoModel(
  { conversations, listConnections }: Pick<LiveNeeds, 'conversations' | 'listConnections'>,
  service: string | undefined,
): string {
  if (service === undefined || service === conversations.service)
    return l10n.t('Conversations of this service can only be continued in the browser.');
  const known = listConnections().connections.find(({ baseUrl }) => baseUrl === service);
  return words.notConnectedTo(plainText(known?.name ?? service, 200));
}

/** A row’s conversation, as last read from its service. */
export const knownAt = (
  { model, others }: Pick<LiveNeeds, 'model' | 'others'>,
  row: ConversationAt,
): Conversation | undefined =>
  row.service !== undefined && isElsewhere(row, model)
    ? others.find(row.service, row.id)?.chosen
    : model.conversation(row.id);

export function titleOf({ head }: ConversationModel): string {
  return plainText(head.title, 80) || l10n.t('Conversation');
}
