import type { EditDetail, Execution, Risk } from '../../shared/transcript';
import type { Content } from './content';
import type { Usage } from './usage';

/** What an agent wants to do: `kind` such as `TerminalAction`, and the members that are set. */
export interface AgentAction {
  kind: string;
  input: Readonly<Record<string, unknown>>;
}

/** One item of an agent’s plan. */
export interface Task {
  title: string;
  notes: string;
  status: 'todo' | 'in_progress' | 'done';
}

/** A file that a tool changed. */
export interface FileChange {
  /** As the tool reports it: absolute, or relative to the agent’s folder. */
  path: string;
  /** The file’s path afterwards, if it was moved. */
  movedTo?: string;
  /** Null for a new file. */
  before: string | null;
  /** Null for a file that was deleted. */
  after: string | null;
  /** Only the part that was replaced is known, not the whole file. */
  isPart?: true;
  /** The contents aren’t known: too large to keep, or in a form that can’t be read. */
  isGone?: true;
  /** The sides in which secrets were masked: they aren’t what the file holds. */
  masked?: ('before' | 'after')[];
}

/** The result of an action. Members that its kind doesn’t have are null. */
export interface Result extends Content {
  /** Such as `TerminalObservation`. */
  kind: string;
  isError: boolean;
  exitCode: number | null;
  /** The folder that the terminal is in after a command, if it says. */
  folder?: string;
  path: string | null;
  /** The whole file before; null for a new file, or if nothing was edited. */
  before: string | null;
  /** The whole file after; null if nothing was edited. */
  after: string | null;
  tasks: Task[] | null;
  /** The sides of the file in which secrets were masked: they aren’t what the file holds. */
  masked?: ('before' | 'after')[];
  /** The files that were changed, from a tool that reports several instead of `path`, `before`, and `after`. */
  files?: readonly FileChange[];
}

/** What can be done about a failure, as far as the server knows; `none` also if it doesn’t say. */
export type Remedy = 'none' | 'retry' | 'settings';

/** What is added to an action or a tool call whose arguments were shortened. */
interface Shortened {
  /** Set if arguments lack a part of their text. */
  shortened?: true;
  /** The edit, counted before its arguments were shortened. */
  edit?: EditDetail;
}

/** One progress report of a tool call by an agent that runs its tools itself (ACP). */
export interface ToolCall extends Shortened {
  callId: string;
  /** In the agent’s words. */
  title: string;
  /** Such as `edit`, `execute`, `read`, `search`; empty if unknown. */
  tool: string;
  state: 'running' | 'done' | 'failed';
  /** The arguments; null if unknown. */
  input: Readonly<Record<string, unknown>> | null;
  /** What is known so far. */
  result: Result;
}

/** What a hook did. */
export interface HookRun {
  /** Such as `PreToolUse`. */
  on: string;
  command: string;
  outcome: 'passed' | 'blocked' | 'failed';
  /** The action that it ran for; empty for none. */
  actionId: string;
  /** Its reason, errors, output, and message to the agent. */
  text: string;
  /** Length of the whole text, in characters, if this was shortened. */
  length?: number;
}

/** The members of one kind of event, without those that all have. */
export type Particulars =
  | ({ kind: 'message'; thought: string } & Content)
  | ({
      kind: 'action';
      thought: string;
      /** Null: the call wasn’t valid, and nothing happens. */
      action: AgentAction | null;
      tool: string;
      callId: string;
      /** The call’s arguments as the model wrote them; empty if `action` has them. */
      call: string;
      risk: Risk;
      summary: string;
      /** Where secrets were masked, more than those isn’t seen. */
      isVeiled?: true;
    } & Shortened)
  | { kind: 'observation'; actionId: string; result: Result }
  /** `byHook` if a hook blocked the action, not the user. */
  | { kind: 'rejection'; actionId: string; reason: string; byHook?: true }
  /** `length` is that of the whole error, if this was shortened. */
  | { kind: 'toolError'; callId: string; tool: string; error: string; length?: number; remedy?: Remedy }
  | { kind: 'failure'; code: string; detail: string; length?: number; remedy?: Remedy }
  | ({ kind: 'toolCall' } & ToolCall)
  | ({ kind: 'hook' } & HookRun)
  /** How risky an analyzer considers actions, by their ids. */
  | { kind: 'risks'; risks: Readonly<Record<string, Risk>> }
  | { kind: 'status'; status: Execution }
  | { kind: 'usage'; usage: Usage }
  /** The model that the agent uses from here on. */
  | { kind: 'model'; name: string }
  | ({ kind: 'goal' } & GoalState)
  | { kind: 'condensation'; summary: string }
  | { kind: 'paused' | 'interrupted' }
  /** Bookkeeping that people need not see. */
  | { kind: 'hidden' }
  /** An event that this client doesn’t know, with the server’s name of its kind. */
  | { kind: 'other'; name: string }
  /**
   * An event that can’t be read: too large or too deep for this client, or not an event at all. `isNoAction`: its kind,
   * as the server names it, is never an action; `actionId`: the action that it answers.
   */
  | { kind: 'unread'; why: Unread; isNoAction?: true; actionId?: string };

/** How far an agent has come with its goal. */
export interface GoalState {
  isActive: boolean;
  state: 'running' | 'complete' | 'capped' | 'interrupted';
  objective: string;
  /** Rounds that were judged; `rounds` is the maximum. */
  round: number;
  rounds: number;
  /** What the last judgment missed. */
  missing: string;
}

/** Why an event can’t be read. */
export type Unread = 'large' | 'deep' | 'odd';

/** An event of a conversation, reduced to named members so that secrets in the others never get any further. */
export type AgentEvent = Particulars & {
  id: string;
  /** ISO 8601 without a zone, in microseconds, as the sandbox’s clock shows it. Sorts as text. */
  timestamp: string;
  /** `agent`, `user`, `environment`, `hook`, or another. */
  source: string;
  /** The event before it on its branch, where the server says; a conversation that went back has several branches. */
  parent?: string;
  /**
   * It isn’t read as an action, but carries one or a tool call, so that the agent may wait for its approval; `unclear`: it
   * has something in it that may be one.
   */
  mayAct?: true | 'unclear';
  /** Ids of the actions, or of their calls, that a state update says wait; an empty one for an action without an ID. */
  waits?: readonly string[];
};
