import { bareId } from '../../api/http/ids';
import type { ApiClient } from '../../api/service/client';
import type { Page } from '../../api/page';
import { coalesce } from '../basics/coalesce';
import { Emitter } from '../basics/emitter';
import { unchangedKept } from '../basics/unchangedKept';

/** What is known about one list of the service. Immutable: every change is a new object. */
export interface ListState<T> {
  /** The same object for as long as its record is unchanged. */
  readonly items: readonly T[];
  /** True once the first page was read with the current client. */
  readonly loaded: boolean;
  /** True while a request is in progress. `onDidChange` doesn't fire for this alone. */
  readonly loading: boolean;
  /** Where the next page begins; null when `items` is the whole list. */
  readonly nextPageId: string | null;
  /** True if the service has records that couldn’t be read: one that isn’t among `items` may still be there. */
  readonly skipped: boolean;
  /** When the last successful read of the first page began, in ms since the epoch. Doesn't fire alone either. */
  readonly readAt: number | undefined;
  /** How many of the items a view shows; `loadMore` raises it. */
  readonly limit: number;
  /** Why the last refresh failed; `items` are then from the last successful one. */
  readonly error: Error | undefined;
}

/** Rows that a view shows at first: the editor takes all rows of a level at once, however many there are. */
export const rowsAtFirst = 200;

const empty: ListState<never> = {
  items: [],
  loaded: false,
  loading: false,
  nextPageId: null,
  skipped: false,
  readAt: undefined,
  limit: rowsAtFirst,
  error: undefined,
};

export type FetchListPage<T> = (
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
  /** Ids seen so far, in the service's order. */
  met: Set<string>;
}

/** Members that don't fire `onDidChange` alone. */
const silent: ReadonlySet<keyof ListState<unknown>> = new Set(['loading', 'readAt', 'skipped']);

/**
 * One list of the service, read page by page, one request at a time. The first page can be read again on its own and the
 * others in turn, so that a long list costs no more than a short one. A round over all pages applies the changes of each;
 * an item that two rounds didn't find is removed. Answers for a previous client are dropped.
 */
export class ResourceList<T extends { id: string }> {
  private current: ListState<T> = empty;
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

  /** @param now milliseconds since the epoch */
  constructor(
    private readonly fetchPage: FetchListPage<T>,
    private readonly now: () => number = Date.now,
  ) {}

  get state(): ListState<T> {
    return this.current;
  }

  get(id: string): T | undefined {
    return this.current.items.find((item) => item.id === id);
  }

  /** True while the items are those that this client read. */
  isOf(client: object): boolean {
    return client === this.client;
  }

  /** True if more pages than the first are loaded; `readNext` reads them in turn. */
  get hasFurther(): boolean {
    return this.current.items.length > this.firstPage.length;
  }

  /** Uses `client` from now on, and forgets everything from a previous client. */
  reset(client: ApiClient | undefined): void {
    if (client === this.client) return;
    this.client = client;
    this.clear();
  }

  /** Forgets everything that was read, and cancels requests in progress. */
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
   * Reads all loaded pages again, and shows each as it arrives. Never rejects: a failure is in `state.error`, and the
   * items stay. Aborting `signal` isn't a failure.
   */
  refresh(signal?: AbortSignal): Promise<void> {
    this.cancel = signal;
    return this.readAgain();
  }

  /** Like `refresh`, but reads only the first page. Resolves to the error if this fails. */
  readFirst(signal?: AbortSignal): Promise<Error | undefined> {
    return this.inTurn(() => this.first(signal));
  }

  /** Like `readFirst`, but reads the next of the other pages, in turn. */
  readNext(signal?: AbortSignal): Promise<Error | undefined> {
    return this.inTurn(() => (this.round ? this.further(this.round, signal) : this.first(signal)));
  }

  /** Shows more of the known items, or reads one more page, which stays loaded from now on. */
  loadMore(): Promise<void> {
    return this.inTurn(async () => {
      const { items, limit, nextPageId } = this.current;
      if (items.length > limit) this.set({ limit: limit + rowsAtFirst });
      else if (nextPageId !== null) await this.append(nextPageId);
    });
  }

  /** Makes the views show the item with this id, if it's known. */
  show(id: string): void {
    const place = this.current.items.findIndex((item) => item.id === id);
    if (place >= this.current.limit) this.set({ limit: this.current.items.length });
  }

