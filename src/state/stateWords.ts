import * as l10n from '@vscode/l10n';
import type { Sandbox } from '../api/schemas/sandbox';
import { plainText } from '../shared/plainText';
import { sandboxPhase } from './status';

/** The words of a state as `conversationState` says it; undefined where nothing is known. One that is new is shown as it comes. */
export function conversationStateWords(state: string): string | undefined {
  if (state.startsWith('sandbox:')) return sandboxWords(state.slice('sandbox:'.length));
  switch (state) {
    case 'idle':
      return l10n.t('Idle');
    case 'running':
      return l10n.t('Working');
    case 'paused':
      return l10n.t('Agent paused');
    case 'waiting_for_confirmation':
      return l10n.t('Waits for you');
    case 'finished':
      return l10n.t('Finished');
    case 'error':
      return l10n.t('Agent failed');
    case 'stuck':
      return l10n.t('Stuck');
    default:
      return plainText(state, 40);
  }
}

function sandboxWords(status: string): string | undefined {
  switch (status) {
    case '':
      return undefined;
    case 'running':
      return l10n.t('Sandbox running');
    case 'paused':
      return l10n.t('Sandbox paused');
    case 'starting':
      return l10n.t('Sandbox starting…');
    case 'error':
      return l10n.t('Sandbox failed');
    case 'missing':
      return l10n.t('Sandbox missing');
    default:
      return plainText(status, 40);
  }
}

/** The words of a sandbox's own state. One that is new is shown as it comes. */
export function sandboxStateWords(sandbox: Pick<Sandbox, 'status'>): string {
  switch (sandboxPhase(sandbox)) {
    case 'running':
      return l10n.t('Running');
    case 'paused':
      return l10n.t('Paused');
    case 'starting':
      return l10n.t('Starting…');
    case 'missing':
      return l10n.t('Missing');
    case 'other':
      if (sandbox.status?.toUpperCase() === 'ERROR') return l10n.t('Error');
      return plainText(sandbox.status ?? l10n.t('State unknown'), 40);
  }
}
