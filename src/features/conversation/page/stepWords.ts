import * as l10n from '@vscode/l10n';
import { exposedPath } from '../../../shared/exposedCode';
import { plainText } from '../../../shared/plainText';
import type { StepDetail, StepEntry, Subject } from '../../../shared/transcript';
import { spanWords } from '../../../core/kit/numbers';
import type { FileLinks } from './files';

/** One line about a step: our words around a word of the agent's, followed by short facts. */
export interface StepLine {
  before: string;
  /** A command, path or name, of unknown origin; empty for none. */
  subject: string;
  /** Of the file that it's about, if it is; as the agent wrote it. */
  path?: string;
  after: string;
  facts: readonly string[];
}

type Phase = 'running' | 'pending' | 'over' | 'ask';

const phaseOf: Readonly<Record<StepEntry['state'], Phase>> = {
  running: 'running',
  pending: 'pending',
  done: 'over',
  failed: 'over',
  rejected: 'pending',
  unanswered: 'pending',
  left: 'pending',
};

/** Stands for the subject in a sentence; nobody types it. */
const slot = '\u{f0000}';

type Sentences = Readonly<Record<Phase, () => string>>;

const using: Sentences = {
  running: () => l10n.t('Using {0}', slot),
  pending: () => l10n.t('Wants to use {0}', slot),
  over: () => l10n.t('Used {0}', slot),
  ask: () => l10n.t('Use {0}', slot),
};

/** The sentence of each kind of step in each phase, with `{0}` where its subject comes. */
const sentences: Readonly<Record<StepDetail['step'] | 'create' | 'delete' | 'list' | 'search', Sentences>> = {
  terminal: {
    running: () => l10n.t('Running {0}', slot),
    pending: () => l10n.t('Wants to run {0}', slot),
    over: () => l10n.t('Ran {0}', slot),
    ask: () => l10n.t('Run {0}', slot),
  },
  edit: {
    running: () => l10n.t('Editing {0}', slot),
    pending: () => l10n.t('Wants to edit {0}', slot),
    over: () => l10n.t('Edited {0}', slot),
    ask: () => l10n.t('Edit {0}', slot),
  },
  create: {
    running: () => l10n.t('Creating {0}', slot),
    pending: () => l10n.t('Wants to create {0}', slot),
    over: () => l10n.t('Created {0}', slot),
    ask: () => l10n.t('Create {0}', slot),
  },
  delete: {
    running: () => l10n.t('Deleting {0}', slot),
    pending: () => l10n.t('Wants to delete {0}', slot),
    over: () => l10n.t('Deleted {0}', slot),
    ask: () => l10n.t('Delete {0}', slot),
  },
  read: {
    running: () => l10n.t('Reading {0}', slot),
    pending: () => l10n.t('Wants to read {0}', slot),
    over: () => l10n.t('Read {0}', slot),
    ask: () => l10n.t('Look at {0}', slot),
  },
  list: {
    running: () => l10n.t('Listing {0}', slot),
    pending: () => l10n.t('Wants to list {0}', slot),
    over: () => l10n.t('Listed {0}', slot),
    ask: () => l10n.t('List {0}', slot),
  },
  search: {
    running: () => l10n.t('Searching for {0}', slot),
    pending: () => l10n.t('Wants to search for {0}', slot),
    over: () => l10n.t('Searched for {0}', slot),
    ask: () => l10n.t('Search for {0}', slot),
  },
  plan: {
    running: () => l10n.t('Updating the plan'),
    pending: () => l10n.t('Wants to update the plan'),
    over: () => l10n.t('Updated the plan'),
    ask: () => l10n.t('Update the plan'),
  },
  mcp: using,
  browser: {
    running: () => l10n.t('Browsing with {0}', slot),
    pending: () => l10n.t('Wants to browse with {0}', slot),
    over: () => l10n.t('Browsed with {0}', slot),
    ask: () => l10n.t('Browse with {0}', slot),
  },
  think: {
    running: () => l10n.t('Thinking'),
    pending: () => l10n.t('Wants to think'),
    over: () => l10n.t('Thought'),
    ask: () => l10n.t('Think'),
  },
  finish: {
    running: () => l10n.t('Finishing'),
    pending: () => l10n.t('Wants to finish'),
    over: () => l10n.t('Finished'),
    ask: () => l10n.t('Finish'),
  },
  other: using,
};

