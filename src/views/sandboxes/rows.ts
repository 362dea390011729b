import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/schemas/conversation';
import type { Sandbox } from '../../api/schemas/sandbox';
import { commandIds } from '../../ids';
import { age } from '../../shared/age';
import { plainText } from '../../shared/plainText';
import type { PendingAction } from '../../state/pendingActions';
import type { ListState } from '../../state/resourceList';
import { sandboxPhase } from '../../state/status';
import { conversationRow } from '../conversations/rows';
import { loadMoreRow } from '../loadMore';
import type { Row } from '../row';
import { joined, unknownStatus } from '../words';

export interface SandboxesState {
  sandboxes: ListState<Sandbox>;
  conversations: readonly Conversation[];
  pending: (id: string) => PendingAction | undefined;
  /** Whether the sandbox was paused without this window having asked. */
  pausedByService: (id: string) => boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The rows of the view Sandboxes. */
export function sandboxRows(state: SandboxesState): Row[] {
  const bySandbox = new Map<string, Conversation[]>();
  for (const conversation of state.conversations) {
    const id = conversation.sandbox_id ?? '';
    bySandbox.set(id, [...(bySandbox.get(id) ?? []), conversation]);
  }
  // Not every service sorts its list. The newest first, as people look for what they have just started.
  const newestFirst = state.sandboxes.items.toSorted((a, b) => startedAt(b) - startedAt(a));
  const rows = newestFirst.map((sandbox) => sandboxRow(sandbox, bySandbox.get(sandbox.id) ?? [], state));
  return state.sandboxes.nextPageId === null ? rows : [...rows, loadMoreRow('sandboxes')];
}

const startedAt = (sandbox: Sandbox) => Date.parse(sandbox.created_at ?? '') || 0;

function sandboxRow(sandbox: Sandbox, conversations: readonly Conversation[], state: SandboxesState): Row {
  const pending = state.pending(sandbox.id);
  const unasked = state.pausedByService(sandbox.id);
  const words = pending
    ? pendingWords(pending)
    : unasked
      ? l10n.t('Paused by the service')
      : statusWords(sandbox);
  const label = sandboxLabel(sandbox);
  const started = age(sandbox.created_at, state.now);
  const description = joined(words, plainText(sandbox.sandbox_spec_id ?? '', 80), started);
  return {
    ref: { kind: 'sandbox', id: sandbox.id },
    id: `sandbox/${sandbox.id}`,
    label,
    description,
    tooltip: joined(plainText(sandbox.id, 200), words, plainText(sandbox.status_detail ?? '', 300)),
    icon: pending ? { name: 'loading~spin' } : statusIcon(sandbox),
    contextValue: pending ? 'sandbox.pending' : `sandbox.${sandboxPhase(sandbox)}`,
    accessibilityLabel: l10n.t('Sandbox {0}, {1}', label, description),
    children: [
      ...conversations.map((conversation) =>
        conversationRow(conversation, state.now, `sandbox/${sandbox.id}/`),
      ),
      ...(sandbox.exposed_urls ?? []).map((exposed) => urlRow(sandbox.id, exposed)),
    ],
  };
}

/** The id, which is the only name that a sandbox has. */
function sandboxLabel(sandbox: Sandbox): string {
  return plainText(sandbox.id, 64);
}

function pendingWords(action: PendingAction): string {
  return action === 'pausing' ? l10n.t('Pausing…') : l10n.t('Resuming…');
}

function statusWords(sandbox: Sandbox): string {
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
      return sandbox.status?.toUpperCase() === 'ERROR'
        ? l10n.t('Error')
        : plainText(unknownStatus(sandbox.status), 40);
  }
}

function statusIcon(sandbox: Sandbox): NonNullable<Row['icon']> {
  switch (sandboxPhase(sandbox)) {
    case 'running':
      return { name: 'vm-running', color: 'testing.iconPassed' };
    case 'paused':
      return { name: 'debug-pause', color: 'descriptionForeground' };
    case 'starting':
      return { name: 'loading~spin' };
    case 'missing':
      return { name: 'question', color: 'descriptionForeground' };
    case 'other':
      return sandbox.status?.toUpperCase() === 'ERROR'
        ? { name: 'error', color: 'list.errorForeground' }
        : { name: 'vm' };
  }
}

function urlRow(sandboxId: string, exposed: { name: string; url: string }): Row {
  const label = plainText(exposed.name, 80);
  // The query of an exposed URL may carry a secret, so only its host is shown.
  const host = URL.canParse(exposed.url)
    ? plainText(new URL(exposed.url).host, 120)
    : l10n.t('not a valid address');
  return {
    ref: { kind: 'url', sandboxId, name: exposed.name },
    id: `sandbox/${sandboxId}/url/${exposed.name}`,
    label,
    description: host,
    tooltip: joined(label, host),
    icon: { name: 'globe' },
    contextValue: 'url',
    accessibilityLabel: l10n.t('Exposed URL {0}, {1}', label, host),
    command: commandIds.sandboxOpenUrl,
  };
}