  /** Replaces the record with this id by what `change` makes of it. */
  amend(id: string, change: (record: T) => T): void {
    const key = bareId(id);
    this.set({ items: this.current.items.map((item) => (bareId(item.id) === key ? change(item) : item)) });
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
      const others = this.current.items.filter(({ id }) => !met.has(id) && !gone.has(id));
      // Without anything of another page, none is read again.
      if (others.length === 0) this.errors.delete('further');
      this.publish([...items, ...others], others.length === 0 ? nextPageId : this.current.nextPageId);
    });
  }

  /** Items that are gone from the first page, although an item after them is still there. */
  private goneFromFirstPage(met: ReadonlySet<string>): Set<string> {
    const last = this.firstPage.findLastIndex((id) => met.has(id));
    return new Set(this.firstPage.slice(0, Math.max(0, last)).filter((id) => !met.has(id)));
  }

  private further(round: Round, signal?: AbortSignal): Promise<Error | undefined> {
    return this.take('further', round.cursor, signal, ({ items, nextPageId }) => {
      const known = new Map([...this.current.items, ...items].map((item) => [item.id, item]));
      for (const { id } of items) round.met.add(id);
      round.read += 1;
      const { met } = round;
      const ends = nextPageId === null || round.read >= this.pages;
      const ordered = [...met].flatMap((id) => known.get(id) ?? []);
      const others = this.current.items.filter(({ id }) => !met.has(id) && (!ends || this.metBefore.has(id)));
      if (ends) {
        this.round = undefined;
        this.metBefore = met;
      } else {
        round.cursor = nextPageId;
      }
      this.publish([...ordered, ...others], ends ? nextPageId : this.current.nextPageId);
    });
  }

  private append(pageId: string): Promise<Error | undefined> {
    return this.take('further', pageId, undefined, ({ items, nextPageId }) => {
      const added = new Set(items.map(({ id }) => id));
      const all = [...this.current.items.filter(({ id }) => !added.has(id)), ...items];
      this.pages += 1;
      this.metBefore = new Set([...this.metBefore, ...added]);
      this.set({ limit: Math.max(this.current.limit, all.length) });
      this.publish(all, nextPageId);
    });
  }

  /** Reads one page and applies it, unless the client has changed by then. */
  private async take(
    part: 'first' | 'further',
    pageId: string | undefined,
    signal: AbortSignal | undefined,
    apply: (page: Page<T>) => void,
  ): Promise<Error | undefined> {
    const { client, ended } = this;
    if (!client) return undefined;
    this.set({ loading: true });
    const readAt = this.now();
    try {
      const page = await this.fetchPage(
        client,
        pageId === undefined ? {} : { pageId },
        signal ?? ended.signal,
      );
      const items = await unchangedKept(page.items, this.current.items);
      if (this.dropped(ended, signal)) return undefined;
      this.errors.delete(part);
      const skipped = Boolean(page.skipped);
      if (part === 'first')
        this.set({ readAt, skipped: skipped || (this.pages > 1 && this.current.skipped) });
      else if (skipped) this.set({ skipped });
      // A service that returns the same page forever must not keep us reading.
      apply({ items, nextPageId: page.nextPageId === pageId ? null : page.nextPageId });
      return undefined;
    } catch (error) {
      if (this.dropped(ended, signal)) return undefined;
      this.errors.set(part, error as Error);
      // The service may have failed to find this place in the list.
      this.round = undefined;
      this.set({ loading: false, error: this.error });
      return error as Error;
    }
  }

  /** Whether nobody is waiting for the answer anymore. */
  private dropped(ended: AbortController, signal: AbortSignal | undefined): boolean {
    if (ended !== this.ended) return true;
    if (signal?.aborted !== true) return false;
    this.set({ loading: false });
    return true;
  }

  private get error(): Error | undefined {
    return this.errors.get('first') ?? this.errors.get('further');
  }

  private publish(items: readonly T[], nextPageId: string | null): void {
    this.set({ items, nextPageId, loaded: true, loading: false, error: this.error });
  }

  private set(change: Partial<ListState<T>>): void {
    const previous = this.current;
    const state = { ...previous, ...change };
    if (change.items && sameItems(change.items, previous.items)) state.items = previous.items;
    const keys = Object.keys(state) as (keyof ListState<T>)[];
    const changed = keys.some((key) => !silent.has(key) && state[key] !== previous[key]);
    this.current = state;
    if (changed) this.changed.fire(undefined);
  }

  /** Runs one request at a time. Starts immediately if none is in progress. */
  private async inTurn<R>(work: () => Promise<R>): Promise<R> {
    while (this.busy) await this.busy;
    const mine = work();
    this.busy = mine;
    const result = await mine;
    if (this.busy === mine) this.busy = undefined;
    return result;
  }
}

function sameItems<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
