import { isUuid } from '../../../api/http/ids';
import type { Clock } from '../../../api/http/clock';
import { quietAskedBy } from '../../../api/http/retry';
import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Connection } from '../../../shared/connection';
import { same } from '../../../shared/same';
import type { Execution } from '../../../shared/transcript';
import { coalesce } from '../../../core/basics/coalesce';
import { type Disposable, Emitter } from '../../../core/basics/emitter';
import type { StartTasks } from '../../start';
import { DueReads } from '../../../core/lists/dueReads';
import { type ListState, ResourceList } from '../../../core/lists/resourceList';
import type { ConversationsElsewhere, WaitingElsewhere } from '../../../core/lists/elsewhere';
import { waiting } from '../../../core/lists/status';
import type { Chosen } from '../../../core/session/chooseAt';
import type { Attention, AttentionEvent } from '../../../core/lists/attention';
import type { News } from './attentionFeed';
import type { ToldNews } from './toldNews';

/** A connection with the client that reaches it. */
export interface Reached {
  connection: Connection;
  /** The same one for as long as connection and key are. */
  client: ApiClient;
}

/** What is known of a connection that the window isn’t on. */
export interface Elsewhere {
  readonly connection: Connection;
  readonly list: ListState<Conversation>;
}

interface Needs {
  /** The connections with a key, except the window’s own. */
  others: () => Promise<readonly Reached[]>;
  /** Milliseconds between two looks at each while the window has the focus; 0 = none. */
  intervalMs: () => number;
  /** Whether the user wants to see the conversations of all connections. */
  showsAll: () => boolean;
  /** Milliseconds between two looks at each while they are on screen; 0 = none. */
  shownMs: () => number;
  /** What is known of the agents of a service. */
  attentionOf: (baseUrl: string) => Attention;
  told: Pick<ToldNews, 'claim'>;
  starts: Pick<StartTasks, 'underWay'>;
  /** Whether the window’s own connection has a conversation with this id, and is up to date. */
  isKnownHere: (id: string) => boolean;
  /** Whether the user looks at a conversation. */
  isLookedAt: (service: string, id: string) => boolean;
  clock: Pick<Clock, 'now' | 'date' | 'after'>;
}

interface Watched extends Reached {
  readonly list: ResourceList<Conversation>;
  /** What this window hasn’t reported, as it wasn’t focused. */
  kept: readonly AttentionEvent[];
  /** How many readings are under way. */
  reading: number;
  /** Whether the next reading is one of a page after the first. */
  isFurtherDue: boolean;
  /** When it was last read, and how long it must be left alone after that, by the clock’s `now`. */
  readAt: number;
  quietMs: number;
  hasFailed: boolean;
}

/** How much less often a connection is watched while the window isn’t focused, and while it fails. */
const slowdown = 5;

/**
 * Watches the connections that the window isn’t on for agents that wait, ended, or failed, and reads the conversations to
 * show of them: one request for each at a time. Without other connections, it sends and schedules nothing.
 */
export class OtherConnections implements Disposable, ConversationsElsewhere {
  private watched = new Map<string, Watched>();
  private readonly changed = new Emitter<undefined>();
  /** Fires when other agents wait, and when what is shown of other connections changes. */
  readonly onDidChange = this.changed.event;
  private readonly happened = new Emitter<News>();
  /** Fires once for all news of a reading. */
  readonly onDidHappen = this.happened.event;
  private focused = true;
  private visible = false;
  private hasFollowed = false;
  private isDisposed = false;
  private readonly due: DueReads<Watched>;
  private toldWaiting: readonly WaitingElsewhere[] = [];

  constructor(private readonly needs: Needs) {
    this.due = new DueReads({
      clock: needs.clock,
      idle: () => [...this.watched.values()].filter(({ reading }) => reading === 0),
      dueAt: (one) => this.dueAt(one),
      read: (one) => void this.read(one, (it) => this.readNext(it)),
      wake: () => this.due.run(),
    });
  }

  /** The connections that are watched or shown. */
  get reached(): readonly Reached[] {
    return [...this.watched.values()];
  }

  /** The connections with agents that wait for the user. */
  get waiting(): readonly WaitingElsewhere[] {
    // No number is better than a wrong one.
    const countable = this.isWatching ? [...this.watched.values()].filter(({ hasFailed }) => !hasFailed) : [];
    return countable
      .map((one) => ({
        connection: one.connection,
        conversations: waiting(one.list.state.items).filter(({ id }) => !this.isOfAnother(one, id)),
      }))
      .filter(({ conversations }) => conversations.length > 0);
  }

  /** The conversations to show of each connection; undefined unless the user wants to see them, and until keys are read. */
  get shown(): readonly Elsewhere[] | undefined {
    if (!this.needs.showsAll() || !this.hasFollowed) return undefined;
    return [...this.watched.values()].map(({ connection, list }) => ({ connection, list: list.state }));
  }

  /** A conversation of a service that the window isn’t on, with the client that reaches it. */
  find(service: string, id: string): Chosen<Conversation> | undefined {
    const one = this.watched.get(service);
    const chosen = one?.list.get(id);
    return one && chosen && { client: one.client, chosen };
  }

  /** What was read of a service that the window isn’t on. */
  listOf(service: string): Pick<ResourceList<Conversation>, 'get' | 'state'> | undefined {
    return this.watched.get(service)?.list;
  }

