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

/** What helps against each limit of a transcript. */
const nextSteps: Readonly<
  Record<Limit, 'resume' | 'start' | 'openInBrowser' | 'reconnect' | 'setKey' | 'nothing'>
> = {
  none: 'nothing',
  stored: 'nothing',
  asleep: 'resume',
  gone: 'start',
  unreachable: 'openInBrowser',
  refused: 'reconnect',
  notAccepted: 'reconnect',
  busy: 'nothing',
  noEvents: 'openInBrowser',
  serverUnreachable: 'reconnect',
  serverRefused: 'setKey',
};

/** Runs what the page of a conversation offers. */
export function panelCommands({ conversations, sandboxOf, run }: PanelCommandNeeds) {
  const runOn = (command: CommandId, ref: Ref) => run(command, [{ ref }]);
  const steps: Readonly<Record<(typeof nextSteps)[Limit], (id: string) => Promise<void>>> = {
    resume: async (id) => {
      const sandbox = await sandboxOf(id);
      // Without one, the command asks which.
      if (sandbox === undefined) await run(commandIds.sandboxResume, []);
      else await runOn(commandIds.sandboxResume, { kind: 'sandbox', id: sandbox });
    },
    start: () => run(commandIds.conversationStart, []),
    openInBrowser: (id) => runOn(commandIds.conversationOpen, { kind: 'conversation', id }),
    reconnect: (id) => conversations.reconnect(id),
    setKey: () => run(commandIds.sessionSetKey, []),
    nothing: () => Promise.resolve(),
  };
  return async (command: PanelCommand, id: string): Promise<void> => {
    if (command !== 'nextStep') await runOn(commandOf[command], { kind: 'conversation', id });
    else await steps[nextSteps[conversations.model(id)?.head.limit ?? 'none']](id);
  };
}
