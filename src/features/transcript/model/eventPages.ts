import type { AgentClient } from '../../../api/agent/client';
import type { AgentEvent } from '../../../api/events/event';
import { sentId } from '../../../api/events/eventId';
import { isTooLarge } from '../../../api/events/page';
import { EventScan } from '../../../api/events/scan';
import { timeOf } from '../../../api/events/schema';
import type { Page } from '../../../api/page';
import type { ApiClient } from '../../../api/service/client';

/** Reads the page with this id, the first one without. */
export type ReadPage = (pageId: string | undefined, signal?: AbortSignal) => Promise<Page<AgentEvent>>;

/** Milliseconds from a known event that are tried to get past one that’s too large to be read. */
const leaps = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e11];

/** Events that are read one by one between the one that’s too large and the next page. */
const mostBetween = 100;

/**
 * The pages of an agent server. An event that’s too large to be read is named in its place, and the next page is behind
 * it.
 * @param skipped called when a page has something that isn’t an event
 */
export function agentPages(
  agent: Pick<AgentClient, 'searchEvents'>,
  query: { from?: string; newestFirst?: boolean },
  skipped: () => void,
): ReadPage {
  let last: AgentEvent | undefined;
  return async (pageId, signal) => {
    let page: Page<AgentEvent>;
    try {
      page = await agent.searchEvents({ ...query, pageId }, signal);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      page = await pageBehind(agent, { ...query, pageId, last }, signal);
    }
    last = page.items.at(-1) ?? last;
    const ids = new Set(page.items.map(({ id }) => id));
    if ((page.skipped ?? 0) > 0 || ids.size < page.items.length) skipped();
    return page;
  };
}

/** Most pages to read in one go: a server may name new ones forever. */
export const mostPages = 300;

/** The events of an agent server at this time or later, in its order. Throws ApiError. */
export async function eventsFrom(
  agent: AgentClient,
  from: string,
  skipped: () => void,
  signal?: AbortSignal,
): Promise<AgentEvent[]> {
  const readPage = agentPages(agent, { from }, skipped);
  const read: AgentEvent[] = [];
  const seen = new Set<string>();
  let pageId: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await readPage(pageId, signal);
    const fresh = page.items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    for (const event of fresh) read.push(event);
    if (page.nextPageId === null || fresh.length === 0) break;
    pageId = page.nextPageId;
  }
  return read;
}

/**
 * The events at the end of an agent server’s log, newest first, up to a page with known ones. Throws ApiError.
 * @param unseen ids up to which it’s read; those that were found are removed
 */
export async function latestEvents(
  agent: AgentClient,
  skipped: () => void,
  isKnown: (id: string) => boolean,
  unseen: Set<string>,
  signal?: AbortSignal,
): Promise<AgentEvent[]> {
  const scan = new EventScan(agentPages(agent, { newestFirst: true }, skipped));
  const read: AgentEvent[] = [];
  let isJoined = false;
  for (let pages = 0; pages < mostPages && !scan.atEnd && !(isJoined && unseen.size === 0); pages += 1) {
    const page = await scan.next(signal);
    for (const event of page) read.push(event);
    for (const { id } of page) unseen.delete(id);
    isJoined ||= page.some(({ id }) => isKnown(id));
  }
  return read;
}

interface Large {
  newestFirst?: boolean;
  /** The event’s own id, except on a first page. */
  pageId: string | undefined;
  /** The event before it in the order of reading. */
  last: AgentEvent | undefined;
}

/** The event that’s too large, those between it and the next event that can be found by its time, and that one’s id. */
async function pageBehind(
  agent: Pick<AgentClient, 'searchEvents'>,
  { newestFirst = false, pageId, last }: Large,
  signal?: AbortSignal,
): Promise<Page<AgentEvent>> {
  const known = last ? timeOf(last) : newestFirst ? undefined : 0;
  const id = pageId ?? `unread-${last?.id ?? 'first'}`;
  if (known === undefined) return fromStart(agent, signal);
  for (const leap of leaps) {
    const moment = timeText(newestFirst ? known - leap : known + leap);
    const behind = await ifReadable(
      agent.searchEvents(
        { ...(newestFirst ? { before: moment } : { from: moment }), newestFirst, limit: 1 },
        signal,
      ),
    );
    const next = behind?.items[0];
    if (!behind || (next && next.id === last?.id)) continue;
    const between = await eventsBetween(agent, { newestFirst, moment, id }, signal);
    const older = between[0] ?? next;
    const place = !newestFirst ? { after: last } : older ? { after: older } : { before: last };
    return { items: [unread(id, place), ...between], nextPageId: next ? String(sentId(next.id)) : null };
  }
  return { items: [unread(id, newestFirst ? { before: last } : { after: last })], nextPageId: null };
}

