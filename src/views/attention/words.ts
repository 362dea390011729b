import * as l10n from '@vscode/l10n';
import { nameList, sentences } from '../../shared/joined';
import { plainText } from '../../shared/plainText';
import type { AttentionEvent, AttentionKind } from '../../state/attention';

/** What a button of the notification leads to. */
export type NoticeAction =
  | { readonly do: 'show' | 'openInBrowser' | 'resume' | 'showDetails'; readonly event: AttentionEvent }
  | { readonly do: 'turnOff'; readonly kind: AttentionKind }
  | { readonly do: 'chooseKinds' };

export interface AttentionNotice {
  readonly message: string;
  readonly severity: 'information' | 'warning';
  readonly actions: readonly { readonly title: string; readonly action: NoticeAction }[];
}

/** Most urgent first: the order of the sentences, and what "Show" leads to. */
const urgency: readonly AttentionKind[] = [
  'agentWaits',
  'agentFailed',
  'sandboxFailed',
  'sandboxPaused',
  'agentEnded',
];

/** All that happened, as one notification; undefined when nothing did. */
export function attentionNotice(events: readonly AttentionEvent[]): AttentionNotice | undefined {
  const kinds = urgency.filter((kind) => events.some((event) => event.kind === kind));
  const [first] = kinds.flatMap((kind) => events.filter((event) => event.kind === kind));
  if (!first) return undefined;
  const message = sentences(...kinds.map((kind) => sentence(events.filter((event) => event.kind === kind))));
  const quiet = kinds.every((kind) => kind === 'agentEnded' || kind === 'agentWaits');
  return {
    message,
    severity: quiet ? 'information' : 'warning',
    actions: [
      { title: l10n.t('Show'), action: { do: 'show', event: first } },
      ...(events.length === 1 ? [fitting(first)] : []),
      kinds.length === 1
        ? { title: l10n.t('Don’t Show Again'), action: { do: 'turnOff', kind: first.kind } }
        : { title: l10n.t('Choose Notifications…'), action: { do: 'chooseKinds' } },
    ],
  };
}

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

function sentence(events: readonly AttentionEvent[]): string {
  const [event] = events;
  if (!event) return '';
  return events.length === 1 ? aboutOne(event) : aboutSeveral(event.kind, events);
}

function aboutOne(event: AttentionEvent): string {
  const name = nameOf(event);
  switch (event.kind) {
    case 'agentWaits':
      return l10n.t('The agent of {0} waits for you.', name);
    case 'agentEnded':
      return l10n.t('The agent of {0} has finished.', name);
    case 'agentFailed':
      return l10n.t('The agent of {0} failed or is stuck.', name);
    case 'sandboxFailed': {
      const detail = plainText(event.detail ?? '', 160);
      return detail === ''
        ? l10n.t('Sandbox {0} failed.', name)
        : l10n.t('Sandbox {0} failed. The service says: “{1}”.', name, detail);
    }
    case 'sandboxPaused':
      return l10n.t(
        'Sandbox {0} was paused, and not from here. A service pauses the oldest sandbox when too many run.',
        name,
      );
  }
}

function aboutSeveral(kind: AttentionKind, events: readonly AttentionEvent[]): string {
  const count = events.length;
  const names = namesOf(events);
  switch (kind) {
    case 'agentWaits':
      return l10n.t('{0} agents wait for you: {1}.', count, names);
    case 'agentEnded':
      return l10n.t('{0} agents have finished: {1}.', count, names);
    case 'agentFailed':
      return l10n.t('{0} agents failed or are stuck: {1}.', count, names);
    case 'sandboxFailed':
      return l10n.t('{0} sandboxes failed: {1}.', count, names);
    case 'sandboxPaused':
      return l10n.t('{0} sandboxes were paused, and not from here: {1}.', count, names);
  }
}

function namesOf(events: readonly AttentionEvent[], most = 3): string {
  const names = nameList(events.slice(0, most).map(nameOf));
  return events.length > most ? l10n.t('{0} and {1} more', names, events.length - most) : names;
}

function nameOf({ kind, id, title }: AttentionEvent): string {
  if (kind === 'sandboxFailed' || kind === 'sandboxPaused') return plainText(id, 64);
  return l10n.t('“{0}”', plainText(title ?? '', 60) || plainText(id, 24));
}
