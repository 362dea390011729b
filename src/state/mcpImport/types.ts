import type { SecretTarget } from '../../shared/form';
import type { McpKind, McpServer } from '../../shared/mcp';

/** Where something stands in a text; both count from 1. */
export interface Position {
  line: number;
  column: number;
}

/** What a configuration file of MCP servers holds, or why it cannot be read; `at` is null where no place is to blame. */
export type ParsedFile =
  | { ok: true; servers: ParsedServer[]; rejected: RejectedServer[] }
  | { ok: false; reason: string; at: Position | null };

/** An entry that is no server by any reading. */
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

/** All of a server but its secrets. Texts still hold their placeholders. */
export interface ServerPreview {
  /** The name in the file, as one line that is safe to show; empty where it has none. The service keeps only names of stdio servers. */
  sourceName: string;
  kind: McpKind;
  /** sse and shttp. */
  url: string;
  hasApiKey: boolean;
  /** stdio: a name that the service takes; where the file's was none, one made of it. */
  name: string;
  command: string;
  args: string[];
  /** Names of the environment variables. */
  env: string[];
  /** What has to be answered or taken from the environment. */
  inputs: Placeholder[];
  /** Each thing that the service has no place for, in words. */
  cannotCarry: string[];
  problems: ImportProblem[];
}

/** The secrets of a server, placeholders included. */
export interface ServerSecrets {
  /** The token of an Authorization header. */
  apiKey: string | null;
  /** True when `apiKey` is the header's whole value, which may begin with its scheme once it is filled. */
  isWholeHeader: boolean;
  /** Values by name. */
  env: ReadonlyMap<string, string>;
  /** Defaults of the placeholders, by their key; those of passwords are nowhere else. */
  defaults: ReadonlyMap<string, string>;
}

/** Something that was put right, or (`blocking`) that the form refuses until it is. */
export interface ImportProblem {
  member: 'kind' | 'url' | 'apiKey' | 'name' | 'command' | 'args' | 'env';
  message: string;
  blocking: boolean;
}

/** Where a placeholder stands. */
export type Place =
  { at: 'url' | 'apiKey' | 'command' } | { at: 'args'; index: number } | { at: 'env'; name: string };

/** `${input:id}`, or one of `${env:NAME}`, `${NAME}` and `${NAME:-default}`. */
export interface Placeholder {
  /** By what an answer refers to it. */
  key: string;
  kind: 'input' | 'env';
  /** Id of the input, or name of the environment variable. */
  name: string;
  places: Place[];
  description: string | null;
  /** True where the file says so, and where it stands in a secret. */
  password: boolean;
  hasDefault: boolean;
  /** Null for a password even where there is one: it may be a secret. */
  default: string | null;
  /** Choices, where the file restricts it to some. */
  options: string[] | null;
}

/** The answer that takes the value of the environment variable, which the user has to have agreed to. */
export const fromEnvironment = Symbol('from the environment');

/** Answers by the key of the placeholder. */
export type Answers = ReadonlyMap<string, string | typeof fromEnvironment>;

/** A server ready for the form, and its secrets for `SettingsDocument.setSecret`. */
export interface FilledServer {
  /** Holds no secret. */
  server: McpServer;
  secrets: { target: SecretTarget; value: string }[];
  /** What filling brought about; those that the file itself has are in the preview. */
  problems: ImportProblem[];
  /** What the user should know, in words. */
  notes: string[];
}
