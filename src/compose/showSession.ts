import * as l10n from '@vscode/l10n';
import type { CommandDependencies } from '../commands/dependencies';
import { contextKeys } from '../ids';
import type { ContextKeys } from '../platform/contextKeys';
import { StatusBar } from '../platform/statusBar';
import { clientOf, isAgentServer, reasonOf } from '../state/session/session';
import { statusBarContent } from '../views/statusBarContent';
import { needsFirstSave } from '../views/trouble';
import type { Own } from './panels';

/** Keeps context keys and status bar in step with session and lists. */
export function showSession(
  own: Own,
  keys: ContextKeys,
  { session, model }: Pick<CommandDependencies, 'session' | 'model'>,
): void {
  const statusBar = own(new StatusBar(l10n.t('Agent Workspace')));
  const show = () => {
    const { sandboxes, conversations, specs } = model;
    keys.set(contextKeys.session, session.current.kind);
    keys.set(contextKeys.unconnected, clientOf(session.current) === undefined);
    keys.set(contextKeys.agentServer, isAgentServer(session.current));
    keys.set(
      contextKeys.unsaved,
      needsFirstSave(session.current, model, 'conversations', 'sandboxes', 'specs'),
    );
    keys.set(contextKeys.reason, reasonOf(session.current));
    keys.set(contextKeys.sandboxesLoaded, sandboxes.state.loaded);
    keys.set(contextKeys.conversationsLoaded, conversations.state.loaded);
    keys.set(contextKeys.specsLoaded, specs.state.loaded);
    keys.set(contextKeys.conversationsFiltered, model.filter !== undefined);
    const outOfDate = model.outOfDate('conversations', 'numbers') ?? model.outOfDate('sandboxes', 'numbers');
    statusBar.show(
      statusBarContent({
        session: session.current,
        running: isAgentServer(session.current) ? undefined : model.runningSandboxes,
        waiting: model.waitingConversations,
        outOfDate,
        isFollowed: model.isFollowed,
      }),
    );
  };
  own(model.onDidChange(show));
  // The age and source of the numbers can change even if no list does.
  own(model.onDidRefresh(show));
  show();
}
