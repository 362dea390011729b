import type { AgentClient } from '../../../api/agent/client';
import type { AgentEvent } from '../../../api/events/event';
import { EventScan } from '../../../api/events/scan';
import { byTime } from '../../../api/events/schema';
import type { ApiClient } from '../../../api/service/client';
import type { Proof } from '../../../shared/transcript';
import {
  Branches,
  type Leaf,
  compact,
  compactAction,
  EventList,
  agentPages,
  eventsFrom,
  latestEvents,
  mostPages,
  storedPages,
  type ActionEvent,
  Outcomes,
  goesOn,
  maskedAgain,
  type SecretMask,
} from '../../transcript';
import { Counting, ServerLog } from './proving';
import { toldOtherwise } from './toldOtherwise';

/** Where events are from: `isLive` if they’re the agent server’s latest, `isTold` if it answered with them. */
type Origin = Readonly<Record<'isLive' | 'isTold', boolean>>;

const fromStore: Origin = { isLive: false, isTold: false };
/** The end of the agent server’s log. */
const fromEnd: Origin = { isLive: true, isTold: true };

/** Pages of older events that are read to find messages: as many as the agent can fill in a long run. */
const mostPagesBack = 20;

/** After this many readings without news, one ignores times: the server’s clock may have been set back. */
const quietReadings = 5;

/** Reads the events of a conversation from both places into one list. */
export class EventReader {
  private readonly list = new EventList();
  private outcomes = new Outcomes();
  private readonly branches = new Branches();
  /** Ids of the events before which the store lacks some that the agent server had. */
  readonly gaps = new Set<string>();
  /** Reads events that are older than the list. */
  private older: { scan: EventScan; from: AgentClient | 'store' } | undefined;
  private pagesBack = 0;
  /** Actions that are held in full. */
  private whole = new Set<ActionEvent>();
  /** Ids of the actions that waited at the last proof: an answer on another branch is none. */
  private shown: ReadonlySet<string> = new Set();
  /** The events that the agent server answered with, apart from those that only its socket sent. */
  private told = new ServerLog();
  /** Time from which to continue asking for what the agent server hasn’t answered with. */
  private readUntil: string | undefined;
  /** Whether pages left something out. */
  private skipped = false;
  /** Whether new events have later times than those before. */
  isInOrder = true;
  /** Readings in a row that brought nothing. */
  private quiet = 0;
  private readonly counting = new Counting({
    size: () => this.told.size,
    isSkipped: () => this.skipped,
    toStart: (agent, signal) => this.readToStart(agent, signal),
    all: (agent, signal) => this.readAll(agent, signal),
  });

  constructor(
    private readonly id: string,
    private readonly client: Pick<ApiClient, 'events'>,
    private readonly mask: SecretMask,
    /** Called after events were added; `isLive` if they, or known ones, are the agent server’s latest. */
    private readonly added: (events: readonly AgentEvent[], isLive: boolean) => void,
    /** Called after events that are held were replaced. */
    private readonly replaced: () => void = () => undefined,
  ) {}

  get events(): readonly AgentEvent[] {
    return this.list.events;
  }

  /** How many events were added so far. */
  get size(): number {
    return this.events.length;
  }

  /**
   * The actions that no event answers, apart from those on branches that were left.
   * @param errorsAnswer whether errors of a tool do
   * @param leaf the event from which the agent continues
   */
  unanswered(errorsAnswer: boolean, leaf: Leaf = { leaf: null, size: 0 }): ActionEvent[] {
    const isLeft = ({ id }: AgentEvent) => this.hasLeft(id, leaf);
    const again = leaf.leaf === null ? [] : this.outcomes.openAgain(this.events, isLeft);
    const open = [...this.outcomes.unanswered(errorsAnswer, isLeft), ...again];
    return open.filter((action) => !isLeft(action)).sort(byTime);
  }

  /** Ids of the actions that were left unanswered on another branch. */
  left(leaf: Leaf): ReadonlySet<string> {
    const open = this.outcomes.unanswered(true).filter(({ id }) => this.hasLeft(id, leaf));
    return new Set(open.map(({ id }) => id));
  }

  private hasLeft(id: string, { leaf, size }: Leaf): boolean {
    // What came after the leaf was read may have come after the leaf.
    return leaf !== null && this.list.placeOf(id) < size && this.branches.hasLeft(id, leaf);
  }

  /** Whether the agent’s last step is known: then there's no open action before it. */
  knowsLastStep({ leaf, size }: Leaf): boolean {
    if (!this.hasOlder) return true;
    if (leaf !== null && !this.list.has(leaf)) return false;
    return this.events.some(
      (event) => (goesOn(event) || event.kind === 'action') && !this.hasLeft(event.id, { leaf, size }),
    );
  }

  get hasOlder(): boolean {
    return this.older !== undefined && !this.older.scan.atEnd;
  }

