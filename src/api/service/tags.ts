import * as z from 'zod/mini';
import { type Clock, systemClock } from '../http/clock';
import { ApiError } from '../http/errors';
import { delayBeforeRetry } from '../http/retry';
import { wait } from '../http/signals';
import type { Transport } from '../http/transport';
import { maybe } from '../lenient';
import { lenientMembers } from '../../shared/members';
import { record } from './calls';

/** Tags to set, or to remove if null. */
export type TagChange = Readonly<Record<string, string | null>>;

const never = new AbortController().signal;

type Tags = Readonly<Record<string, unknown>>;

const tagsSchema = z.object({ tags: maybe(lenientMembers(z.unknown())) });

/** How many times to try writing tags until they stay. */
const mostTries = 3;

/** Milliseconds after which other clients have written what they changed in an older reading. */
const settleMs = 2_000;

/** What was changed last, and the tags as they were read right after that. */
interface Written {
  readonly change: TagChange;
  readonly tags: Tags;
  /** Whether anything had to be written. */
  readonly isNew: boolean;
}

/** How the tags of a conversation settled: `restored` if another client had undone a change unknowingly. */
export type Settled = 'kept' | 'restored' | 'lost';

const isThere = (tags: Tags, change: TagChange) =>
  Object.entries(change).every(([name, value]) => (tags[name] ?? null) === value);

/**
 * The part of the last change that should stay. A client that writes an older reading undoes what was written since,
 * and changes something of its own; where nothing else is different, somebody undid the change on purpose.
 */
function stillOf({ change, tags: before }: Pick<Written, 'change' | 'tags'>, tags: Tags): TagChange {
  const names = new Set([...Object.keys(before), ...Object.keys(tags)]);
  if ([...names].filter((name) => before[name] !== tags[name]).length > 1) return change;
  return Object.fromEntries(
    Object.entries(change).filter(([name, value]) => isThere(tags, { [name]: value })),
  );
}

/** The tags of conversations, where a `PATCH` replaces all of them and nothing says what it replaced. */
export function tagCalls(transport: Transport, route: string, clock: Clock = systemClock) {
  const written = new Map<string, Written>();

  /** Changes tags, and whatever was lost of the last change; undefined if they don’t stay. */
  async function put(
    id: string,
    own: TagChange,
    signal: AbortSignal,
    last: Pick<Written, 'change' | 'tags'> = { change: {}, tags: {} },
  ): Promise<Written | undefined> {
    for (let tries = 1; ; tries += 1) {
      const call = { method: 'GET', route, id, read: record(tagsSchema) } as const;
      const tags: Tags = (await transport.request(call, signal)).tags ?? {};
      const change = { ...stillOf(last, tags), ...own };
      if (isThere(tags, change)) return { change, tags, isNew: tries > 1 };
      if (tries > mostTries) return undefined;
      const all = Object.entries({ ...tags, ...change }).filter(([, value]) => value !== null);
      last = { change, tags: Object.fromEntries(all) };
      try {
        // It’s right only for what was just read.
        await transport.request(
          { method: 'PATCH', route, id, body: { tags: last.tags }, once: true },
          signal,
        );
      } catch (error) {
        const delay = error instanceof ApiError ? delayBeforeRetry(error, tries, clock) : undefined;
        if (delay === undefined) throw error;
        await wait(delay, signal, clock);
      }
    }
  }

  return {
    /**
     * Reads the tags, changes some, writes all of them with `PATCH /api/conversations/<id>`, and compares. Where another
     * client replaced them in between, starts over with what is there now.
     */
    tagConversation: async (id: string, change: TagChange, signal = never): Promise<boolean> => {
      const now = await put(id, change, signal, written.get(id));
      if (now) written.set(id, now);
      return now !== undefined;
    },

    /**
     * Waits until other clients have written what they changed in an older reading, and writes again what they undid
     * that way. Needed once after each change.
     */
    settleTags: async (id: string, signal = never): Promise<Settled> => {
      let outcome: Settled = 'kept';
      for (let tries = 0; tries < mostTries; tries += 1) {
        const last = written.get(id);
        await wait(settleMs, signal, clock);
        // A later change settles by itself.
        if (!last || written.get(id) !== last) break;
        written.delete(id);
        const now = await put(id, {}, signal, last);
        if (!now) return 'lost';
        if (!now.isNew) break;
        outcome = 'restored';
        if (!written.has(id)) written.set(id, now);
      }
      return outcome;
    },
  };
}
