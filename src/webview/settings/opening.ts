import { sections } from '../../shared/fields';
import type { HostMessage } from '../../shared/messages';
import { withUnreadable, type Form } from './model';
import { initialState, type State } from './state';

/** The page when `opened` was read; `open` are the ids of the servers that were open before the page was hidden. */
export function openedState(
  state: State,
  message: Extract<HostMessage, { type: 'model' }>,
  opened: Form,
  open: readonly string[] | undefined,
): State & { phase: { at: 'form' } } {
  const { phase, suggestions, saving, tools, notices, search, addedProviders, drawnSections, drawnRows } =
    state;
  // Parking and restoring leave the rest of the form as it is.
  const isSameForm = tools.working !== null && phase.at === 'form';
  const form = isSameForm ? withUnreadable(opened, phase.form) : opened;
  return {
    ...initialState,
    suggestions,
    saving,
    tools: { ...tools, operators: message.operators, working: message.working },
    search,
    addedProviders,
    drawnSections,
    drawnRows,
    phase: { at: 'form', form },
    notices: isSameForm ? notices : message.notices,
    offers: message.offers,
    // Servers that stay keep their ids.
    open: new Set(open ?? state.open),
  };
}

/** Rows of servers drawn at a time while the form is filled up. */
const rowsAtATime = 20;

/** The form with all of its sections and servers. */
export const everythingDrawn: Partial<State> = { drawnSections: sections.length, drawnRows: Infinity };

/** What is drawn next of a form with so many `rows` of servers; undefined if everything is. */
export function drawnNext({ drawnSections, drawnRows }: State, rows: number): Partial<State> | undefined {
  if (drawnSections < sections.length) return { drawnSections: sections.length };
  return drawnRows < rows ? { drawnRows: drawnRows + rowsAtATime } : undefined;
}
