import { crashed, ok, type Answer, type Call, type Route } from '../http';
import type { AgentEventRecord } from '../agent/eventLog';
import type { Context } from './context';

const bare = (id: string) => id.replaceAll('-', '').toLowerCase();

/** Stored events of simulated agents, as in app server 1.1, or as in 1.6 with `newerEvents`. */
export function eventRoutes(context: Context): Route[] {
  if (!context.profile.beyondSpecification) return [];
  const { profile, state, behaviour, agents } = context;
  const storedOf = (id: string): readonly AgentEventRecord[] => {
    const record = state.conversations.get(bare(id));
    return (record && agents?.of(record)?.store.events) ?? [];
  };
  const only =
    (newer: boolean, handle: Route['handle']): Route['handle'] =>
    (call) =>
      agents && behaviour.newerEvents === newer ? handle(call) : profile.notThere(call, false);
  const search = (newer: boolean, path: string, idOf: (call: Call) => string | undefined): Route => ({
    method: 'GET',
    path,
    handle: only(newer, (call) => {
      const id = idOf(call);
      const events = id === undefined ? [...state.conversations.keys()].flatMap(storedOf) : storedOf(id);
      return newer ? offsetPage(events, call.query) : oldPage(events, call.query);
    }),
  });
  const single = (newer: boolean, path: string): Route => ({
    method: 'GET',
    path,
    handle: only(newer, ({ query }) => {
      const ids = query.getAll('id').map(bare);
      if (ids.length !== 1) return crashed();
      const all = [...state.conversations.keys()].flatMap(storedOf);
      return ok([all.find((event) => bare(event.id) === ids[0]) ?? null]);
    }),
  });
  return [
    search(false, '/api/v1/events/search', ({ query }) => query.get('conversation_id__eq') ?? undefined),
    single(false, '/api/v1/events'),
    search(
      true,
      '/api/v1/conversation/:conversation_id/events/search',
      ({ params }) => params['conversation_id'],
    ),
    single(true, '/api/v1/conversation/:conversation_id/events'),
  ];
}

/** Filters and sorts the events before paging, like both generations; null where they crash. */
function selected(events: readonly AgentEventRecord[], query: URLSearchParams): AgentEventRecord[] | null {
  const from = query.get('timestamp__gte') ?? '';
  const before = query.get('timestamp__lt') ?? '~';
  // A time with a zone can't be compared with one without.
  if ([from, before].some((time) => /Z$|\+\d\d:\d\d$/.test(time))) return null;
  if (Number(query.get('limit') ?? 100) > 100) return null;
  const kind = query.get('kind__eq');
  const second = (event: AgentEventRecord) => event.timestamp.slice(0, 19);
  const order = (event: AgentEventRecord) => `${second(event)} ${event.kind} ${event.id}`;
  const fitting = events
    .filter((event) => second(event) >= from && second(event) < before)
    .filter((event) => kind === null || event.kind === kind)
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
  return query.get('sort_order') === 'TIMESTAMP_DESC' ? fitting.reverse() : fitting;
}

const limitOf = (query: URLSearchParams) => Number(query.get('limit') ?? 100);

/** A page in 1.1, which lacks its first event unless it's the first page. */
function oldPage(events: readonly AgentEventRecord[], query: URLSearchParams): Answer {
  const all = selected(events, query);
  if (!all) return crashed();
  const pageId = query.get('page_id');
  const start = pageId === null ? 0 : all.findIndex((event) => pageId.endsWith(bare(event.id)));
  const end = start + limitOf(query);
  const next = all[end];
  return ok({
    items: all.slice(start + (pageId === null ? 0 : 1), end),
    next_page_id: next
      ? `${next.timestamp.slice(0, 19).replace(/\D/g, '')}_${next.kind}_${bare(next.id)}`
      : null,
  });
}

/** A page in 1.6, whose ID is an offset: with the newest first, pages shift as events arrive. */
function offsetPage(events: readonly AgentEventRecord[], query: URLSearchParams): Answer {
  const all = selected(events, query);
  if (!all) return crashed();
  const start = Number(query.get('page_id') ?? 0);
  const end = start + limitOf(query);
  return ok({ items: all.slice(start, end), next_page_id: end < all.length ? String(end) : null });
}