  /** Call this when connections, keys, the window’s own connection, or intervals may have changed. */
  readonly follow = coalesce(async () => {
    const isOn = !this.isDisposed && (this.isWatching || this.needs.showsAll());
    const others = isOn ? await this.needs.others().catch(() => []) : [];
    const wanted = new Map(this.isDisposed ? [] : others.map((one) => [one.client.baseUrl, one]));
    const before = this.watched;
    this.watched = new Map();
    for (const [baseUrl, one] of wanted) {
      const known = before.get(baseUrl);
      this.watched.set(baseUrl, known?.client === one.client ? Object.assign(known, one) : this.watch(one));
    }
    for (const [baseUrl, one] of before) if (this.watched.get(baseUrl) !== one) one.list.reset(undefined);
    this.hasFollowed = isOn;
    this.tellChange(true);
    this.due.run();
  });

  /** Takes what an open conversation says about its agent, so that rows and numbers are right at once. */
  hear(baseUrl: string, id: string, execution: Execution): void {
    if (execution === 'unknown') return;
    this.watched.get(baseUrl)?.list.amend(id, (record) => {
      const isSame = record.execution_status?.toLowerCase() === execution;
      return isSame ? record : { ...record, execution_status: execution };
    });
  }

  /** Sets whether the window is focused: only then does it report news. */
  setFocused(focused: boolean): void {
    this.focused = focused;
    for (const one of this.watched.values()) this.tell(one);
    this.due.run();
  }

  /** Sets whether the view that shows them is on screen. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    this.due.run();
  }

  /** Reads a connection now, or all of those that are on screen; resolves when the answers are in. */
  async refresh(service?: string): Promise<void> {
    const some = [...this.watched].filter(([one]) =>
      service === undefined ? this.isShown : one === service,
    );
    const all = some.map(([, one]) =>
      this.read(one, async ({ list }) => {
        await list.refresh();
        return list.state.error;
      }),
    );
    await Promise.all(all);
  }

  /** Shows or reads more of a connection. */
  async loadMore(service: string): Promise<void> {
    await this.watched.get(service)?.list.loadMore();
  }

  dispose(): void {
    this.isDisposed = true;
    this.due.stop();
    for (const { list } of this.watched.values()) list.reset(undefined);
    this.watched.clear();
  }

  private get isWatching(): boolean {
    return this.needs.intervalMs() > 0;
  }

  private get isShown(): boolean {
    return this.needs.showsAll() && this.visible && this.focused;
  }

  private watch(reached: Reached): Watched {
    const list = new ResourceList<Conversation>(
      (client, query, signal) =>
        client.listConversations({ limit: 100, includeSubConversations: true, ...query }, signal),
      () => this.needs.clock.date(),
    );
    list.reset(reached.client);
    list.onDidChange(() => this.tellChange(true));
    return { ...reached, list, ...unread };
  }

  private dueAt({ readAt, quietMs, hasFailed }: Watched): number {
    const watched = this.needs.intervalMs() * (this.focused && !hasFailed ? 1 : slowdown);
    const shown = this.isShown ? this.needs.shownMs() : 0;
    const often = Math.min(...[watched, shown].filter((ms) => ms > 0));
    return readAt + Math.max(often, quietMs);
  }

  /** The first page, and while they are on screen the others in turn. */
  private readNext(one: Watched): Promise<Error | undefined> {
    const isFurther = one.isFurtherDue && this.isShown && one.list.hasFurther;
    one.isFurtherDue = !isFurther;
    return isFurther ? one.list.readNext() : one.list.readFirst();
  }

  /** Never rejects. */
  private async read(one: Watched, reading: (one: Watched) => Promise<Error | undefined>): Promise<void> {
    const { client, list } = one;
    one.reading += 1;
    const error = await reading(one);
    one.reading -= 1;
    if (this.watched.get(client.baseUrl) !== one) return;
    const { clock, attentionOf, starts } = this.needs;
    const hasFailed = error !== undefined;
    Object.assign(one, { readAt: clock.now(), quietMs: error ? quietAskedBy(error) : 0, hasFailed });
    if (!hasFailed && this.isWatching) {
      const { items } = list.state;
      const starting = starts.underWay(client.baseUrl, items);
      const started = items.filter(({ id }) => !starting.has(id));
      const events = attentionOf(client.baseUrl).observe(started, clock.date());
      const isAgain = ({ kind, id }: AttentionEvent) =>
        events.some((event) => event.kind === kind && event.id === id);
      one.kept = [...one.kept.filter((event) => !isAgain(event)), ...events];
      this.tell(one);
    }
    this.tellChange();
    this.due.run();
  }

  private tell(one: Watched): void {
    if (!this.focused || one.kept.length === 0) return;
    const { connection, client } = one;
    const { baseUrl } = client;
    const attention = this.needs.attentionOf(baseUrl);
    const still = one.kept.filter((event) => attention.isStill(event) && !this.isOfAnother(one, event.id));
    one.kept = [];
    const untold = this.needs.told.claim(baseUrl, still);
    const events = untold.filter(({ id }) => !this.needs.isLookedAt(baseUrl, id));
    if (events.length > 0) this.happened.fire({ baseUrl, events, connection: connection.name });
  }

  /** Whether a conversation counts for another connection, which leads to the same service by another address. */
  private isOfAnother(one: Watched, id: string): boolean {
    if (!isUuid(id)) return false;
    const all = [...this.watched.values()];
    const before = all.slice(0, all.indexOf(one));
    return (
      this.needs.isKnownHere(id) ||
      before.some(({ hasFailed, list }) => !hasFailed && list.get(id) !== undefined)
    );
  }

  /** @param isShownAnew whether rows have changed, too */
  private tellChange(isShownAnew = false): void {
    const { waiting } = this;
    const isNew = !same(this.toldWaiting, waiting);
    this.toldWaiting = waiting;
    if (isNew || (isShownAnew && this.needs.showsAll())) this.changed.fire(undefined);
  }
}

const unread = {
  kept: [],
  reading: 0,
  isFurtherDue: false,
  readAt: -Infinity,
  quietMs: 0,
  hasFailed: false,
};
