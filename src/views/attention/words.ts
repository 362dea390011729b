import * as l10n from '@vscode/l10n';
import { nameList, sentences } from '../../shared/joined';
import { plainText } from '../../shared/plainText';
import type { AttentionEvent, AttentionKind } from '../../state/attention/attention';

/** What a button of the notification does. */
export type NoticeAction =
  | { readonly do: 'show' | 'openInBrowser' | 'resume' | 'showDetails'; readonly event: AttentionEvent }
  | { readonly do: 'turnOff'; readonly kind: AttentionKind }
  | { readonly do: 'chooseKinds' };

export interface AttentionNotice {
  readonly message: string;
  readonly severity: 'information' | 'warning';
  readonly actions: readonly { readonly title: string; readonly action: NoticeAction }[];
}

/** Most urgent first: the order of the sentences, and what "Show" opens. */
const urgency: readonly AttentionKind[] = [
  'agentWaits',
  'agentFailed',
  'sandboxFailed',
  'sandboxPaused',
  'agentEnded',
];

/** Names what an event is about. */
export type NameOf = (event: AttentionEvent) => string;

/**
 * Everything that happened, as one notification; undefined if nothing did.
 * @param hasPages whether the service has a page for each conversation
 */
export function attentionNotice(
  events: readonly AttentionEvent[],
  nameOf: NameOf,
  hasPages = true,
): AttentionNotice | undefined {
  const kinds = urgency.filter((kind) => events.some((event) => event.kind === kind));
  const [first] = kinds.flatMap((kind) => events.filter((event) => event.kind === kind));
  if (!first) return undefined;
  const message = sentences(
    ...kinds.map((kind) =>
      sentence(
        events.filter((event) => event.kind === kind),
        quoted(nameOf),
      ),
    ),
  );
  const quiet = kinds.every((kind) => kind === 'agentEnded' || kind === 'agentWaits');
  return {
    message,
    severity: quiet ? 'information' : 'warning',
    actions: [
      { title: l10n.t('Show'), action: { do: 'show', event: first } },
      ...(events.length === 1 && (hasPages || isOfSandbox(first)) ? [fitting(first)] : []),
      kinds.length === 1
        ? { title: l10n.t('Don’t Show Again'), action: { do: 'turnOff', kind: first.kind } }
        : { title: l10n.t('Notification Settings…'), action: { do: 'chooseKinds' } },
    ],
  };
}

/** True for events of a sandbox; all others are about a conversation. */
export const isOfSandbox = ({ kind }: AttentionEvent) => kind === 'sandboxFailed' || kind === 'sandboxPaused';

function fitting(event: AttentionEvent): AttentionNotice['actions'][number] {
  switch (event.kind) {
    case 'agentWaits':
    case 'agentEnded':
    case 'agentFailed':
      return { title: l10n.t('Open in Browser'), action: { do: 'openInBrowser', event } };
    case 'sandboxFailed':
      return { title: l10n.t('Show Details'), action: { do: 'showDetails', event } };
    case 'sandboxPaused':
      return { title: l10n.t('Resume'), action: { do: 'resume', event } };
  }
}

const quoted =
  (nameOf: NameOf): NameOf =>
  (event) =>
    l10n.t('“{0}”', nameOf(event));

function sentence(events: readonly AttentionEvent[], nameOf: NameOf): string {
  const [event] = events;
  if (!event) return '';
  return events.length === 1 ? aboutOne(event, nameOf(event)) : aboutSeveral(event.kind, events.map(nameOf));
}

function aboutOne(event: AttentionEvent, name: string): string {
  switch (event.kind) {
    case 'agentWaits':
      return l10n.t('{0} is waiting for you.', name);
    case 'agentEnded':
      return l10n.t('{0} has finished.', name);
    case 'agentFailed':
      return l10n.t('{0} failed or got stuck.', name);
    case 'sandboxFailed': {
      const detail = plainText(event.detail ?? '', 160).replace(/\.$/, '');
      return detail === ''
        ? l10n.t('Sandbox {0} failed.', name)
        : l10n.t('Sandbox {0} failed: “{1}”.', name, detail);
    }
    case 'sandboxPaused':
      return l10n.t(
        'Sandbox {0} was paused by the service or someone else. The service pauses the oldest sandbox when too many are running.',
        name,
      );
  }
}

function aboutSeveral(kind: AttentionKind, all: readonly string[]): string {
  const count = all.length;
  const names = firstOf(all);
  switch (kind) {
    case 'agentWaits':
      return l10n.t('{0} agents are waiting for you: {1}.', count, names);
    case 'agentEnded':
      return l10n.t('{0} agents have finished: {1}.', count, names);
    case 'agentFailed':
      return l10n.t('{0} agents failed or got stuck: {1}.', count, names);
    case 'sandboxFailed':
      return l10n.t('{0} sandboxes failed: {1}.', count, names);
    case 'sandboxPaused':
      return l10n.t('{0} sandboxes were paused by the service or someone else: {1}.', count, names);
  }
}

function firstOf(all: readonly string[], most = 3): string {
  const names = nameList(all.slice(0, most));
  return all.length > most ? l10n.t('{0} and {1} more', names, all.length - most) : names;
}