  /**
   * Reads what is new at the agent server, the newest page if nothing is known yet; resolves to the new events.
   * @param how `hears`: its socket sends everything, and what it sent isn’t read again; `proves`: everything is; `seeks`:
   * the end is, whatever its times, where a message is for a while only
   * @param waiting the actions whose current form is to be read again
   */
  async readLive(
    agent: AgentClient,
    signal?: AbortSignal,
    how: 'reads' | 'hears' | 'proves' | 'seeks' = 'reads',
    waiting: readonly ActionEvent[] = [],
  ): Promise<readonly AgentEvent[]> {
    const unread = how === 'hears' ? this.list.resumeFrom() : (this.readUntil ?? this.list.resumeFrom());
    const [first] = waiting;
    const from = unread && first && first.timestamp < unread ? first.timestamp : unread;
    if (from === undefined) {
      const scan = new EventScan(agentPages(agent, { newestFirst: true }, this.skip));
      const page = await scan.next(signal);
      const newest = this.add(page, fromEnd);
      this.told.end(page.reverse());
      this.older = { scan, from: agent };
      this.readUntil = this.list.resumeFrom(this.told);
      return newest;
    }
    const isTurn = (this.quiet + 1) % quietReadings === 0;
    const isByTime = this.isInOrder && how !== 'seeks' && (how === 'proves' || !isTurn);
    const read = isByTime
      ? await this.readFrom(agent, from, signal)
      : await this.readTail(agent, signal, waiting);
    this.quiet = read.length === 0 ? this.quiet + 1 : 0;
    if (isByTime && how !== 'hears') this.readUntil = this.list.resumeFrom(this.told);
    return read;
  }

  private async readFrom(agent: AgentClient, from: string, signal?: AbortSignal) {
    const read = await eventsFrom(agent, from, this.skip, signal);
    const seen = new Set(read.map(({ id }) => id));
    // What the server no longer has may hide that it has something else.
    if (this.list.since(from).some(({ id }) => this.told.has(id) && !seen.has(id))) this.skipped = true;
    return this.add(read, fromEnd);
  }

  /**
   * Reads the end of the server’s log, whatever the times there say.
   * @param waiting actions up to which it’s read
   */
  async readTail(
    agent: AgentClient,
    signal?: AbortSignal,
    waiting: readonly ActionEvent[] = [],
  ): Promise<readonly AgentEvent[]> {
    const unseen = new Set(waiting.map(({ id }) => id));
    const read = await latestEvents(agent, this.skip, (id) => this.list.has(id), unseen, signal);
    if (unseen.size > 0) this.skipped = true;
    const added = this.add(read.reverse(), fromEnd);
    // Only here, the order is that of the log.
    this.told.end(read);
    return added;
  }

  /** Adds an event that the agent server sent on its own; returns whether it's new. */
  hear(event: AgentEvent): boolean {
    if (event.waits) this.told.doubt(event);
    return this.add([event], { isLive: true, isTold: false }).length > 0;
  }

  /**
   * Proves, by the server’s own count, that everything the agent server has is known; reads all of it if necessary. An
   * event that can’t be read may be an action, unless it was answered.
   * @param leaf the event from which the agent continues
   * @param waits ids of the actions, or of their calls, that the server itself says wait
   */
  async prove(
    agent: AgentClient,
    leaf: Leaf,
    waits: readonly string[],
    signal?: AbortSignal,
  ): Promise<Proof> {
    const shown = this.unanswered(true, leaf);
    this.shown = new Set(shown.map(({ id }) => id));
    await this.readLive(agent, signal, 'proves', shown);
    const counted = await this.counting.prove(agent, signal);
    if (counted !== 'whole') return counted;
    const { open, isUnclear, isOtherwise } = this.inLog(leaf, waits);
    if (isUnclear) return 'unreadable';
    if (isOtherwise) return 'missing';
    // It can't be shown whole.
    if (open.some(({ shortened, isVeiled }) => shortened ?? isVeiled)) return 'unreadable';
    const isApart = leaf.leaf !== null && this.branches.hasParents && !this.branches.leadsToStart(leaf.leaf);
    return isApart ? 'missing' : 'whole';
  }

  /** Whether an action may wait that isn’t among those that `unanswered` tells. */
  hidesActions(leaf: Leaf): boolean {
    const { isUnclear, isOtherwise } = this.inLog(leaf, []);
    return isUnclear || isOtherwise;
  }

  /** What waits by the server’s log, as far as it was read. */
  private inLog(leaf: Leaf, waits: readonly string[]) {
    const { told } = this;
    const isLeft = ({ id }: { id: string }) => this.hasLeft(id, leaf);
    // What the server no longer has, or has before the action, or only its socket or the store had, answers nothing.
    const isVoid = (answer: AgentEvent, action: { id: string }) =>
      told.placeOf(answer) <= told.placeOf(action) || isLeft(answer);
    const answersOf = (action: { id: string }) =>
      this.outcomes.answersOf(action).filter((answer) => !isVoid(answer, action));
    const events = this.events.filter(({ id }) => told.has(id));
    const again = this.outcomes.openAgain(this.events, isVoid);
    const all = [...this.outcomes.unanswered(true, isVoid), ...again];
    const open = all.filter((action) => told.has(action.id) && !isLeft(action));
    const waiting = new Set(this.unanswered(true, leaf).map(({ id }) => id));
    return {
      open,
      isUnclear: told.hasDoubts(waits, events, answersOf, isLeft),
      isOtherwise: open.some(({ id }) => !waiting.has(id)),
    };
  }

