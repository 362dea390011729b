import type { Answer } from '../../platform/flow';
import type { ReadSource } from '../../platform/mcpSources';
import type { ProbeOptions, ProbeResult } from '../../platform/mcpTest';
import type { Position } from '../../state/mcpImport/types';

/** Something to choose. */
export interface Choice<T> {
  label: string;
  description?: string;
  detail?: string;
  /** Ticked at first, where several can be chosen. */
  picked?: boolean;
  value: T;
}

interface Question {
  title: string;
  /** Place among questions of one kind, from 1. */
  step?: number;
  totalSteps?: number;
  canGoBack?: boolean;
}

export interface ChoiceQuestion<T> extends Question {
  placeholder: string;
  choices: readonly Choice<T>[];
}

export interface TextQuestion extends Question {
  prompt: string;
  value?: string;
  password?: boolean;
}

/** A text with MCP servers, and where it is from. */
export interface ServerSource {
  label: string;
  /** Where it is, for the eye; empty for what is no file. */
  place: string;
  read: (maxBytes: number) => Promise<ReadSource>;
  /** Shows it in the editor, at `position` where there is one; undefined for what is no file. */
  open?: (position: Position | null) => Promise<void>;
}

/** A file that an export goes into. */
export interface ExportFile {
  label: string;
  /** What it holds, unsaved changes included; undefined when there is no such file. */
  read: () => Promise<string | undefined>;
  /** Puts `text` in its place; false when that stays unsaved because there was something unsaved before. */
  write: (text: string) => Promise<boolean>;
  open: (position: Position | null) => Promise<void>;
}

/** What import, export and test of MCP servers need of the editor around the form; a test puts fakes in their place. */
export interface ServerPorts {
  chooseOne: <T>(question: ChoiceQuestion<T>) => Promise<Answer<T>>;
  chooseMany: <T>(question: ChoiceQuestion<T>) => Promise<Answer<T[]>>;
  askText: (question: TextQuestion) => Promise<Answer<string>>;
  /** Tells something, and answers which of the actions was taken. */
  tell: (kind: 'info' | 'error', message: string, ...actions: string[]) => Promise<string | undefined>;
  /** Asks in a dialog of its own; undefined when it was left. */
  ask: (message: string, action: string) => Promise<string | undefined>;
  /** The configuration files that are known and exist. */
  findSources: () => Promise<ServerSource[]>;
  /** A file that the user chooses. */
  chooseSource: () => Promise<ServerSource | undefined>;
  clipboard: () => Promise<string>;
  environment: Readonly<Record<string, string | undefined>>;
  /** The `mcp.json` of each workspace folder that can be written, there or not. */
  workspaceFiles: () => ExportFile[];
  /** A file that the user names; the editor has asked already before an existing one is replaced. */
  chooseTarget: () => Promise<ExportFile | undefined>;
  showNew: (text: string) => Promise<void>;
  test: (options: Omit<ProbeOptions, 'fetch'>) => Promise<ProbeResult>;
}
