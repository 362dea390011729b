/** Code that the user selected. Line numbers start at 1. */
export interface Selection {
  /** Relative to the workspace. */
  path: string;
  /** The editor's language id, such as `typescript`. */
  language: string;
  parts: readonly SelectedPart[];
  /** Problems that the editor reports within the selection. */
  problems: readonly SelectedProblem[];
}

export interface SelectedPart {
  firstLine: number;
  lastLine: number;
  text: string;
}

export interface SelectedProblem {
  line: number;
  severity: 'error' | 'warning' | 'information' | 'hint';
  /** What reported it, with its code, such as `ts 2322`. */
  source: string;
  message: string;
}

/** A selection as quoted in a message. */
export interface QuotedSelection {
  readonly text: string;
  /** Short name, such as `src/greet.ts, lines 1–3`. */
  readonly label: string;
}