/** The latest event is too large: everything before it is read from the start. */
async function fromStart(
  agent: Pick<AgentClient, 'searchEvents'>,
  signal?: AbortSignal,
): Promise<Page<AgentEvent>> {
  const readPage = agentPages(agent, {}, () => undefined);
  const items = new Map<string, AgentEvent>();
  for (let pageId: string | undefined; ;) {
    const page = await readPage(pageId, signal);
    const before = items.size;
    for (const event of page.items) items.set(event.id, event);
    if (page.nextPageId === null || items.size === before) break;
    pageId = page.nextPageId;
  }
  return { items: [...items.values()].reverse(), nextPageId: null };
}

/** What a leap in time has passed over, read from behind up to the event that’s too large. */
async function eventsBetween(
  agent: Pick<AgentClient, 'searchEvents'>,
  { newestFirst, moment, id }: { newestFirst: boolean; moment: string; id: string },
  signal?: AbortSignal,
): Promise<AgentEvent[]> {
  const query = {
    ...(newestFirst ? { from: moment } : { before: moment }),
    newestFirst: !newestFirst,
    limit: 1,
  };
  const between: AgentEvent[] = [];
  for (let pageId: string | undefined; between.length < mostBetween && pageId !== id;) {
    const page = await ifReadable(agent.searchEvents({ ...query, pageId }, signal));
    // Another one that’s too large: its place is known, and what's before it stays unread.
    if (!page) {
      const neighbor = between.at(-1);
      const place = newestFirst ? { after: neighbor } : { before: neighbor };
      return pageId === undefined ? [] : [...between, unread(pageId, place)].reverse();
    }
    for (const event of page.items) between.push(event);
    if (page.nextPageId === null) break;
    pageId = page.nextPageId;
  }
  return between.reverse();
}

async function ifReadable(reading: Promise<Page<AgentEvent>>): Promise<Page<AgentEvent> | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

/** Stands for an event that’s too large, right before or after another. */
function unread(
  id: string,
  { before, after }: { before?: AgentEvent | undefined; after?: AgentEvent | undefined },
) {
  const near = { timestamp: '1970-01-01T00:00:00', ...(before ?? after) };
  const nanos = Number(near.timestamp.slice(20).padEnd(9, '0')) + (before ? -1 : 1);
  const timestamp =
    nanos < 0
      ? `${timeText(timeOf(near) - 1)}999999`
      : `${near.timestamp.slice(0, 19)}.${String(nanos).padStart(9, '0')}`;
  return { id, timestamp, source: '', kind: 'unread', why: 'large' } satisfies AgentEvent;
}

/** A time as servers write it. */
const timeText = (ms: number): string => new Date(Math.max(0, ms)).toISOString().slice(0, -1);

/** The pages of a store, newest first, even where its pages are numbered. */
export function storedPages(client: Pick<ApiClient, 'events'>, conversationId: string): ReadPage {
  let last: AgentEvent | undefined;
  return async (pageId, signal) => {
    try {
      const query = { pageId, newestFirst: true };
      const page = (await client.events?.searchEvents(conversationId, query, signal)) ?? {
        items: [],
        nextPageId: null,
      };
      last = page.items.at(-1) ?? last;
      return page;
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      const isNumbered = /^\d{1,9}$/.test(pageId ?? '0');
      const nextPageId = isNumbered ? String(Number(pageId ?? '0') + 1) : null;
      return { items: [unread(`unread-${pageId ?? '0'}`, { before: last })], nextPageId };
    }
  };
}
