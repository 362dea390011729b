import type { ApiClient } from '../api/client';
import type { Page } from '../api/schemas/page';
import { coalesce } from './coalesce';
import { Emitter } from './emitter';
import { sameRecord } from './sameRecord';

/** What is known of one list of the service. Immutable: every change is a new object. */
export interface ListState<T> {
  /** The same object for as long as its record is unchanged. */
  readonly items: readonly T[];
  /** True once the first page was read from the present client. */
  readonly loaded: boolean;
  /** True while a request is in flight; `onDidChange` does not tell of that by itself. */
  readonly loading: boolean;
  /** Where the next page begins; null when `items` is the whole list. */
  readonly nextPageId: string | null;
  /** How many of the items a view shows; `loadMore` raises it. */
  readonly limit: number;
  /** Why the last refresh failed; `items` are then those of the last good one. */
  readonly error: Error | undefined;
}

/** Rows that a view shows at first: the editor takes all rows of a level at once, however many a service answers. */
export const rowsAtFirst = 200;

const empty: ListState<never> = {
  items: [],
  loaded: false,
  loading: false,
  nextPageId: null,
  limit: rowsAtFirst,
  error: undefined,
};

export type FetchPage<T> = (
  client: ApiClient,
  query: { pageId?: string },
  signal: AbortSignal,
) => Promise<Page<T>>;

/** One pass over the loaded pages, from the first to the last. */
interface Round {
  /** The page to read next. */
  cursor: string;
  /** Pages read so far. */
  read: number;
  /** Ids met on the way, in the service's order. */
  met: Set<string>;
}

/** Records compared without a pause: a service that knows no pages may answer ten thousand at once. */
const burst = 1_000;

/**
 * One list of the service, read page by page, one request at a time. The first page can be read again by itself and the
 * further ones in turn, so that a long list costs no more than a short one; a round over the pages takes in what has
 * changed on each, and what two rounds did not meet is gone. Answers for a former client are dropped.
 */
