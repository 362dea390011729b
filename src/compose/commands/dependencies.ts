import type * as vscode from 'vscode';
import type { ApiClient } from '../../api/service/client';
import type { DeviceSignIn } from '../../api/service/deviceSignIn';
import type { ConversationAt } from '../../core/lists/conversationAt';
import type { ConversationsElsewhere } from '../../core/lists/elsewhere';
import type { RecordRef } from '../../core/lists/ref';
import type { ServiceModel } from '../../core/lists/serviceModel';
import type { SessionStore, SessionTarget } from '../../core/session/session';
import type { SettingsLock } from '../../core/settings/safeguards';
import type { ActiveConnection } from '../../editor/activeConnection';
import type { ConfiguredConnections } from '../../editor/connectionEntries';
import type { KeptServers } from '../../editor/keptServers';
import type { KeptSignIn } from '../../editor/keptSignIn';
import type { MessageEditor } from '../../editor/messageEditor';
import type { ParkedServers } from '../../editor/parkedServers';
import type { SearchFiles } from '../../editor/searchFiles';
import type { SessionKeys } from '../../editor/sessionKeys';
import type { ReadMarks } from '../../features/attention';
import type { AutomationWatch } from '../../features/automations';
import type { ChangesState } from '../../features/changes/commands/needs';
import type { ContextFinder } from '../../features/context';
import type { Arrangement, Shelf } from '../../features/conversations';
import type { ConversationModels } from '../../features/live';
import type { SandboxFolders } from '../../features/place/commands/files/sandboxFolders';
import type { SearchResults } from '../../features/place/commands/files/searchResults';
import type { ServedPages } from '../../features/place/commands/servedPages';
import type { Terminals } from '../../features/place/commands/terminals';
import type { ConversationSearch } from '../../features/search';
import type { Attempts, FirstMessages, RememberedChoices, Templates, StartTasks } from '../../features/start';
import type { CommandId } from '../../ids';
import type { Connection } from '../../shared/connection';
import type { Aside, Composer } from '../../shared/conversationMessages';
import type { QuotedSelection } from '../../shared/selection';

/** Sections of the settings form that a command opens. */
type FormSection = 'model' | 'mcp' | 'providers';

