import * as l10n from '@vscode/l10n';
import { sentences } from '../../../shared/joined';
import type { SaveResult } from '../shared/messages';
import type { GoTo } from './ids';
import { firstPlace, type Form } from './model';
import type { FormState } from './state';

/** What a finished save does to the page, besides being finished: the change of its state, and the control to go to. */
export interface PageAfterSave {
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
  const words = l10n.t('The form can’t read the extension’s answer.');
  const unknown = l10n.t('Your changes may have been saved. Revert to see what the service has now.');
  return {
    saving: false,
    review: isReviewing ? null : review,
    working: null,
    providerChanges: providerChanges.map((change) => ({ ...change, busy: false })),
    notices: [isReviewing && !saving ? words : sentences(words, unknown)],
  };
}
