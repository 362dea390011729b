/** Lines that replace others in a text. Line numbers start at 0. */
export interface Hunk {
  /** The first line that is replaced. */
  start: number;
  /** The line after the last; equal to `start` where lines are only added. */
  end: number;
  /** The replacement, with line ends. */
  lines: string[];
}
