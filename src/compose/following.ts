import * as vscode from 'vscode';
import type { ServiceModel } from '../core/lists/serviceModel';
import { clientOf, type Session, type SessionStore } from '../core/session/session';
import type { StartTasks } from '../features/start';
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
  own(session.onDidChange((present) => void follow(present)));
}
