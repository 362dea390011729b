import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/service/schemas/conversation';
import type { Sandbox } from '../../api/service/schemas/sandbox';
import { age } from '../../shared/age';
import { imageName } from '../../shared/imageName';
import { isolated } from '../../shared/isolated';
import { plainText } from '../../shared/plainText';
import { derived } from '../basics/derived';
import { groupBy } from '../basics/groupBy';
import type { ResourceList } from './resourceList';
import { lastActive } from './status';

/*
 * The names of sandboxes and conversations in every row, picker, question, and notification. Names are plain text, and
 * never ids, which mean nothing to people. Those that run from right to left are isolated from what is around them.
 */

/** What a name is made of. Only `id` is required, so that a sandbox that isn't in the list can be named too. */
export type NamedSandbox = Pick<Sandbox, 'id'> & Partial<Pick<Sandbox, 'sandbox_spec_id' | 'created_at'>>;
type NamedConversation = Pick<Conversation, 'id'> & Partial<Conversation>;

/** The first line of a message that isn't empty: the name of a conversation until the service has a title. */
export function titleOfMessage(message: string): string {
  const line = message.split('\n').find((one) => one.trim() !== '');
  return plainText(line ?? '', 120);
}

/**
 * A conversation's title. Undefined if it has none, or only the one that services generate from the id ("Conversation
 * 3cd7b") until an agent sets a better one.
 */
export function conversationTitle({ id, title }: NamedConversation): string | undefined {
  const madeUp = /^Conversation ([0-9a-f]{4,32})$/i.exec(title ?? '')?.[1];
  if (madeUp && id.replaceAll('-', '').toLowerCase().startsWith(madeUp.toLowerCase())) return undefined;
  return plainText(title ?? '', 120) || undefined;
}

/** A conversation with the name it was started with as its title, until the service has one. */
export function titledAsStarted(
  conversation: Conversation,
  startedAs: ((id: string) => string | undefined) | undefined,
): Conversation {
  const title = conversationTitle(conversation) === undefined ? startedAs?.(conversation.id) : undefined;
  return title === undefined ? conversation : { ...conversation, title };
}

/**
 * The name of an attempt, or of its sandbox, beginning with what it differs in from others with its title.
 * @param difference as text of any origin; undefined or empty if in nothing
 */
export function attemptName(name: string, difference = ''): string {
  const shown = plainText(difference, 80);
  return shown === '' || name.includes(shown) ? name : `${shown} – ${name}`;
}

/** Says what an attempt differs in from others with its title, by its service. */
export interface Differences {
  of: (service: string, of: Pick<Conversation, 'id' | 'tags'>) => { label: string } | undefined;
}

/** The name of a conversation if its age is shown beside it: title or repository. */
export function conversationLabel(conversation: NamedConversation): string {
  return isolated(
    conversationTitle(conversation) ?? (repositoryOf(conversation) || l10n.t('Untitled conversation')),
  );
}

/** The name of a conversation: its title, or its repository and age. */
export function conversationName(conversation: NamedConversation, now = Date.now()): string {
  const { created_at, updated_at } = conversation;
  const label = conversationLabel(conversation);
  return conversationTitle(conversation) === undefined ? dated(label, updated_at ?? created_at, now) : label;
}

/** The name of a sandbox if its age is shown beside it; see `sandboxName`. */
export function sandboxLabel(sandbox: NamedSandbox, conversations: readonly Conversation[]): string {
  return labelByWork(sandbox.id, conversations) ?? imageLabel(sandbox);
}

/**
 * The name of a sandbox says what it works on: the title of its latest conversation, with "+2" for two others, or the
 * repository. Without conversations, it's the image and age.
 *
 * @param conversations the known conversations of the service, in any order
 * @param now milliseconds since the epoch
 */
export function sandboxName(
  sandbox: NamedSandbox,
  conversations: readonly Conversation[],
  now = Date.now(),
): string {
  return labelByWork(sandbox.id, conversations) ?? dated(imageLabel(sandbox), sandbox.created_at, now);
}

/** `sandboxName` if only the id is known. */
export function sandboxNameOf(
  id: string,
  lists: { sandboxes: ResourceList<Sandbox>; conversations: ResourceList<Conversation> },
  now = Date.now(),
): string {
  return sandboxName(lists.sandboxes.get(id) ?? { id }, lists.conversations.state.items, now);
}

/** The repository that a sandbox's latest conversations are about. */
export function sandboxRepository(
  { id }: NamedSandbox,
  conversations: readonly Conversation[],
): string | undefined {
  return firstOf(workOf(conversations).get(id), repositoryOf);
}

const repositoryOf = ({ selected_repository }: NamedConversation) => plainText(selected_repository ?? '', 80);

function labelByWork(id: string, conversations: readonly Conversation[]): string | undefined {
  const work = workOf(conversations).get(id);
  const name = firstOf(work, conversationTitle) ?? firstOf(work, repositoryOf);
  const label = name === undefined ? undefined : isolated(name);
  const others = (work?.length ?? 0) - 1;
  return label !== undefined && others > 0 ? `${label} +${others}` : label;
}

function imageLabel({ sandbox_spec_id }: NamedSandbox): string {
  return plainText(imageName(sandbox_spec_id ?? '').name, 80) || l10n.t('Sandbox');
}

/** Conversations by sandbox, last active first. Those that an agent started are part of their parent's work. */
const workOf = derived((conversations: readonly Conversation[]) =>
  groupBy(
    conversations
      .filter(({ parent_conversation_id }) => !parent_conversation_id)
      .map((conversation) => ({
        conversation,
        active: lastActive(conversation),
      }))
      .sort((a, b) => b.active - a.active)
      .map(({ conversation }) => conversation),
    ({ sandbox_id }) => sandbox_id ?? '',
  ),
);

function firstOf<T>(
  values: readonly T[] | undefined,
  of: (value: T) => string | undefined,
): string | undefined {
  for (const value of values ?? []) {
    const text = of(value);
    if (text) return text;
  }
  return undefined;
}

function dated(label: string, iso: string | null | undefined, now: number): string {
  const when = age(iso, now);
  return when === undefined ? label : `${label} · ${when}`;
}
