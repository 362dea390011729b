import type { McpServer } from './mcp';
import type { MoreSettings, MoreValues } from './moreFields';
import type { PlainField, PlainValues, SecretField, SecretIntention, SecretPresence } from './settings';

/** A git provider whose token the service holds (specification: `provider_tokens_set`). */
export interface Provider {
  name: string;
  /** Host of the provider where it is not the public one. */
  host: string | null;
}

/** A field that the service has but this client doesn't know: kept and shown, not edited. */
interface OtherValue {
  name: string;
  /** The value if it can't be a secret (number, boolean, null); otherwise only its type. */
  text: string;
}

/** Everything the form shows; contains no secrets. */
export interface FormModel {
  /** False when the service has no settings yet for this user: the form then shows the defaults. */
  saved: boolean;
  values: PlainValues;
  secrets: Record<SecretField, SecretPresence>;
  email: string | null;
  emailVerified: boolean | null;
  mcpServers: McpServer[];
  providers: Provider[];
  /** False when the service doesn't say which providers it has tokens for. */
  providersTold: boolean;
  /** Fields that the service doesn't have. */
  lacks: (PlainField | SecretField)[];
  /** The service hides the secrets of MCP servers, and a change to one needs them all. */
  hidesServerSecrets: boolean;
  other: OtherValue[];
  /** Fields that the service describes and the form doesn't have. */
  more: MoreSettings;
}

/** Everything the user changed and hasn't saved; contains no secrets. */
export interface FormEdits {
  /** Only the fields the user changed. */
  values: Partial<PlainValues>;
  secrets: Partial<Record<SecretField, Exclude<SecretIntention, 'keep'>>>;
  /** The whole list as the user wants it, or null when it was not touched. */
  mcpServers: McpServer[] | null;
  /** New values of fields that the service describes, by path; absent where there are none. */
  more?: MoreValues;
}

/** Where an error of a save belongs: a field by wire name, a member of an MCP server by the
 * server's id, or a field that the service describes. */
export type ErrorTarget =
  | { at: 'field'; field: PlainField | SecretField }
  | { at: 'mcp'; id: string; member: string }
  | { at: 'more'; path: string }
  | { at: 'form' };

/** Which secret a prompt is about. */
export type SecretTarget =
  | { at: 'field'; field: SecretField }
  | { at: 'mcpApiKey'; id: string }
  | { at: 'mcpEnv'; id: string; name: string };

/** Names what a target points at, for maps and choices. */
export function targetKey(target: ErrorTarget): string {
  switch (target.at) {
    case 'field':
      return `field:${target.field}`;
    case 'mcp':
      return `mcp:${target.id}:${target.member}`;
    case 'more':
      return `more:${target.path}`;
    case 'form':
      return 'form';
  }
}

/** One change of a save, in words; for a secret, only what happens to it. */
export interface Change {
  target: ErrorTarget;
  /** Wire name of the field, or the MCP server and its member. */
  label: string;
  before: string;
  after: string;
}

/** A value that both the user and the service changed, with all three versions in words. */
export interface Conflict {
  /** What a resolution refers to. Unique within a save, even if one target has several conflicts. */
  key: string;
  target: ErrorTarget;
  label: string;
  mine: string;
  theirs: string;
  /** The value before either change. */
  former: string;
}

/** The user's choices by the keys of the conflicts. A choice counts only while the service holds what was shown. */
export type Resolution = Readonly<Record<string, 'mine' | 'theirs'>>;

/**
 * A surprise found by reading back after a save.
 * - `kept`: the service still has the previous value
 * - `changed`: it has a different value than was sent
 * - `missing`: it doesn't have the server
 * - `returned`: a deleted or renamed server came back from the administrator's configuration
 * - `secret`: a secret is set that shouldn't be, or the reverse
 */
export interface SaveNote {
  kind: 'kept' | 'changed' | 'missing' | 'returned' | 'secret';
  target: ErrorTarget;
  label: string;
  message: string;
}
