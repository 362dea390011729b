import type { CommandId } from '../../ids';
import type { Ref } from '../lists/ref';
import type { StateIcon } from '../lists/stateIcons';

/** A line of a tooltip: a value with a label, or a value alone. */
export interface TooltipLine {
  readonly label?: string;
  /** Plain text, never Markdown: parts of it come from the service. */
  readonly value: string;
}

/** A row of a tree as plain data. `rows.ts` creates it from the state; the tree compares it to redraw only changes. */
export interface Row {
  readonly ref: Ref;
  /** Unique in the tree, and stable for as long as the item exists. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** At most two characters at the row’s right end, which are never cut off. */
  readonly badge?: string;
  /** True if the label stands out: something has changed since somebody looked. */
  readonly isNew?: boolean;
  /** The first line is the title. */
  readonly tooltip?: readonly TooltipLine[];
  readonly icon?: StateIcon;
  readonly contextValue: string;
  /** What a screen reader says instead of label and description. */
  readonly accessibilityLabel?: string;
  readonly children?: readonly Row[];
  /** True if the children are shown at first. */
  readonly expanded?: boolean;
  /** What a click does. */
  readonly command?: CommandId;
}