/** Everything that some command needs; each command names its own part of it. */
export interface CommandDependencies extends ConversationDependencies, ChangesState {
  session: SessionStore;
  model: ServiceModel;
  arrangement: Arrangement;
  /** What has changed since the user looked. */
  marks: ReadMarks;
  /** The search of all conversations, with its view, and what it keeps on this computer. */
  searching: () => Promise<{
    search: Pick<ConversationSearch, 'search' | 'cancel' | 'clear'>;
    create: () => ConversationSearch;
    files: Pick<SearchFiles, 'keepOnly'>;
    show: () => Promise<void>;
  }>;
  /** What is known of the connections that the window isn’t on. */
  others: ConversationsElsewhere;
  /** What the servers start by themselves. */
  automations: AutomationWatch;
  /** What the user pinned and archived. */
  shelf: Shelf;
  /** Which conversations are attempts at one message. */
  attempts: Attempts;
  /** Whether the user was told that pins and archived conversations are kept on this computer. */
  isShelfTold: () => boolean;
  shelfTold: () => PromiseLike<void>;
  /** Conversations that are being started. */
  starts: StartTasks;
  /** What to offer first for the next conversation. */
  choices: RememberedChoices;
  /** Earlier messages and templates for others. */
  firstMessages: FirstMessages;
  templates: Templates;
  /** Where the message of a new conversation is written. */
  message: MessageEditor;
  /** Finds what can go along with a message. */
  contextFinder: () => Promise<ContextFinder>;
  keys: SessionKeys;
  /** MCP servers that are kept on this computer. */
  parked: () => Promise<Pick<ParkedServers, 'list' | 'removeAll'>>;
  /** Secrets of MCP servers that are on the service. */
  kept: Pick<KeptServers, 'read' | 'remove'>;
  /** One change of a service’s settings at a time. */
  lock: SettingsLock;
  activeConnection: ActiveConnection;
  /** The connections to choose from, read afresh. */
  listConnections: () => ConfiguredConnections;
  createClient: (connection: Connection, sessionKey: string) => ApiClient;
  /** Signs in to the service of a connection. */
  signInAt: (connection: Connection) => Promise<DeviceSignIn>;
  keptSignIn: KeptSignIn;
  /** Aborted when the session key of an origin is cleared or replaced. */
  keyEnd: (origin: string, sessionKey: string) => AbortSignal;
  /** Selects the row of `ref` in its view. */
  reveal: (ref: RecordRef, focus?: boolean) => Promise<void>;
  /** Shows the conversations, with the focus in their list. */
  focusConversations: () => Promise<void>;
  /** Opens the form, at `section` if given, and begins `task` there. */
  openSettingsForm: (section?: FormSection, task?: 'import' | 'export') => Promise<void>;
  /** Reads the settings again for the form, if it's on screen. */
  refreshSettingsForm: () => Promise<void>;
  /** Opens the tab with what conversations have used. */
  showUsage: () => Promise<void>;
  /** Takes back the last save of settings that this window made. */
  undoSettingsSave: () => Promise<void>;
  /** Shows `text` as a read-only document with `title`. */
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
  /** Connection and key of this window, read afresh; undefined when no connection is configured. */
  readTarget: () => Promise<SessionTarget | undefined>;
  log: vscode.LogOutputChannel;
  /** The terminals in sandboxes that the window shows. */
  terminals: Terminals;
  /** The files of sandboxes, as files of the editor. */
  sandboxFolders: SandboxFolders;
  /** Made with the first search. */
  searchResults: () => Promise<SearchResults>;
  /** Made with the first page. */
  servedPages: () => Promise<ServedPages>;
  /** Runs another command. */
  run: (id: CommandId, args: unknown[]) => Promise<void>;
}

/** What commands on a conversation in the editor also need. */
interface ConversationDependencies {
  conversations: ConversationModels;
  /** The conversation of the connected service in the active editor tab. */
  activeConversation: () => string | undefined;
  /** The conversation in the active editor tab, whatever its service. */
  activeTab: () => ConversationAt | undefined;
  /** Opens a conversation in an editor tab, with the focus there if given; by default, one of the connected service. */
  showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void>;
  /** The composer in the tab of a conversation; undefined if there’s none that takes text. */
  composerOf: (id: string, service: string | undefined) => Promise<Composer | undefined>;
  /** Opens a conversation in an editor tab, at an entry. */
  showEntry: (id: string, entry: string, service: string) => Promise<void>;
  /** Moves in the transcript in the active editor tab; does nothing without one. */
  moveInConversation: (to: 'next' | 'previous' | 'end') => Promise<void>;
  /** Whether the editor tab of a conversation, or of a start, is on screen. */
  isConversationVisible: (id: string) => boolean;
  /** Closes the editor tab of a conversation. */
  closeConversation: (id: string) => Promise<void>;
  /** Opens the comparison of conversations of a service. */
  showComparison: (service: string, ids: readonly string[]) => Promise<void>;
  /** Opens a conversation with an answer that isn’t part of it. */
  showAside: (id: string, aside: Aside, service?: string) => Promise<void>;
  /** Opens a conversation with these quotes attached to the message in its composer. */
  attachToConversation: (id: string, quotes: readonly QuotedSelection[], service?: string) => Promise<void>;
}

/** What is made with the first command that is about a conversation. */
type Later =
  'conversations' | 'terminals' | 'sandboxFolders' | 'searchResults' | 'servedPages' | keyof ChangesState;

/** What commands that are never about a conversation may need. */
export type EarlyDependencies = Omit<CommandDependencies, Later>;
