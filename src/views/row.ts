import type { CommandId } from '../ids';
import type { Ref } from '../state/ref';

/** A row of a tree as plain data: what `rows.ts` makes of the state, and what the tree compares to redraw only changes. */
export interface Row {
  readonly ref: Ref;
  /** Unique in the tree and stable for as long as the thing exists. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Plain text; never Markdown, since parts of it come from the service. */
  readonly tooltip?: string;
  readonly icon?: { readonly name: string; readonly color?: string };
  readonly contextValue: string;
  /** What a screen reader says instead of label and description. */
  readonly accessibilityLabel?: string;
  readonly children?: readonly Row[];
  /** True when the children are to be seen at first. */
  readonly expanded?: boolean;
  /** What a click does. */
  readonly command?: CommandId;
}
