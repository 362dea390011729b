import type { CommandId } from '../ids';
import { commandIds as ids } from '../ids';
import { refOf } from '../state/lists/ref';
import { sandboxActions } from '../state/sandboxes/actions';
import { apply as applyChanges } from './conversation/changes/apply';
import { createBranch } from './conversation/changes/branch/create';
import { comment, removeComment, sendComments } from './conversation/changes/comments';
import { fileConversations } from './conversation/changes/fileConversations';
import { show as showChanges, showStep } from './conversation/changes/show';
import { undoApply } from './conversation/changes/undoApply';
import { connect } from './connection/connect';
import { diagnoseConnection } from './connection/diagnose';
import { removeConnection } from './connection/remove';
import { switchConnection } from './connection/switch';
import { chooseConversation } from './conversation/chooseConversation';
import { group, sort } from './conversation/arrange';
import { clearFilter, filter } from './conversation/filter';
import { openFolder } from './conversation/files/openFolder';
import { showCommits } from './conversation/changes/showCommits';
import { search } from './conversation/files/search';
import { download, upload } from './conversation/files/transfer';
import { addSelection } from './conversation/live/addSelection';
import { ask } from './conversation/live/ask';
import { copyLink } from './conversation/live/copyLink';
import { deleteConversation } from './conversation/live/delete';
import { giveSecret } from './conversation/live/giveSecret';
import { setGoal } from './conversation/live/goal';
import { summarize, switchModel } from './conversation/live/agentModel';
import { branch, goBack } from './conversation/live/goBack';
import { changePolicy } from './conversation/live/policy';
import { rename } from './conversation/live/rename';
import { answer, message, show } from './conversation/live/show';
import { steer } from './conversation/live/steer';
import { exportTranscript, openAsText } from './conversation/live/transcript';
import { mark, shelve } from './conversation/marks';
import { nextWaiting } from './conversation/nextWaiting';
import { openTerminal } from './conversation/place/openTerminal';
import { ports } from './conversation/place/ports';
import { open } from './conversation/open';
import { compare } from './conversation/compare/compare';
import { showDifference } from './conversation/compare/difference';
import { take } from './conversation/compare/take';
import { openPullRequest } from './conversation/openPullRequest';
import { revealSandbox } from './conversation/revealSandbox';
import { insertMessage } from './conversation/message/insertMessage';
import { manageTemplates, saveTemplate } from './conversation/message/templates';
import { cancelSearch, clearSearch, clearSearchIndex, searchAll, showEntry } from './conversation/searchAll';
import { addContext } from './conversation/start/addContext';
import { cancelMessage } from './conversation/start/cancelMessage';
import { dismissStart, retryStart } from './conversation/start/failedStart';
import { sendMessage, startSeveral } from './conversation/start/sendMessage';
import { start as startConversation } from './conversation/start/start';
import { startWithChanges } from './conversation/start/startWithChanges';
import { startAgain } from './conversation/start/startAgain';
import { startFromSelection } from './conversation/start/startFromSelection';
import { copyId } from './copyId';
import type { CommandDependencies, Handler } from './dependencies';
import { held, onItsConnection } from './held';
import { manageAutomations } from './automation/manage';
import { manageAgentProfiles } from './agentProfile/manage';
import { manageProfiles } from './profile/manage';
import { manageProviders } from './provider/manage';
import { setUpModel } from './profile/setUp';
import { change } from './sandbox/change';
import { changeAll } from './sandbox/changeAll';
import { chooseSandboxes } from './sandbox/chooseSandboxes';
import { openUrl } from './sandbox/openUrl';
import { showDetails } from './sandbox/showDetails';
import { start as startSandbox } from './sandbox/start';
import { manageSecrets } from './secret/manage';
import { manageSkills } from './skill/manage';
import { clearKey } from './session/clearKey';
import { setKey } from './session/setKey';
import { addWorkspace, openWorkspace, removeWorkspace } from './workspace/manage';
import * as l10n from '@vscode/l10n';

