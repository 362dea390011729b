import * as l10n from '@vscode/l10n';
import { plainText } from '../../../shared/plainText';
import type { StartStep } from './startConversation';
import { readableState } from '../../../core/lists/stateWords';

/** The progress of a start in words: the service's own detail if there is any. */
export function stepWords(step: StartStep): string {
  if (step.kind !== 'task') return steps[step.kind]();
  const { status, detail } = step;
  return plainText(detail ?? '', 120) || (tasks.get(status)?.() ?? `${readableState(status)}…`);
}

const waiting = () => l10n.t('Waiting for the sandbox…');
const accepted = () => l10n.t('Request accepted…');

const steps: Record<Exclude<StartStep['kind'], 'task'>, () => string> = {
  startingSandbox: () => l10n.t('Starting sandbox…'),
  resuming: () => l10n.t('Resuming the sandbox…'),
  waitingForSandbox: waiting,
  cloning: () => l10n.t('Cloning repository…'),
  creating: () => l10n.t('Sending request…'),
  unanswered: () => l10n.t('Can’t get progress from the service. Retrying…'),
};

/** By the status that the service reports. */
const tasks = new Map<string, () => string>([
  ['', accepted],
  ['WORKING', accepted],
  ['WAITING_FOR_SANDBOX', waiting],
  ['PREPARING_REPOSITORY', () => l10n.t('Preparing repository…')],
  ['RUNNING_SETUP_SCRIPT', () => l10n.t('Running setup script…')],
  ['SETTING_UP_GIT_HOOKS', () => l10n.t('Setting up git hooks…')],
  ['SETTING_UP_SKILLS', () => l10n.t('Setting up skills…')],
  ['STARTING_CONVERSATION', () => l10n.t('Starting conversation…')],
]);

/** Why a start failed whose request was being sent when the window closed. */
export function interrupted(): string {
  return l10n.t('The window closed before the service answered. Check Conversations before trying again.');
}

/** Why a start failed whose request hadn't been sent when the window closed. */
export function startNotSent(): string {
  return l10n.t('The window closed before the conversation was requested, so it wasn’t started.');
}
