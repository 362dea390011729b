import type { SecretTarget } from '../../shared/form';
import type { McpKind, McpServer } from '../../../../shared/mcp';

/** A position in a text; both numbers start at 1. */
export interface Position {
  line: number;
  column: number;
}

/** Why a text can't be used, in words; `at` is null if no position is to blame. */
export interface Unusable {
  ok: false;
  reason: string;
  at: Position | null;
}

/** The MCP servers in a configuration file, or why it can't be read. */
export type ParsedFile = { ok: true; servers: ParsedServer[]; rejected: RejectedServer[] } | Unusable;

/** An entry that isn't a server. */
export interface RejectedServer {
  sourceName: string;
  reason: string;
  at: Position;
}

/** A server of a file: `preview` may be shown anywhere, `secrets` never leaves the extension host. */
export interface ParsedServer {
  preview: ServerPreview;
  secrets: ServerSecrets;
}

/** A server without its secrets. Texts still contain their placeholders. */
export interface ServerPreview {
  /** The name in the file, as one safe line; empty if none. The service keeps only names of stdio servers. */
  sourceName: string;
  /** Where in the file it is, such as a project; empty for the usual place. */
  from: string;
  kind: McpKind;
  /** sse and shttp. */
  url: string;
  hasApiKey: boolean;
  /** stdio: a name the service accepts, derived from the file's name if that isn't one. */
  name: string;
  command: string;
  args: string[];
  /** Names of the environment variables. */
  env: string[];
  /** Placeholders to answer or take from the environment. */
  inputs: Placeholder[];
  /** What the service doesn't support, in words. */
  cannotCarry: string[];
  /** Disabled in the file. */
  disabled: boolean;
  problems: ImportProblem[];
}

/** The secrets of a server, placeholders included. */
interface ServerSecrets {
  /** The token of an Authorization header. */
  apiKey: string | null;
  /** True if `apiKey` is the header's whole value, which may start with a scheme once filled. */
  isWholeHeader: boolean;
  /** Values by name. */
  env: ReadonlyMap<string, string>;
  /** Defaults of the placeholders by key; the only place for defaults of passwords. */
  defaults: ReadonlyMap<string, string>;
}

/** Something that was corrected or, if `blocking`, that the user has to correct in the form. */
export interface ImportProblem {
  member: 'kind' | 'url' | 'apiKey' | 'name' | 'command' | 'args' | 'env';
  message: string;
  blocking: boolean;
}

/** Where a placeholder is. */
export type PlaceholderPlace =
  { at: 'url' | 'apiKey' | 'command' } | { at: 'args'; index: number } | { at: 'env'; name: string };

/** `${input:id}`, or one of `${env:NAME}`, `${NAME}` and `${NAME:-default}`. */
export interface Placeholder {
  /** The key for its answer. */
  key: string;
  kind: 'input' | 'env';
  /** Id of the input, or name of the environment variable. */
  name: string;
  places: PlaceholderPlace[];
  description: string | null;
  /** True if the file says so, or if it's part of a secret. */
  password: boolean;
  hasDefault: boolean;
  /** Always null for a password, because its default may be a secret. */
  default: string | null;
  /** The allowed values, if the file restricts them. */
  options: string[] | null;
}

/** The answer that uses the environment variable's value, which the user must have selected. */
export const fromEnvironment = Symbol('from the environment');

/** Answers by placeholder key. */
export type PlaceholderAnswers = ReadonlyMap<string, string | typeof fromEnvironment>;

/** A server ready for the form, and its secrets for `SettingsDocument.setSecret`. */
export interface FilledServer {
  /** Contains no secrets. */
  server: McpServer;
  secrets: { target: SecretTarget; value: string }[];
  /** Problems found while filling; those in the file are in the preview. */
  problems: ImportProblem[];
  /** What the user should know, in words. */
  notes: string[];
}

/** Members that hold the address, by the names that tools have for it. */
export const urlMembers = [
  'url',
  'serverUrl',
  'httpUrl',
  'baseUrl',
  'server_url',
  'base_url',
  'endpoint',
  'uri',
];
