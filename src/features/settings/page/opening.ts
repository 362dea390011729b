import { sections } from '../../../shared/fields';
import type { ShownForm, SaveResult } from '../shared/messages';
import { same } from '../../../shared/same';
import { each } from '../../../shared/settings';
import { openForm, withEdits, withUnreadable, type Form, firstPlace } from './model';
import { type Kept, initialForm, toldParts, type FormState, type Told } from './state';
import * as l10n from '@vscode/l10n';
import { sentences } from '../../../shared/joined';
import type { GoTo } from './ids';

function told(shown: ShownForm): Told {
  return each(toldParts, (part) => shown[part]) as Told;
}

/** The typed hosts that aren't stored yet: a provider's change that is no longer reported has succeeded. */
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

/** What a finished save does to the page, besides being finished: the change of its state, and the control to go to. */
interface PageAfterSave {
  change: Partial<FormState>;
  goTo?: GoTo | undefined;
}

/**
 * The page with `form` after a save with `result`.
 * @param choices those of the save: the ones that aren't asked about again were accepted, and later saves need them too
 */
export function saveOutcome(form: Form, result: SaveResult, choices: FormState['choices']): PageAfterSave {
  switch (result.kind) {
    case 'saved':
      return { change: { outcome: { kind: 'saved', undo: result.undo } } };
    case 'canceled':
      return { change: {} };
    case 'invalid': {
      const { problems } = result;
      const general = problems.filter(({ target }) => target.at === 'form').map(({ message }) => message);
      const message = sentences(...general) || l10n.t('the service refused some values.');
      return {
        change: {
          outcome: { kind: 'notSaved', message },
          phase: { at: 'form', form: { ...form, refused: problems } },
        },
        goTo: firstPlace(problems),
      };
    }
    case 'conflict': {
      const message = l10n.t('these values also changed on the service. Select what to keep.');
      const { conflicts } = result;
      const [first] = conflicts;
      const open = new Set(conflicts.map(({ key }) => key));
      const accepted = Object.fromEntries(Object.entries(choices).filter(([key]) => !open.has(key)));
      return {
        change: { outcome: { kind: 'notSaved', message }, conflicts, choices: accepted },
        goTo: first && { at: 'conflict', key: first.key },
      };
    }
    case 'failed':
      return { change: { outcome: { kind: 'notSaved', message: result.message } } };
    case 'notUndone':
      return { change: { outcome: { kind: 'notUndone', message: result.message } } };
  }
}

/** The page after a message that it can't read: whatever it waits for may have been in it. */
export function stopWaiting(state: FormState): Partial<FormState> {
  const { phase, saving, review, working, providerChanges } = state;
  if (phase.at === 'loading') {
    const message = l10n.t('The form can’t read what the extension sent.');
    return { phase: { at: 'failed', message, nextStep: l10n.t('Try again, or see the log for details.') } };
  }
  const isReviewing = review?.groups === null;
  const isChanging = providerChanges.some(({ busy }) => busy);
  if (!saving && !isReviewing && !isChanging && working === null) return {};
  const words = l10n.t('The form can’t read what the extension sent.');
  const unknown = l10n.t('Your changes may have been saved. Revert to see what the service has now.');
  return {
    saving: false,
    review: isReviewing ? null : review,
    working: null,
    providerChanges: providerChanges.map((change) => ({ ...change, busy: false })),
    notices: [isReviewing && !saving ? words : sentences(words, unknown)],
  };
}
