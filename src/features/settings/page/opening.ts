import { sections } from '../../../shared/fields';
import type { ShownForm } from '../shared/messages';
import { same } from '../../../shared/same';
import { each } from '../../../shared/settings';
import { openForm, withEdits, withUnreadable, type Form } from './model';
import type { Kept } from './page';
import { initialForm, toldParts, type FormState, type Told } from './state';

function told(shown: ShownForm): Told {
  return each(toldParts, (part) => shown[part]) as Told;
}

/** The typed hosts that aren't stored yet: a provider's change that isn't told anymore has ended well. */
function hostsAfter(state: FormState, { providerChanges }: ShownForm): FormState['hosts'] {
  const told = new Set(providerChanges.map(({ name }) => name));
  const running = state.providerChanges.filter(({ busy }) => busy).map(({ name }) => name);
  const stored = new Set(running.filter((name) => !told.has(name)));
  return new Map([...state.hosts].filter(([name]) => !stored.has(name)));
}

/**
 * The page when another reading is shown.
 * @param kept what was half typed and which servers were open, if the page was hidden
 */
export function openedState(
  state: FormState,
  shown: ShownForm,
  kept: Pick<Kept, 'texts' | 'open' | 'addedProviders' | 'hosts'> | null,
): FormState & { phase: { at: 'form' } } {
  const { phase, saving, search, tests, said, addedProviders, drawnSections, drawnRows } = state;
  const opened = openForm(shown, kept?.texts);
  // Parking and restoring leave the rest of the form as it is.
  const isSameForm = state.working !== null && phase.at === 'form';
  const form = isSameForm ? withUnreadable(opened, phase.form) : opened;
  return {
    ...initialForm,
    ...told(shown),
    hosts: kept ? new Map(Object.entries(kept.hosts)) : hostsAfter(state, shown),
    saving,
    search,
    tests,
    said,
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
export function updatedState(
  state: FormState,
  form: Form,
  shown: ShownForm,
  knowsAll: boolean,
): Partial<FormState> {
  const model = same(form.model, shown.model) ? form.model : shown.model;
  const next = knowsAll ? withEdits(form, shown) : form;
  const isEdited = next.rows !== form.rows || next.values !== form.values;
  return {
    ...told(shown),
    hosts: hostsAfter(state, shown),
    phase: { at: 'form', form: { ...next, model } },
    ...(isEdited && { outcome: { kind: 'none' } }),
  };
}

/** Rows of servers drawn at a time while the form is filled up. */
const rowsAtATime = 20;

/** The form with all of its sections and servers. */
export const everythingDrawn: Partial<FormState> = { drawnSections: sections.length, drawnRows: Infinity };

/** What to draw next of a form with `rows` rows of servers; undefined if everything is drawn. */
export function drawnNext(
  { drawnSections, drawnRows }: FormState,
  rows: number,
): Partial<FormState> | undefined {
  if (drawnSections < sections.length) return { drawnSections: sections.length };
  return drawnRows < rows ? { drawnRows: drawnRows + rowsAtATime } : undefined;
}
