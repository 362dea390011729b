import * as z from 'zod/mini';
import { isJsonObject } from '../../shared/json';
import { ApiError } from '../http/errors';
import type { Call } from '../http/transport';
import { type Page, pageOf, pauses } from '../page';
import type { AgentEvent } from './event';
import { readEvent } from './schema';

/** The time given to an event without one, on a page where none has one. */
const unknownTime = '1970-01-01T00:00:00';

/** Reads a page of events, in the server’s order. None is left out: one that can’t be read is marked in its place. */
export function eventsOf(pageId?: string): Call<Page<AgentEvent>>['read'] {
  const readPage = pageOf(z.unknown() as z.ZodMiniType, pageId);
  return async (json, tally) => {
    const page = await readPage(json, tally);
    if (!page) return undefined;
    let near = '';
    const items: AgentEvent[] = [];
    const pause = pauses();
    for (const value of page.items) {
      await pause();
      const event = readEvent(value, near);
      near = event.timestamp;
      items.push(event);
    }
    const first = items.find(({ timestamp }) => timestamp !== '')?.timestamp ?? unknownTime;
    // Unlike in a batch get, null doesn’t stand for a missing event here.
    const skipped = sizeOf(json) - items.length;
    return {
      ...page,
      ...(skipped > 0 && { skipped }),
      items: items.map((event) => (event.timestamp === '' ? { ...event, timestamp: first } : event)),
    };
  };
}

function sizeOf(json: unknown): number {
  const items = isJsonObject(json) ? json['items'] : json;
  return Array.isArray(items) ? items.length : 0;
}

/**
 * Page sizes for events, tried in order: services refuse more than 100, and whole files in events can make pages too
 * large.
 */
const eventsPerPage = [100, 20, 4, 1];

/**
 * Reads a page of events, a smaller one if it’s larger than this client reads. Throws ApiError.
 * @param most events on the page
 */
export async function readEventsPage<T>(read: (limit: number) => Promise<T>, most = 100): Promise<T> {
  let failed: unknown;
  for (const limit of eventsPerPage.filter((size) => size <= most)) {
    try {
      return await read(limit);
    } catch (error) {
      failed = error;
      if (!isTooLarge(error)) break;
    }
  }
  throw failed;
}

/** Whether even the smallest page, which is one event, is larger than this client reads. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'tooLarge';
