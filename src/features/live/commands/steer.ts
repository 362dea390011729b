import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import { conversationName } from '../../../core/lists/names';
import type { Handler } from '../../../editor/handler';
import { quotedNames, sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { selectedRows } from '../../targets/editor';
import { cannotReach } from '../../transcript';
import type { Outcome } from '../model/model';
import { chooseLive, knownAt, type LiveNeeds } from './choose';
import { workOn } from './work';

const words = {
  pause: {
    title: () => l10n.t('Pause Agent'),
    progress: () => l10n.t('Pausing agent…'),
    done: () => l10n.t('The agent pauses when its current step ends. A running command still finishes.'),
  },
  interrupt: {
    title: () => l10n.t('Interrupt Agent'),
    progress: () => l10n.t('Interrupting agent…'),
    done: () => l10n.t('The agent was interrupted.'),
  },
} as const;

/** Pause Agent and Interrupt Agent. */
export function steer(needs: LiveNeeds, how: 'pause' | 'interrupt'): Handler {
  return async (argument, selection) => {
    const several = selectedRows(argument, selection);
    if (how === 'pause' && several.length > 1) return pauseSeveral(needs, several);
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
async function pauseSeveral(needs: LiveNeeds, rows: readonly ConversationAt[]): Promise<void> {
  let reached = 0;
  const failed: string[] = [];
  let problem = '';
  for (const row of rows) {
    const live = needs.conversations.model(row.id, row.service);
    const known = knownAt(needs, row);
    if (!live || known?.execution_status?.toLowerCase() !== 'running') continue;
    const outcome = await workOn(live, words.pause.progress(), () => live.pause());
    // Only the user ends it for all: the others may be on another connection.
    if (outcome === undefined && !live.signal.aborted) break;
    if (outcome?.kind === 'done') reached += 1;
    else {
      failed.push(plainText(conversationName(known), 80));
      problem ||= outcome?.problem ?? cannotReach.none();
    }
  }
  if (failed.length > 0)
    void vscode.window.showWarningMessage(
      sentences(l10n.t('Couldn’t pause {0}.', quotedNames(failed)), problem),
    );
  if (reached > 0)
    void vscode.window.showInformationMessage(
      l10n.t('{0} agents pause when their current steps end.', reached),
    );
}

/** Reports the outcome of a change; `done` only if it can't be seen elsewhere. */
export function tell(outcome: Outcome | undefined, done?: string): void {
  if (outcome === undefined) return;
  if (outcome.kind !== 'done') void vscode.window.showWarningMessage(outcome.problem);
  else if (done !== undefined) void vscode.window.showInformationMessage(done);
}
