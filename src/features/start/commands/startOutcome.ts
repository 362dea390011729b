import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RecordRef } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { clientOf, type SessionStore } from '../../../core/session/session';
import { viewIds } from '../../../ids';
import { asSentence } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { startTabId } from '../../../shared/startTab';
import { pauseForMore, pauseForMoreTitle } from '../../sandboxes/editor';
import {
  Dismissed,
  mayHaveStarted,
  NotFollowed,
  type BegunStart,
  type LeftStart,
  type StartTasks,
} from '../model/startTasks';
import { finishDelivery, type FinishNeeds } from './finishDelivery';

export type OutcomeNeeds = FinishNeeds & {
  model: ServiceModel;
  reveal: (ref: RecordRef, focus: boolean) => Promise<void>;
  starts: StartTasks;
  session: SessionStore;
};

/**
 * Shows a start in its tab, with its steps and any failure, and follows it until its conversation has everything that
 * was to be sent. If that tab isn't on screen, says how it ended.
 */
export async function followStart(needs: OutcomeNeeds, { id: startId, ended }: BegunStart): Promise<void> {
  const { model, reveal, starts, deliveries, showConversation, isConversationVisible } = needs;
  const tab = startTabId(startId);
  const { label = '' } = starts.get(startId) ?? {};
  const name = plainText(label, 80) || l10n.t('New conversation');
  try {
    const [id] = await Promise.all([
      model.pending.during(ended.finally(() => void model.refresh('conversations', 'sandboxes'))),
      showConversation(tab),
    ]);
    const delivery = deliveries.ofStart(startId);
    if (delivery && !(await finishDelivery(needs, { ...delivery, conversationId: id }))) return;
    tellHeld(starts, [startId]);
    const isSeen = isConversationVisible(tab) || isConversationVisible(id);
    await model.refresh('conversations', 'sandboxes');
    // The editor may take its time to find a row while the list changes.
    await Promise.all([reveal({ kind: 'conversation', id }, false), isSeen || tellStarted(needs, name, id)]);
  } catch (error) {
    // Dismiss has already said it.
    if (error instanceof Dismissed) return;
    // Show what the service has now before telling the user.
    if (mayHaveStarted(error)) await model.refresh('conversations', 'sandboxes');
    if (error instanceof NotFollowed) tellNotFollowed();
    else if (starts.get(startId)?.overLimit === true) await offerPause(needs, startId, name);
    else if (!isConversationVisible(tab)) await tellFailed(needs, startId, name);
  }
}

async function tellStarted({ showConversation }: OutcomeNeeds, name: string, id: string): Promise<void> {
  const open = l10n.t('Open Conversation');
  const picked = await vscode.window.showInformationMessage(l10n.t('“{0}” has started.', name), open);
  if (picked === open) await showConversation(id);
}

/**
 * Says that conversations exist whose agents may not work now; `all` is the number of attempts that were started
 * together.
 */
export function tellHeld({ limits }: StartTasks, ids: readonly string[], all = 1): void {
  const [first] = ids;
  const reason = first === undefined ? undefined : limits.heldWith(first);
  if (reason === undefined) return;
  const why = asSentence(
    plainText(reason, 200) || l10n.t('The server can’t run any more agents at the same time.'),
  );
  void vscode.window.showWarningMessage(
    all === 1
      ? l10n.t('The conversation was created, but its agent isn’t working: {0} Resume it later.', why)
      : l10n.t(
          '{0} of {1} attempts were created, but their agents aren’t working: {2} Resume them later.',
          ids.length,
          all,
          why,
        ),
  );
}

/** Says that a start continues without this window. */
export function tellNotFollowed(): void {
  void vscode.window.showWarningMessage(
    l10n.t(
      'The session key was cleared or replaced. The conversation is still starting. Set a key to follow it.',
    ),
  );
}

/** Says that a start failed because no more sandboxes may run, and offers to pause one. */
async function offerPause(needs: OutcomeNeeds, id: string, name: string): Promise<void> {
  const reason = plainText(needs.starts.get(id)?.failure ?? '', 300);
  const words = l10n.t('Couldn’t start “{0}”: {1} Your message is kept.', name, reason);
  const pause = pauseForMoreTitle();
  if ((await vscode.window.showErrorMessage(words, pause)) === pause) await pauseAndRetryNow(needs, id);
}

/** Tries a start again once the user has paused a sandbox. */
export async function pauseAndRetryNow(needs: OutcomeNeeds, id: string): Promise<void> {
  const { starts, model, session } = needs;
  if (!(await pauseForMore(model))) return;
  const client = clientOf(session.current);
  const failed = starts.get(id);
  const begun = client && failed && starts.retry(id, client, failed.message);
  if (begun) await followStart(needs, begun);
}

/** Says that a start failed, and offers its tab, which has the reason and the message. */
async function tellFailed(
  { starts, showConversation }: OutcomeNeeds,
  id: string,
  name: string,
): Promise<void> {
  const { failure, unknown } = starts.get(id) ?? {};
  if (failure === undefined) return;
  const show = l10n.t('Show');
  const reason = plainText(failure, 300);
  const picked = unknown
    ? await vscode.window.showWarningMessage(mayHaveStartedWords(), show)
    : await vscode.window.showErrorMessage(
        l10n.t('Couldn’t start “{0}”: {1} Your message is kept.', name, reason),
        show,
      );
  if (picked === show && starts.get(id)) await showConversation(startTabId(id));
}

/** Says what happens to a start that was dismissed; if it `goesOn`, says where to find it. */
export async function tellLeft(outcome: LeftStart, goesOn: string): Promise<void> {
  if (outcome !== 'unknown') {
    void vscode.window.showInformationMessage(outcome === 'goesOn' ? goesOn : notStarted());
    return;
  }
  const show = l10n.t('Show Conversations');
  const picked = await vscode.window.showWarningMessage(mayHaveStartedWords(), show);
  if (picked === show) await vscode.commands.executeCommand(`${viewIds.conversations}.focus`);
}

const mayHaveStartedWords = () =>
  l10n.t(
    'The conversation may have started. Check Conversations before trying again. Your message is still here.',
  );
const notStarted = () =>
  l10n.t('No conversation was started. Your message is still here. A sandbox may still be starting.');