/** Every command of the extension. */
export function commandHandlers(needs: CommandDependencies): Record<CommandId, Handler> {
  const handlers = Object.entries(allHandlers(needs));
  return Object.fromEntries(
    handlers.map(([id, handler]) => [
      id,
      held(needs.conversations, onItsConnection(needs, id as CommandId, handler)),
    ]),
  ) as Record<CommandId, Handler>;
}

function allHandlers(needs: CommandDependencies): Record<CommandId, Handler> {
  const { model, others, arrangement, log, openSettingsForm, undoSettingsSave } = needs;
  return {
    [ids.connectionConnect]: connect(needs),
    [ids.connectionSwitch]: switchConnection(needs),
    [ids.connectionRemove]: removeConnection(needs),
    [ids.connectionDiagnose]: diagnoseConnection(needs),
    [ids.sessionSetKey]: setKey(needs),
    [ids.sessionClearKey]: clearKey(needs),
    [ids.viewRefresh]: async () => {
      await Promise.all([
        model.refresh('sandboxes', 'conversations', 'specs', 'workspaces'),
        others.refresh(),
      ]);
    },
    [ids.viewLoadMore]: async (argument) => {
      const ref = refOf(argument);
      if (ref?.kind !== 'loadMore') return;
      await (ref.service === undefined ? model.loadMore(ref.list) : others.loadMore(ref.service));
    },
    [ids.sandboxStart]: startSandbox(needs),
    [ids.sandboxPause]: change(needs, sandboxActions.pause),
    [ids.sandboxResume]: change(needs, sandboxActions.resume),
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
    [ids.conversationStart]: startConversation(needs),
    [ids.conversationStartHere]: startConversation(needs),
    [ids.conversationStartFromSelection]: startFromSelection(needs),
    [ids.conversationStartWithChanges]: startWithChanges(needs),
    [ids.conversationStartSeveral]: startSeveral(needs),
    [ids.conversationSendMessage]: sendMessage(needs),
    [ids.conversationAddContext]: addContext(needs),
    [ids.messageInsert]: insertMessage(needs),
    [ids.templateSave]: saveTemplate(needs),
    [ids.templateManage]: manageTemplates(needs),
    [ids.conversationCancelMessage]: cancelMessage(needs),
    [ids.conversationStartAgain]: startAgain(needs),
    [ids.conversationRetryStart]: retryStart(needs),
    [ids.conversationDismissStart]: dismissStart(needs),
    [ids.conversationShow]: show(needs),
    [ids.conversationNextWaiting]: nextWaiting(needs),
    [ids.conversationMarkRead]: mark(needs, 'read'),
    [ids.conversationMarkUnread]: mark(needs, 'unread'),
    [ids.conversationPin]: shelve(needs, 'pinned', true),
    [ids.conversationUnpin]: shelve(needs, 'pinned', false),
    [ids.conversationArchive]: shelve(needs, 'archived', true),
    [ids.conversationUnarchive]: shelve(needs, 'archived', false),
    [ids.conversationShowArchived]: () => arrangement.choose({ showsArchived: true }),
    [ids.conversationHideArchived]: () => arrangement.choose({ showsArchived: false }),
    [ids.conversationShowAll]: () => arrangement.choose({ showsAll: !arrangement.showsAll }),
    [ids.conversationShowCurrent]: () => arrangement.choose({ showsAll: false }),
    [ids.conversationSearch]: searchAll(needs),
    [ids.conversationShowEntry]: showEntry(needs),
    [ids.conversationCancelSearch]: cancelSearch(needs),
    [ids.conversationClearSearch]: clearSearch(needs),
    [ids.searchClearIndex]: clearSearchIndex(needs),
    [ids.conversationOpen]: open(needs),
    [ids.conversationMessage]: message(needs),
    [ids.conversationReview]: answer(needs, () => l10n.t('Review Actions')),
    [ids.conversationApprove]: answer(needs, () => l10n.t('Approve Actions')),
    [ids.conversationReject]: answer(needs, () => l10n.t('Reject Actions')),
    [ids.conversationPause]: steer(needs, 'pause'),
    [ids.conversationInterrupt]: steer(needs, 'interrupt'),
    [ids.conversationBranch]: branch(needs),
    [ids.conversationGoBack]: goBack(needs),
    [ids.conversationCompare]: compare(needs),
    [ids.conversationTake]: take(needs),
    [ids.changesShowDifference]: showDifference(needs),
    [ids.conversationRename]: rename(needs),
    [ids.conversationDelete]: deleteConversation(needs),
    [ids.conversationAsk]: ask(needs),
    [ids.conversationPolicy]: changePolicy(needs),
    [ids.conversationSwitchModel]: switchModel(needs),
    [ids.conversationSummarize]: summarize(needs),
    [ids.conversationGoal]: setGoal(needs),
    [ids.conversationGiveSecret]: giveSecret(needs),
    [ids.conversationOpenAsText]: openAsText(needs),
    [ids.conversationExport]: exportTranscript(needs),
    [ids.conversationAddSelection]: addSelection(needs),
    [ids.conversationNextMessage]: () => needs.moveInConversation('next'),
    [ids.conversationPreviousMessage]: () => needs.moveInConversation('previous'),
    [ids.conversationToEnd]: () => needs.moveInConversation('end'),
    [ids.changesShow]: showChanges(needs),
    [ids.changesShowCommits]: showCommits(needs),
    [ids.changesApply]: applyChanges(needs),
    [ids.changesCreateBranch]: createBranch(needs),
    [ids.changesUndoApply]: undoApply(needs),
    [ids.changesShowStep]: showStep(needs),
    [ids.changesComment]: comment(needs),
    [ids.changesSendComments]: sendComments(needs),
    [ids.changesRemoveComment]: removeComment(needs),
    [ids.fileConversations]: fileConversations(needs),
    [ids.placeOpenTerminal]: openTerminal(needs),
    [ids.placePorts]: ports(needs),
    [ids.placeOpenFolder]: openFolder(needs),
    [ids.placeUpload]: upload(needs),
    [ids.placeDownload]: download(needs),
    [ids.placeSearch]: search(needs),
    [ids.conversationOpenPullRequest]: openPullRequest(needs),
    [ids.conversationRevealSandbox]: revealSandbox(needs),
    [ids.conversationCopyId]: copyId('conversation', async () => {
      const chosen = await chooseConversation(model, undefined, {
        title: l10n.t('Copy Conversation ID'),
        active: needs.activeConversation(),
      });
      return chosen ? [chosen] : [];
    }),
    [ids.conversationCopyLink]: copyLink(needs),
    [ids.conversationFilter]: filter(needs),
    [ids.conversationClearFilter]: clearFilter(needs),
    [ids.conversationGroup]: group(needs),
    [ids.conversationSort]: sort(needs),
    [ids.usageShow]: () => needs.showUsage(),
    // Only the welcome text of a new service names a section.
    [ids.settingsOpen]: (section) => openSettingsForm(section === 'model' ? section : undefined),
    [ids.settingsManageMcpServers]: () => openSettingsForm('mcp'),
    [ids.settingsManageGitProviders]: () => openSettingsForm('providers'),
    [ids.settingsUndoSave]: () => undoSettingsSave(),
    [ids.automationManage]: manageAutomations(needs),
    [ids.agentProfileManage]: manageAgentProfiles(needs),
    [ids.modelSetUp]: setUpModel(needs),
    [ids.profileManage]: manageProfiles(needs),
    [ids.providerManage]: manageProviders(needs),
    [ids.secretManage]: manageSecrets(needs),
    [ids.skillManage]: manageSkills(needs),
    [ids.mcpImport]: () => openSettingsForm('mcp', 'import'),
    [ids.mcpExport]: () => openSettingsForm('mcp', 'export'),
    [ids.logsShow]: () => {
      log.show();
      return Promise.resolve();
    },
  };
}
