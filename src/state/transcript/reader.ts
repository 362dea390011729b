import type { AgentClient } from '../../api/agent/client';
import type { AgentEvent } from '../../api/events/event';
import { EventScan } from '../../api/events/scan';
import type { ApiClient } from '../../api/service/client';
import { compact, compactAction } from './compact';
import { EventList } from './eventList';
import { type ActionEvent, Outcomes } from './outcomes';
import type { SecretMask } from './secretMask';

/** Pages of older events that are read to find messages: as many as the agent can fill in a long run. */
const mostPagesBack = 20;

/** Reads the events of a conversation from both places into one list. */
export class EventReader {
  private readonly list = new EventList();
  private readonly outcomes = new Outcomes();
  /** Ids of the events before which the store lacks some that the agent server had. */
  readonly gaps = new Set<string>();
  /** Reads what is older than the list. */
  private older: { scan: EventScan; from: AgentClient | 'store' } | undefined;
  private pagesBack = 0;
  /** Actions that are held whole. */
  private readonly whole = new Set<ActionEvent>();

  constructor(
    private readonly id: string,
    private readonly client: Pick<ApiClient, 'searchEvents'>,
    private readonly mask: SecretMask,
    /** Called with new events, after they were added; `isLive` if they are the agent server’s latest. */
    private readonly added: (events: readonly AgentEvent[], isLive: boolean) => void,
  ) {}

  get events(): readonly AgentEvent[] {
    return this.list.events;
  }

  get newest(): string {
    return this.list.newest;
  }

  /** The actions that no event answers; `errorsAnswer` if errors of a tool do. */
  unanswered(errorsAnswer: boolean): ActionEvent[] {
    return this.outcomes.unanswered(errorsAnswer);
  }

  get hasOlder(): boolean {
    return this.older !== undefined && !this.older.scan.atEnd;
  }

  /** Reads what is new at the agent server, the newest page if nothing is known yet; resolves to the new events. */
  async readLive(agent: AgentClient, signal?: AbortSignal): Promise<readonly AgentEvent[]> {
    const from = this.list.resumeFrom;
    if (from === undefined) {
      const scan = new EventScan((pageId, to) => agent.searchEvents({ pageId, newestFirst: true }, to));
      const newest = this.add(await scan.next(signal), true);
      this.older = { scan, from: agent };
      return newest;
    }
    const read: AgentEvent[] = [];
    const pages = new Set<string>();
    for (let pageId: string | undefined; ;) {
      const page = await agent.searchEvents({ from, pageId }, signal);
      read.push(...page.items);
      if (page.nextPageId === null || pages.has(page.nextPageId)) break;
      pages.add((pageId = page.nextPageId));
    }
    return this.add(read, true);
  }

  /** Adds an event that the agent server sent on its own. */
  hear(event: AgentEvent): void {
    this.add([event], true);
  }

  /** Reads what is new in the store. Adds nothing until a known event is reached, so that no gap is left. */
  async readStored(signal?: AbortSignal): Promise<void> {
    const isFirst = this.list.events.length === 0;
    const scan = this.storedScan();
    const read = await scan.next(signal);
    // What is older is left to `readOlder`, which marks the gap.
    if (this.hasOlder && this.endsBefore(read)) return;
    while (!isFirst && !scan.atEnd && !read.some(({ id }) => this.list.has(id)))
      read.push(...(await scan.next(signal)));
    this.add(read, false);
    if (isFirst) this.older = { scan, from: 'store' };
  }

  /** Reads one more page of older events, from the agent server that has them, else from the store. */
  async readOlder(agent: AgentClient | undefined, signal?: AbortSignal): Promise<void> {
    if (!this.older) return;
    const { from } = this.older;
    if (from !== 'store' && from !== agent) {
      await this.continueFromStore(signal);
      return;
    }
    const { scan } = this.older;
    // A scan that starts over first returns known events.
    while (!scan.atEnd && this.add(await scan.next(signal), false).length === 0);
  }

  /**
   * Reads older events until those after a time are known, within bounds. Ends quietly if a page can’t be read: what's
   * new was read already.
   * @param sought the time, which may change with what is read; empty for none
   * @param readPage reads one page of older events
   */
  async readBack(sought: () => string, readPage: () => Promise<void>): Promise<void> {
    const isMissing = (time: string) => time !== '' && time < (this.list.events[0]?.timestamp ?? '');
    try {
      while (this.pagesBack < mostPagesBack && this.hasOlder && isMissing(sought())) {
        this.pagesBack += 1;
        await readPage();
      }
    } catch {
      // The next reading tries again.
    }
  }

  /**
   * Continues in the store after the agent server is gone. If it ended before its latest events were delivered, they
   * are missing between the store’s and the known ones.
   */
  private async continueFromStore(signal?: AbortSignal): Promise<void> {
    const scan = this.storedScan();
    const [oldest] = this.list.events;
    const first = await scan.next(signal);
    if (oldest && this.endsBefore(first)) this.gaps.add(oldest.id);
    this.older = { scan, from: 'store' };
    if (this.add(first, false).length === 0 && !scan.atEnd) await this.readOlder(undefined, signal);
  }

  /** Whether the store, by its newest events, ends before what is known. */
  private endsBefore(newest: readonly AgentEvent[]): boolean {
    const oldest = this.list.events[0]?.timestamp ?? '';
    return !newest.some(({ id, timestamp }) => this.list.has(id) || timestamp > oldest);
  }

  private storedScan(): EventScan {
    return new EventScan((pageId, signal) =>
      this.client.searchEvents(this.id, { pageId, newestFirst: true }, signal),
    );
  }

  private add(events: readonly AgentEvent[], isLive: boolean): readonly AgentEvent[] {
    const fresh = events.filter(({ id }) => !this.list.has(id));
    const added = this.list.add(fresh.map((event) => compact(this.mask.event(event))));
    for (const event of added) this.outcomes.add(event);
    this.shorten(added);
    if (added.length > 0) this.added(added, isLive);
    return added;
  }

  /** Shortens actions that were answered; until then, people may have to approve them. */
  private shorten(added: readonly AgentEvent[]): void {
    for (const event of added) if (event.kind === 'action') this.whole.add(event);
    const answered = [...this.whole].filter((action) => this.outcomes.of(action));
    for (const action of answered) this.whole.delete(action);
    const changed = answered.map((action) => [action, compactAction(action)] as const);
    this.list.replace(new Map(changed.flatMap(([one, other]) => (one === other ? [] : [[one.id, other]]))));
  }
}
