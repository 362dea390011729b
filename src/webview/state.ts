import * as l10n from '@vscode/l10n';
import type {
  Choice,
  ConflictChoice,
  DraftOffer,
  Problem,
  ReviewGroup,
  SuggestedField,
} from '../shared/messages';
import { changeCount, problemsOf, shownProblems, type Form } from './model';
import { noTools, type ServerTools } from './serverTools';

/** A row of the git providers, beyond what the service holds. */
export interface ProviderRow {
  busy: boolean;
  error: string | null;
  /** What is typed as host, where that differs from the stored one. */
  hostText?: string;
}

export type Phase =
  { at: 'loading' } | { at: 'failed'; message: string; nextStep: string } | { at: 'form'; form: Form };

/** Everything that the page is drawn from. */
export interface State {
  phase: Phase;
  suggestions: Partial<Record<SuggestedField, readonly string[]>>;
  providers: Readonly<Record<string, ProviderRow>>;
  saving: boolean;
  /** How the last save ended, until something is changed again. */
  outcome:
    | { kind: 'none' }
    | { kind: 'saved'; undo: 'possible' | 'impossible' | 'done' }
    | { kind: 'notSaved' | 'notUndone'; message: string };
  notices: readonly string[];
  offers: readonly DraftOffer[];
  conflicts: readonly ConflictChoice[];
  choices: Readonly<Record<string, Choice>>;
  /** What a save would change, while that is shown; without groups while it is asked for. */
  review: { groups: readonly ReviewGroup[] | null; notes: readonly string[] } | null;
  tools: ServerTools;
  /** Ids of the MCP servers that are open for editing. */
  open: ReadonlySet<string>;
  filter: string;
  /** From the first Save on, what is missing counts as wrong too. */
  saveWasTried: boolean;
}

export const initialState: State = {
  phase: { at: 'loading' },
  suggestions: {},
  providers: {},
  saving: false,
  outcome: { kind: 'none' },
  notices: [],
  offers: [],
  conflicts: [],
  choices: {},
  review: null,
  tools: noTools,
  open: new Set(),
  filter: '',
  saveWasTried: false,
};

export interface Status {
  text: string;
  tone: 'calm' | 'changed' | 'good' | 'bad';
}

/** True while the service is being changed: nothing can be edited then. */
export function isBusy({ saving, tools }: State): boolean {
  return saving || tools.working !== null;
}

/** The words beside Save. */
export function statusOf(state: State, form: Form): Status {
  if (state.tools.working !== null) return { text: state.tools.working, tone: 'calm' };
  if (state.saving) return { text: l10n.t('Saving…'), tone: 'calm' };
  if (state.conflicts.length > 0 && openConflict(state) === undefined) {
    return { text: l10n.t('Everything is chosen. Save to go on.'), tone: 'changed' };
  }
  if (state.outcome.kind === 'notSaved') {
    return { text: l10n.t('Not saved: {0}', state.outcome.message), tone: 'bad' };
  }
  if (state.outcome.kind === 'notUndone') {
    return { text: l10n.t('Not undone: {0}', state.outcome.message), tone: 'bad' };
  }
  const count = changeCount(form);
  if (count === 1) return { text: l10n.t('1 unsaved change'), tone: 'changed' };
  if (count > 1) return { text: l10n.t('{0} unsaved changes', count), tone: 'changed' };
  if (state.outcome.kind === 'saved') {
    const text = state.outcome.undo === 'done' ? l10n.t('The last save was undone') : l10n.t('Saved');
    return { text, tone: 'good' };
  }
  return { text: l10n.t('No unsaved changes'), tone: 'calm' };
}

/** The first conflict without a choice. */
function openConflict({ conflicts, choices }: State): ConflictChoice | undefined {
  return conflicts.find(({ key }) => !(key in choices));
}

/** The problems that the controls show. */
export function visibleProblems(state: State, form: Form): Problem[] {
  return shownProblems(form, state.saveWasTried);
}

/** Why Save cannot go on, and the control to go to; undefined when it can. */
export function obstacle(
  state: State,
  form: Form,
): { message: string; at: Problem['target'] | { at: 'conflict'; key: string } } | undefined {
  const problems = problemsOf(form);
  const [first] = problems;
  if (first) {
    const message =
      problems.length === 1
        ? l10n.t('one value needs your attention.')
        : l10n.t('{0} values need your attention.', problems.length);
    return { message, at: first.target };
  }
  const open = openConflict(state);
  return open
    ? {
        message: l10n.t('choose which value to keep where the service has changed meanwhile.'),
        at: { at: 'conflict', key: open.key },
      }
    : undefined;
}
