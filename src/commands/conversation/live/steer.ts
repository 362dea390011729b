import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Outcome } from '../../../state/transcript/model';
import type { Handler } from '../../dependencies';
import { chooseLive, type LiveNeeds } from './choose';
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
  return async (argument) => {
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

/** Reports the outcome of a change; `done` only if it can't be seen elsewhere. */
export function tell(outcome: Outcome | undefined, done?: string): void {
  if (outcome === undefined) return;
  if (outcome.kind !== 'done') void vscode.window.showWarningMessage(outcome.problem);
  else if (done !== undefined) void vscode.window.showInformationMessage(done);
}
