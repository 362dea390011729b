import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { ChoiceStore } from '../../../core/basics/choiceStore';
import { costText } from '../../../core/lists/usage';
import { dailyBudget } from '../../../editor/settings';
import { commandIds } from '../../../ids';
import { overBudget } from '../model/budget';

/** Tells once a day that today’s conversations in these lists have cost more than the user’s budget. */
export async function tellOverBudget(
  lists: readonly (readonly Conversation[])[],
  store: ChoiceStore,
): Promise<void> {
  // Another window has it.
  if (!vscode.window.state.focused) return;
  const budget = dailyBudget();
  const cost = overBudget(lists, budget, store, Date.now());
  if (cost === undefined) return;
  const show = l10n.t('Show Usage');
  const words = l10n.t(
    'Today’s conversations have cost {0}, more than your daily budget of {1}.',
    costText(cost),
    costText(budget),
  );
  if ((await vscode.window.showWarningMessage(words, show)) === show)
    await vscode.commands.executeCommand(commandIds.usageShow);
}
