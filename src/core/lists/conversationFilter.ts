import type { ConversationQuery } from '../../api/http/query';
import type { Conversation } from '../../api/service/schemas/conversation';
import { conversationState } from './status';
import type { ApiClient } from '../../api/service/client';

/** Which conversations to show; all conditions must match. */
export interface ConversationFilter {
  /** Part of the title; not case-sensitive. */
  readonly title?: string;
  /** `owner/name`; not case-sensitive. */
  readonly repository?: string;
  /** As `conversationState` returns it. */
  readonly state?: string;
  /** Maximum age in days. */
  readonly createdWithinDays?: number;
  readonly updatedWithinDays?: number;
}

const dayMs = 24 * 60 * 60_000;
/** Dates are rounded to minutes, so that all pages of a list are requested with the same date. */
const minuteMs = 60_000;

/**
 * The longest part of a title that a service can find regardless of case: services use SQLite, which ignores the case of
 * ASCII letters only. `passes` checks the rest. Undefined if no part is left.
 */
function findable(title: string | undefined): string | undefined {
  const hasCase = (letter: string) => letter > '\x7f' && letter.toLowerCase() !== letter.toUpperCase();
  const parts = Array.from(title ?? '', (letter) => (hasCase(letter) ? '\n' : letter))
    .join('')
    .split('\n');
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '') || undefined;
}

/** The part of a filter that a service can apply; undefined if there is none. */
export function queryOf(filter: ConversationFilter, now: number): ConversationQuery | undefined {
  const after = (days: number | undefined) =>
    days === undefined
      ? undefined
      : new Date(Math.floor((now - days * dayMs) / minuteMs) * minuteMs).toISOString();
  const query = {
    titleContains: findable(filter.title),
    createdAfter: after(filter.createdWithinDays),
    updatedAfter: after(filter.updatedWithinDays),
  };
  return Object.values(query).some((value) => value !== undefined) ? query : undefined;
}

/** Whether a conversation matches. Also checked for answers: a service may apply a filter in part or not at all. */
export function passes(filter: ConversationFilter, conversation: Conversation, now: number): boolean {
  const { title, repository, state, createdWithinDays, updatedWithinDays } = filter;
  const contains = (text: string | null | undefined, part: string | undefined) =>
    part === undefined || (text ?? '').toLowerCase().includes(part.toLowerCase());
  const within = (iso: string | null | undefined, days: number | undefined) =>
    days === undefined || Date.parse(iso ?? '') >= now - days * dayMs - minuteMs;
  const { created_at, updated_at } = conversation;
  return (
    contains(conversation.title, title) &&
    (repository === undefined ||
      conversation.selected_repository?.toLowerCase() === repository.toLowerCase()) &&
    (state === undefined || conversationState(conversation) === state) &&
    within(created_at, createdWithinDays) &&
    within(updated_at ?? created_at, updatedWithinDays)
  );
}

/** A service that can't filter by title is read this far: 10,000 conversations in pages of 100, the newest first. */
const mostPages = 100;

/**
 * The conversations of the service whose titles contain `title`, page by page, whatever the views have loaded. Case
 * doesn't matter. Throws ApiError.
 *
 * @param now milliseconds since the epoch
 */
export async function* conversationsTitled(
  client: Pick<ApiClient, 'listConversations'>,
  title: string,
  now: number,
  signal?: AbortSignal,
): AsyncGenerator<Conversation[]> {
  const query = queryOf({ title }, now);
  const seen = new Set<string>();
  let pageId: string | null = null;
  do {
    const more: { pageId?: string } = pageId === null ? {} : { pageId };
    const page = await client.listConversations({ ...query, ...more, limit: 100 }, signal);
    yield page.items.filter((conversation) => passes({ title }, conversation, now));
    pageId = page.nextPageId;
    if (pageId === null || seen.has(pageId)) return;
    seen.add(pageId);
  } while (seen.size < mostPages);
}
