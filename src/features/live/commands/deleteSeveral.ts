import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { conversationName } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import { confirmed, listed } from '../../../editor/inputs';
import { showError, unlessCanceled } from '../../../editor/progress';
import { sentences } from '../../../shared/joined';
import {
  deleteAllAsPlanned,
  type Deletion,
  type DeletionOutcome,
  isSafe,
  planDeletions,
} from '../../targets';
import { chooseHere } from '../../targets/editor';

interface Needs {
  session: SessionStore;
  model: ServiceModel;
  closeConversation: (id: string) => Promise<void>;
}

/** Delete Conversation… for several rows: asks one question, which names them and what is deleted with them. */
export async function deleteSeveral(
  { session, model, closeConversation }: Needs,
  ids: readonly string[],
): Promise<void> {
  const deleted: Deletion[] = [];
  let total = ids.length;
  try {
    const answer = await chooseHere(session, async (client) => {
      const conversations = ids.flatMap((id) => model.conversation(id) ?? []);
      const plans = await unlessCanceled(l10n.t('Reading conversations…'), (_report, signal) =>
        planDeletions(client, conversations, signal),
      );
      const safe = plans?.filter(isSafe);
      return plans && safe && (await isWanted(safe, plans)) ? safe : undefined;
    });
    if (!answer) return;
    const { client, chosen: plans } = answer;
    total = plans.length;
    const outcome = await unlessCanceled(l10n.t('Deleting conversations…'), (report, signal) => {
      const done = (plan: Deletion) => {
        deleted.push(plan);
        report(l10n.t('{0} of {1}', deleted.length, total));
      };
      return deleteAllAsPlanned(client, plans, done, signal);
    });
    if (outcome === undefined) tellRest(deleted.length, total);
    else if (outcome !== 'deleted')
      void vscode.window.showWarningMessage(warnings[outcome](deleted.length, total));
  } catch (error) {
    // It lasts until the user closes it.
    void showError(countWords(deleted.length, total), error);
  }
  for (const { conversation, below } of deleted)
    for (const { id } of [conversation, ...below]) await closeConversation(id);
  await model.refresh('conversations', 'sandboxes');
}

const countWords = (count: number, total: number) =>
  count === 0
    ? l10n.t('Couldn’t delete the conversations.')
    : l10n.t('Deleted {0} of {1} conversations.', count, total);

/** The user canceled in the middle. */
function tellRest(count: number, total: number): void {
  if (count > 0) void vscode.window.showInformationMessage(countWords(count, total));
}

const warnings: Record<Exclude<DeletionOutcome, 'deleted'>, (count: number, total: number) => string> = {
  changed: (count, total) =>
    count === 0
      ? l10n.t('The conversations have changed, so nothing was deleted. Try again.')
      : sentences(countWords(count, total), l10n.t('The others have changed. Try again.')),
  sandboxMayStay: () =>
    l10n.t(
      'The conversations were deleted, but some of their sandboxes may not have been. If they’re still in Sandboxes, delete them there.',
    ),
};

/** Asks about what can be deleted, and names what can't. */
async function isWanted(safe: readonly Deletion[], plans: readonly Deletion[]): Promise<boolean> {
  const namesOf = (some: readonly Deletion[]) =>
    listed(some.map(({ conversation }) => conversationName(conversation)));
  const unsafe = plans.filter((plan) => !safe.includes(plan));
  const why = l10n.t(
    'These can’t be deleted on their own, because other conversations use their sandboxes or can’t be read:',
  );
  const stay = unsafe.length === 0 ? [] : [`${why}\n${namesOf(unsafe)}`];
  if (safe.length === 0) {
    const message = l10n.t('These conversations can’t be deleted on their own.');
    await vscode.window.showWarningMessage(message, { modal: true, detail: stay.join('') });
    return false;
  }
  const below = safe.flatMap((plan) => plan.below);
  const sandboxes = safe.some(({ hasNoSandbox }) => hasNoSandbox)
    ? l10n.t('Their folders may be deleted too, including all work that wasn’t pushed.')
    : l10n.t(
        'Sandboxes that no other conversation uses are deleted too, including all work that wasn’t pushed.',
      );
  const also =
    below.length === 0
      ? []
      : [
          `${l10n.t('Conversations that their agents started are deleted too:')}\n${listed(below.map((one) => conversationName(one)))}`,
        ];
  const detail = [namesOf(safe), sentences(sandboxes, l10n.t('You can’t undo this.')), ...also, ...stay];
  const question =
    safe.length === 1 ? l10n.t('Delete 1 conversation?') : l10n.t('Delete {0} conversations?', safe.length);
  return confirmed(question, detail.join('\n\n'), l10n.t('Delete'));
}
