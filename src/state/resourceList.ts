import type { ApiClient } from '../api/client';
import type { Page } from '../api/schemas/page';
import { coalesce } from './coalesce';
import { Emitter } from './emitter';

/** What is known of one list of the service. Immutable: every change is a new object. */
export interface ListState<T> {
  readonly items: readonly T[];
  /** True once the first page was read from the present client. */
  readonly loaded: boolean;
  /** True while a request is in flight. */
  readonly loading: boolean;
  /** Where the next page begins; null when `items` is the whole list. */
  readonly nextPageId: string | null;
  /** Why the last refresh failed; `items` are then those of the last good one. */
  readonly error: Error | undefined;
}

const empty: ListState<never> = {
  items: [],
  loaded: false,
  loading: false,
  nextPageId: null,
  error: undefined,
};

export type FetchPage<T> = (
  client: ApiClient,
  query: { pageId?: string },
  signal: AbortSignal,
) => Promise<Page<T>>;

/**
 * One list of the service, read page by page. A refresh reads again as many pages as are loaded. One refresh is in
 * flight at a time; triggers that come meanwhile are served by one more. Answers for a former client are dropped.
 */
export class ResourceList<T extends { id: string }> {
  private present: ListState<T> = empty;
  private client: ApiClient | undefined;
  private pages = 1;
  private abort = new AbortController();
  private readAgain: () => Promise<void> = () => Promise.resolve();
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly fetchPage: FetchPage<T>) {}

  get state(): ListState<T> {
    return this.present;
  }

  get(id: string): T | undefined {
    return this.present.items.find((item) => item.id === id);
  }

  /** Forgets everything and belongs to `client` from now on. Requests in flight are cancelled. */
  reset(client: ApiClient | undefined): void {
    if (client === this.client) return;
    this.abort.abort();
    this.abort = new AbortController();
    this.client = client;
    this.pages = 1;
    const { signal } = this.abort;
    this.readAgain = client ? coalesce(() => this.readOnce(client, signal)) : () => Promise.resolve();
    this.set(empty);
  }

  /** Reads the loaded pages again. Never rejects: a failure is in `state.error`, and the items stay. */
  refresh(): Promise<void> {
    return this.readAgain();
  }

  /** Reads one more page and keeps it loaded from now on. */
  async loadMore(): Promise<void> {
    if (this.present.nextPageId === null) return;
    this.pages += 1;
    await this.refresh();
  }

  private async readOnce(client: ApiClient, signal: AbortSignal): Promise<void> {
    if (client !== this.client) return;
    this.set({ ...this.present, loading: true });
    try {
      const { items, nextPageId } = await this.readPages(client, signal);
      if (client !== this.client) return;
      this.set({ items, nextPageId, loaded: true, loading: false, error: undefined });
    } catch (error) {
      if (client !== this.client) return;
      this.set({ ...this.present, loading: false, error: error as Error });
    }
  }

  private async readPages(client: ApiClient, signal: AbortSignal): Promise<Page<T>> {
    const byId = new Map<string, T>();
    let nextPageId: string | null = null;
    let read = 0;
    do {
      const page: Page<T> = await this.fetchPage(
        client,
        nextPageId === null ? {} : { pageId: nextPageId },
        signal,
      );
      for (const item of page.items) byId.set(item.id, item);
      // A service that hands out the same page for ever must not keep us reading.
      nextPageId = page.nextPageId === nextPageId ? null : page.nextPageId;
      read += 1;
    } while (nextPageId !== null && read < this.pages);
    return { items: [...byId.values()], nextPageId };
  }

  private set(state: ListState<T>): void {
    this.present = state;
    this.changed.fire(undefined);
  }
}
