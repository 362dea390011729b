import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isMissing } from '../../../api/service/calls';
import { conversationName } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { confirmed, listed } from '../../../editor/inputs';
import { showError, unlessCanceled } from '../../../editor/progress';
import type { CommandId } from '../../../ids';
import { inQuestion } from '../../../shared/inQuestion';
import { sentences } from '../../../shared/joined';
import { deleteAsPlanned, type Deletion, planDeletion } from '../../targets';
import { chooseConversation, chooseHere, selectedIds } from '../../targets/editor';
import { deleteSeveral, refuse, tellNotDeleted, tellUnsure } from './deleteSeveral';

interface Needs {
  session: SessionStore;
  model: ServiceModel;
  activeConversation: () => string | undefined;
  closeConversation: (id: string) => Promise<void>;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
}

/** Delete Conversation…: says what else will be deleted, and refuses if that includes others in the same sandbox. */
export function deleteConversation(needs: Needs): Handler {
  const { session, model, activeConversation, closeConversation, run } = needs;
  return async (argument, selection) => {
    const title = l10n.t('Delete Conversation');
    const several = selectedIds(argument, selection, model);
    if (several.length > 1) return deleteSeveral(needs, several);
    try {
      const answer = await chooseHere(session, async (client) => {
        const conversation = await chooseConversation(model, argument, {
          title,
          active: activeConversation(),
        });
        if (!conversation) return undefined;
        const plan = await unlessCanceled(l10n.t('Reading conversations…'), (_report, signal) =>
          planDeletion(client, conversation, signal),
        );
        return plan && (await isWanted(plan, run)) ? plan : undefined;
      });
      if (!answer) return;
      const { client, chosen: plan } = answer;
      const outcome = await unlessCanceled(l10n.t('Deleting…'), (_report, signal) =>
        deleteAsPlanned(client, plan, signal),
      );
      if (outcome && outcome !== 'changed')
        for (const { id } of [plan.conversation, ...plan.below]) await closeConversation(id);
      if (outcome === 'changed') tellNotDeleted([{ plan }]);
      if (outcome === 'sandboxMayStay') tellUnsure([plan]);
    } catch (error) {
      tell(error);
    }
    await model.refresh('conversations', 'sandboxes');
  };
}

/** Asks, listing everything that will be deleted, or says why that's not possible. */
async function isWanted(plan: Deletion, run: Needs['run']): Promise<boolean> {
  const { conversation, below, beside, isComplete, isAlone, sparesOthers, hasNoSandbox } = plan;
  const name = conversationName(conversation);
  if (!isComplete) {
    await vscode.window.showWarningMessage(l10n.t('“{0}” can’t be deleted here.', name), {
      modal: true,
      detail: l10n.t(
        'Not all conversations of the service can be read, so others might be deleted too. Delete it in your browser.',
      ),
    });
    return false;
  }
  if (!isAlone && !sparesOthers) {
    const others = [...below, ...beside];
    const known = l10n.t(
      'This service deletes a conversation together with its sandbox, and other conversations use the sandbox:',
    );
    const unknown = l10n.t(
      'This service deletes a conversation together with its sandbox, and other conversations may be using it.',
    );
    const detail =
      others.length > 0 ? `${known}\n\n${listed(others.map((one) => conversationName(one)))}` : unknown;
    const message = l10n.t('“{0}” can’t be deleted on its own.', name);
    await refuse(message, detail, [plan], run);
    return false;
  }
  const sandbox = hasNoSandbox
    ? l10n.t('Its folder may be deleted too, including all work that wasn’t pushed.')
    : beside.length > 0
      ? l10n.t('Its sandbox stays because other conversations use it.')
      : l10n.t('Its sandbox is deleted too, including all work that wasn’t pushed.');
  const also =
    below.length > 0
      ? `\n\n${l10n.t('Conversations that its agent started are deleted too:')}\n${listed(below.map((one) => conversationName(one)))}`
      : '';
  const detail = sentences(sandbox, l10n.t('You can’t undo this.')) + also;
  return confirmed(l10n.t('Delete “{0}”?', inQuestion(name)), detail, l10n.t('Delete'));
}

function tell(error: unknown): void {
  if (isMissing(error))
    void vscode.window.showWarningMessage(
      l10n.t('The conversation is gone, or this service can’t delete conversations. Nothing was deleted.'),
    );
  else void showError(l10n.t('Couldn’t delete the conversation.'), error);
}
