import type { CommandId } from '../ids';
import { commandIds as ids } from '../ids';
import { refOf } from '../state/ref';
import { connect } from './connection/connect';
import { diagnoseConnection } from './connection/diagnose';
import { removeConnection } from './connection/remove';
import { switchConnection } from './connection/switch';
import { chooseConversation } from './conversation/chooseConversation';
import { group, sort } from './conversation/arrange';
import { clearFilter, filter } from './conversation/filter';
import { open } from './conversation/open';
import { revealSandbox } from './conversation/revealSandbox';
import { cancelMessage } from './conversation/start/cancelMessage';
import { dismissStart, retryStart } from './conversation/start/failedStart';
import { sendMessage } from './conversation/start/sendMessage';
import { start as startConversation } from './conversation/start/start';
import { startFromSelection } from './conversation/start/startFromSelection';
import { copyId } from './copyId';
import type { CommandDependencies, Handler } from './dependencies';
import { chooseSandboxes } from './sandbox/chooseSandboxes';
import { openUrl } from './sandbox/openUrl';
import { pause } from './sandbox/pause';
import { pauseAll } from './sandbox/pauseAll';
import { resume } from './sandbox/resume';
import { resumeAll } from './sandbox/resumeAll';
import { showDetails } from './sandbox/showDetails';
import { start as startSandbox } from './sandbox/start';
import { clearKey } from './session/clearKey';
import { setKey } from './session/setKey';
import * as l10n from '@vscode/l10n';

/** Every command of the extension. */
export function commandHandlers(needs: CommandDependencies): Record<CommandId, Handler> {
  const { model, log, openSettingsForm, undoSettingsSave } = needs;
  return {
    [ids.connectionConnect]: connect(needs),
    [ids.connectionSwitch]: switchConnection(needs),
    [ids.connectionRemove]: removeConnection(needs),
    [ids.connectionDiagnose]: diagnoseConnection(needs),
    [ids.sessionSetKey]: setKey(needs),
    [ids.sessionClearKey]: clearKey(needs),
    [ids.viewRefresh]: () => model.refresh('sandboxes', 'conversations', 'specs'),
    [ids.viewLoadMore]: async (argument) => {
      const ref = refOf(argument);
      if (ref?.kind === 'loadMore') await model.loadMore(ref.list);
    },
    [ids.sandboxStart]: startSandbox(needs),
    [ids.sandboxPause]: pause(needs),
    [ids.sandboxResume]: resume(needs),
    [ids.sandboxPauseAll]: pauseAll(needs),
    [ids.sandboxResumeAll]: resumeAll(needs),
    [ids.sandboxOpenUrl]: openUrl(needs),
    [ids.sandboxShowDetails]: showDetails(needs),
    [ids.sandboxCopyId]: copyId('sandbox', () =>
      chooseSandboxes(model, [], {
        title: l10n.t('Copy the ID of a sandbox'),
        fits: () => true,
        none: l10n.t('There is no sandbox.'),
      }),
    ),
    [ids.conversationStart]: startConversation(needs),
    [ids.conversationStartFromSelection]: startFromSelection(needs),
    [ids.conversationSendMessage]: sendMessage(needs),
    [ids.conversationCancelMessage]: cancelMessage(needs),
    [ids.conversationRetryStart]: retryStart(needs),
    [ids.conversationDismissStart]: dismissStart(needs),
    [ids.conversationOpen]: open(needs),
    [ids.conversationRevealSandbox]: revealSandbox(needs),
    [ids.conversationCopyId]: copyId('conversation', async () => {
      const chosen = await chooseConversation(model, undefined, l10n.t('Copy the ID of a conversation'));
      return chosen ? [chosen] : [];
    }),
    [ids.conversationFilter]: filter(needs),
    [ids.conversationClearFilter]: clearFilter(needs),
    [ids.conversationGroup]: group(needs),
    [ids.conversationSort]: sort(needs),
    [ids.settingsOpen]: () => openSettingsForm(),
    [ids.settingsManageMcpServers]: () => openSettingsForm('mcp'),
    [ids.settingsManageGitProviders]: () => openSettingsForm('providers'),
    [ids.settingsUndoSave]: () => undoSettingsSave(),
    [ids.mcpImport]: () => openSettingsForm('mcp', 'import'),
    [ids.mcpExport]: () => openSettingsForm('mcp', 'export'),
    [ids.logsShow]: () => {
      log.show();
      return Promise.resolve();
    },
  };
}
