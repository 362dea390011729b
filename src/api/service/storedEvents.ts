import { eventSchema, sorted } from '../events/schema';
import type { AgentEvent } from '../events/event';
import { ApiError } from '../http/errors';
import { bareId } from '../http/ids';
import { searchParams } from '../http/query';
import type { Transport } from '../http/transport';
import { eventsOf, readEventsPage } from '../events/page';
import { type Page, pageOf } from '../page';

/** A page of the stored events of a conversation. */
interface StoredEventsQuery {
  pageId?: string | undefined;
  newestFirst?: boolean | undefined;
}

/** Where events are: app server 1.2 and later, and 0.60 to 1.1, where the conversation is a part of the query. */
const newer = '/api/v1/conversation/{id}/events';
const older = '/api/v1/events';

/** `<time>_<kind>_<id of the page's first event>`, as app server 1.1 writes it. */
const pageIdOfOlder = /_([0-9a-f]{32})$/i;

/** The part of the client that reads stored events (docs/protocol/live-conversations.md, “Stored events”). */
export interface StoredEvents {
  /**
   * A page of the stored events, up to 30 seconds behind. In the order asked for, by time and then id. A service without
   * events is an error of reason `notFound`, `methodNotAllowed`, or `notService`.
   */
  searchEvents(id: string, query?: StoredEventsQuery, signal?: AbortSignal): Promise<Page<AgentEvent>>;
  /** One stored event; null if there is none. */
  getStoredEvent(id: string, eventId: string, signal?: AbortSignal): Promise<AgentEvent | null>;
}

/** Reads the stored events of one service. */
export function storedEvents(transport: Transport): StoredEvents {
  /** The route to try first: the one that answered last. */
  let route = newer;

  const ask = async <T>(id: string, work: (route: string) => Promise<T>): Promise<T> => {
    if (!/^[0-9a-f]{32}$/.test(bareId(id))) throw new ApiError('badId', 'GET', newer);
    try {
      return await work(route);
    } catch (error) {
      if (!isRouteMissing(error)) throw error;
      // An update of the service also moves the events.
      const other = route === newer ? older : newer;
      const value = await work(other);
      route = other;
      return value;
    }
  };

  const one = async (route: string, id: string, eventId: string, signal?: AbortSignal) => {
    // Exactly one id, and only an id: 1.1 answers 500 to two, and takes `*` for all events.
    if (!/^[0-9a-f]{32}$/.test(bareId(eventId))) return null;
    const page = await transport.request(
      {
        method: 'GET',
        route,
        id,
        query: searchParams({ id: bareId(eventId) }),
        elements: 'items',
        read: pageOf(eventSchema),
        expects: isRouteMissing,
      },
      signal,
    );
    return page.items.find((event) => bareId(event.id) === bareId(eventId)) ?? null;
  };

  return {
    searchEvents: (id, { pageId, newestFirst = false } = {}, signal) =>
      ask(id, async (route) => {
        const query = {
          ...(route === older && { conversation_id__eq: id }),
          sort_order: newestFirst ? 'TIMESTAMP_DESC' : 'TIMESTAMP',
          page_id: pageId,
        };
        const page = await readEventsPage((limit) =>
          transport.request(
            {
              method: 'GET',
              route: `${route}/search`,
              id,
              query: searchParams({ limit, ...query }),
              elements: 'items',
              read: eventsOf(pageId),
              expects: isRouteMissing,
            },
            signal,
          ),
        );
        const missing = route === older ? pageIdOfOlder.exec(pageId ?? '')?.[1] : undefined;
        const first = missing === undefined ? null : await one(route, id, missing, signal);
        const items = [...(first ? [first] : []), ...page.items];
        return { ...page, items: sorted(items, newestFirst) };
      }),
    getStoredEvent: (id, eventId, signal) => ask(id, (route) => one(route, id, eventId, signal)),
  };
}

/** The service doesn’t have the route: a web page answers where there is no endpoint. */
export function isRouteMissing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { reason, status = 200 } = error;
  return reason === 'notFound' || reason === 'methodNotAllowed' || (reason === 'notService' && status < 300);
}
