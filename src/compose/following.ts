import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChoiceStore } from '../core/basics/choiceStore';
import type { ServiceModel } from '../core/lists/serviceModel';
import { costText } from '../core/lists/usage';
import { clientOf, type Session, type SessionStore } from '../core/session/session';
import type { OtherConnections } from '../features/attention';
import type { StartTasks } from '../features/start';
import { overBudget } from '../features/usage';
import { dailyBudget } from '../editor/settings';
import { commandIds } from '../ids';
import type { Own } from './panels';

/** Tells these whether the window has the focus. */
export function followWindow(own: Own, ...followers: { setFocused(focused: boolean): void }[]): void {
  const follow = ({ focused }: vscode.WindowState) => {
    for (const follower of followers) follower.setFocused(focused);
  };
  follow(vscode.window.state);
  own(vscode.window.onDidChangeWindowState(follow));
}

/** On each service that the window connects to, follows the starts that this window began there. */
export function followStarts(own: Own, session: SessionStore, model: ServiceModel, starts: StartTasks): void {
  const follow = async ({ kind }: Session) => {
    const client = kind === 'ready' ? clientOf(session.current) : undefined;
    if (client && (await starts.resume(client))) await model.refresh('conversations', 'sandboxes');
  };
  own(session.onDidChange((current) => void follow(current)));
}

/** Tells once a day that today’s conversations have cost more than the user’s budget. */
export function followBudget(
  own: Own,
  model: ServiceModel,
  others: OtherConnections,
  store: ChoiceStore,
): void {
  const look = async () => {
    // Another window has it.
    if (!vscode.window.state.focused) return;
    const elsewhere = others.reached.map(({ client }) => others.listOf(client.baseUrl)?.state.items ?? []);
    const budget = dailyBudget();
    const cost = overBudget([model.conversations.state.items, ...elsewhere], budget, store, Date.now());
    if (cost === undefined) return;
    const show = l10n.t('Show Usage');
    const words = l10n.t(
      'Today’s conversations have cost {0}, more than your daily budget of {1}.',
      costText(cost),
      costText(budget),
    );
    if ((await vscode.window.showWarningMessage(words, show)) === show)
      await vscode.commands.executeCommand(commandIds.usageShow);
  };
  own(model.onDidRefresh(() => void look()));
}
