import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import { clientOf, type SessionStore } from '../../../core/session/session';

/** The agent server of this window; says so if it’s a service. */
export function serverOf({ session }: { session: SessionStore }): AgentServerCalls | undefined {
  const server = clientOf(session.current)?.agents;
  if (!server)
    void vscode.window.showInformationMessage(
      l10n.t('This works only for conversations on Agent Canvas or an agent server.'),
    );
  return server;
}
