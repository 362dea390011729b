import type { Behaviour } from '../behaviour';
import type { Answer, Call, Issue } from '../http';
import type { ConversationRecord, SandboxRecord, SpecRecord, State, StoredSettings } from '../records';
import type { SandboxLifecycle } from '../sandboxLifecycle';
import type { SettingsRules } from '../settingsFields';

export type ProfileName = 'documented' | 'observed' | 'current';

/** All that tells one service of the specification from another: what exists, and the shape of every answer. */
export interface Profile {
  readonly name: ProfileName;

  /**
   * Endpoints beyond the specification: /search of conversations, start tasks, renaming, options, unsetting tokens,
   * whether the service lives.
   */
  readonly beyondSpecification: boolean;
  /** Providers whose names are accepted; all if absent. */
  readonly providers?: readonly string[];
  /** The three answers whose bodies the specification does not show. */
  readonly done: { sandbox: unknown; settings: unknown; providers: unknown };

  /** Whether a start of a sandbox is answered when the sandbox runs, not before. */
  awaitsSandbox(): boolean;
  /** A sandbox that was started and never ran. */
  startFailed(): Answer;

  /** Whether a path asks for the session key; `exists` tells whether there is an endpoint at it. */
  asksKey(path: string, exists: boolean): boolean;
  keyRefused(): Answer;
  /** No such endpoint; `otherMethod` tells whether there is one for another method. */
  notThere(call: Call, otherMethod: boolean): Answer;
  noSuchItem(): Answer;
  invalid(issues: Issue[]): Answer;
  /** A start that names a spec there is not. */
  noSuchSpec(): Answer;
  tokenRefused(text: string): Answer;

  /** A list's answer; may refuse the query's `limit`. */
  list<T>(records: Iterable<T>, view: (record: T) => unknown, query: URLSearchParams): Answer;
  /** Sandboxes and conversations in the order that this service lists them. */
  order<T extends { created_at: string }>(records: Iterable<T>): Iterable<T>;
  readonly sandbox: (record: SandboxRecord) => unknown;
  readonly spec: (record: SpecRecord) => unknown;
  readonly conversation: (record: ConversationRecord) => unknown;

  settingsRules(): SettingsRules;
  settings(stored: StoredSettings | null): Answer;
}

/** What a profile looks at. */
export interface ProfileSource {
  state: State;
  behaviour: Behaviour;
  sandboxes: SandboxLifecycle;
  /** Where agents are simulated: the address of their servers. */
  agentsUrl?: () => string | undefined;
}
