import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationAt, Holding } from '../../../core/lists/conversationAt';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { Handler } from '../../../editor/handler';
import { type CommandId, commandIds as ids } from '../../../ids';
import { changesInEditor, namedConversation } from './chooseConversation';
import { isElsewhere, selectedRows } from './selected';
import { type SwitchNeeds, switchTo } from './switchTo';

interface Needs {
  hold(service: string): Holding;
}

/** Does work on services that the window may not be connected to; their models are there until the work is done. */
export async function whileHeld(
  conversations: Needs,
  services: readonly (string | undefined)[],
  work: () => Promise<void>,
): Promise<void> {
  const named = services.filter((service) => service !== undefined);
  const holdings = [...new Set(named)].map((service) => conversations.hold(service));
  try {
    await Promise.all(holdings.map(({ reached }) => reached));
    await work();
  } finally {
    for (const holding of holdings) holding.dispose();
  }
}

/** A command that has the models of the services that its arguments name. */
export function held(conversations: Needs, handler: Handler): Handler {
  return (...args) => {
    const rows = [namedConversation(args[0], changesInEditor()), ...selectedRows(undefined, args[1])];
    return whileHeld(
      conversations,
      rows.map((row) => row?.service),
      () => handler(...args),
    );
  };
}

/** What needs the lists of the window’s own connection. */
const needLists: ReadonlySet<CommandId> = new Set<CommandId>([
  ids.conversationDelete,
  ids.conversationRevealSandbox,
  ids.conversationSwitchModel,
  ids.conversationSummarize,
]);

/** What looks for the conversation in the active tab among those of the window’s own connection. */
const needTab: ReadonlySet<CommandId> = new Set<CommandId>([
  ...needLists,
  ids.conversationOpen,
  ids.conversationOpenPullRequest,
  ids.conversationRename,
  ids.conversationCopyId,
  ids.conversationCopyLink,
  ids.conversationMarkRead,
  ids.conversationMarkUnread,
  ids.conversationPin,
  ids.conversationUnpin,
  ids.conversationArchive,
  ids.conversationUnarchive,
]);

/** A command that is given the conversation in the active tab as its row would be, if that is of another connection. */
export function onTab(
  { activeTab, model }: { activeTab: () => ConversationAt | undefined; model: ServiceModel },
  id: CommandId,
  handler: Handler,
): Handler {
  if (!needTab.has(id)) return handler;
  return (...args) => {
    const tab = activeTab();
    if (!tab || !isElsewhere(tab, model) || namedConversation(args[0], undefined)) return handler(...args);
    return handler({ ref: { kind: 'conversation', id: tab.id, service: tab.service } });
  };
}

/**
 * A command that, for rows of another connection, works once the window is on that one, if it needs its lists. Asks to
 * switch; rows of several connections are refused.
 */
export function onItsConnection(
  needs: SwitchNeeds & { model: ServiceModel },
  id: CommandId,
  handler: Handler,
): Handler {
  if (!needLists.has(id)) return handler;
  const { model } = needs;
  return async (...args) => {
    const rows = selectedRows(args[0], args[1]);
    const away = rows.filter((row) => isElsewhere(row, model));
    const [first] = away;
    if (first?.service === undefined) return handler(...args);
    if (away.length < rows.length || away.some(({ service }) => service !== first.service)) {
      void vscode.window.showInformationMessage(
        l10n.t('Select conversations of one connection only. Nothing was done.'),
      );
      return;
    }
    const { service } = first;
    const why = (name: string) =>
      l10n.t('This conversation is on {0} ({1}). This window is on another connection.', name, service);
    if (!(await switchTo(needs, service, why))) return;
    await model.refresh('conversations');
    if (rows.some((row) => !model.conversation(row.id))) {
      void vscode.window.showInformationMessage(
        l10n.t('The conversation isn’t loaded. Select “Load more” in Conversations, and then try again.'),
      );
      return;
    }
    await handler(...args);
  };
}
