import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/schemas/conversation';
import type { Sandbox } from '../../api/schemas/sandbox';
import { commandIds } from '../../ids';
import { age } from '../../shared/age';
import { plainText } from '../../shared/plainText';
import { parseUrl } from '../../shared/url';
import { derived } from '../../state/derived';
import { groupBy } from '../../state/groupBy';
import type { PendingAction } from '../../state/pendingActions';
import type { ListState } from '../../state/resourceList';
import { sandboxStateWords } from '../../state/stateWords';
import { mayBecomeHealthy, sandboxPhase } from '../../state/status';
import { cachedRow } from '../cachedRow';
import { type Branch, forest } from '../conversations/forest';
import { conversationRow } from '../conversations/rows';
import { loadMoreRow } from '../loadMore';
import type { Row } from '../row';
import { joined, lines, shortId } from '../words';

export interface SandboxesState {
  sandboxes: ListState<Sandbox>;
  conversations: readonly Conversation[];
  pending: (id: string) => PendingAction | undefined;
  /** Whether the sandbox was paused without this window having asked. */
  pausedByService: (id: string) => boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Conversations shown under one sandbox; the view Conversations has all. */
const conversationsAtMost = 50;

/** The rows of the view Sandboxes. */
export function* sandboxRows(state: SandboxesState): Generator<Row> {
  const { sandboxes } = state;
  const within = bySandbox(state.conversations);
  for (const sandbox of newestFirst(sandboxes.items).slice(0, sandboxes.limit)) {
    yield sandboxRow(sandbox, within.get(sandbox.id) ?? [], state);
  }
  if (sandboxes.items.length > sandboxes.limit || sandboxes.nextPageId !== null)
    yield loadMoreRow('sandboxes');
}

/** Not every service sorts its list. The newest first, as people look for what they have just started. */
const newestFirst = derived((sandboxes: readonly Sandbox[]) =>
  sandboxes
    .map((sandbox) => ({ sandbox, startedAt: Date.parse(sandbox.created_at ?? '') || 0 }))
    .sort((a, b) => b.startedAt - a.startedAt)
    .map(({ sandbox }) => sandbox),
);

const bySandbox = derived((conversations: readonly Conversation[]) => {
  const branches = forest(conversations).toSorted(
    (a, b) => Number(b.waits) - Number(a.waits) || b.created - a.created,
  );
  return groupBy(branches, ({ conversation }) => conversation.sandbox_id ?? '');
});

function sandboxRow(sandbox: Sandbox, conversations: readonly Branch[], state: SandboxesState): Row {
  const pending = state.pending(sandbox.id);
  const unasked = state.pausedByService(sandbox.id);
  const started = age(sandbox.created_at, state.now);
  const unhealthy = mayBecomeHealthy(sandbox, state.now);
  const own = cachedRow(sandbox, '', JSON.stringify([pending, unasked, started, unhealthy]), () => {
    const id = plainText(sandbox.id, 200);
    const label = shortId(sandbox.id);
    const words = pending ? pendingWords(pending) : statusWords(sandbox, { unasked, unhealthy });
    const spec = plainText(sandbox.sandbox_spec_id ?? '', 200);
    const description = joined(
      words,
      detailOf(sandbox, 60),
      spec.split('/').at(-1),
      started,
      label === id ? undefined : id,
    );
    return {
      ref: { kind: 'sandbox', id: sandbox.id },
      id: `sandbox/${sandbox.id}`,
      label,
      description,
      tooltip: lines(
        id,
        words,
        unasked
          ? l10n.t('Not from this window: the service pauses the oldest when too many run.')
          : undefined,
        detailOf(sandbox, 300),
        spec,
        started,
      ).join('\n'),
      icon: pending || unhealthy ? { name: 'loading~spin' } : statusIcon(sandbox),
      contextValue: pending ? 'sandbox.pending' : `sandbox.${sandboxPhase(sandbox)}`,
      accessibilityLabel: l10n.t('Sandbox {0}, {1}', id, joined(words, detailOf(sandbox, 60), spec, started)),
    };
  });
  const children = [
    ...conversations
      .slice(0, conversationsAtMost)
      .map((branch) => conversationRow(branch, state, `sandbox/${sandbox.id}/`)),
    ...(conversations.length > conversationsAtMost ? [moreConversationsRow(sandbox.id, conversations)] : []),
    ...(sandbox.exposed_urls ?? []).map((exposed) => urlRow(sandbox.id, exposed)),
  ];
  return children.length === 0 ? own : { ...own, children };
}

/** What the service says about a state that is about to change or has gone wrong. */
function detailOf(sandbox: Sandbox, max: number): string {
  const quiet = ['running', 'paused'].includes(sandboxPhase(sandbox));
  return quiet ? '' : plainText(sandbox.status_detail ?? '', max);
}

function pendingWords(action: PendingAction): string {
  return action === 'pausing' ? l10n.t('Pausing…') : l10n.t('Resuming…');
}

function statusWords(sandbox: Sandbox, { unasked, unhealthy }: { unasked: boolean; unhealthy: boolean }) {
  const phase = sandboxPhase(sandbox);
  if (unasked && phase === 'paused') return l10n.t('Paused by the service');
  if (unhealthy && phase === 'other' && sandbox.status?.toUpperCase() === 'ERROR') {
    return l10n.t('Error, or not ready yet');
  }
  return sandboxStateWords(sandbox);
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

function moreConversationsRow(sandboxId: string, conversations: readonly Branch[]): Row {
  const label = l10n.t('and {0} more', conversations.length - conversationsAtMost);
  return {
    ref: { kind: 'group', key: sandboxId },
    id: `sandbox/${sandboxId}/more`,
    label,
    description: l10n.t('see Conversations'),
    contextValue: 'more',
  };
}

function urlRow(sandboxId: string, exposed: { name: string; url: string }): Row {
  const label = plainText(exposed.name, 80);
  // The query of an exposed URL may carry a secret, so only its host is shown.
  const url = parseUrl(exposed.url);
  const host = url ? plainText(url.host, 120) : l10n.t('not a valid address');
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
