import { commandIds, type CommandId } from '../../ids';
import type { Limit } from '../../shared/transcript';
import type { Ref } from '../../state/lists/ref';
import type { ConversationModels } from '../../state/transcript/models';
import type { PanelCommand } from './ports';

export interface PanelCommandNeeds {
  conversations: Pick<ConversationModels, 'model' | 'reconnect'>;
  /** The sandbox of a conversation; undefined if the lists don't have both. */
  sandboxOf: (id: string) => Promise<string | undefined>;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
}

const commandOf: Readonly<Record<Exclude<PanelCommand, 'nextStep'>, CommandId>> = {
  changePolicy: commandIds.conversationPolicy,
  showChanges: commandIds.changesShow,
  openAsText: commandIds.conversationOpenAsText,
  export: commandIds.conversationExport,
};

/** Runs what the page of a conversation offers. */
export function panelCommands({ conversations, sandboxOf, run }: PanelCommandNeeds) {
  const runOn = (command: CommandId, ref: Ref) => run(command, [{ ref }]);
  const nothing = () => Promise.resolve();
  const openInBrowser = (id: string) => runOn(commandIds.conversationOpen, { kind: 'conversation', id });
  const reconnect = (id: string) => conversations.reconnect(id);
  /** What helps against each limit of a transcript. */
  const nextSteps: Readonly<Record<Limit, (id: string) => Promise<void>>> = {
    none: nothing,
    stored: nothing,
    asleep: async (id) => {
      const sandbox = await sandboxOf(id);
      // Without one, the command asks which.
      if (sandbox === undefined) await run(commandIds.sandboxResume, []);
      else await runOn(commandIds.sandboxResume, { kind: 'sandbox', id: sandbox });
    },
    gone: () => run(commandIds.conversationStart, []),
    unreachable: openInBrowser,
    refused: reconnect,
    notAccepted: reconnect,
    busy: nothing,
    noEvents: openInBrowser,
    serverUnreachable: reconnect,
    serverRefused: () => run(commandIds.sessionSetKey, []),
  };
  return async (command: PanelCommand, id: string): Promise<void> => {
    if (command !== 'nextStep') await runOn(commandOf[command], { kind: 'conversation', id });
    else await nextSteps[conversations.model(id)?.head.limit ?? 'none'](id);
  };
}
