import { commandIds, type CommandId } from '../../../ids';
import { startOfTab } from '../../../shared/startTab';
import type { Limit } from '../../../shared/transcript';
import type { Ref } from '../../../core/lists/ref';
import type { ConversationModels } from '../../live';
import type { PanelCommand } from './ports';

export interface PanelCommandNeeds {
  conversations: Pick<ConversationModels, 'reconnect' | 'service'>;
  /** Switches the window to a service if the user agrees; resolves to whether it’s there. */
  switchTo: (service: string) => Promise<boolean>;
  /** The sandbox of a conversation; undefined if the lists don't have both. */
  sandboxOf: (id: string) => Promise<string | undefined>;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
}

/** Runs what the page of a conversation offers. */
export function panelCommands({ conversations, switchTo, sandboxOf, run }: PanelCommandNeeds) {
  const runOn = (command: CommandId, ref: Ref) => run(command, [{ ref }]);
  const runsHere = (command: CommandId) => (id: string) => runOn(command, { kind: 'conversation', id });
  const onStart = (command: CommandId) => (id: string) =>
    runOn(command, { kind: 'start', id: startOfTab(id) ?? id });
  const openInBrowser = runsHere(commandIds.conversationOpen);
  const reconnect = 'reconnect';
  /** What helps against each limit of a transcript. */
  const nextSteps: Readonly<Record<Limit, typeof reconnect | ((id: string) => Promise<void>)>> = {
    none: reconnect,
    stored: reconnect,
    asleep: async (id) => {
      const sandbox = await sandboxOf(id);
      // Without one, the command asks which.
      if (sandbox === undefined) await run(commandIds.sandboxResume, []);
      else await runOn(commandIds.sandboxResume, { kind: 'sandbox', id: sandbox });
      await conversations.reconnect(id);
    },
    gone: () => run(commandIds.conversationStart, []),
    deleted: reconnect,
    unreachable: openInBrowser,
    onService: openInBrowser,
    refused: reconnect,
    notAccepted: reconnect,
    busy: reconnect,
    noEvents: openInBrowser,
    serverUnreachable: reconnect,
    serverRefused: () => run(commandIds.sessionSetKey, []),
    starting: onStart(commandIds.conversationDismissStart),
    notStarted: onStart(commandIds.conversationRetryStart),
    mayHaveStarted: onStart(commandIds.conversationRetryStart),
    overLimit: onStart(commandIds.conversationPauseAndRetry),
    notDelivered: onStart(commandIds.conversationDismissStart),
    policyNotSet: onStart(commandIds.conversationDismissStart),
  };
  /** These act on the conversation wherever it is. */
  const anywhere: Readonly<Partial<Record<PanelCommand, CommandId>>> = {
    changePolicy: commandIds.conversationPolicy,
    showChanges: commandIds.changesShow,
    openAsText: commandIds.conversationOpenAsText,
    export: commandIds.conversationExport,
  };
  const here: Readonly<Partial<Record<PanelCommand, (id: string) => Promise<void>>>> = {
    openPullRequest: runsHere(commandIds.conversationOpenPullRequest),
    revealSandbox: runsHere(commandIds.conversationRevealSandbox),
  };
  /**
   * What needs the lists of the connected service may have to switch the window before.
   * @param limit of the transcript on screen
   */
  return async (command: PanelCommand, id: string, service: string, limit: Limit): Promise<void> => {
    const everywhere = anywhere[command];
    const act = command === 'nextStep' ? nextSteps[limit] : here[command];
    if (everywhere) await runOn(everywhere, { kind: 'conversation', id, service });
    else if (act === reconnect) await conversations.reconnect(id, service);
    else if (conversations.service === service || (await switchTo(service))) await act?.(id);
  };
}
