import type { ConversationQuery } from '../api/query';
import type { Conversation } from '../api/schemas/conversation';
import { conversationState } from './status';

/** Which conversations to show; each member narrows it further. */
export interface ConversationFilter {
  /** Part of the title, in any case. */
  readonly title?: string;
  /** `owner/name`, in any case. */
  readonly repository?: string;
  /** As `conversationState` says it. */
  readonly state?: string;
  /** Age at most, in days. */
  readonly createdWithinDays?: number;
  readonly updatedWithinDays?: number;
}

const dayMs = 24 * 60 * 60_000;
/** Dates sent are whole minutes, so that the pages of one list are asked for alike. */
const minuteMs = 60_000;

/** The part of a filter that a service can apply; undefined when there is none. */
export function queryOf(filter: ConversationFilter, now: number): ConversationQuery | undefined {
  const after = (days: number | undefined) =>
    days === undefined
      ? undefined
      : new Date(Math.floor((now - days * dayMs) / minuteMs) * minuteMs).toISOString();
  const { title, createdWithinDays, updatedWithinDays } = filter;
  if (title === undefined && createdWithinDays === undefined && updatedWithinDays === undefined)
    return undefined;
  return {
    titleContains: title,
    createdAfter: after(createdWithinDays),
    updatedAfter: after(updatedWithinDays),
  };
}

/** Whether a conversation passes; asked of every answer, too, since a service may know no filters. */
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
