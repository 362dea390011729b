import * as l10n from '@vscode/l10n';
import type { ConflictChoice } from '../shared/form';
import {
  type Choice,
  type ReviewGroup,
  type ShownForm,
  keptEditsSchema,
  type WebviewMessage,
} from '../shared/messages';
import type { GoTo } from './ids';
import { changesOf, firstPlace, problemsOf, type Form } from './model';
import type { RowTest } from './rows';
import * as z from 'zod/mini';
import type { Section } from '../../../shared/fields';
import { lenientMembers } from '../../../shared/members';

export type FormPhase =
  { at: 'loading' } | { at: 'failed'; message: string; nextStep: string } | { at: 'form'; form: Form };

/** The parts of a message that the page shows unchanged. */
export const toldParts = [
  'connection',
  'service',
  'notices',
  'offers',
  'suggestions',
  'providerChanges',
  'operators',
  'hasPickers',
  'parked',
  'serverNotices',
  'working',
] as const;
export type Told = Pick<ShownForm, (typeof toldParts)[number]>;

/** Everything the page is drawn from. */
export interface FormState extends Told {
  phase: FormPhase;
  /** What was typed as the host of a provider and isn't stored yet, by the provider's name. */
  hosts: ReadonlyMap<string, string>;
  saving: boolean;
  /** How the last save ended, until something is changed again. */
  outcome:
    | { kind: 'none' }
    | { kind: 'saved'; undo: 'possible' | 'impossible' | 'done' }
    | { kind: 'notSaved' | 'notUndone'; message: string };
  conflicts: readonly ConflictChoice[];
  choices: Readonly<Record<string, Choice>>;
  /** What a save would change, while the review is open; null groups until the host answers. */
  review: { groups: readonly ReviewGroup[] | null; notes: readonly string[] } | null;
  /** By the id of the server. */
  tests: Readonly<Record<string, RowTest>>;
  /** Where a server was moved to, for screen readers. */
  said: string;
  /** Ids of the MCP servers that are open for editing. */
  open: ReadonlySet<string>;
  /** Narrows the list of servers. */
  filter: string;
  /** Narrows the whole form. */
  search: string;
  /** Names of git providers that the user added and that have no token yet. */
  addedProviders: readonly string[];
  /** How many sections are drawn in full, from the first on; of the others there are only the titles. */
  drawnSections: number;
  /** How many rows of a long list of servers are drawn in full. */
  drawnRows: number;
  /** From the first Save on, empty required values count as problems too. */
  saveWasTried: boolean;
}

/** These fill the window. */
const sectionsAtFirst = 2;

export const initialForm: FormState = {
  phase: { at: 'loading' },
  connection: '',
  service: '',
  suggestions: {},
  providerChanges: [],
  hosts: new Map(),
  saving: false,
  outcome: { kind: 'none' },
  notices: [],
  offers: [],
  hasPickers: false,
  conflicts: [],
  choices: {},
  review: null,
  serverNotices: { words: [], failed: false },
  tests: {},
  parked: [],
  operators: [],
  said: '',
  working: null,
  open: new Set(),
  filter: '',
  search: '',
  addedProviders: [],
  drawnSections: sectionsAtFirst,
  drawnRows: 0,
  saveWasTried: false,
};

interface Status {
  text: string;
  tone: 'calm' | 'changed' | 'good' | 'bad';
  /** The first control that it is about. */
  goTo?: GoTo | undefined;
}

/** True while the service is being changed: nothing can be edited. */
export function isBusy({ saving, working }: FormState): boolean {
  return saving || working !== null;
}

/** The words under the title. */
export function statusOf(state: FormState, form: Form): Status {
  if (state.working !== null) return { text: state.working, tone: 'calm' };
  if (state.saving) return { text: l10n.t('Saving…'), tone: 'calm' };
  if (state.conflicts.length > 0 && openConflict(state) === undefined) {
    return { text: l10n.t('All conflicts are settled. Save to continue.'), tone: 'changed' };
  }
  if (state.outcome.kind === 'notSaved') {
    const { message } = state.outcome;
    return {
      text: l10n.t('Not saved: {0}', message),
      tone: 'bad',
      goTo: obstacle(state, form)?.at ?? firstPlace(form.refused),
    };
  }
  if (state.outcome.kind === 'notUndone') {
    return { text: l10n.t('Not undone: {0}', state.outcome.message), tone: 'bad' };
  }
  const changes = changesOf(form);
  const [goTo] = changes;
  if (changes.length === 1) return { text: l10n.t('1 unsaved change'), tone: 'changed', goTo };
  if (changes.length > 1)
    return { text: l10n.t('{0} unsaved changes', changes.length), tone: 'changed', goTo };
  if (state.outcome.kind === 'saved') {
    const text = state.outcome.undo === 'done' ? l10n.t('Last save undone') : l10n.t('Saved');
    return { text, tone: 'good' };
  }
  return { text: l10n.t('No unsaved changes'), tone: 'calm' };
}

/** The first conflict without a choice. */
function openConflict({ conflicts, choices }: FormState): ConflictChoice | undefined {
  return conflicts.find(({ key }) => !(key in choices));
}

/** Why Save can't continue, and the control to go to; undefined if it can. */
export function obstacle(state: FormState, form: Form): { message: string; at: GoTo } | undefined {
  const problems = problemsOf(form);
  const [first] = problems;
  if (first) {
    const message =
      problems.length === 1
        ? l10n.t('1 value needs your attention.')
        : l10n.t('{0} values need your attention.', problems.length);
    return { message, at: first.target };
  }
  const open = openConflict(state);
  return open && { message: l10n.t('select the values to keep.'), at: { at: 'conflict', key: open.key } };
}

/** What survives while the panel is hidden. */
export const keptSchema = z.strictObject({
  edits: keptEditsSchema,
  /** The texts of the form. */
  texts: lenientMembers(z.string()),
  open: z.array(z.string()),
  /** Whether a review came before a save. */
  reviewed: z.boolean(),
  /** Providers without a token that the user added. */
  addedProviders: z.array(z.string()),
  /** What was typed as the host of a provider and isn't applied yet. */
  hosts: lenientMembers(z.string()),
});
export type Kept = z.infer<typeof keptSchema>;

/** The page around the form. */
export interface FormPage {
  post: (message: WebviewMessage) => void;
  keep: (kept: Kept | null) => void;
  draw: () => void;
  /** Calls `act` when nothing more urgent is to be done. */
  later: (act: () => void) => void;
  /** Focuses the first element of these ids that exists, once it is drawn. */
  focus: (...ids: string[]) => void;
  reveal: (section: Section) => void;
}
