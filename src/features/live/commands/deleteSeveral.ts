import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { conversationName } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import { confirmed, listed } from '../../../editor/inputs';
import { showError, unlessCanceled } from '../../../editor/progress';
import { commandIds, type CommandId } from '../../../ids';
import { quotedNames, sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { deleteAllAsPlanned, type Deletion, isSafe, type NotDeleted, planDeletions } from '../../targets';
import { chooseHere } from '../../targets/editor';

interface Needs {
  session: SessionStore;
  model: ServiceModel;
  closeConversation: (id: string) => Promise<void>;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
}

/** Delete Conversation… for several rows: asks one question, which names them and what is deleted with them. */
export async function deleteSeveral(
  { session, model, closeConversation, run }: Needs,
  ids: readonly string[],
): Promise<void> {
  const deleted: Deletion[] = [];
  try {
    const answer = await chooseHere(session, async (client) => {
      const conversations = ids.flatMap((id) => model.conversation(id) ?? []);
      const plans = await unlessCanceled(l10n.t('Reading conversations…'), (_report, signal) =>
        planDeletions(client, conversations, signal),
      );
      const safe = plans?.filter(isSafe);
      return plans && safe && (await isWanted(safe, plans, run)) ? safe : undefined;
    });
    if (!answer) return;
    const { client, chosen: plans } = answer;
    const total = plans.length;
    const doubtful: Deletion[] = [];
    const left = await unlessCanceled(l10n.t('Deleting…'), (report, signal) =>
      deleteAllAsPlanned(
        client,
        plans,
        (plan, outcome) => {
          deleted.push(plan);
          if (outcome === 'sandboxMayStay') doubtful.push(plan);
          report(l10n.t('{0} of {1}', deleted.length, total));
        },
        signal,
      ),
    );
    if (left) tellNotDeleted(left);
    else if (deleted.length > 0)
      void vscode.window.showInformationMessage(
        l10n.t('Deleted {0} of {1} conversations.', deleted.length, total),
      );
    tellUnsure(doubtful);
  } catch (error) {
    // It lasts until the user closes it.
    void showError(l10n.t('Couldn’t delete the conversations.'), error);
  }
  for (const { conversation, below } of deleted)
    for (const { id } of [conversation, ...below]) await closeConversation(id);
  await model.refresh('conversations', 'sandboxes');
}

const namesIn = (plans: readonly Deletion[]) =>
  quotedNames(plans.map(({ conversation }) => plainText(conversationName(conversation), 80)));

/** Names conversations that were deleted, but maybe not with their sandboxes. */
export function tellUnsure(deleted: readonly Deletion[]): void {
  if (deleted.length > 0)
    void vscode.window.showWarningMessage(
      l10n.t(
        'The sandbox of {0} may not have been deleted. If it’s still in Sandboxes, delete it there.',
        namesIn(deleted),
      ),
    );
}

/** Names those that weren’t deleted, with the reason of the first. */
export function tellNotDeleted(left: readonly NotDeleted[]): void {
  const failed = left.filter(({ error }) => error !== undefined);
  const changed = left.filter(({ error }) => error === undefined);
  const couldNot = (some: readonly NotDeleted[]) =>
    l10n.t('Couldn’t delete {0}.', namesIn(some.map(({ plan }) => plan)));
  const [first] = failed;
  // It lasts until the user closes it.
  if (first) void showError(couldNot(failed), first.error);
  if (changed.length > 0)
    void vscode.window.showWarningMessage(
      sentences(couldNot(changed), l10n.t('Conversations in the sandbox have changed. Try again.')),
    );
}

/** Says why conversations can’t be deleted on their own, and offers to delete the sandbox that they’re all in. */
export async function refuse(
  message: string,
  detail: string,
  plans: readonly Deletion[],
  run: Needs['run'],
): Promise<void> {
  const [first, ...more] = plans;
  const { sandboxId: id, isComplete, below = [], beside = [] } = first ?? {};
  const all = below.length + beside.length + 1;
  const isOne = id && isComplete && all > 1 && more.every(({ sandboxId }) => sandboxId === id);
  const withSandbox = l10n.t('Delete Sandbox and {0} Conversations…', all);
  const choices = isOne ? [withSandbox] : [];
  const picked = await vscode.window.showWarningMessage(message, { modal: true, detail }, ...choices);
  // It asks again, naming the sandbox and all that is in it.
  if (picked === withSandbox) await run(commandIds.sandboxDelete, [{ ref: { kind: 'sandbox', id } }]);
}

/** Asks about what can be deleted, and names what can't. */
async function isWanted(
  safe: readonly Deletion[],
  plans: readonly Deletion[],
  run: Needs['run'],
): Promise<boolean> {
  const namesOf = (some: readonly Deletion[]) =>
    listed(some.map(({ conversation }) => conversationName(conversation)));
  const unsafe = plans.filter((plan) => !safe.includes(plan));
  const why = l10n.t(
    'These can’t be deleted on their own, because other conversations use their sandboxes or can’t be read:',
  );
  const stay = unsafe.length === 0 ? [] : [`${why}\n${namesOf(unsafe)}`];
  if (safe.length === 0) {
    const message = l10n.t('These conversations can’t be deleted on their own.');
    await refuse(message, stay.join(''), plans, run);
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
