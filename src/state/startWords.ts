import * as l10n from '@vscode/l10n';
import { plainText } from '../shared/plainText';
import type { StartStep } from './startConversation';

/** Where a start has got to, in words; the service's own detail where it gives one. */
export function stepWords(step: StartStep): string {
  switch (step.kind) {
    case 'startingSandbox':
      return l10n.t('Starting a sandbox…');
    case 'resuming':
      return l10n.t('Resuming the sandbox…');
    case 'waitingForSandbox':
      return l10n.t('Waiting until the sandbox runs…');
    case 'creating':
      return l10n.t('Sending the request…');
    case 'unanswered':
      return l10n.t('The service cannot be asked how far it is; trying again…');
    case 'task':
      return plainText(step.detail ?? '', 120) || taskWords(step.status);
  }
}

function taskWords(status: string): string {
  switch (status) {
    case 'WORKING':
    case '':
      return l10n.t('The service has begun…');
    case 'WAITING_FOR_SANDBOX':
      return l10n.t('Waiting for a sandbox…');
    case 'PREPARING_REPOSITORY':
      return l10n.t('Preparing the repository…');
    case 'RUNNING_SETUP_SCRIPT':
      return l10n.t('Running the setup script…');
    case 'SETTING_UP_GIT_HOOKS':
      return l10n.t('Setting up git hooks…');
    case 'STARTING_CONVERSATION':
      return l10n.t('Starting the conversation…');
    default:
      return plainText(status, 60);
  }
}
