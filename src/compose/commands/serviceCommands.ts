import * as l10n from '@vscode/l10n';
import { refOf } from '../../core/lists/ref';
import type { Handler } from '../../editor/handler';
import { withQuietProgress } from '../../editor/progress';
import { manageAgentProfiles } from '../../features/agentProfiles/commands/manage';
import { clearKey } from '../../features/connection/commands/clearKey';
import { connect } from '../../features/connection/commands/connect';
import { diagnoseConnection } from '../../features/connection/commands/diagnose';
import { removeConnection } from '../../features/connection/commands/remove';
import { setKey } from '../../features/connection/commands/setKey';
import { signIn } from '../../features/connection/commands/signIn';
import { switchConnection } from '../../features/connection/commands/switch';
import { switchOrganization } from '../../features/connection/commands/switchOrganization';
import { manageProfiles } from '../../features/profiles/commands/manage';
import { setUpModel } from '../../features/profiles/commands/setUp';
import { manageProviders } from '../../features/providerConnections/commands/manage';
import { sandboxActions } from '../../features/sandboxes';
import { change } from '../../features/sandboxes/commands/change';
import { changeAll } from '../../features/sandboxes/commands/changeAll';
import { changeContainers } from '../../features/sandboxes/commands/changeContainers';
import { chooseSandboxes } from '../../features/sandboxes/commands/chooseSandboxes';
import { openUrl } from '../../features/sandboxes/commands/openUrl';
import { showDetails } from '../../features/sandboxes/commands/showDetails';
import { startSelectedSandbox } from '../../features/sandboxes/commands/start';
import { manageSecrets } from '../../features/secrets/commands/manage';
import { startMessage as startConversation } from '../../features/start/commands/start';
import { copyId } from '../../features/targets/commands/copyId';
import { addWorkspace, openWorkspace, removeWorkspace } from '../../features/workspaces/commands/manage';
import { type CommandId, commandIds as ids } from '../../ids';
import type { EarlyDependencies } from './dependencies';

/** What these commands are about, as their IDs say. */
type Subject =
  | 'connection'
  | 'session'
  | 'view'
  | 'sandbox'
  | 'workspace'
  | 'settings'
  | 'mcp'
  | 'agentProfile'
  | 'model'
  | 'profile'
  | 'provider'
  | 'secret'
  | 'logs';

/** A command that is never about a conversation. */
export type ServiceCommand = Extract<CommandId, `agentWorkspace.${Subject}.${string}`>;

/** The commands on services, what they keep, and where agents run. They load nothing of conversations. */
export function serviceCommands(needs: EarlyDependencies): Record<ServiceCommand, Handler> {
  const { model, others, log, openSettingsForm, undoSettingsSave } = needs;
  return {
    [ids.connectionConnect]: connect(needs),
    [ids.connectionSwitch]: switchConnection(needs),
    [ids.connectionRemove]: removeConnection(needs),
    [ids.connectionDiagnose]: diagnoseConnection(needs),
    [ids.sessionSetKey]: setKey(needs),
    [ids.connectionSwitchOrganization]: switchOrganization(needs),
    [ids.sessionSignIn]: signIn(needs),
    [ids.sessionClearKey]: clearKey(needs),
    // A service that limits requests may ask to wait for a minute.
    [ids.viewRefresh]: async () => {
      await withQuietProgress(l10n.t('Reading…'), () =>
        Promise.all([
          model.refresh('sandboxes', 'conversations', 'specs', 'workspaces'),
          others.refresh(),
          needs.automations.refresh(),
        ]),
      );
    },
    [ids.viewLoadMore]: async (argument) => {
      const ref = refOf(argument);
      if (ref?.kind !== 'loadMore') return;
      await (ref.service === undefined ? model.loadMore(ref.list) : others.loadMore(ref.service));
    },
    [ids.sandboxStart]: startSelectedSandbox(needs),
    [ids.sandboxPause]: changeContainers(needs, 'pause', change(needs, sandboxActions.pause)),
    [ids.sandboxResume]: changeContainers(needs, 'resume', change(needs, sandboxActions.resume)),
    [ids.sandboxPauseAll]: changeAll(needs, sandboxActions.pause),
    [ids.sandboxResumeAll]: changeAll(needs, sandboxActions.resume),
    [ids.sandboxOpenUrl]: openUrl(needs),
    [ids.sandboxShowDetails]: showDetails(needs),
    [ids.sandboxDelete]: change(needs, sandboxActions.delete),
    [ids.sandboxCopyId]: copyId('sandbox', () =>
      chooseSandboxes(model, [], { title: l10n.t('Copy Sandbox ID') }),
    ),
    [ids.workspaceAdd]: addWorkspace(needs),
    [ids.workspaceRemove]: removeWorkspace(needs),
    [ids.workspaceOpenFolder]: openWorkspace(needs),
    [ids.workspaceStartHere]: startConversation(needs),
    // Only the welcome text of a new service names a section.
    [ids.settingsOpen]: (section) => openSettingsForm(section === 'model' ? section : undefined),
    [ids.settingsManageMcpServers]: () => openSettingsForm('mcp'),
    [ids.settingsManageGitProviders]: () => openSettingsForm('providers'),
    [ids.settingsUndoSave]: () => undoSettingsSave(),
    [ids.agentProfileManage]: manageAgentProfiles(needs),
    [ids.modelSetUp]: setUpModel(needs),
    [ids.profileManage]: manageProfiles(needs),
    [ids.providerManage]: manageProviders(needs),
    [ids.secretManage]: manageSecrets(needs),
    [ids.mcpImport]: () => openSettingsForm('mcp', 'import'),
    [ids.mcpExport]: () => openSettingsForm('mcp', 'export'),
    [ids.logsShow]: () => {
      log.show();
      return Promise.resolve();
    },
  };
}
