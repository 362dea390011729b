import type { Behaviour } from '../behaviour';
import type { Answer, Call, Issue } from '../http';
import type { ConversationRecord, SandboxRecord, SpecRecord, State, StoredSettings } from '../records';
import type { SandboxLifecycle } from '../sandboxLifecycle';
import type { SettingsRules } from '../settingsFields';

export type ProfileName = 'documented' | 'observed' | 'current' | 'hosted';

/** How services that follow the specification differ: which endpoints exist, and the shape of every answer. */
export interface Profile {
  readonly name: ProfileName;

  /**
   * Endpoints beyond the specification: /search of conversations, start tasks, renaming, options, unsetting tokens,
   * health checks.
   */
  readonly beyondSpecification: boolean;
  /** The provider names that are accepted; all if absent. */
  readonly providers?: readonly string[];
  /** The three answers whose bodies the specification doesn't show. */
  readonly done: { sandbox: unknown; settings: unknown; providers: unknown };

  /** Whether starting a sandbox is answered only once it runs. */
  awaitsSandbox(): boolean;
  /** The answer when a started sandbox never runs. */
  startFailed(): Answer;

  /** Whether a path requires the session key; `exists` says whether it has an endpoint. */
  asksKey(path: string, exists: boolean): boolean;
  keyRefused(): Answer;
  /** No such endpoint; `otherMethod` says whether there is one for another method. */
  notThere(call: Call, otherMethod: boolean): Answer;
  noSuchItem(): Answer;
  invalid(issues: Issue[]): Answer;
  /** The answer to a start that names an unknown spec. */
  noSuchSpec(): Answer;
  tokenRefused(text: string): Answer;

  /** A list's answer; may refuse the query's `limit`. */
  list<T>(records: Iterable<T>, view: (record: T) => unknown, query: URLSearchParams): Answer;
  /** Sandboxes or conversations in the order that this service lists them. */
  order<T extends { created_at: string }>(records: Iterable<T>): Iterable<T>;
  readonly sandbox: (record: SandboxRecord) => unknown;
  readonly spec: (record: SpecRecord) => unknown;
  readonly conversation: (record: ConversationRecord) => unknown;

  settingsRules(): SettingsRules;
  settings(stored: StoredSettings | null): Answer;
}

/** What a profile's answers depend on. */
export interface ProfileSource {
  state: State;
  behaviour: Behaviour;
  sandboxes: SandboxLifecycle;
  /** The address of the simulated agents' servers, if there are any. */
  agentsUrl?: (sandboxId: string) => string | undefined;
}
