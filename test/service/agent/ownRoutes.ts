import { ok, type Answer, type Call } from '../http';
import type { AgentConversation } from './conversation';
import { view } from './routes';

/** Answers requests for listing and deleting conversations; undefined for other requests. */
export function ownAnswer(conversations: Map<string, AgentConversation>, call: Call): Answer | undefined {
  const { method, path, query } = call;
  if (method === 'GET' && path === '/api/conversations/search') return search(conversations, query);
  const [, id = ''] = /^\/api\/conversations\/([^/]+)$/.exec(path) ?? [];
  const key = id.replaceAll('-', '').toLowerCase();
  if (method !== 'DELETE' || !conversations.has(key)) return undefined;
  conversations.delete(key);
  return ok({ success: true });
}

/** A page of conversations, newest first. */
function search(conversations: ReadonlyMap<string, AgentConversation>, query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? 100);
  if (!(limit >= 1 && limit <= 100)) {
    const msg = 'Input should be less than or equal to 100';
    return { status: 422, body: { detail: [{ loc: ['query', 'limit'], msg, type: 'less_than_equal' }] } };
  }
  const all = [...conversations.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const start = Math.max(
    0,
    all.findIndex(({ id }) => id === query.get('page_id')),
  );
  return ok({
    items: all.slice(start, start + limit).map(view),
    next_page_id: all[start + limit]?.id ?? null,
  });
}
