/** Something an agent does with a tool. */
export interface ScriptedAction {
  /** A shell command, unless `path` is given. */
  command?: string;
  output?: string;
  exitCode?: number;
  /** A file to edit: `before` is null for a new one. */
  path?: string;
  before?: string | null;
  after?: string;
  /** A tool of an MCP server, with its arguments. */
  tool?: string;
  data?: Record<string, unknown>;
  /** UNKNOWN if absent. */
  risk?: 'LOW' | 'MEDIUM' | 'HIGH';
  /** How long it takes, in milliseconds; 10 if absent. */
  ms?: number;
}

/** One step of a scripted agent: what its model answers. */
export type ScriptStep =
  | { think: string }
  | { plan: { title: string; status: 'todo' | 'in_progress' | 'done' }[] }
  /** One or more actions, approved or rejected together. */
  | { act: ScriptedAction[]; thought?: string }
  /** A call that doesn't validate. */
  | { invalid: string }
  /** The model fails. */
  | { fail: string }
  | { stuck: true }
  /** A message to the user, whose turn it is then. */
  | { say: string }
  | { finish: string }
  /** The history gets too long and is summarized. */
  | { condense: string };

/** This many quick steps in a row. */
export const stream = (steps: number): ScriptStep[] =>
  Array.from({ length: steps }, (_, index) => ({
    act: [{ command: `echo ${index + 1}`, output: String(index + 1), risk: 'LOW' as const, ms: 1 }],
  }));
