import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import type { Handler } from '../../../editor/handler';
import { isElsewhere, selectedRows } from '../../targets/editor';
import type { Outcome } from '../model/model';
import { chooseLive, type LiveNeeds } from './choose';
import { workOn } from './work';

const words = {
  pause: {
    title: () => l10n.t('Pause Agent'),
    progress: () => l10n.t('Pausing agent…'),
    done: () => l10n.t('The agent pauses when its current step ends. A running command still finishes.'),
    several: (count: number) => l10n.t('{0} agents pause when their current steps end.', count),
  },
  interrupt: {
    title: () => l10n.t('Interrupt Agent'),
    progress: () => l10n.t('Interrupting agent…'),
    done: () => l10n.t('The agent was interrupted.'),
    several: (count: number) => l10n.t('{0} agents were interrupted.', count),
  },
} as const;

/** Pause Agent and Interrupt Agent. */
export function steer(needs: LiveNeeds, how: 'pause' | 'interrupt'): Handler {
  return async (argument, selection) => {
    const several = selectedRows(argument, selection);
    if (several.length > 1) return steerSeveral(needs, several, how);
    const live = await chooseLive(needs, argument, {
      title: words[how].title(),
      fits: ({ execution_status: state }) => state?.toLowerCase() === 'running',
      none: l10n.t('No agent is working.'),
    });
    if (!live) return;
    const outcome = await workOn(live.model, words[how].progress(), () => live.model[how]());
    tell(outcome, words[how].done());
  };
}

/** The agents of the selected conversations that work, one after the other. */
async function steerSeveral(
  { model, others, conversations }: LiveNeeds,
  rows: readonly ConversationAt[],
  how: 'pause' | 'interrupt',
): Promise<void> {
  let reached = 0;
  for (const row of rows) {
    const { id, service } = row;
    const live = conversations.model(id, service);
    const known =
      service !== undefined && isElsewhere(row, model)
        ? others.find(service, id)?.chosen
        : model.conversation(id);
    if (!live || known?.execution_status?.toLowerCase() !== 'running') continue;
    const outcome = await workOn(live, words[how].progress(), () => live[how]());
    if (outcome === undefined) break;
    if (outcome.kind === 'done') reached += 1;
    else tell(outcome);
  }
  if (reached > 0) void vscode.window.showInformationMessage(words[how].several(reached));
}

/** Reports the outcome of a change; `done` only if it can't be seen elsewhere. */
export function tell(outcome: Outcome | undefined, done?: string): void {
  if (outcome === undefined) return;
  if (outcome.kind !== 'done') void vscode.window.showWarningMessage(outcome.problem);
  else if (done !== undefined) void vscode.window.showInformationMessage(done);
}
