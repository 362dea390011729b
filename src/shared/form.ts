import type { McpServer } from './mcp';
import type { PlainField, PlainValues, SecretField, SecretIntention, SecretPresence } from './settings';

/** A git provider whose token the service holds (specification: `provider_tokens_set`). */
export interface Provider {
  name: string;
  /** Host of the provider where it is not the public one. */
  host: string | null;
}

/** A field that the service has and this client does not know: kept, shown, not edited. */
export interface OtherValue {
  name: string;
  /** The value where it cannot be a secret (number, boolean, null), else only what kind of value it is. */
  text: string;
}

/** All that the form shows; holds no secret. */
export interface FormModel {
  /** False when the service has no settings yet for this user: the form then shows the defaults. */
  saved: boolean;
  values: PlainValues;
  secrets: Record<SecretField, SecretPresence>;
  email: string | null;
  emailVerified: boolean | null;
  mcpServers: McpServer[];
  providers: Provider[];
  other: OtherValue[];
}

/** All that the user changed and has not saved; holds no secret. */
export interface FormEdits {
  /** Only the fields the user changed. */
  values: Partial<PlainValues>;
  secrets: Partial<Record<SecretField, Exclude<SecretIntention, 'keep'>>>;
  /** The whole list as the user wants it, or null when it was not touched. */
  mcpServers: McpServer[] | null;
}

/** Where an error of a save belongs: a field by wire name, or a member of an MCP server by the server's id. */
export type ErrorTarget =
  | { at: 'field'; field: PlainField | SecretField }
  | { at: 'mcp'; id: string; member: string }
  | { at: 'form' };

/** Which secret a prompt is about. */
export type SecretTarget =
  | { at: 'field'; field: SecretField }
  | { at: 'mcpApiKey'; id: string }
  | { at: 'mcpEnv'; id: string; name: string };
