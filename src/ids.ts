/** Every id that the manifest and the code share. A test compares this file with package.json both ways. */

export const extensionId = 'agent-workspace.agent-workspace';

export const commandIds = {
  connectionConnect: 'agentWorkspace.connection.connect',
  connectionSwitch: 'agentWorkspace.connection.switch',
  connectionRemove: 'agentWorkspace.connection.remove',
  connectionDiagnose: 'agentWorkspace.connection.diagnose',
  sessionSetKey: 'agentWorkspace.session.setKey',
  sessionClearKey: 'agentWorkspace.session.clearKey',
  viewRefresh: 'agentWorkspace.view.refresh',
  sandboxStart: 'agentWorkspace.sandbox.start',
  sandboxPause: 'agentWorkspace.sandbox.pause',
  sandboxResume: 'agentWorkspace.sandbox.resume',
  sandboxPauseAll: 'agentWorkspace.sandbox.pauseAll',
  sandboxResumeAll: 'agentWorkspace.sandbox.resumeAll',
  sandboxOpenUrl: 'agentWorkspace.sandbox.openUrl',
  sandboxShowDetails: 'agentWorkspace.sandbox.showDetails',
  sandboxCopyId: 'agentWorkspace.sandbox.copyId',
  conversationStart: 'agentWorkspace.conversation.start',
  conversationStartFromSelection: 'agentWorkspace.conversation.startFromSelection',
  /** In the editor of a new conversation's message. */
  conversationSendMessage: 'agentWorkspace.conversation.sendMessage',
  conversationCancelMessage: 'agentWorkspace.conversation.cancelMessage',
  /** On the row of a start; not in the palette. */
  conversationRetryStart: 'agentWorkspace.conversation.retryStart',
  conversationDismissStart: 'agentWorkspace.conversation.dismissStart',
  conversationOpen: 'agentWorkspace.conversation.open',
  conversationRevealSandbox: 'agentWorkspace.conversation.revealSandbox',
  conversationCopyId: 'agentWorkspace.conversation.copyId',
  conversationFilter: 'agentWorkspace.conversation.filter',
  conversationClearFilter: 'agentWorkspace.conversation.clearFilter',
  conversationGroup: 'agentWorkspace.conversation.group',
  conversationSort: 'agentWorkspace.conversation.sort',
  settingsOpen: 'agentWorkspace.settings.open',
  settingsManageMcpServers: 'agentWorkspace.settings.manageMcpServers',
  settingsManageGitProviders: 'agentWorkspace.settings.manageGitProviders',
  settingsUndoSave: 'agentWorkspace.settings.undoSave',
  mcpImport: 'agentWorkspace.mcp.import',
  mcpExport: 'agentWorkspace.mcp.export',
  logsShow: 'agentWorkspace.logs.show',
  /** Behind the rows "Load more"; not in the palette. */
  viewLoadMore: 'agentWorkspace.view.loadMore',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Tools for language models. */
export const toolIds = {
  listSandboxes: 'agentWorkspace_listSandboxes',
  listConversations: 'agentWorkspace_listConversations',
  startSandbox: 'agentWorkspace_startSandbox',
  pauseSandbox: 'agentWorkspace_pauseSandbox',
  resumeSandbox: 'agentWorkspace_resumeSandbox',
  startConversation: 'agentWorkspace_startConversation',
} as const;

export type ToolId = (typeof toolIds)[keyof typeof toolIds];

export const viewIds = {
  sandboxes: 'agentWorkspace.sandboxes',
  conversations: 'agentWorkspace.conversations',
  specs: 'agentWorkspace.specs',
} as const;

export const viewContainerId = 'agentWorkspace';
export const settingsPanelType = 'agentWorkspace.settings';
export const detailsScheme = 'agent-workspace-details';
/** The document in which the message of a new conversation is written. */
export const messageScheme = 'agent-workspace-message';

/** Context keys for `when` clauses. */
export const contextKeys = {
  /** `none`, `noKey`, `connecting`, `ready`, `refused` or `unreachable`. */
  session: 'agentWorkspace.session',
  /** While `unreachable`: the reason of the error (see api/errors.ts), or `newerGeneration`. */
  reason: 'agentWorkspace.reason',
  /** True once the first page of each list was read. */
  sandboxesLoaded: 'agentWorkspace.sandboxesLoaded',
  conversationsLoaded: 'agentWorkspace.conversationsLoaded',
  specsLoaded: 'agentWorkspace.specsLoaded',
  /** True while the view Conversations shows only those that pass a filter. */
  conversationsFiltered: 'agentWorkspace.conversationsFiltered',
  /** True when this window has saved settings of the present connection, which can be undone. */
  settingsSaved: 'agentWorkspace.settingsSaved',
  /** True once this window has started a sandbox or a conversation. */
  started: 'agentWorkspace.started',
} as const;

/** Members of the configuration section `agentWorkspace`. */
export const configurationSection = 'agentWorkspace';
export const settingIds = {
  connections: 'connections',
  refreshIntervalSeconds: 'refresh.intervalSeconds',
  /** What to be told of, by the names of state/attention.ts. */
  agentWaits: 'notifications.agentWaits',
  agentEnded: 'notifications.agentEnded',
  agentFailed: 'notifications.agentFailed',
  sandboxFailed: 'notifications.sandboxFailed',
  sandboxPaused: 'notifications.sandboxPaused',
  pauseOnExit: 'pauseOnExit',
} as const;

/** Memento keys. */
export const stateIds = {
  activeConnection: 'agentWorkspace.activeConnection',
  /** True once the user was told what the setting `pauseOnExit` does, and agreed. */
  pauseOnExitAgreed: 'agentWorkspace.pauseOnExitAgreed',
  /** Origins for which the secret storage was given a session key. */
  storedKeys: 'agentWorkspace.storedKeys',
  /** How the view Conversations is grouped and sorted. */
  arrangement: 'agentWorkspace.arrangement',
  /** The message that is being written. */
  messageDraft: 'agentWorkspace.messageDraft',
  /** Starts that the service works on, and failed ones. */
  starts: 'agentWorkspace.starts',
} as const;

/** SecretStorage: one session key per origin. */
export const sessionKeySecret = (origin: string) => `agentWorkspace.sessionKey:${origin}`;

/** Environment of an extension under development: makes a ready connection. */
export const developmentEnvironment = {
  url: 'AGENT_WORKSPACE_URL',
  sessionKey: 'AGENT_WORKSPACE_SESSION_KEY',
} as const;
