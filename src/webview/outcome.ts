import * as l10n from '@vscode/l10n';
import { sentences } from '../shared/joined';
import type { SaveResult } from '../shared/messages';
import type { targetId } from './ids';
import type { State } from './state';

/** What the end of a save makes of the page: the change of its state, and the control to go to. */
export interface Outcome {
  change: Partial<State>;
  goTo?: Parameters<typeof targetId>[0];
}

/** The page after a save that ended with `result`. */
export function outcomeOf(state: State, result: SaveResult): Outcome {
  switch (result.kind) {
    case 'saved':
      return {
        change: {
          saving: false,
          outcome: { kind: 'saved', undo: result.undo },
          notices: result.notes,
          // They say of servers that they are not saved yet.
          tools: { ...state.tools, notices: [] },
        },
      };
    case 'cancelled':
      return { change: { saving: false } };
    case 'invalid': {
      const { problems } = result;
      const { phase } = state;
      if (phase.at !== 'form') return { change: { saving: false } };
      const general = problems.filter(({ target }) => target.at === 'form').map(({ message }) => message);
      const message = sentences(...general) || l10n.t('some values were refused.');
      const change: Partial<State> = {
        saving: false,
        outcome: { kind: 'notSaved', message },
        phase: { at: 'form', form: { ...phase.form, refused: problems } },
      };
      const [first] = problems;
      return first ? { change, goTo: first.target } : { change };
    }
    case 'conflict': {
      const message = l10n.t('the service has changed meanwhile. Choose what to keep.');
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
