import { sections } from '../../shared/fields';
import type { ProviderChange, ShownForm } from '../../shared/messages';
import { same } from '../../shared/same';
import { openForm, withEdits, withUnreadable, type Form } from './model';
import type { Kept } from './page';
import { initialState, type State } from './state';

/** The parts of a message that the page shows unchanged. */
function told(state: State, shown: ShownForm): Partial<State> & Pick<State, 'tools'> {
  const { notices, offers, hasPickers, suggestions, operators, parked, serverNotices, working } = shown;
  return {
    notices,
    offers,
    hasPickers,
    suggestions,
    providers: providerRows(state.providers, shown.providerChanges),
    tools: {
      ...state.tools,
      operators,
      parked,
      notices: serverNotices.words,
      failed: serverNotices.failed,
      working,
    },
  };
}

/** The rows with running changes; a typed host is dropped once it's stored. */
function providerRows(before: State['providers'], changes: readonly ProviderChange[]): State['providers'] {
  const now = new Map(changes.map(({ name, busy, error }) => [name, { busy, error }]));
  const kept = Object.entries(before).filter(([name, { busy }]) => !busy || now.has(name));
  const typed = Object.fromEntries(kept.map(([name, { hostText }]) => [name, hostText]));
  return Object.fromEntries(
    [...new Set([...Object.keys(typed), ...now.keys()])].map((name) => {
      const hostText = typed[name];
      const row = now.get(name) ?? { busy: false, error: null };
      return [name, hostText === undefined ? row : { ...row, hostText }];
    }),
  );
}

/** What was typed as the hosts of providers. */
export function typedHosts(providers: State['providers']): Record<string, string> {
  const rows = Object.entries(providers);
  return Object.fromEntries(
    rows.flatMap(([name, { hostText }]) => (hostText === undefined ? [] : [[name, hostText]])),
  );
}

/** Rows with these hosts, and no running changes. */
function rowsWith(hosts: Kept['hosts']): State['providers'] {
  return Object.fromEntries(
    Object.entries(hosts).map(([name, hostText]) => [name, { busy: false, error: null, hostText }]),
  );
}

/**
 * The page when another reading is shown.
 * @param kept what was half typed and which servers were open, if the page was hidden
 */
export function openedState(
  state: State,
  shown: ShownForm,
  kept: Pick<Kept, 'texts' | 'open' | 'addedProviders' | 'hosts'> | null,
): State & { phase: { at: 'form' } } {
  const { phase, saving, search, addedProviders, drawnSections, drawnRows } = state;
  const opened = openForm(shown, kept?.texts);
  // Parking and restoring leave the rest of the form as it is.
  const isSameForm = state.tools.working !== null && phase.at === 'form';
  const form = isSameForm ? withUnreadable(opened, phase.form) : opened;
  return {
    ...initialState,
    ...told(kept ? { ...state, providers: rowsWith(kept.hosts) } : state, shown),
    saving,
    search,
    addedProviders: kept?.addedProviders ?? addedProviders,
    drawnSections,
    drawnRows,
    phase: { at: 'form', form },
    // Servers that stay keep their ids.
    open: new Set(kept?.open ?? state.open),
  };
}

/**
 * The page when the reading on screen is shown again.
 * @param knowsAll false if edits made here are on their way to the extension host: these are newer than what is shown
 */
export function updatedState(state: State, form: Form, shown: ShownForm, knowsAll: boolean): Partial<State> {
  const { connection, service } = shown;
  const model = same(form.model, shown.model) ? form.model : shown.model;
  const next = knowsAll ? withEdits(form, shown) : form;
  const isEdited = next.rows !== form.rows || next.values !== form.values;
  return {
    ...told(state, shown),
    phase: { at: 'form', form: { ...next, model, connection, service } },
    ...(isEdited && { outcome: { kind: 'none' } }),
  };
}

/** Rows of servers drawn at a time while the form is filled up. */
const rowsAtATime = 20;

/** The form with all of its sections and servers. */
export const everythingDrawn: Partial<State> = { drawnSections: sections.length, drawnRows: Infinity };

/** What to draw next of a form with `rows` rows of servers; undefined if everything is drawn. */
export function drawnNext({ drawnSections, drawnRows }: State, rows: number): Partial<State> | undefined {
  if (drawnSections < sections.length) return { drawnSections: sections.length };
  return drawnRows < rows ? { drawnRows: drawnRows + rowsAtATime } : undefined;
}
