import type { PlainField, SecretField } from '../../shared/settings';
import type { MoreFields } from './current/moreFields';
import type { ProviderTokensBody } from './schemas/providerTokens';
import type { ServiceSettings, SettingsBody } from './schemas/settings';

/** What the settings of a service can and can't do. */
export interface Abilities {
  /** A save replaces the whole record: what it lacks is reset to its default. Otherwise it only changes what it has. */
  readonly replaces: boolean;
  /** An MCP server keeps the secrets that a save of others, or of its other members, doesn't name. */
  readonly keepsHidden: boolean;
  /** The fields of the form that the service doesn't have. */
  readonly lacks: readonly (PlainField | SecretField)[];
  /** It tests MCP servers itself, also those that are commands. */
  readonly testsServers: boolean;
  /** It keeps tokens of git providers. */
  readonly hasProviders: boolean;
  /** A git provider keeps its token when it gets another host. */
  readonly movesTokens: boolean;
}

/** The abilities of a service that merges what it gets into its settings. */
export const merging: Abilities = {
  replaces: false,
  keepsHidden: false,
  lacks: [],
  testsServers: false,
  hasProviders: true,
  movesTokens: false,
};

/** Calls that each generation of the service implements in its own way, all in the shape of the specification. */
export interface SettingsCalls {
  /**
   * The settings. Throws an error that `isSettingsNotFound` recognizes for a user who never saved, and one of reason
   * `agentServer` for a standalone agent server, unless it's `forEditing`.
   * @param forEditing makes every secret of MCP servers that the service hides a mask, see `mask`; otherwise it may be
   *   absent. Takes one more request on services that leave such secrets out.
   */
  getSettings(signal?: AbortSignal, forEditing?: boolean): Promise<ServiceSettings>;
  /**
   * Saves settings. A service that replaces the whole record gets all of `body`; one that keeps what's absent gets only
   * the fields named in `changed`, or all of `body` without it.
   * @param before what was read just before. Of MCP servers, a service that merges them gets only what differs from it.
   */
  postSettings(
    body: SettingsBody,
    changed?: readonly string[],
    signal?: AbortSignal,
    before?: ServiceSettings,
  ): Promise<void>;
  /** Replaces the whole map of git providers. */
  addGitProviders(body: ProviderTokensBody, signal?: AbortSignal): Promise<void>;
  /** Clears all git provider tokens, where the service can. */
  unsetProviderTokens(signal?: AbortSignal): Promise<void>;
  /**
   * The fields that the service describes and the form doesn't have; none on services that describe nothing. Their
   * texts are the service's, in its language.
   * @param agentKind the kind of agent that the settings are for: `agent_settings.agent_kind` of the record
   */
  describeFields(agentKind: string, signal?: AbortSignal): Promise<MoreFields>;
  /** Suggested models, on services that have them. */
  listModels(signal?: AbortSignal): Promise<string[]>;
  /** Suggested agents, on services that have them. */
  listAgents(signal?: AbortSignal): Promise<string[]>;
  /** Suggested security analyzers, on services that have them. */
  listSecurityAnalyzers(signal?: AbortSignal): Promise<string[]>;
  /** What these settings, as just read, can do. */
  abilities(settings: ServiceSettings): Abilities;
}
