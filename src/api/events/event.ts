import type { Execution, Risk } from '../../shared/transcript';
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

/** The result of an action. Members that its kind doesn’t have are null. */
export interface Result extends Content {
  /** Such as `TerminalObservation`. */
  kind: string;
  isError: boolean;
  exitCode: number | null;
  path: string | null;
  /** The whole file before; null for a new file, or if nothing was edited. */
  before: string | null;
  /** The whole file after; null if nothing was edited. */
  after: string | null;
  tasks: Task[] | null;
  /** The sides of the file in which secrets were masked: they aren’t what the file holds. */
  masked?: ('before' | 'after')[];
}

/** The members of one kind of event, without those that all have. */
export type Particulars =
  | ({ kind: 'message'; thought: string } & Content)
  | {
      kind: 'action';
      thought: string;
      /** Null: the call wasn’t valid, and nothing happens. */
      action: AgentAction | null;
      tool: string;
      callId: string;
      /** The call’s arguments as the model wrote them. */
      call: string;
      risk: Risk;
      summary: string;
    }
  | { kind: 'observation'; actionId: string; result: Result }
  | { kind: 'rejection'; actionId: string; reason: string }
  /** `length` is that of the whole error, once this was shortened. */
  | { kind: 'toolError'; callId: string; tool: string; error: string; length?: number }
  | { kind: 'failure'; code: string; detail: string; length?: number }
  | { kind: 'status'; status: Execution }
  | { kind: 'usage'; usage: Usage }
  /** The model that the agent uses from here on. */
  | { kind: 'model'; name: string }
  | { kind: 'condensation'; summary: string }
  | { kind: 'paused' | 'interrupted' }
  /** Bookkeeping that people need not see. */
  | { kind: 'hidden' }
  /** An event that this client doesn’t know, with the server’s name of its kind. */
  | { kind: 'other'; name: string };

/** An event of a conversation, reduced to named members so that secrets in the others never get any further. */
export type AgentEvent = Particulars & {
  id: string;
  /** ISO 8601 without a zone, in microseconds, as the sandbox’s clock shows it. Sorts as text. */
  timestamp: string;
  /** `agent`, `user`, `environment`, `hook`, or another. */
  source: string;
};
