/** A page of a list to ask for. */
export interface PageQuery {
  /** `nextPageId` of the page before; absent for the first page. */
  pageId?: string | undefined;
  /** Clamped to 1..100: the service breaks on more. Absent: the service decides. */
  limit?: number | undefined;
}

/** A page of the conversations, and which ones; a service that knows no filters ignores them. */
export interface ConversationQuery extends PageQuery {
  titleContains?: string | undefined;
  /** ISO 8601; "after" includes the moment itself, "before" does not. */
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  updatedAfter?: string | undefined;
  updatedBefore?: string | undefined;
  includeSubConversations?: boolean | undefined;
}

/** The query of a list, by the service's names for it. */
export function pageQuery(query: ConversationQuery): URLSearchParams {
  const limit =
    query.limit === undefined ? undefined : Math.min(100, Math.max(1, Math.trunc(query.limit) || 1));
  return searchParams({
    page_id: query.pageId,
    limit,
    title__contains: query.titleContains,
    created_at__gte: query.createdAfter,
    created_at__lt: query.createdBefore,
    updated_at__gte: query.updatedAfter,
    updated_at__lt: query.updatedBefore,
    include_sub_conversations: query.includeSubConversations,
  });
}

/** Query parameters, without those that are undefined. */
export function searchParams(values: Record<string, string | number | boolean | undefined>): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params;
}
