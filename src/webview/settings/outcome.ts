import * as l10n from '@vscode/l10n';
import { sentences } from '../../shared/joined';
import type { HostMessage, SaveResult } from '../../shared/messages';
import type { GoTo } from './ids';
import type { State } from './state';

/** What a finished save does to the page: the change of its state, and the control to go to. */
export interface Outcome {
  change: Partial<State>;
  goTo?: GoTo;
}

/** The page after a save with `result`. */
export function outcomeOf(state: State, result: SaveResult): Outcome {
  switch (result.kind) {
    case 'saved':
      return { change: { saving: false, outcome: { kind: 'saved', undo: result.undo } } };
    case 'canceled':
      return { change: { saving: false } };
    case 'invalid': {
      const { problems } = result;
      const { phase } = state;
      if (phase.at !== 'form') return { change: { saving: false } };
      const general = problems.filter(({ target }) => target.at === 'form').map(({ message }) => message);
      const message = sentences(...general) || l10n.t('the service refused some values.');
      const change: Partial<State> = {
        saving: false,
        outcome: { kind: 'notSaved', message },
        phase: { at: 'form', form: { ...phase.form, refused: problems } },
      };
      const [first] = problems;
      return first ? { change, goTo: first.target } : { change };
    }
    case 'conflict': {
      const message = l10n.t('these values also changed on the service. Select what to keep.');
      const { conflicts } = result;
      const change: Partial<State> = {
        saving: false,
        outcome: { kind: 'notSaved', message },
        conflicts,
        choices: {},
      };
      const [first] = conflicts;
      return first ? { change, goTo: { at: 'conflict', key: first.key } } : { change };
    }
    case 'failed':
      return { change: { saving: false, outcome: { kind: 'notSaved', message: result.message } } };
    case 'notUndone':
      return { change: { saving: false, outcome: { kind: 'notUndone', message: result.message } } };
  }
}

/** The page after a message that it can't read: whatever it waits for may have been in it. */
export function stopWaiting(state: State): Partial<State> {
  const { phase, saving, review, tools, providers } = state;
  if (phase.at === 'loading') {
    const message = l10n.t('The form can’t read what the extension sent.');
    return { phase: { at: 'failed', message, nextStep: l10n.t('Try again, or see the log for details.') } };
  }
  const isReviewing = review?.groups === null;
  const isChanging = Object.values(providers).some(({ busy }) => busy);
  if (!saving && !isReviewing && !isChanging && tools.working === null) return {};
  const words = l10n.t('The form can’t read the extension’s answer.');
  const unknown = l10n.t('Your changes may have been saved. Revert to see what the service has now.');
  return {
    saving: false,
    review: isReviewing ? null : review,
    tools: { ...tools, working: null },
    providers: Object.fromEntries(
      Object.entries(providers).map(([name, row]) => [name, { ...row, busy: false }]),
    ),
    notices: [isReviewing && !saving ? words : sentences(words, unknown)],
  };
}

/** The page after a test of a server began or ended. */
export function testedState(
  { tools }: State,
  { id, about, result }: Extract<HostMessage, { type: 'test' }>,
): Partial<State> {
  return { tools: { ...tools, tests: { ...tools.tests, [id]: { about, result } } } };
}

/** The page without the last test of a server. */
export function untestedState({ tools }: State, id: string): Partial<State> {
  const { [id]: _before, ...tests } = tools.tests;
  return { tools: { ...tools, tests } };
}