  /** Reads events older than the list from the agent server; resolves to whether that was possible. */
  private async readToStart(agent: AgentClient, signal?: AbortSignal): Promise<boolean> {
    if (this.older?.from !== agent) return this.readAll(agent, signal);
    const { scan } = this.older;
    for (let pages = 0; pages < mostPages && !scan.atEnd; pages += 1) await this.addOlder(scan, signal);
    return scan.atEnd;
  }

  /** Adds the next page of older events of the agent server. */
  private async addOlder(scan: EventScan, signal?: AbortSignal): Promise<readonly AgentEvent[]> {
    return this.add(await scan.next(signal), { isLive: false, isTold: true });
  }

  /** Reads everything again in the order of the server’s log; resolves to whether that was possible. */
  private async readAll(agent: AgentClient, signal?: AbortSignal): Promise<boolean> {
    this.skipped = true; // until all of it was read
    let [isSkipped, isTail] = [false, true];
    const scan = new EventScan(agentPages(agent, { newestFirst: true }, () => (isSkipped = true)));
    const all = new ServerLog(this.told);
    for (let pages = 0; pages < mostPages && !scan.atEnd; pages += 1) {
      const page = await scan.next(signal);
      all.add(page, false);
      const known = page.findIndex(({ id }) => this.told.has(id));
      const latest = known < 0 ? page.length : known;
      if (isTail) this.add(page.slice(0, latest), fromEnd);
      this.add(page, { isLive: false, isTold: true });
      isTail &&= known < 0;
    }
    if (!scan.atEnd) return false;
    // The server may have lost some in the meantime.
    [this.told, this.skipped] = [all, isSkipped];
    this.older = { scan, from: agent };
    this.readUntil = this.list.resumeFrom(this.told);
    return true;
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
    this.add(read, fromStore);
    if (isFirst) this.older = { scan, from: 'store' };
  }

  /** Reads one more page of older events, from the agent server that has them, else from the store. */
  async readOlder(agent: AgentClient | undefined, signal?: AbortSignal): Promise<void> {
    if (!this.older) return;
    const { scan, from } = this.older;
    if (from !== 'store' && from !== agent) {
      await this.continueFromStore(signal);
      return;
    }
    const next = async () =>
      from === 'store' ? this.add(await scan.next(signal), fromStore) : this.addOlder(scan, signal);
    // A scan that starts over first returns known events.
    while (!scan.atEnd && (await next()).length === 0);
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
    if (this.add(first, fromStore).length === 0 && !scan.atEnd) await this.readOlder(undefined, signal);
  }

  /** Whether the store, by its newest events, ends before what is known. */
  private endsBefore(newest: readonly AgentEvent[]): boolean {
    const oldest = this.list.events[0]?.timestamp ?? '';
    return !newest.some(({ id, timestamp }) => this.list.has(id) || timestamp > oldest);
  }

  private storedScan = () => new EventScan(storedPages(this.client, this.id));

  private readonly isOpen = (action: ActionEvent): boolean =>
    this.whole.has(action) || this.shown.has(action.id);

  private readonly skip = (): void => {
    this.skipped = true;
  };

  /** Masks what is held once more secrets are known. */
  async maskAgain(): Promise<void> {
    this.replace(await maskedAgain(() => this.events, this.mask));
  }

  /** Replaces events that are held. */
  private replace(changed: ReadonlyMap<AgentEvent, AgentEvent>): void {
    if (changed.size === 0) return;
    this.list.replace(new Map([...changed].map(([{ id }, now]) => [id, now])));
    this.outcomes = new Outcomes();
    for (const event of this.events) this.outcomes.add(event);
    // What was answered before may wait again.
    const open = this.events.flatMap((event) =>
      event.kind === 'action' && !this.outcomes.of(event) ? [event] : [],
    );
    this.whole = new Set(open);
    this.replaced();
  }

  private add(events: readonly AgentEvent[], { isLive, isTold }: Origin): readonly AgentEvent[] {
    // Known from the store or the socket, but still the server's latest.
    const confirmed =
      isLive && isTold ? events.filter(({ id }) => this.list.has(id) && !this.told.has(id)) : [];
    if (isTold) this.told.add(events, isLive);
    if (isTold) this.replace(toldOtherwise(this.isOpen, events, this.list, this.mask));
    const fresh = events.filter(({ id }) => !this.list.has(id));
    if (isLive && isTold && fresh.some((event) => this.list.isFarBehind(event))) this.isInOrder = false;
    const added = this.list.add(fresh.map((event) => compact(this.mask.event(event))));
    for (const event of added) {
      this.outcomes.add(event);
      this.branches.add(event);
    }
    this.shorten(added);
    const news = [...added, ...confirmed.map((event) => compact(this.mask.again(event)))];
    if (news.length > 0) this.added(news, isLive);
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
