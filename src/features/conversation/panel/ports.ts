import type { Disposable } from '../../../core/basics/emitter';
import type { AgentFolders } from '../../../shared/agentFolders';
import type { SendKey, ToPage } from '../../../shared/conversationMessages';
import type { Entry } from '../../../shared/transcript';
import type { ContextFinder, LocatedFile, ReadFile } from '../../context';
import type { Draft } from './attachments';
import type { ContextSkill } from './mentions';

/** What the page offers that commands of the extension do. */
export type PanelCommand =
  'changePolicy' | 'showChanges' | 'openAsText' | 'export' | 'openPullRequest' | 'revealSandbox' | 'nextStep';

/** Everything around a conversation's panel. */
export interface ConversationPorts {
  post: (message: ToPage) => void;
  /** Base URL of the service. */
  service: string;
  /** The name of the service’s connection if the window is on another one; empty otherwise. */
  elsewhere: () => string;
  /** Switches the window to the service. */
  switchHere: () => Promise<void>;
  /** The key that sends a message. */
  sendKey: () => SendKey;
  drafts: { read: () => Draft; write: (draft: Draft) => void };
  /** Runs a command on this conversation. */
  run: (command: PanelCommand) => Promise<void>;
  /** Shows text as a read-only document. */
  showDocument: (title: string, text: string) => Promise<void>;
  /** Shows both sides of an edited file in the editor's diff. */
  showDiff: (path: string, before: string, after: string) => Promise<void>;
  /** Shows an edit that waits for approval in the editor's diff; resolves to whether the diff hides nothing of it. */
  showPlannedDiff: (path: string, before: string, after: string) => Promise<boolean>;
  /** Shows what the step of an entry changed. */
  showStep: (entryId: string) => Promise<void>;
  /** Calls back when a program of the agent begins to listen on a port, with the entry after which that was found. */
  watchPorts: (found: (port: number, after: Pick<Entry, 'id' | 'at'>) => void) => Disposable;
  /** Opens the page of such a port. */
  openPort: (port: number) => Promise<void>;
  /** Asks before something is done; true if the user agreed. */
  confirm: (message: string, detail: string, action: string) => Promise<boolean>;
  openLink: (url: URL) => Promise<void>;
  copy: (text: string) => Promise<void>;
  /** Finds what can go along with a message. */
  context: ContextFinder;
  /** Reads what agents can be asked for by name in a folder; none where the server doesn’t say. */
  skills: (folder: string) => Promise<readonly ContextSkill[]>;
  /** Finds out where a file is, without reading it; undefined for what isn't a URI. */
  locateFile: (uri: string) => Promise<LocatedFile | undefined>;
  /** Quotes a file; undefined for what can't be read as text, or is too long. */
  readFile: (uri: string) => Promise<ReadFile | undefined>;
  /** The URIs of those of an agent’s files that are in a folder open here, by their paths. */
  findFiles: (paths: readonly string[], folders: AgentFolders) => Promise<ReadonlyMap<string, string>>;
  /** Opens a file in an editor. */
  openFile: (uri: string, line: number | null) => Promise<void>;
  log: { error(message: string): void; warn(message: string): void };
}
