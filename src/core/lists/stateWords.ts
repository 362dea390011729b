import * as l10n from '@vscode/l10n';
import type { Sandbox } from '../../api/service/schemas/sandbox';
import { plainText } from '../../shared/plainText';
import { type SandboxPhase, sandboxPhase, startsSlowly } from './status';

/** The words for the states of an agent. */
const agentWords = new Map<string, () => string>([
  ['idle', () => l10n.t('Idle')],
  ['running', () => l10n.t('Working')],
  ['paused', () => l10n.t('Paused')],
  ['waiting_for_confirmation', () => l10n.t('Waiting')],
  ['finished', () => l10n.t('Finished')],
  ['error', () => l10n.t('Failed')],
  ['stuck', () => l10n.t('Stuck')],
]);

/** The words for a state that `conversationState` returned; undefined if nothing is known. */
export function conversationStateWords(state: string): string | undefined {
  if (state.startsWith('sandbox:')) return sandboxWords(state.slice('sandbox:'.length));
  return agentWords.get(state)?.() ?? readableState(state);
}

const phaseWords: Record<Exclude<SandboxPhase, 'other'>, () => string> = {
  running: () => l10n.t('Sandbox running'),
  paused: () => l10n.t('Sandbox paused'),
  starting: () => l10n.t('Sandbox starting…'),
  failed: () => l10n.t('Sandbox failed'),
  missing: () => l10n.t('Sandbox missing'),
};

function sandboxWords(status: string): string | undefined {
  const phase = sandboxPhase({ status });
  if (phase !== 'other') return phaseWords[phase]();
  return status === '' ? undefined : readableState(status);
}

/** The words for a sandbox's own state. */
export function sandboxStateWords(
  sandbox: Pick<Sandbox, 'status'> & Partial<Pick<Sandbox, 'created_at'>>,
  now = Date.now(),
): string {
  switch (sandboxPhase(sandbox)) {
    case 'running':
      return l10n.t('Running');
    case 'paused':
      return l10n.t('Paused');
    case 'starting':
      return startsSlowly(sandbox, now) ? l10n.t('Slow to start') : l10n.t('Starting…');
    case 'missing':
      return l10n.t('Missing');
    case 'failed':
      return l10n.t('Failed');
    case 'other':
      return sandbox.status ? readableState(sandbox.status) : l10n.t('State unknown');
  }
}

/** A readable form of a state that this client doesn't know: "Setting up skills" for `SETTING_UP_SKILLS`. */
export function readableState(state: string): string {
  const text = plainText(state, 40);
  if (!/^(?:[A-Z0-9_]+|[a-z0-9_]+)$/.test(text)) return text;
  const words = text.replaceAll('_', ' ').trim().toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
