import * as l10n from '@vscode/l10n';
import { nameList, sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { groupBy } from '../../../core/basics/groupBy';
import type { AttentionEvent, AttentionKind } from '../../../core/lists/attention';

/** What a button of the notification does. */
export type NoticeAction =
  | { readonly do: 'show' | 'resume' | 'showDetails'; readonly event: AttentionEvent }
  | { readonly do: 'turnOff'; readonly kind: AttentionKind }
  | { readonly do: 'chooseKinds' };

export interface AttentionNotice {
  readonly message: string;
  readonly severity: 'information' | 'warning';
  readonly actions: readonly { readonly title: string; readonly action: NoticeAction }[];
}

/**
 * The sentences about one event of a kind and about several, most urgent first: this is the order of the sentences, and
 * "Show" opens the first.
 */
const wordsOf: Readonly<
  Record<
    AttentionKind,
    { one: (name: string, detail: string) => string; several: (count: number, names: string) => string }
  >
> = {
  agentWaits: {
    one: (name) => l10n.t('{0} is waiting for you.', name),
    several: (count, names) => l10n.t('{0} agents are waiting for you: {1}.', count, names),
  },
  agentFailed: {
    one: (name) => l10n.t('{0} failed or got stuck.', name),
    several: (count, names) => l10n.t('{0} agents failed or got stuck: {1}.', count, names),
  },
  automationFailed: {
    one: (name, detail) =>
      detail === ''
        ? l10n.t('The automation {0} failed.', name)
        : l10n.t('The automation {0} failed: “{1}”.', name, detail),
    several: (count, names) => l10n.t('{0} automation runs failed: {1}.', count, names),
  },
  sandboxFailed: {
    one: (name, detail) =>
      detail === ''
        ? l10n.t('Sandbox {0} failed.', name)
        : l10n.t('Sandbox {0} failed: “{1}”.', name, detail),
    several: (count, names) => l10n.t('{0} sandboxes failed: {1}.', count, names),
  },
  sandboxPaused: {
    one: (name) =>
      l10n.t(
        'Sandbox {0} was paused by the service or someone else. The service pauses the oldest sandbox when too many are running.',
        name,
      ),
    several: (count, names) =>
      l10n.t('{0} sandboxes were paused by the service or someone else: {1}.', count, names),
  },
  agentEnded: {
    one: (name) => l10n.t('{0} has finished.', name),
    several: (count, names) => l10n.t('{0} agents have finished: {1}.', count, names),
  },
};
const urgency = Object.keys(wordsOf);

/** Names what an event is about. */
export type NameOf = (event: AttentionEvent) => string;

/** Everything that happened, as one notification; undefined if nothing did. */
export function attentionNotice(
  events: readonly AttentionEvent[],
  nameOf: NameOf,
): AttentionNotice | undefined {
  const sorted = events.toSorted((a, b) => urgency.indexOf(a.kind) - urgency.indexOf(b.kind));
  const [first] = sorted;
  if (!first) return undefined;
  const groups = groupBy(sorted, ({ kind }) => kind);
  const kinds = [...groups.keys()];
  const quiet = kinds.every((kind) => kind === 'agentEnded' || kind === 'agentWaits');
  return {
    message: sentences(...[...groups].map(([kind, group]) => sentence(kind, group, nameOf))),
    severity: quiet ? 'information' : 'warning',
    actions: [
      { title: l10n.t('Show'), action: { do: 'show', event: first } },
      ...(events.length === 1 && isOfSandbox(first) ? [fitting(first)] : []),
      kinds.length === 1
        ? { title: l10n.t('Don’t Show Again'), action: { do: 'turnOff', kind: first.kind } }
        : { title: l10n.t('Notification Settings…'), action: { do: 'chooseKinds' } },
    ],
  };
}

/** True for events of a sandbox; all others are about a conversation, or a run. */
export const isOfSandbox = ({ kind }: AttentionEvent) => kind === 'sandboxFailed' || kind === 'sandboxPaused';

function fitting(event: AttentionEvent): AttentionNotice['actions'][number] {
  return event.kind === 'sandboxFailed'
    ? { title: l10n.t('Show Details'), action: { do: 'showDetails', event } }
    : { title: l10n.t('Resume'), action: { do: 'resume', event } };
}

function sentence(kind: AttentionKind, events: readonly AttentionEvent[], nameOf: NameOf): string {
  const { one, several } = wordsOf[kind];
  const names = events.map((event) => l10n.t('“{0}”', nameOf(event)));
  const [name = '', ...others] = names;
  if (others.length > 0) return several(names.length, firstOf(names));
  return one(name, plainText(events[0]?.detail ?? '', 160).replace(/\.$/, ''));
}

function firstOf(all: readonly string[], most = 3): string {
  const names = nameList(all.slice(0, most));
  return all.length > most ? l10n.t('{0} and {1} more', names, all.length - most) : names;
}
