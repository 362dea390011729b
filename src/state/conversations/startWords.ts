import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import type { StartStep } from './startConversation';
import { readableState } from '../lists/stateWords';

/** The progress of a start in words: the service's own detail if there is any. */
export function stepWords(step: StartStep): string {
  switch (step.kind) {
    case 'startingSandbox':
      return l10n.t('Starting sandbox…');
    case 'resuming':
      return l10n.t('Resuming sandbox…');
    case 'waitingForSandbox':
      return l10n.t('Waiting for the sandbox…');
    case 'creating':
      return l10n.t('Sending request…');
    case 'unanswered':
      return l10n.t('Can’t get progress from the service. Retrying…');
    case 'task':
      return plainText(step.detail ?? '', 120) || taskWords(step.status);
  }
}

/** Why a start failed whose request was being sent when the window closed. */
export function interrupted(): string {
  return l10n.t('The window closed before the service answered. Check Conversations before trying again.');
}

function taskWords(status: string): string {
  switch (status) {
    case 'WORKING':
    case '':
      return l10n.t('Request accepted…');
    case 'WAITING_FOR_SANDBOX':
      return l10n.t('Waiting for the sandbox…');
    case 'PREPARING_REPOSITORY':
      return l10n.t('Preparing repository…');
    case 'RUNNING_SETUP_SCRIPT':
      return l10n.t('Running setup script…');
    case 'SETTING_UP_GIT_HOOKS':
      return l10n.t('Setting up git hooks…');
    case 'SETTING_UP_SKILLS':
      return l10n.t('Setting up skills…');
    case 'STARTING_CONVERSATION':
      return l10n.t('Starting conversation…');
    default:
      return `${readableState(status)}…`;
  }
}
