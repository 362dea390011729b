import * as l10n from '@vscode/l10n';
import type { Handler } from '../../editor/handler';
import {
  cancelRun,
  deleteAutomation,
  runAutomation,
  turnAutomation,
} from '../../features/automations/commands/actions';
import { changeAutomation } from '../../features/automations/commands/change';
import { createAutomation } from '../../features/automations/commands/create';
import { showRuns } from '../../features/automations/commands/runs';
import { apply as applyChanges } from '../../features/changes/commands/apply';
import { createBranch } from '../../features/changes/commands/branch/create';
import { comment, removeComment, sendComments } from '../../features/changes/commands/comments';
import { fileConversations } from '../../features/changes/commands/fileConversations';
import { showChanges, showStep } from '../../features/changes/commands/show';
import { showCommits } from '../../features/changes/commands/showCommits';
import { undoApply } from '../../features/changes/commands/undoApply';
import { compareConversations } from '../../features/compare/commands/compare';
import { showDifference } from '../../features/compare/commands/difference';
import { take } from '../../features/compare/commands/take';
import { group, sort } from '../../features/conversations/commands/arrange';
import { clearFilter, filter } from '../../features/conversations/commands/filter';
import { mark, shelve } from '../../features/conversations/commands/marks';
import { openNextWaiting } from '../../features/conversations/commands/nextWaiting';
import { openPullRequest } from '../../features/conversations/commands/openPullRequest';
import { rename } from '../../features/conversations/commands/rename';
import { revealSandbox } from '../../features/conversations/commands/revealSandbox';
import { addSelection } from '../../features/live/commands/addSelection';
import { summarizeNow, changeModel } from '../../features/live/commands/agentModel';
import { ask } from '../../features/live/commands/ask';
import { copyLink } from '../../features/live/commands/copyLink';
import { deleteConversation } from '../../features/live/commands/delete';
import { giveSecret } from '../../features/live/commands/giveSecret';
import { branchHere, goBackHere } from '../../features/live/commands/goBack';
import { startGoal } from '../../features/live/commands/goal';
import { open } from '../../features/live/commands/open';
import { changePolicy } from '../../features/live/commands/policy';
import { answer, message, showConversation } from '../../features/live/commands/show';
import { steer } from '../../features/live/commands/steer';
import { exportTranscript, openAsText } from '../../features/live/commands/transcript';
import { openFolder } from '../../features/place/commands/files/openFolder';
import { searchFiles } from '../../features/place/commands/files/search';
import { showPage } from '../../features/place/commands/files/showPage';
import { download, upload } from '../../features/place/commands/files/transfer';
import { openTerminal } from '../../features/place/commands/openTerminal';
import { ports } from '../../features/place/commands/ports';
import {
  cancelSearch,
  clearSearch,
  clearSearchIndex,
  searchAll,
  showEntry,
} from '../../features/search/commands/searchAll';
import { manageSkills } from '../../features/skills/commands/manage';
import { addContext } from '../../features/start/commands/addContext';
import { cancelMessage } from '../../features/start/commands/cancelMessage';
import { dismissStart, pauseAndRetry, retryStart } from '../../features/start/commands/failedStart';
import { insertMessage } from '../../features/start/commands/message/insertMessage';
import { manageTemplates, saveTemplate } from '../../features/start/commands/message/templates';
import { offeredFirst, sendMessage, startSeveral } from '../../features/start/commands/sendMessage';
import { startMessage as startConversation } from '../../features/start/commands/start';
import { startAgain } from '../../features/start/commands/startAgain';
import { startFromSelection } from '../../features/start/commands/startFromSelection';
import { startWithChanges } from '../../features/start/commands/startWithChanges';
import { chooseConversation } from '../../features/targets/commands/chooseConversation';
import { copyId } from '../../features/targets/commands/copyId';
import { held, onItsConnection, onTab } from '../../features/targets/commands/held';
import { onAttempts } from '../../features/targets/commands/selected';
import { type CommandId, commandIds as ids } from '../../ids';
import type { CommandDependencies } from './dependencies';
import type { ServiceCommand } from './serviceCommands';

/** A command that may be about a conversation, also one of another connection. */
export type ConversationCommand = Exclude<CommandId, ServiceCommand>;

/** The commands on conversations, and on what they are found and started by. */
export function conversationCommands(needs: CommandDependencies): Record<ConversationCommand, Handler> {
  const handlers = Object.entries(allHandlers(needs));
  return Object.fromEntries(
    handlers.map(([name, handler]) => {
      const id = name as ConversationCommand;
      const wrapped = onTab(needs, id, held(needs.conversations, onItsConnection(needs, id, handler)));
      // Their row is all that a comparison needs.
      return [id, id === ids.conversationCompare ? wrapped : onAttempts(wrapped)];
    }),
  ) as Record<ConversationCommand, Handler>;
}

function allHandlers(needs: CommandDependencies): Record<ConversationCommand, Handler> {
  const { model, arrangement } = needs;
  needs.message.describe = () => offeredFirst(needs);
  return {
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
    [ids.conversationPauseAndRetry]: pauseAndRetry(needs),
    [ids.conversationDismissStart]: dismissStart(needs),
    [ids.conversationShow]: showConversation(needs),
    [ids.conversationNextWaiting]: openNextWaiting(needs),
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
    [ids.conversationBranch]: branchHere(needs),
    [ids.conversationGoBack]: goBackHere(needs),
    [ids.conversationCompare]: compareConversations(needs),
    [ids.conversationTake]: take(needs),
    [ids.changesShowDifference]: showDifference(needs),
    [ids.conversationRename]: rename(needs),
    [ids.conversationDelete]: deleteConversation(needs),
    [ids.conversationAsk]: ask(needs),
    [ids.conversationPolicy]: changePolicy(needs),
    [ids.conversationSwitchModel]: changeModel(needs),
    [ids.conversationSummarize]: summarizeNow(needs),
    [ids.conversationGoal]: startGoal(needs),
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
    [ids.placeSearch]: searchFiles(needs),
    [ids.placeShowPage]: showPage(needs),
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
    [ids.automationRun]: runAutomation(needs),
    [ids.automationCancelRun]: cancelRun(needs),
    [ids.automationTurnOn]: turnAutomation(needs, true),
    [ids.automationTurnOff]: turnAutomation(needs, false),
    [ids.automationChange]: changeAutomation(needs),
    [ids.automationShowRuns]: showRuns(needs),
    [ids.automationDelete]: deleteAutomation(needs),
    [ids.automationCreate]: createAutomation(needs),
    [ids.skillManage]: manageSkills(needs),
  };
}
