import * as vscode from 'vscode';
import type { ChoiceStore } from '../core/basics/choiceStore';
import type { ServiceModel } from '../core/lists/serviceModel';
import { clientOf, type Session, type SessionStore } from '../core/session/session';
import type { OtherConnections } from '../features/attention';
import type { StartTasks } from '../features/start';
import { tellOverBudget } from '../features/usage/commands/tellOverBudget';
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

/** Compares what the lists say that today’s conversations have cost with the user’s budget. */
export function followBudget(
  own: Own,
  model: ServiceModel,
  others: OtherConnections,
  store: ChoiceStore,
): void {
  const look = () => {
    const elsewhere = others.reached.map(({ client }) => others.listOf(client.baseUrl)?.state.items ?? []);
    void tellOverBudget([model.conversations.state.items, ...elsewhere], store);
  };
  own(model.onDidRefresh(look));
}