export class ResourceList<T extends { id: string }> {
  private present: ListState<T> = empty;
  private client: ApiClient | undefined;
  private pages = 1;
  private round: Round | undefined;
  private firstPage: readonly string[] = [];
  private metBefore: ReadonlySet<string> = new Set();
  private readonly errors = new Map<'first' | 'further', Error>();
  private ended = new AbortController();
  private cancel: AbortSignal | undefined;
  private busy: Promise<unknown> | undefined;
  private readAgain = coalesce(() => Promise.resolve());
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly fetchPage: FetchPage<T>) {}

  get state(): ListState<T> {
    return this.present;
  }

  get(id: string): T | undefined {
    return this.present.items.find((item) => item.id === id);
  }

  /** True when there are loaded pages beyond the first, which `readNext` reads in turn. */
  get hasFurther(): boolean {
    return this.pages > 1 && this.present.items.length > this.firstPage.length;
  }

  /** Belongs to `client` from now on, and forgets everything of a former one. */
  reset(client: ApiClient | undefined): void {
    if (client === this.client) return;
    this.client = client;
    this.clear();
  }

  /** Forgets everything that was read. Requests in flight are cancelled. */
  clear(): void {
    this.ended.abort();
    this.ended = new AbortController();
    this.pages = 1;
    this.firstPage = [];
    this.beginAnew();
    this.errors.clear();
    this.busy = undefined;
    this.readAgain = coalesce(() => this.inTurn(() => this.readAll()));
    this.set(empty);
  }

  /**
   * Reads all loaded pages again, each on screen as it arrives. Never rejects: a failure is in `state.error`, and the
   * items stay; one that `signal` has cancelled is none.
   */
  refresh(signal?: AbortSignal): Promise<void> {
    this.cancel = signal;
    return this.readAgain();
  }

  /** Reads the first page again, otherwise as `refresh`; resolves to why that failed. */
  readFirst(signal?: AbortSignal): Promise<Error | undefined> {
    return this.inTurn(() => this.first(signal));
  }

  /** Reads one of the further pages, the next in turn; otherwise as `readFirst`. */
  readNext(signal?: AbortSignal): Promise<Error | undefined> {
    return this.inTurn(() => (this.round ? this.further(this.round, signal) : this.first(signal)));
  }

  /** Shows more of what is known, or reads one more page and keeps it loaded from now on. */
  loadMore(): Promise<void> {
    return this.inTurn(async () => {
      const { items, limit, nextPageId } = this.present;
      if (items.length > limit) this.set({ ...this.present, limit: limit + rowsAtFirst });
      else if (nextPageId !== null) await this.append(nextPageId);
    });
  }

  /** Has the views show the item with this id, if it is known. */
  show(id: string): void {
    const place = this.present.items.findIndex((item) => item.id === id);
    if (place >= this.present.limit) this.set({ ...this.present, limit: this.present.items.length });
  }

  private async readAll(): Promise<void> {
    const { cancel: signal, ended } = this;
    this.beginAnew();
    await this.first(signal);
    while (this.round && ended === this.ended && signal?.aborted !== true) {
      await this.further(this.round, signal);
    }
  }

  private beginAnew(): void {
    this.round = undefined;
    this.metBefore = new Set();
  }

  private first(signal?: AbortSignal): Promise<Error | undefined> {
    return this.take('first', undefined, signal, ({ items, nextPageId }) => {
      const met = new Set(items.map(({ id }) => id));
      const single = this.pages === 1 || nextPageId === null;
      const gone = this.goneFromFirstPage(met);
      this.firstPage = [...met];
      if (single) {
        this.errors.delete('further');
        this.round = undefined;
        this.metBefore = met;
        this.publish(items, nextPageId);
        return;
      }
      if (this.round) this.round.met = new Set([...met, ...this.round.met].filter((id) => !gone.has(id)));
      else this.round = { cursor: nextPageId, read: 1, met };
      const others = this.present.items.filter(({ id }) => !met.has(id) && !gone.has(id));
      this.publish([...items, ...others], others.length === 0 ? nextPageId : this.present.nextPageId);
    });
  }

  /** What stood on the first page before something that stands there still, and does so no more. */
  private goneFromFirstPage(met: ReadonlySet<string>): Set<string> {
    const last = this.firstPage.findLastIndex((id) => met.has(id));
    return new Set(this.firstPage.slice(0, Math.max(0, last)).filter((id) => !met.has(id)));
  }

  private further(round: Round, signal?: AbortSignal): Promise<Error | undefined> {
    return this.take('further', round.cursor, signal, ({ items, nextPageId }) => {
      const known = new Map([...this.present.items, ...items].map((item) => [item.id, item]));
      for (const { id } of items) round.met.add(id);
      round.read += 1;
      const { met } = round;
      const ends = nextPageId === null || round.read >= this.pages;
      const ordered = [...met].flatMap((id) => known.get(id) ?? []);
      const others = this.present.items.filter(({ id }) => !met.has(id) && (!ends || this.metBefore.has(id)));
      if (ends) {
        this.round = undefined;
        this.metBefore = met;
      } else {
        round.cursor = nextPageId;
      }
      this.publish([...ordered, ...others], ends ? nextPageId : this.present.nextPageId);
    });
  }

  private append(pageId: string): Promise<Error | undefined> {
    return this.take('further', pageId, undefined, ({ items, nextPageId }) => {
      const added = new Set(items.map(({ id }) => id));
      const all = [...this.present.items.filter(({ id }) => !added.has(id)), ...items];
      this.pages += 1;
      this.metBefore = new Set([...this.metBefore, ...added]);
      this.set({ ...this.present, limit: Math.max(this.present.limit, all.length) });
      this.publish(all, nextPageId);
    });
  }

  /** Reads one page and has it applied, unless the list belongs to somebody else by then. */
  private async take(
    part: 'first' | 'further',
    pageId: string | undefined,
    signal: AbortSignal | undefined,
    apply: (page: Page<T>) => void,
  ): Promise<Error | undefined> {
    const { client, ended } = this;
    if (!client) return undefined;
    this.set({ ...this.present, loading: true });
    try {
      const page = await this.fetchPage(
        client,
        pageId === undefined ? {} : { pageId },
        signal ?? ended.signal,
      );
      const items = await this.sharing(page.items);
      if (this.dropped(ended, signal)) return undefined;
      this.errors.delete(part);
      // A service that hands out the same page for ever must not keep us reading.
      apply({ items, nextPageId: page.nextPageId === pageId ? null : page.nextPageId });
      return undefined;
    } catch (error) {
      if (this.dropped(ended, signal)) return undefined;
      this.errors.set(part, error as Error);
      // The place in the list may be what the service could not find.
      this.round = undefined;
      this.set({ ...this.present, loading: false, error: this.error });
      return error as Error;
    }
  }

  /** Whether nobody waits for an answer any more. */
  private dropped(ended: AbortController, signal: AbortSignal | undefined): boolean {
    if (ended !== this.ended) return true;
    if (signal?.aborted !== true) return false;
    this.set({ ...this.present, loading: false });
    return true;
  }

  /** The records once each, and as the same objects as before where they are unchanged. */
  private async sharing(read: readonly T[]): Promise<T[]> {
    const former = new Map(this.present.items.map((item) => [item.id, item]));
    const items = new Map<string, T>();
    for (const [index, item] of read.entries()) {
      if (index > 0 && index % burst === 0) await new Promise((resolve) => setImmediate(resolve));
      const before = former.get(item.id);
      items.set(item.id, before && sameRecord(before, item) ? before : item);
    }
    return [...items.values()];
  }

  private get error(): Error | undefined {
    return this.errors.get('first') ?? this.errors.get('further');
  }

  private publish(items: readonly T[], nextPageId: string | null): void {
    const former = this.present.items;
    const same = items.length === former.length && items.every((item, index) => item === former[index]);
    this.set({
      ...this.present,
      items: same ? former : items,
      nextPageId,
      loaded: true,
      loading: false,
      error: this.error,
    });
  }

  private set(state: ListState<T>): void {
    const keys = Object.keys(state) as (keyof ListState<T>)[];
    const changed = keys.some((key) => key !== 'loading' && state[key] !== this.present[key]);
    this.present = state;
    if (changed) this.changed.fire(undefined);
  }

  /** One request at a time. Begins at once when nothing is in flight. */
  private async inTurn<R>(work: () => Promise<R>): Promise<R> {
    while (this.busy) await this.busy;
    const mine = work();
    this.busy = mine;
    const result = await mine;
    if (this.busy === mine) this.busy = undefined;
    return result;
  }
}
