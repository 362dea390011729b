import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { viewIds } from '../../../ids';
import { showError, withProgress } from '../../../platform/progress';
import { asSentence, sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { StartFailed } from '../../../state/conversations/startConversation';
import {
  Dismissed,
  mayHaveStarted,
  NotFollowed,
  type BeginOptions,
  type BegunStart,
  type LeftStart,
} from '../../../state/conversations/startTasks';
import { stepWords } from '../../../state/conversations/startWords';
import type { CommandDependencies } from '../../dependencies';

/** The user stopped waiting. */
class Left extends Error {
  constructor(readonly outcome: LeftStart) {
    super();
  }
}

/** Rejects with `Left` when the signal is aborted. */
export function leftBy(signal: AbortSignal, giveUp: BegunStart['giveUp']): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Left(giveUp())), { once: true });
  });
}

/**
 * Starts a conversation with progress, and leaves the editor of the message once the service has accepted it. Resolves
 * to the conversation’s id; rejects with what `tellFailedStart` tells.
 * @param begun called with the start before anything else becomes of it
 */
export function startWithProgress(
  { model, message, starts }: Pick<CommandDependencies, 'model' | 'message' | 'starts'>,
  options: Pick<BeginOptions, 'client' | 'request' | 'place' | 'label' | 'message'> & {
    accepted: () => void;
  },
  begun?: (start: BegunStart) => void,
): Promise<string> {
  return withProgress(l10n.t('Starting conversation'), (report, signal) => {
    const start = starts.begin({
      ...options,
      report: (step) => report(stepWords(step)),
      accepted: () => {
        options.accepted();
        // If the text has changed since, it's another message.
        if (message.text === options.message) void message.discard();
      },
    });
    begun?.(start);
    const ended = start.ended.finally(() => void model.refresh('conversations', 'sandboxes'));
    return Promise.race([model.pending.during(ended), leftBy(signal, () => start.giveUp())]);
  });
}

/**
 * Says what became of a start that didn’t lead to a conversation here.
 * @param unsent says what won't be sent once a start that's still running has ended
 */
export async function tellFailedStart(error: unknown, unsent = ''): Promise<void> {
  // Dismiss has already said it.
  if (error instanceof Dismissed) return;
  if (error instanceof Left) {
    await tellLeft(error.outcome, sentences(stillStarting(), unsent));
  } else if (mayHaveStarted(error)) {
    await tellUnknown();
  } else if (error instanceof NotFollowed) {
    void vscode.window.showWarningMessage(
      sentences(
        l10n.t(
          'The session key was cleared or replaced. The conversation is still starting on the service. Follow it in Conversations after you set a key.',
        ),
        unsent,
      ),
    );
  } else if (error instanceof StartFailed) {
    void vscode.window.showErrorMessage(
      l10n.t(
        'Couldn’t start the conversation: {0} Your message is still in its row in Conversations.',
        asSentence(plainText(error.message, 300)),
      ),
    );
  } else {
    await showError(l10n.t('Couldn’t start the conversation. Your message is still here.'), error);
  }
}

/** Says what becomes of a start that nobody waits for anymore; `goesOn` says where to find it. */
export async function tellLeft(outcome: LeftStart, goesOn = stillStarting()): Promise<void> {
  if (outcome === 'unknown') await tellUnknown();
  else void vscode.window.showInformationMessage(outcome === 'goesOn' ? goesOn : notStarted());
}

/** Tells the user where to look after a start with an unknown outcome. */
async function tellUnknown(): Promise<void> {
  const show = l10n.t('Show Conversations');
  const picked = await vscode.window.showWarningMessage(
    l10n.t(
      'The conversation may have started. Check Conversations before trying again. Your message is still here.',
    ),
    show,
  );
  if (picked === show) await vscode.commands.executeCommand(`${viewIds.conversations}.focus`);
}

const stillStarting = () =>
  l10n.t('The conversation is still starting on the service. Follow it in Conversations.');
const notStarted = () =>
  l10n.t('No conversation was started. Your message is still here. A sandbox may still be starting.');
