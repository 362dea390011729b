import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import type { StepDetail, StepEntry } from '../../shared/transcript';
import { spanWords } from './words';

/** One line about a step: our words around a word of the agent's, followed by short facts. */
export interface StepLine {
  before: string;
  /** A command, path or name, of unknown origin; empty for none. */
  subject: string;
  after: string;
  facts: readonly string[];
}

type Phase = 'running' | 'pending' | 'over';

const phaseOf: Readonly<Record<StepEntry['state'], Phase>> = {
  running: 'running',
  pending: 'pending',
  done: 'over',
  failed: 'over',
  rejected: 'pending',
};

/** Stands for the subject in a sentence; nobody types it. */
const slot = '\u{f0000}';

const using: Readonly<Record<Phase, () => string>> = {
  running: () => l10n.t('Using {0}', slot),
  pending: () => l10n.t('Wants to use {0}', slot),
  over: () => l10n.t('Used {0}', slot),
};

/** The sentence of each kind of step in each phase, with `{0}` where its subject comes. */
const sentences: Readonly<Record<StepDetail['step'] | 'create', typeof using>> = {
  terminal: {
    running: () => l10n.t('Running {0}', slot),
    pending: () => l10n.t('Wants to run {0}', slot),
    over: () => l10n.t('Ran {0}', slot),
  },
  edit: {
    running: () => l10n.t('Editing {0}', slot),
    pending: () => l10n.t('Wants to edit {0}', slot),
    over: () => l10n.t('Edited {0}', slot),
  },
  create: {
    running: () => l10n.t('Creating {0}', slot),
    pending: () => l10n.t('Wants to create {0}', slot),
    over: () => l10n.t('Created {0}', slot),
  },
  read: {
    running: () => l10n.t('Reading {0}', slot),
    pending: () => l10n.t('Wants to read {0}', slot),
    over: () => l10n.t('Read {0}', slot),
  },
  plan: {
    running: () => l10n.t('Updating the plan'),
    pending: () => l10n.t('Wants to update the plan'),
    over: () => l10n.t('Updated the plan'),
  },
  mcp: using,
  browser: {
    running: () => l10n.t('Browsing with {0}', slot),
    pending: () => l10n.t('Wants to browse with {0}', slot),
    over: () => l10n.t('Browsed with {0}', slot),
  },
  think: {
    running: () => l10n.t('Thinking'),
    pending: () => l10n.t('Wants to think'),
    over: () => l10n.t('Thought'),
  },
  finish: {
    running: () => l10n.t('Finishing'),
    pending: () => l10n.t('Wants to finish'),
    over: () => l10n.t('Finished'),
  },
  other: using,
};

function subjectOf(detail: StepDetail): string {
  if (detail.step === 'terminal') return detail.command;
  if ('path' in detail) return detail.path;
  return 'tool' in detail ? detail.tool : '';
}

export function stepLine({ detail, state, took }: StepEntry): StepLine {
  const kind = detail.step === 'edit' && detail.isNew ? 'create' : detail.step;
  const [before = '', after = ''] = sentences[kind][phaseOf[state]]().split(slot);
  const facts = [...factsOf(detail), ...(took !== null && took >= 1_000 ? [spanWords(took)] : [])];
  if (state === 'rejected') facts.unshift(l10n.t('rejected'));
  else if (state === 'failed') facts.unshift(l10n.t('failed'));
  return { before, subject: plainText(subjectOf(detail), 200), after, facts };
}

function factsOf(detail: StepDetail): string[] {
  if (detail.step === 'terminal' && detail.exitCode !== null && detail.exitCode !== 0)
    return [l10n.t('exit {0}', detail.exitCode)];
  if (detail.step !== 'plan') return [];
  const done = detail.tasks.filter(({ status }) => status === 'done').length;
  return [l10n.t('{0} of {1} done', done, detail.tasks.length)];
}

/** One line for several steps in a row that only look around. */
export function foldWords(steps: readonly StepEntry[]): string {
  const reads = steps.filter(({ detail }) => detail.step === 'read').length;
  const others = steps.length - reads;
  const parts = [
    ...(reads > 0 ? [reads === 1 ? l10n.t('Read 1 file') : l10n.t('Read {0} files', reads)] : []),
    ...(others > 0 ? [others === 1 ? l10n.t('1 browser step') : l10n.t('{0} browser steps', others)] : []),
  ];
  return parts.join(', ');
}
