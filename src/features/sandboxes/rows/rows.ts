import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { derived } from '../../../core/basics/derived';
import { groupBy } from '../../../core/basics/groupBy';
import { attemptName, sandboxLabel, sandboxRepository } from '../../../core/lists/names';
import type { PendingSandboxAction } from '../../../core/lists/pendingActions';
import type { ListState } from '../../../core/lists/resourceList';
import { sandboxIcons } from '../../../core/lists/stateIcons';
import { sandboxStateWords } from '../../../core/lists/stateWords';
import { mayBecomeHealthy, sandboxPhase, type SandboxPhase } from '../../../core/lists/status';
import { cachedRow } from '../../../core/rows/cachedRow';
import { childrenAtMost, loadMoreRow, moreRows } from '../../../core/rows/moreRow';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';
import { commandIds } from '../../../ids';
import { age } from '../../../shared/age';
import { rowLabel } from '../../../shared/isolated';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { isAmbiguous, parseUrl } from '../../../shared/url';
import { conversationRow, type Branch, forest } from '../../targets';
import { exposedUrlName } from '../model/exposedUrl';

export interface SandboxesState {
  sandboxes: ListState<Sandbox>;
  conversations: readonly Conversation[];
  pending: (id: string) => PendingSandboxAction | undefined;
  /** Whether the sandbox was paused, but not by this window. */
  pausedByService: (id: string) => boolean;
  /** What an attempt differs in from others with its title. */
  differenceOf?: (conversation: Conversation) => string | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The most conversations shown under a sandbox; the Conversations view has them all. */
const conversationsAtMost = 50;

/** The rows of Sandboxes. */
export function* sandboxRows(state: SandboxesState): Generator<Row> {
  const { sandboxes } = state;
  const within = bySandbox(state.conversations);
  for (const sandbox of newestFirst(sandboxes.items).slice(0, sandboxes.limit)) {
    yield sandboxRow(sandbox, within.get(sandbox.id) ?? [], state);
  }
  if (sandboxes.items.length > sandboxes.limit || sandboxes.nextPageId !== null)
    yield loadMoreRow('sandboxes');
}

/** The newest first, because people look for what they just started. Not every service sorts its list. */
const newestFirst = derived((sandboxes: readonly Sandbox[]) =>
  sandboxes
    .map((sandbox) => ({ sandbox, startedAt: Date.parse(sandbox.created_at ?? '') || 0 }))
    .sort((a, b) => b.startedAt - a.startedAt)
    .map(({ sandbox }) => sandbox),
);

const bySandbox = derived((conversations: readonly Conversation[]) => {
  const branches = forest(conversations).toSorted(
    (a, b) => Number(b.waits) - Number(a.waits) || b.updated - a.updated,
  );
  return groupBy(branches, ({ conversation }) => conversation.sandbox_id ?? '');
});

/** The name of a sandbox; that of an attempt, which has one of its own, begins with what it differs in. */
function labelOf(sandbox: Sandbox, work: readonly Branch[], state: SandboxesState): string {
  const [only, ...others] = work;
  const difference = only && others.length === 0 ? state.differenceOf?.(only.conversation) : undefined;
  return attemptName(sandboxLabel(sandbox, state.conversations), difference);
}

function sandboxRow(sandbox: Sandbox, conversations: readonly Branch[], state: SandboxesState): Row {
  const pending = state.pending(sandbox.id);
  const unasked = state.pausedByService(sandbox.id);
  const started = age(sandbox.created_at, state.now);
  const unhealthy = mayBecomeHealthy(sandbox, state.now);
  const label = labelOf(sandbox, conversations, state);
  const repository = sandboxRepository(sandbox, state.conversations);
  const key = JSON.stringify([pending?.pending, unasked, started, unhealthy, label, repository]);
  const own = cachedRow(sandbox, '', key, () => {
    const words = pending?.words.pending() ?? statusWords(sandbox, { unasked, unhealthy, now: state.now });
    const description = joined(
      words,
      detailOf(sandbox, 60),
      repository === label ? undefined : repository,
      started,
    );
    return {
      ref: { kind: 'sandbox', id: sandbox.id },
      id: `sandbox/${sandbox.id}`,
      label: rowLabel(label),
      description,
      tooltip: tooltip(label, [
        [l10n.t('State'), words],
        [
          undefined,
          unasked
            ? l10n.t(
                'Not paused from this window. The service pauses the oldest sandbox when too many are running.',
              )
            : undefined,
        ],
        [l10n.t('Details'), detailOf(sandbox, 300)],
        [l10n.t('Repository'), repository],
        [l10n.t('Image'), plainText(sandbox.sandbox_spec_id ?? '', 200)],
        [l10n.t('Started'), started],
        [l10n.t('ID'), plainText(sandbox.id, 200)],
      ]),
      icon: pending || unhealthy ? { name: 'loading~spin' } : icons[sandboxPhase(sandbox)],
      contextValue: `sandbox.${pending ? 'pending' : contextOf(sandboxPhase(sandbox))}`,
      accessibilityLabel: l10n.t('Sandbox {0}, {1}', label, description),
    };
  });
  const urls = sandbox.exposed_urls ?? [];
  const { id } = sandbox;
  const ref = { kind: 'group', key: id } as const;
  const moreConversations = conversations.length - conversationsAtMost;
  const moreUrls = urls.length - childrenAtMost;
  const children = [
    ...conversations
      .slice(0, conversationsAtMost)
      .map((branch) => conversationRow(branch, state, { idPrefix: `sandbox/${id}/` })),
    ...moreRows(ref, `sandbox/${id}/more`, moreConversations, l10n.t('in Conversations')),
    ...urls.slice(0, childrenAtMost).map((exposed) => urlRow(id, exposed)),
    ...moreRows(ref, `sandbox/${id}/moreUrls`, moreUrls, l10n.t('run Open Exposed URL… to see them')),
  ];
  return children.length === 0 ? own : { ...own, children };
}

/** What the service says about a sandbox that is changing state or has failed. */
function detailOf(sandbox: Sandbox, max: number): string {
  const quiet = ['running', 'paused'].includes(sandboxPhase(sandbox));
  return quiet ? '' : plainText(sandbox.status_detail ?? '', max);
}

function statusWords(
  sandbox: Sandbox,
  { unasked, unhealthy, now }: { unasked: boolean; unhealthy: boolean; now: number },
) {
  const phase = sandboxPhase(sandbox);
  if (unasked && phase === 'paused') return l10n.t('Paused by the service');
  if (unhealthy) return l10n.t('Not ready yet');
  return sandboxStateWords(sandbox, now);
}

const icons: typeof sandboxIcons = {
  ...sandboxIcons,
  running: { name: 'vm-running', color: 'testing.iconPassed' },
  starting: { name: 'loading~spin' },
  other: { name: 'vm' },
};

/** Menus offer the same for a failed sandbox and one in an unknown state: the service decides what is possible. */
const contextOf = (phase: SandboxPhase) => (phase === 'failed' ? 'other' : phase);

function urlRow(sandboxId: string, exposed: { name: string; url: string }): Row {
  const label = exposedUrlName(exposed.name);
  // The query of an exposed URL can contain a secret, so only the host is shown.
  const url = isAmbiguous(exposed.url) ? undefined : parseUrl(exposed.url);
  const host = url ? plainText(url.host, 120) : l10n.t('invalid address');
  return {
    ref: { kind: 'url', sandboxId, name: exposed.name },
    id: `sandbox/${sandboxId}/url/${exposed.name}`,
    label,
    description: host,
    tooltip: tooltip(label, [[undefined, host]]),
    icon: { name: 'globe' },
    contextValue: 'url',
    accessibilityLabel: l10n.t('Exposed URL {0}, {1}', label, host),
    command: commandIds.sandboxOpenUrl,
  };
}
