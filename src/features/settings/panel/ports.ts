import type { ApiClient } from '../../../api/service/client';
import type { HostMessage } from '../shared/messages';
import type { ParkedServer } from '../../../shared/parked';
import type { ParkedStore } from '../model/parking';
import type { Safeguards } from '../../../core/settings/safeguards';
import type { SettingsDocument } from '../model/document';
import type { Answer } from '../../../editor/flow';
import type { InputStep, TextStep } from '../../../editor/inputs';
import type { ReadSource } from '../../../editor/mcpSources';
import type { ProbeOptions, ProbeResult } from '../../../api/mcp/probe';
import type { Position } from '../model/import/types';

/** What the form needs from the editor. Unit tests use fakes. */
export interface FormPorts {
  /** Reaches the form only while it is shown. */
  post: (message: HostMessage) => void;
  /** The window's current client. */
  client: () => ApiClient | undefined;
  /** Name of the window's connection. */
  connectionName: () => string;
  /** Why there is no client. */
  noClient: () => { message: string; nextStep: string };
  /** Asks for a secret in the editor's own password input; undefined when the user cancels. */
  askSecret: (title: string, prompt: string) => Promise<string | undefined>;
  /** Asks before something that can't be undone; false when the user cancels. */
  confirm: (message: string, detail: string, action: string) => Promise<boolean>;
  /** Opens the picker for what the service keeps besides the settings, and resolves when the user leaves it. */
  manage: (what: 'profiles' | 'secrets') => PromiseLike<void>;
  /** True once after the service was updated to a generation that keeps some settings in another place. */
  takeUpdate: (service: string) => boolean;
  safeguards: Safeguards;
  servers: ServerPorts;
  /** MCP servers kept on this computer, by the base URL of the service. */
  parked: ParkedStore & { list: (baseUrl: string) => ParkedServer[] };
  /** The saves that can be undone; outlives the form. */
  lastSaves: LastSaves;
  /** Where drafts outlive the form, by the base URL of the service. */
  drafts: { read: (service: string) => unknown; write: (service: string, draft: unknown) => void };
  log: { info: (text: string) => void; warn: (text: string) => void; error: (text: string) => void };
}

/**
 * The documents after the last saves of this window, for undoing them. In memory only, by the client that made the
 * save: another session key or connection starts over.
 */
export class LastSaves {
  private readonly documents = new WeakMap<ApiClient, SettingsDocument>();

  constructor(private readonly changed: () => void) {}

  get(client: ApiClient): SettingsDocument | undefined {
    return this.documents.get(client);
  }

  set(client: ApiClient, document: SettingsDocument): void {
    this.documents.set(client, document);
    this.changed();
  }

  /** The last save can't be undone, because its exact effect isn't known. */
  forget(client: ApiClient): void {
    this.documents.delete(client);
    this.changed();
  }
}

/** An item to select. */
export interface SelectItem<T> {
  label: string;
  description?: string;
  detail?: string;
  /** Selected at first, where several can be selected. */
  picked?: boolean;
  value: T;
}

export interface ChoiceQuestion<T> extends InputStep {
  placeholder: string;
  choices: readonly SelectItem<T>[];
}

export type TextQuestion = InputStep &
  Pick<TextStep, 'prompt' | 'value' | 'password' | 'validate' | 'accept' | 'until'>;

/** A text with MCP servers, and its origin. */
export interface ServerSource {
  label: string;
  /** Path to show; empty if it isn't a file. */
  place: string;
  read: (maxBytes: number) => Promise<ReadSource>;
  /** Opens it in the editor, at `position` if given; undefined if it isn't a file. */
  open?: (position: Position | null) => Promise<void>;
}

/** A file to export to. */
export interface ExportFile {
  label: string;
  /** Its text, unsaved changes included; undefined if the file doesn't exist. */
  read: () => Promise<string | undefined>;
  /** Replaces its text; false if the file is left unsaved because it had unsaved changes. */
  write: (text: string) => Promise<boolean>;
  open: (position: Position | null) => Promise<void>;
}

/** What import, export and test of MCP servers need from the editor. Unit tests use fakes. */
export interface ServerPorts {
  chooseOne: <T>(question: ChoiceQuestion<T>) => Promise<Answer<T>>;
  chooseMany: <T>(question: ChoiceQuestion<T>) => Promise<Answer<T[]>>;
  askText: (question: TextQuestion) => Promise<Answer<string>>;
  /** Shows a message; resolves to the selected action. */
  tell: (kind: 'info' | 'error', message: string, ...actions: string[]) => Promise<string | undefined>;
  /** Asks in a modal dialog; undefined if it was canceled. */
  ask: (message: string, action: string) => Promise<string | undefined>;
  /** The known configuration files that exist. */
  findSources: () => Promise<ServerSource[]>;
  /** A file the user selects. */
  chooseSource: () => Promise<ServerSource | undefined>;
  clipboard: () => Promise<string>;
  /** Opens a page in the browser. */
  openAddress: (page: URL) => Promise<void>;
  environment: Readonly<Record<string, string | undefined>>;
  /** The `mcp.json` of each workspace folder, whether it exists or not. */
  workspaceFiles: () => ExportFile[];
  /** A file the user names; the editor has already asked before replacing an existing one. */
  chooseTarget: () => Promise<ExportFile | undefined>;
  showNew: (text: string) => Promise<void>;
  test: (options: Omit<ProbeOptions, 'fetch'>) => Promise<ProbeResult>;
}
