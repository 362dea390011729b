import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/service/client';
import type { Conversation } from '../api/service/schemas/conversation';
import type { CommandDependencies } from './commands/dependencies';
import { contextKeys } from '../ids';
import type { ContextKeys } from '../editor/contextKeys';
import { hasOwnConnections } from '../editor/settings';
import { StatusBar } from '../editor/statusBar';
import { onDidChangeSettings } from '../editor/watching';
import type { OtherConnections } from '../features/attention';
import { hasPullRequestPage } from '../core/pullRequest';
import type { ServiceModel } from '../core/lists/serviceModel';
import { stateGroupOf } from '../core/lists/stateGroups';
import { waitsForUser } from '../core/lists/status';
import type { MissingModels } from '../core/session/missingModels';
import { clientOf, reasonOf, type Session } from '../core/session/session';
import { statusBarContent } from '../features/attention/rows/statusBarContent';
import { otherOrganizations } from '../shared/connection';
import { listTroubles, needsFirstSave } from '../core/rows/trouble';
import type { Own } from './panels';

/** Keeps context keys and status bar in step with session and lists. */
export function showSession(
  own: Own,
  keys: ContextKeys,
  {
    session,
    model,
    arrangement,
    listConnections,
  }: Pick<CommandDependencies, 'session' | 'model' | 'arrangement' | 'listConnections'>,
  others: Pick<OtherConnections, 'waiting' | 'onDidChange'>,
  missingModels: Pick<MissingModels, 'has' | 'onDidChange'>,
): void {
  const statusBar = own(new StatusBar(l10n.t('Agent Workspace')));
  const show = () => {
    const client = clientOf(session.current);
    keys.set(contextKeys.session, session.current.kind);
    keys.set(contextKeys.unconnected, client === undefined);
    keys.set(contextKeys.signsIn, connectionOf(session.current)?.authentication === 'signIn');
    keys.set(contextKeys.connectionsEdited, hasOwnConnections());
    keys.set(contextKeys.agentServer, client?.agents !== undefined);
    keys.set(contextKeys.lacksSandboxes, client !== undefined && !client.sandboxes);
    keys.set(
      contextKeys.hasContainers,
      client?.agents !== undefined && model.conversations.state.items.some(({ container }) => container),
    );
    keys.set(
      contextKeys.unsaved,
      needsFirstSave(session.current, model, 'conversations', 'sandboxes', 'specs'),
    );
    keys.set(contextKeys.listTroubles, listTroubles(session.current, model));
    keys.set(contextKeys.lacksModel, client !== undefined && missingModels.has(client.baseUrl));
    keys.set(contextKeys.reason, reasonOf(session.current));
    keys.set(contextKeys.conversationsFiltered, model.filter !== undefined);
    keys.set(contextKeys.showsArchived, arrangement.showsArchived);
    keys.set(contextKeys.showsAll, arrangement.showsAll);
    keys.set(contextKeys.singleConnection, listConnections().connections.length <= 1);
    keys.set(contextKeys.noneWaitingElsewhere, others.waiting.length === 0);
    for (const [key, isAbsent] of Object.entries(absent(model))) keys.set(key as keyof Absent, isAbsent);
    const outOfDate = model.outOfDate('conversations', 'numbers') ?? model.outOfDate('sandboxes', 'numbers');
    statusBar.show(
      statusBarContent({
        session: session.current,
        running: client && !client.sandboxes ? undefined : model.runningSandboxes,
        waiting: model.waitingConversations,
        elsewhere: others.waiting,
        outOfDate,
        isFollowed: model.isFollowed,
      }),
    );
  };
  own(model.onDidChange(show));
  // The age and source of the numbers can change even if no list does.
  own(model.onDidRefresh(show));
  own(arrangement.onDidChange(show));
  own(others.onDidChange(show));
  own(missingModels.onDidChange(show));
  own(onDidChangeSettings('connections', show));
  const seekOrganizations = organizationSeeker(keys);
  own(session.onDidChange(seekOrganizations));
  seekOrganizations(session.current);
  show();
}

/** Finds out once for each client that works whether the user can switch the organization. */
function organizationSeeker(keys: ContextKeys): (session: Session) => void {
  let asked: ApiClient | undefined;
  return (session) => {
    const client = session.kind === 'ready' ? session.client : undefined;
    if (client && client === asked) return;
    asked = client;
    keys.set(contextKeys.organizations, false);
    const connection = connectionOf(session);
    if (!client || connection?.authentication === undefined) return;
    client.listOrganizations().then(
      (found) =>
        client === asked &&
        keys.set(contextKeys.organizations, otherOrganizations(found, connection).length > 0),
      () => (asked = undefined),
    );
  };
}

const connectionOf = (session: Session) => ('connection' in session ? session.connection : undefined);

type Absent = ReturnType<typeof absent>;

/** What isn't there, so that no command finds anything to act on. What wasn't read, or not to its end, may be there. */
function absent({ conversations, sandboxes }: Pick<ServiceModel, 'conversations' | 'sandboxes'>) {
  const has = (fits: (conversation: Conversation) => boolean) => {
    const { items, loaded, nextPageId } = conversations.state;
    return !loaded || nextPageId !== null || items.some(fits);
  };
  const { state } = sandboxes;
  return {
    [contextKeys.noConversations]: !has(() => true),
    [contextKeys.noSandboxes]: state.loaded && state.items.length === 0,
    [contextKeys.noneWaiting]: !has(waitsForUser),
    [contextKeys.noneWorking]: !has((one) => stateGroupOf(one) === 'working'),
    [contextKeys.noPullRequests]: !has(hasPullRequestPage),
  };
}
