import type { ConversationQuery } from '../../api/http/query';
import type { Conversation } from '../../api/service/schemas/conversation';
import { conversationState } from './status';

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