/** The subject says all of it. */
const title: Sentences = { running: () => slot, pending: () => slot, over: () => slot, ask: () => slot };

/** Tools with sentences of their own. */
const aboutSentences: Readonly<Record<Subject['what'], Sentences>> = {
  open: {
    running: () => l10n.t('Opening {0}', slot),
    pending: () => l10n.t('Wants to open {0}', slot),
    over: () => l10n.t('Opened {0}', slot),
    ask: () => l10n.t('Open {0}', slot),
  },
  task: {
    running: () => l10n.t('Running a sub-agent: {0}', slot),
    pending: () => l10n.t('Wants to run a sub-agent: {0}', slot),
    over: () => l10n.t('Ran a sub-agent: {0}', slot),
    ask: () => l10n.t('Run a sub-agent: {0}', slot),
  },
  spawn: {
    running: () => l10n.t('Starting sub-agents: {0}', slot),
    pending: () => l10n.t('Wants to start sub-agents: {0}', slot),
    over: () => l10n.t('Started sub-agents: {0}', slot),
    ask: () => l10n.t('Start sub-agents: {0}', slot),
  },
  delegate: {
    running: () => l10n.t('Giving tasks to sub-agents: {0}', slot),
    pending: () => l10n.t('Wants to give tasks to sub-agents: {0}', slot),
    over: () => l10n.t('Gave tasks to sub-agents: {0}', slot),
    ask: () => l10n.t('Give tasks to sub-agents: {0}', slot),
  },
  workflow: {
    running: () => l10n.t('Running the workflow {0}', slot),
    pending: () => l10n.t('Wants to run the workflow {0}', slot),
    over: () => l10n.t('Ran the workflow {0}', slot),
    ask: () => l10n.t('Run the workflow {0}', slot),
  },
  child: {
    running: () => l10n.t('Starting another conversation: {0}', slot),
    pending: () => l10n.t('Wants to start another conversation: {0}', slot),
    over: () => l10n.t('Started another conversation: {0}', slot),
    ask: () => l10n.t('Start another conversation: {0}', slot),
  },
  advice: {
    running: () => l10n.t('Asking for advice: {0}', slot),
    pending: () => l10n.t('Wants to ask for advice: {0}', slot),
    over: () => l10n.t('Asked for advice: {0}', slot),
    ask: () => l10n.t('Ask for advice: {0}', slot),
  },
  index: {
    running: () => l10n.t('Indexing earlier conversations'),
    pending: () => l10n.t('Wants to index earlier conversations'),
    over: () => l10n.t('Indexed earlier conversations'),
    ask: () => l10n.t('Index earlier conversations'),
  },
  skill: {
    running: () => l10n.t('Loading the skill {0}', slot),
    pending: () => l10n.t('Wants to load the skill {0}', slot),
    over: () => l10n.t('Loaded the skill {0}', slot),
    ask: () => l10n.t('Load the skill {0}', slot),
  },
  model: {
    running: () => l10n.t('Switching to the model {0}', slot),
    pending: () => l10n.t('Wants to switch to the model {0}', slot),
    over: () => l10n.t('Switched to the model {0}', slot),
    ask: () => l10n.t('Switch to the model {0}', slot),
  },
  choice: {
    running: () => l10n.t('Choosing a model'),
    pending: () => l10n.t('Wants to choose a model'),
    over: () => l10n.t('Chose a model'),
    ask: () => l10n.t('Choose a model'),
  },
  vision: {
    running: () => l10n.t('Looking at a picture: {0}', slot),
    pending: () => l10n.t('Wants to look at a picture: {0}', slot),
    over: () => l10n.t('Looked at a picture: {0}', slot),
    ask: () => l10n.t('Look at a picture: {0}', slot),
  },
  call: title,
};

function subjectOf(detail: StepDetail): string {
  if (detail.step === 'terminal') return detail.command;
  if ('path' in detail) return detail.path;
  if (!('tool' in detail)) return '';
  return detail.about?.subject ?? exposedPath(detail.tool);
}

function sentencesOf(detail: StepDetail): Sentences {
  if (detail.step === 'edit')
    return sentences[detail.isNew ? 'create' : detail.isDeleted ? 'delete' : 'edit'];
  if (detail.step === 'read') return sentences[detail.how ?? 'read'];
  return 'about' in detail && detail.about ? aboutSentences[detail.about.what] : sentences[detail.step];
}

