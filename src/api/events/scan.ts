import type { Page } from '../page';
import type { AgentEvent } from './event';

/**
 * Reads events page by page, newest first. On app servers 1.6 to 1.11, pages shift and repeat while events arrive, so a
 * page without new events may come before the next ones. App servers 1.2 to 1.5 return all events on every page and
 * always name a next one, so reading stops once repeated pages have more events than were read.
 */
export class EventScan {
  private readonly seen = new Set<string>();
  /** How many known events the latest pages have repeated, without a new one. */
  private repeated = 0;
  private pageId: string | undefined;
  private ended = false;

  /** @param read reads a page, newest events first */
  constructor(
    private readonly read: (pageId: string | undefined, signal?: AbortSignal) => Promise<Page<AgentEvent>>,
  ) {}

  /** Whether everything was read. */
  get atEnd(): boolean {
    return this.ended;
  }

  /** The events of the next page that weren’t read before; none at the end. A failed page can be read again. */
  async next(signal?: AbortSignal): Promise<AgentEvent[]> {
    if (this.ended) return [];
    const page = await this.read(this.pageId, signal);
    const fresh = page.items.filter(({ id }) => !this.seen.has(id));
    for (const { id } of fresh) this.seen.add(id);
    this.pageId = page.nextPageId ?? undefined;
    this.repeated = fresh.length === 0 ? this.repeated + page.items.length : 0;
    this.ended = this.pageId === undefined || page.items.length === 0 || this.repeated > this.seen.size;
    return fresh;
  }
}
