/** The ids that the manifest and the code share. A test compares this file with package.json both ways. */

export const extensionId = 'agent-workspace.agent-workspace';

export const commandIds = {
  connectionConnect: 'agentWorkspace.connection.connect',
  connectionSwitch: 'agentWorkspace.connection.switch',
  connectionRemove: 'agentWorkspace.connection.remove',
  connectionSwitchOrganization: 'agentWorkspace.connection.switchOrganization',
  connectionDiagnose: 'agentWorkspace.connection.diagnose',
  sessionSetKey: 'agentWorkspace.session.setKey',
  sessionSignIn: 'agentWorkspace.session.signIn',
  sessionClearKey: 'agentWorkspace.session.clearKey',
  viewRefresh: 'agentWorkspace.view.refresh',
  sandboxStart: 'agentWorkspace.sandbox.start',
  sandboxPause: 'agentWorkspace.sandbox.pause',
  sandboxResume: 'agentWorkspace.sandbox.resume',
  sandboxPauseAll: 'agentWorkspace.sandbox.pauseAll',
  sandboxResumeAll: 'agentWorkspace.sandbox.resumeAll',
  sandboxOpenUrl: 'agentWorkspace.sandbox.openUrl',
  sandboxShowDetails: 'agentWorkspace.sandbox.showDetails',
  sandboxDelete: 'agentWorkspace.sandbox.delete',
  sandboxCopyId: 'agentWorkspace.sandbox.copyId',
  workspaceAdd: 'agentWorkspace.workspace.add',
  workspaceRemove: 'agentWorkspace.workspace.remove',
  workspaceOpenFolder: 'agentWorkspace.workspace.openFolder',
  /** On the row of a workspace; not in the palette. */
  workspaceStartHere: 'agentWorkspace.workspace.startHere',
  conversationStart: 'agentWorkspace.conversation.start',
  /** On the row of a sandbox; not in the palette. */
  conversationStartHere: 'agentWorkspace.conversation.startHere',
  conversationStartFromSelection: 'agentWorkspace.conversation.startFromSelection',
  conversationStartWithChanges: 'agentWorkspace.conversation.startWithChanges',
  /** In the editor of the message; elsewhere, it opens that editor. */
  conversationStartSeveral: 'agentWorkspace.conversation.startSeveral',
  conversationSendMessage: 'agentWorkspace.conversation.sendMessage',
  conversationAddContext: 'agentWorkspace.conversation.addContext',
  /** In the same editor, or a composer. */
  messageInsert: 'agentWorkspace.message.insert',
  templateSave: 'agentWorkspace.template.save',
  templateManage: 'agentWorkspace.template.manage',
  conversationCancelMessage: 'agentWorkspace.conversation.cancelMessage',
  conversationStartAgain: 'agentWorkspace.conversation.startAgain',
  /** On the row of a start; not in the palette. */
  conversationRetryStart: 'agentWorkspace.conversation.retryStart',
  conversationPauseAndRetry: 'agentWorkspace.conversation.pauseAndRetry',
  conversationDismissStart: 'agentWorkspace.conversation.dismissStart',
  conversationShow: 'agentWorkspace.conversation.show',
  conversationNextWaiting: 'agentWorkspace.conversation.nextWaiting',
  conversationMarkRead: 'agentWorkspace.conversation.markRead',
  conversationMarkUnread: 'agentWorkspace.conversation.markUnread',
  conversationPin: 'agentWorkspace.conversation.pin',
  conversationUnpin: 'agentWorkspace.conversation.unpin',
  conversationArchive: 'agentWorkspace.conversation.archive',
  conversationUnarchive: 'agentWorkspace.conversation.unarchive',
  conversationShowArchived: 'agentWorkspace.conversation.showArchived',
  conversationHideArchived: 'agentWorkspace.conversation.hideArchived',
  conversationShowAll: 'agentWorkspace.conversation.showAll',
  conversationShowCurrent: 'agentWorkspace.conversation.showCurrent',
  conversationSearch: 'agentWorkspace.conversation.search',
  /** On the results of a search; not in the palette. */
  conversationShowEntry: 'agentWorkspace.conversation.showEntry',
  conversationCancelSearch: 'agentWorkspace.conversation.cancelSearch',
  conversationClearSearch: 'agentWorkspace.conversation.clearSearch',
  searchClearIndex: 'agentWorkspace.search.clearIndex',
  conversationOpen: 'agentWorkspace.conversation.open',
  conversationMessage: 'agentWorkspace.conversation.message',
  conversationReview: 'agentWorkspace.conversation.review',
  conversationApprove: 'agentWorkspace.conversation.approve',
  conversationReject: 'agentWorkspace.conversation.reject',
  conversationPause: 'agentWorkspace.conversation.pause',
  conversationInterrupt: 'agentWorkspace.conversation.interrupt',
  conversationBranch: 'agentWorkspace.conversation.branch',
  conversationGoBack: 'agentWorkspace.conversation.goBack',
  conversationCompare: 'agentWorkspace.conversation.compare',
  conversationRename: 'agentWorkspace.conversation.rename',
  conversationDelete: 'agentWorkspace.conversation.delete',
  conversationAsk: 'agentWorkspace.conversation.ask',
  conversationPolicy: 'agentWorkspace.conversation.policy',
  conversationSwitchModel: 'agentWorkspace.conversation.switchModel',
  conversationSummarize: 'agentWorkspace.conversation.summarize',
  conversationGoal: 'agentWorkspace.conversation.goal',
  conversationGiveSecret: 'agentWorkspace.conversation.giveSecret',
  conversationOpenAsText: 'agentWorkspace.conversation.openAsText',
  conversationExport: 'agentWorkspace.conversation.export',
  conversationAddSelection: 'agentWorkspace.conversation.addSelection',
  conversationNextMessage: 'agentWorkspace.conversation.nextMessage',
  conversationPreviousMessage: 'agentWorkspace.conversation.previousMessage',
  conversationToEnd: 'agentWorkspace.conversation.toEnd',
  changesShow: 'agentWorkspace.changes.show',
  changesShowCommits: 'agentWorkspace.changes.showCommits',
  /** On the columns of a comparison; not in the palette. */
  changesShowDifference: 'agentWorkspace.changes.showDifference',
  conversationTake: 'agentWorkspace.conversation.take',
  changesApply: 'agentWorkspace.changes.apply',
  changesCreateBranch: 'agentWorkspace.changes.createBranch',
  changesUndoApply: 'agentWorkspace.changes.undoApply',
  /** On an entry of a transcript; not in the palette. */
  changesShowStep: 'agentWorkspace.changes.showStep',
  /** On the lines of changes, and on comments there. */
  changesComment: 'agentWorkspace.changes.comment',
  changesSendComments: 'agentWorkspace.changes.sendComments',
  changesRemoveComment: 'agentWorkspace.changes.removeComment',
  /** On a file. */
  fileConversations: 'agentWorkspace.file.conversations',
  placeOpenTerminal: 'agentWorkspace.place.openTerminal',
  placePorts: 'agentWorkspace.place.ports',
  placeOpenFolder: 'agentWorkspace.place.openFolder',
  placeUpload: 'agentWorkspace.place.upload',
  placeDownload: 'agentWorkspace.place.download',
  placeSearch: 'agentWorkspace.place.search',
  placeShowPage: 'agentWorkspace.place.showPage',
  conversationOpenPullRequest: 'agentWorkspace.conversation.openPullRequest',
  conversationRevealSandbox: 'agentWorkspace.conversation.revealSandbox',
  conversationCopyId: 'agentWorkspace.conversation.copyId',
  conversationCopyLink: 'agentWorkspace.conversation.copyLink',
  conversationFilter: 'agentWorkspace.conversation.filter',
  conversationClearFilter: 'agentWorkspace.conversation.clearFilter',
  conversationGroup: 'agentWorkspace.conversation.group',
  conversationSort: 'agentWorkspace.conversation.sort',
  usageShow: 'agentWorkspace.usage.show',
  settingsOpen: 'agentWorkspace.settings.open',
  settingsManageMcpServers: 'agentWorkspace.settings.manageMcpServers',
  settingsManageGitProviders: 'agentWorkspace.settings.manageGitProviders',
  settingsUndoSave: 'agentWorkspace.settings.undoSave',
  automationRun: 'agentWorkspace.automation.run',
  automationCancelRun: 'agentWorkspace.automation.cancelRun',
  automationTurnOn: 'agentWorkspace.automation.turnOn',
  automationTurnOff: 'agentWorkspace.automation.turnOff',
  automationChange: 'agentWorkspace.automation.change',
  automationShowRuns: 'agentWorkspace.automation.showRuns',
  automationDelete: 'agentWorkspace.automation.delete',
  /** On a conversation. */
  automationCreate: 'agentWorkspace.automation.create',
  agentProfileManage: 'agentWorkspace.agentProfile.manage',
  modelSetUp: 'agentWorkspace.model.setUp',
  profileManage: 'agentWorkspace.profile.manage',
  providerManage: 'agentWorkspace.provider.manage',
  secretManage: 'agentWorkspace.secret.manage',
  skillManage: 'agentWorkspace.skill.manage',
  mcpImport: 'agentWorkspace.mcp.import',
  mcpExport: 'agentWorkspace.mcp.export',
  logsShow: 'agentWorkspace.logs.show',
  /** Behind the rows "Load more"; not in the palette. */
  viewLoadMore: 'agentWorkspace.view.loadMore',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** The provider of accounts where the user signs in. */
export const authenticationId = 'agentWorkspace';

/** Tools for language models. */
export const toolIds = {
  listSandboxes: 'agentWorkspace_listSandboxes',
  listConversations: 'agentWorkspace_listConversations',
  startSandbox: 'agentWorkspace_startSandbox',
  pauseSandbox: 'agentWorkspace_pauseSandbox',
  resumeSandbox: 'agentWorkspace_resumeSandbox',
  startConversation: 'agentWorkspace_startConversation',
  readConversation: 'agentWorkspace_readConversation',
  searchConversations: 'agentWorkspace_searchConversations',
  compareConversations: 'agentWorkspace_compareConversations',
  readUsage: 'agentWorkspace_readUsage',
  listChanges: 'agentWorkspace_listChanges',
  readChange: 'agentWorkspace_readChange',
  readFile: 'agentWorkspace_readFile',
  listFolder: 'agentWorkspace_listFolder',
  searchFiles: 'agentWorkspace_searchFiles',
  messageConversation: 'agentWorkspace_messageConversation',
  listAutomations: 'agentWorkspace_listAutomations',
} as const;

export type ToolId = (typeof toolIds)[keyof typeof toolIds];

export const viewIds = {
  sandboxes: 'agentWorkspace.sandboxes',
  conversations: 'agentWorkspace.conversations',
  specs: 'agentWorkspace.specs',
  /** In place of the two before, for standalone agent servers. */
  workspaces: 'agentWorkspace.workspaces',
  /** What a server starts by itself, where it has the service for that. */
  automations: 'agentWorkspace.automations',
  /** The results of a search of all conversations, once there was one. */
  search: 'agentWorkspace.search',
} as const;

/** Opens a terminal in a sandbox from the terminal panel. */
export const terminalProfileId = 'agentWorkspace.place.terminal';

export const viewContainerId = 'agentWorkspace';

/** Panels by the name of their page, which is in the folder `page` of a feature. They come back with the window. */
export const panelTypes = {
  settings: 'agentWorkspace.settings',
  conversation: 'agentWorkspace.conversation',
  compare: 'agentWorkspace.compare',
  usage: 'agentWorkspace.usage',
} as const;

export type PanelName = keyof typeof panelTypes;

/** Of the addresses by which the editor asks for the badges of rows. */
export const badgeScheme = 'agent-workspace-badge';
export const detailsScheme = 'agent-workspace-details';
/** The document in which the message of a new conversation is written. */
export const messageScheme = 'agent-workspace-message';

/** Both sides of the files that an agent changed. */
export const changesScheme = 'agent-workspace-changes';
/** Files in the sandbox of a conversation. */
export const filesScheme = 'agent-workspace-files';
/** Of results of searches in them. */
export const searchScheme = 'agent-workspace-search';
/** Comments on their lines. */
export const commentControllerId = 'agentWorkspace.changes';

/** Context keys for `when` clauses. */
export const contextKeys = {
  /** `none`, `noKey`, `connecting`, `ready`, `refused` or `unreachable`. */
  session: 'agentWorkspace.session',
  /** True where the user signs in, rather than entering a key. */
  signsIn: 'agentWorkspace.signsIn',
  /** True where the user works for one of several organizations. */
  organizations: 'agentWorkspace.organizations',
  /** True while there's no connection, or no key for it. Until that's known, commands are enabled, to wake the extension. */
  unconnected: 'agentWorkspace.unconnected',
  /** True once the user has changed the setting `connections`. */
  connectionsEdited: 'agentWorkspace.connectionsEdited',
  /** True where agents start in folders of the server’s own computer: a standalone agent server. */
  agentServer: 'agentWorkspace.agentServer',
  /** True where there are no sandboxes: only conversations are offered. */
  lacksSandboxes: 'agentWorkspace.lacksSandboxes',
  hasContainers: 'agentWorkspace.hasContainers',
  /** True while the service fails because settings were never saved there. */
  unsaved: 'agentWorkspace.unsaved',
  listTroubles: 'agentWorkspace.listTroubles',
  /** True while the service’s settings name no model. */
  lacksModel: 'agentWorkspace.lacksModel',
  /** While `unreachable`: the reason of the error (see api/http/errors.ts). */
  reason: 'agentWorkspace.reason',
  /** True while the view of the list has nothing to show though the list was read. */
  sandboxesEmpty: 'agentWorkspace.sandboxesEmpty',
  conversationsEmpty: 'agentWorkspace.conversationsEmpty',
  specsEmpty: 'agentWorkspace.specsEmpty',
  workspacesEmpty: 'agentWorkspace.workspacesEmpty',
  /** True while the connected server has an automation service. */
  automations: 'agentWorkspace.automations',
  automationsInstead: 'agentWorkspace.automationsInstead',
  /** True while Conversations shows archived ones too. */
  showsArchived: 'agentWorkspace.showsArchived',
  /** True while Conversations shows those of all connections. */
  showsAll: 'agentWorkspace.showsAll',
  /** True while there is only one connection, or none. */
  singleConnection: 'agentWorkspace.singleConnection',
  /** True while no agent waits on another connection than the window’s. */
  noneWaitingElsewhere: 'agentWorkspace.noneWaitingElsewhere',
  /** True while there are results of a search of all conversations, or will be. */
  searched: 'agentWorkspace.searched',
  /** True while all conversations are searched. */
  searching: 'agentWorkspace.searching',
  /** The ids of the views in which all selected rows are gone, or all but one. The editor’s own key doesn’t say so. */
  selectionGone: 'agentWorkspace.selectionGone',
  /** True while Conversations is filtered. */
  conversationsFiltered: 'agentWorkspace.conversationsFiltered',
  /*
   * What the palette would offer in vain. They say what isn't there: until something was read, everything is offered, also
   * to wake the extension.
   */
  noConversations: 'agentWorkspace.noConversations',
  noSandboxes: 'agentWorkspace.noSandboxes',
  noneWaiting: 'agentWorkspace.noneWaiting',
  noneWorking: 'agentWorkspace.noneWorking',
  noPullRequests: 'agentWorkspace.noPullRequests',
  /** True while changes that were applied to a folder can be taken back. */
  applied: 'agentWorkspace.applied',
  /** True when this window has saved settings of the current connection, which can be undone. */
  settingsSaved: 'agentWorkspace.settingsSaved',
  /**
   * What can be done to the conversation in the active tab, in words joined by blanks; see
   * features/conversation/panel/tab.ts.
   */
  panel: 'agentWorkspace.panel',
  /** True once this window has started a sandbox or a conversation. */
  started: 'agentWorkspace.started',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

/** Members of the configuration section `agentWorkspace`. */
export const configurationSection = 'agentWorkspace';
export const settingIds = {
  connections: 'connections',
  refreshIntervalSeconds: 'refresh.intervalSeconds',
  watchSeconds: 'watchSeconds',
  watchAllConnections: 'watchAllConnections',
  /** What to notify about, by the names of core/lists/attention.ts. */
  agentWaits: 'notifications.agentWaits',
  agentEnded: 'notifications.agentEnded',
  agentFailed: 'notifications.agentFailed',
  automationFailed: 'notifications.automationFailed',
  sandboxFailed: 'notifications.sandboxFailed',
  sandboxPaused: 'notifications.sandboxPaused',
  sendWith: 'composer.sendWith',
  pauseOnExit: 'pauseOnExit',
  dailyBudget: 'usage.dailyBudget',
  keepRunning: 'place.keepRunning',
} as const;

/** Memento keys. */
export const stateIds = {
  activeConnection: 'agentWorkspace.activeConnection',
  /** The connection that was selected last in any window. */
  lastConnection: 'agentWorkspace.lastConnection',
  /** True once the user was told what the setting `pauseOnExit` does, and agreed. */
  pauseOnExitAgreed: 'agentWorkspace.pauseOnExitAgreed',
  /** Origins for which the secret storage was given a session key. */
  storedKeys: 'agentWorkspace.storedKeys',
  /** The titles of what tabs of a kind show; the kind follows. */
  tabs: 'agentWorkspace.tabs.',
  /** The organizations of the conversations in tabs. */
  homes: 'agentWorkspace.homes',
  /** True once the user has signed in anywhere, so that the editor’s accounts are worth a look. */
  signedIn: 'agentWorkspace.signedIn',
  /** What windows have notified about, so that each event is reported once. */
  toldNews: 'agentWorkspace.toldNews',
  budgetTold: 'agentWorkspace.budgetTold',
  /** True once the user was told that pins and archived conversations are kept on this computer. */
  shelfTold: 'agentWorkspace.shelfTold',
  /** How the Conversations view is grouped and sorted. */
  arrangement: 'agentWorkspace.arrangement',
  /** The message that is being written. */
  messageDraft: 'agentWorkspace.messageDraft',
  /** Revisions of drafts that were empty when their tab was closed. */
  closedDrafts: 'agentWorkspace.closedDrafts',
  /** Starts that the service is working on, and failed ones. */
  starts: 'agentWorkspace.starts',
  /** What was selected for the last conversation on each repository. */
  choices: 'agentWorkspace.choices',
  /** The messages that conversations were started with. */
  firstMessages: 'agentWorkspace.firstMessages',
  templates: 'agentWorkspace.templates',
  /** Hashes of the changes that were shown. */
  seenChanges: 'agentWorkspace.seenChanges',
  /** Changes that are on their way into the sandbox of a new conversation. */
  deliveries: 'agentWorkspace.deliveries',
  /** Terminals in sandboxes that the window shows. */
  terminals: 'agentWorkspace.terminals',
  /** The sign-in that the window waits for. */
  signIn: 'agentWorkspace.signIn',
  /** The name of what undoes the changes that were last applied. */
  undo: 'agentWorkspace.undo',
} as const;

/** Memento key, one per conversation of a service: the draft of a message. */
export const conversationDraftState = (service: string, id: string) =>
  `agentWorkspace.conversationDraft:${service}:${id}`;

/** Memento key, one per conversation of a service: messages that may not have arrived. */
export const conversationOutboxState = (service: string, id: string) =>
  `agentWorkspace.conversationOutbox:${service}:${id}`;

/** Memento key, one per service: comments on changes that weren’t sent yet. */
export const changeCommentsState = (service: string) => `agentWorkspace.changeComments:${service}`;

/** Memento key, one per service: which conversations were looked at, and when. */
export const readMarksState = (service: string) => `agentWorkspace.readMarks:${service}`;

/** Memento key, one per service that keeps no tags: pinned and archived conversations. */
export const shelfState = (service: string) => `agentWorkspace.shelf:${service}`;

/** Memento key, one per service that keeps no tags: conversations that are attempts at one message. */
export const attemptsState = (service: string) => `agentWorkspace.attempts:${service}`;

/** Memento key, one per base URL: true once saved settings were seen there. */
export const seenSettingsState = (baseUrl: string) => `agentWorkspace.seenSettings:${baseUrl}`;

/** Memento key, one per base URL: the generation of the service there. */
export const generationState = (baseUrl: string) => `agentWorkspace.generation:${baseUrl}`;

/** Memento key, one per base URL: whether conversations of the agent server there can have a container each. */
export const containersState = (baseUrl: string) => `agentWorkspace.containers:${baseUrl}`;

/** Memento key, one per base URL: true until the user was told what an update of the service has done. */
export const updatedServiceState = (baseUrl: string) => `agentWorkspace.updatedService:${baseUrl}`;

/** SecretStorage, one per base URL: the MCP servers with their secrets that the user lets this computer keep. */
export const keptServersSecret = (baseUrl: string) => `agentWorkspace.keptServers:${baseUrl}`;

/** SecretStorage: one session key per origin. */
export const sessionKeySecret = (origin: string) => `agentWorkspace.sessionKey:${origin}`;

/** Environment variables that define a connection for an extension in development. */
export const developmentEnvironment = {
  url: 'AGENT_WORKSPACE_URL',
  sessionKey: 'AGENT_WORKSPACE_SESSION_KEY',
} as const;

/** Secret: the code of the sign-in that a window waits for. */
export const signInSecret = 'agentWorkspace.signIn';