/** What an action that would move a file does: the words before and after its paths. */
export function moveLine(): Pick<StepLine, 'before' | 'after'> {
  const [before = '', after = ''] = l10n.t('Move {0}', slot).split(slot);
  return { before, after };
}

/** What an action that waits for approval would do: the words before its subject, the subject, and those after it. */
export function askLine(
  detail: StepDetail,
): Pick<StepLine, 'before' | 'subject' | 'after'> & { files: string } {
  const [before = '', after = ''] = sentencesOf(detail).ask().split(slot);
  return { before, subject: subjectOf(detail), after, files: filesOf(detail) };
}

const filesOf = (detail: StepDetail): string =>
  detail.step === 'edit' && detail.files !== undefined ? l10n.t('{0} files', detail.files) : '';

export function stepLine(
  { detail, state, took, isBlocked, images = 0 }: StepEntry,
  { short, folder }: Pick<FileLinks, 'short' | 'folder'> = { short: (path) => path, folder: () => '' },
): StepLine {
  const [before = '', after = ''] = sentencesOf(detail)[phaseOf[state]]().split(slot);
  const place = detail.step === 'terminal' ? folder(detail.folder ?? '') : '';
  const inPlace = place === '' ? [] : [l10n.t('in {0}', plainText(place, 80))];
  const facts = [
    ...inPlace,
    ...factsOf(detail),
    ...(took !== null && took >= 1_000 ? [spanWords(took)] : []),
  ];
  if (images > 0) facts.push(images === 1 ? l10n.t('1 picture') : l10n.t('{0} pictures', images));
  if (state === 'rejected') facts.unshift(isBlocked ? l10n.t('blocked by a hook') : l10n.t('rejected'));
  else if (state === 'left') facts.unshift(l10n.t('not run'));
  else if (state === 'failed') facts.unshift(l10n.t('failed'));
  else if (state === 'unanswered') facts.unshift(l10n.t('no result'));
  const path = filePath(detail);
  const subject = path === undefined ? subjectOf(detail) : short(path);
  return { before, subject: plainText(subject, 200), ...(path !== undefined && { path }), after, facts };
}

/** How a thought begins, as plain text. */
export const firstWords = (text: string): string => plainText(text.replace(/[*_`#>]+/g, ''), 100);

/** The path of the file or folder that a step is about. */
export function filePath(detail: StepDetail): string | undefined {
  const isPath = detail.step === 'edit' || (detail.step === 'read' && detail.how !== 'search');
  return isPath ? detail.path : undefined;
}

function factsOf(detail: StepDetail): string[] {
  if (detail.step === 'terminal' && detail.exitCode !== null && detail.exitCode !== 0)
    return [l10n.t('exit {0}', detail.exitCode)];
  if (detail.step === 'edit') return [filesOf(detail)].filter(Boolean);
  if (detail.step === 'think') return [firstWords(detail.text)].filter(Boolean);
  if (detail.step !== 'plan') return [];
  const done = detail.tasks.filter(({ status }) => status === 'done').length;
  return [l10n.t('{0} of {1} done', done, detail.tasks.length)];
}

/** One line for several steps in a row that only look around. */
export function foldWords(steps: readonly StepEntry[]): string {
  const count = (of: (detail: StepDetail) => boolean) => steps.filter(({ detail }) => of(detail)).length;
  const lists = count((detail) => detail.step === 'read' && detail.how === 'list');
  const searches = count((detail) => detail.step === 'read' && detail.how === 'search');
  const others = count((detail) => detail.step !== 'read');
  const reads = steps.length - lists - searches - others;
  const parts = [
    ...(reads > 0 ? [reads === 1 ? l10n.t('Read 1 file') : l10n.t('Read {0} files', reads)] : []),
    ...(lists > 0 ? [lists === 1 ? l10n.t('1 folder listing') : l10n.t('{0} folder listings', lists)] : []),
    ...(searches > 0 ? [searches === 1 ? l10n.t('1 search') : l10n.t('{0} searches', searches)] : []),
    ...(others > 0 ? [others === 1 ? l10n.t('1 browser step') : l10n.t('{0} browser steps', others)] : []),
  ];
  return parts.join(', ');
}
