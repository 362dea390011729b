import type { Answer } from '../../../../editor/flow';
import type { InputStep, TextStep } from '../../../../editor/inputs';
import type { ReadSource } from '../../../../editor/mcpSources';
import type { ProbeOptions, ProbeResult } from '../../../../api/mcp/probe';
import type { Position } from '../../model/import/types';

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

export type TextQuestion = InputStep & Pick<TextStep, 'prompt' | 'value' | 'password'>;

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
  environment: Readonly<Record<string, string | undefined>>;
  /** The `mcp.json` of each workspace folder, whether it exists or not. */
  workspaceFiles: () => ExportFile[];
  /** A file the user names; the editor has already asked before replacing an existing one. */
  chooseTarget: () => Promise<ExportFile | undefined>;
  showNew: (text: string) => Promise<void>;
  test: (options: Omit<ProbeOptions, 'fetch'>) => Promise<ProbeResult>;
}
