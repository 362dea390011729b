import type { GoalState } from '../../../api/events/event';
import type { Entry, Head, SettablePolicy } from '../../../shared/transcript';
import type { Disposable } from '../../../core/basics/emitter';
import type { ConversationChanges } from '../../sandboxChanges';

/** The two sides of an edited file. */
export interface EditedFile {
  path: string;
  before: string;
  after: string;
}

/** The outcome of changing a conversation. */
export type Outcome =
  | { kind: 'done' }
  /** Nothing was changed; `problem` says why and what to do. */
  | { kind: 'refused'; problem: string }
  /** It may have happened; the conversation is read again. */
  | { kind: 'unknown'; problem: string };

/** A message that wasn’t sent. Images are data URIs. */
export interface TakenBack {
  text: string;
  images: readonly string[];
}

/**
 * One conversation of a window, wherever it's shown. Kept current while at least one holder of `keepCurrent` lives;
 * costs nothing otherwise.
 */
export interface ConversationModel extends Disposable {
  readonly id: string;
  /** Aborted with the connection: nothing is read or reported from then on. */
  readonly signal: AbortSignal;
  /** What the agent changed. */
  readonly changes: ConversationChanges;
  /** Everything but the entries, as last known. Immutable: every change is a new object. */
  readonly head: Head;
  /** In order of time, without duplicates; entries are immutable. */
  readonly entries: readonly Entry[];
  /** Fires after each change of `head` or `entries`. */
  readonly onDidChange: (listener: () => void) => Disposable;
  /** Whether it’s read and followed now. */
  readonly isCurrent: boolean;
  /** The number of reads that have ended so far, successful or not. */
  readonly readings: number;
  /** Reads and follows until disposed. */
  keepCurrent(): Disposable;
  /** Reads one more page of older events. Throws a Refusal if that fails; the head has its `problem` then, too. */
  loadOlder(): Promise<void>;
  /** Reads all older events, for search and export; those that can be read. */
  loadAll(signal?: AbortSignal): Promise<void>;
  /** Sends a message; never sends one twice. Images are data URIs. */
  send(text: string, images?: readonly string[]): Promise<Outcome>;
  /** Takes an outgoing message of state `failed` or `unknown` back, so that it can be edited. */
  takeBack(outgoingId: string): TakenBack | undefined;
  /** Approves exactly these actions; refused if others wait now. */
  approve(ids: readonly string[]): Promise<Outcome>;
  /** Rejects all pending actions; the reason is for the agent. */
  reject(ids: readonly string[], reason: string): Promise<Outcome>;
  pause(): Promise<Outcome>;
  interrupt(): Promise<Outcome>;
  /** Continues after a pause, an error, or an approval that was switched off. */
  resume(): Promise<Outcome>;
  setPolicy(policy: SettablePolicy): Promise<Outcome>;
  /** Continues with the model of a profile, on standalone agent servers. */
  switchModel(profile: string): Promise<Outcome>;
  /** Replaces the earlier context by a summary, on standalone agent servers. */
  summarize(): Promise<Outcome>;
  /** How far the agent is with its goal; undefined if none was set. */
  readonly goal: GoalState | undefined;
  /**
   * Works toward a goal, in rounds that a model judges, on standalone agent servers. Refused where the agent asks before
   * actions.
   */
  setGoal(objective: string, rounds: number): Promise<Outcome>;
  stopGoal(): Promise<Outcome>;
  resumeGoal(): Promise<Outcome>;
  /** Gives the agent a secret for this conversation, on standalone agent servers. */
  giveSecret(name: string, value: string): Promise<Outcome>;
  /** Continues after an earlier entry, where the agent server can; files stay as they are. */
  goBack(entryId: string): Promise<Outcome>;
  /** Starts a conversation with everything up to an entry, in the same folder; resolves to its id. Throws Refusal and ApiError. */
  branch(entryId: string, title: string): Promise<string>;
  /** Asks without leaving a trace in the conversation; resolves to the answer. Throws ApiError. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /** The whole text of an entry: a message, a command with its output or alone, an error. */
  fullText(entryId: string, signal?: AbortSignal, part?: 'all' | 'command'): Promise<string | undefined>;
  /** The pictures of a message or of a step’s result, read again: data URIs or other addresses. Throws ApiError. */
  pictures(entryId: string, signal?: AbortSignal): Promise<readonly unknown[]>;
  /** Both sides of an edit, where the events have them. */
  editedFile(entryId: string): EditedFile | undefined;
  /** Both sides of what an action that waits for approval would edit, with all that its card shows of it. */
  plannedEdit(actionId: string): EditedFile | undefined;
}
