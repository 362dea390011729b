import type { Clock } from '../../api/http/clock';
import { bareId } from '../../api/http/ids';
import { quietAskedBy } from '../../api/http/retry';
import type { ApiClient } from '../../api/service/client';
import type { Conversation } from '../../api/service/schemas/conversation';
import type { Connection } from '../../shared/connection';
import { same } from '../../shared/same';
import type { Execution } from '../../shared/transcript';
import { coalesce } from '../basics/coalesce';
import { type Disposable, Emitter } from '../basics/emitter';
import type { StartTasks } from '../conversations/startTasks';
import { waiting } from '../lists/status';
import type { Attention, AttentionEvent } from './attention';
import type { News } from './attentionFeed';
import type { ToldNews } from './toldNews';

/** A connection with the client that reaches it. */
interface Reached {
  connection: Connection;
  /** The same one for as long as connection and key are. */
  client: ApiClient;
}

/** The agents of a connection that wait for the user. */
export interface WaitingElsewhere {
  readonly connection: Connection;
  readonly conversations: readonly Conversation[];
}

interface Needs {
  /** The connections with a key, except the window’s own. */
  others: () => Promise<readonly Reached[]>;
  /** Milliseconds between two looks at each while the window has the focus; 0 = none. */
  intervalMs: () => number;
  /** What is known of the agents of a service. */
  attentionOf: (baseUrl: string) => Attention;
  told: Pick<ToldNews, 'claim'>;
  starts: Pick<StartTasks, 'underWay'>;
  /** Whether the user looks at a conversation. */
  isLookedAt: (service: string, id: string) => boolean;
  clock: Pick<Clock, 'now' | 'date' | 'after'>;
}

interface Watched extends Reached {
  readonly ending: AbortController;
  waiting: readonly Conversation[];
  /** What this window hasn’t reported, as it wasn’t focused. */
  kept: readonly AttentionEvent[];
  isReading: boolean;
  /** When it was last read, and how long it must be left alone after that, by the clock’s `now`. */
  readAt: number;
  quietMs: number;
  hasFailed: boolean;
}

/** How much less often a connection is read while the window isn’t focused, and while it fails. */
const slowdown = 5;

/**
 * Watches the connections that the window isn’t on for agents that wait, ended, or failed: one request for the latest
 * conversations of each at a time. Without other connections, it sends and schedules nothing.
 */
export class OtherConnections implements Disposable {
  private readonly watched = new Map<string, Watched>();
  private readonly changed = new Emitter<undefined>();
  /** Fires when other agents wait. */
  readonly onDidChange = this.changed.event;
  private readonly happened = new Emitter<News>();
  /** Fires once for all news of a reading. */
  readonly onDidHappen = this.happened.event;
  private focused = true;
  private isDisposed = false;
  private cancelTimer: () => void = () => undefined;

  constructor(private readonly needs: Needs) {}

  /** The connections with agents that wait for the user. */
  get waiting(): readonly WaitingElsewhere[] {
    return [...this.watched.values()]
      .filter((one) => one.waiting.length > 0)
      .map(({ connection, waiting: conversations }) => ({ connection, conversations }));
  }

  /** Call this when connections, keys, the window’s own connection, or intervals may have changed. */
  readonly follow = coalesce(async () => {
    const isOn = !this.isDisposed && this.needs.intervalMs() > 0;
    const others = isOn ? await this.needs.others().catch(() => []) : [];
    const wanted = new Map(this.isDisposed ? [] : others.map((one) => [one.client.baseUrl, one]));
    const before = this.waiting;
    for (const [baseUrl, { client, ending }] of this.watched) {
      if (wanted.get(baseUrl)?.client === client) continue;
      ending.abort();
      this.watched.delete(baseUrl);
    }
    for (const [baseUrl, one] of wanted)
      if (!this.watched.has(baseUrl)) this.watched.set(baseUrl, newlyWatched(one));
    this.tellChange(before);
    this.readDue();
  });

  /** Takes what an open conversation says of its agent, so that the numbers are right at once. */
  hear(baseUrl: string, id: string, execution: Execution): void {
    const one = this.watched.get(baseUrl);
    if (!one || execution === 'unknown' || execution === 'waiting_for_confirmation') return;
    const before = this.waiting;
    one.waiting = one.waiting.filter((known) => bareId(known.id) !== bareId(id));
    this.tellChange(before);
  }

  /** Sets whether the window is focused: only then does it report news. */
  setFocused(focused: boolean): void {
    this.focused = focused;
    for (const one of this.watched.values()) this.tell(one);
    this.readDue();
  }

  dispose(): void {
    this.isDisposed = true;
    this.cancelTimer();
    for (const { ending } of this.watched.values()) ending.abort();
    this.watched.clear();
  }

  private dueAt({ readAt, quietMs, hasFailed }: Watched): number {
    const often = this.needs.intervalMs() * (this.focused && !hasFailed ? 1 : slowdown);
    return readAt + Math.max(often, quietMs);
  }

  private readDue(): void {
    this.cancelTimer();
    const idle = () => [...this.watched.values()].filter(({ isReading }) => !isReading);
    const now = this.needs.clock.now();
    for (const one of idle()) if (this.dueAt(one) <= now) void this.read(one);
    const next = Math.min(...idle().map((one) => this.dueAt(one)));
    if (!Number.isFinite(next)) return;
    this.cancelTimer = this.needs.clock.after(next - now, () => this.readDue());
  }

  /** Never rejects. */
  private async read(one: Watched): Promise<void> {
    const { client, ending } = one;
    const { clock, attentionOf, starts } = this.needs;
    one.isReading = true;
    const read = await client.listConversations({ limit: 100 }, ending.signal).then(
      ({ items }) => ({ items, quietMs: 0 }),
      (error: unknown) => ({ items: undefined, quietMs: quietAskedBy(error) }),
    );
    if (ending.signal.aborted) return;
    const before = this.waiting;
    const { items, quietMs } = read;
    Object.assign(one, { isReading: false, readAt: clock.now(), quietMs, hasFailed: items === undefined });
    // No number is better than a wrong one.
    one.waiting = waiting(items ?? []);
    if (items) {
      const starting = starts.underWay(client.baseUrl, items);
      const started = items.filter(({ id }) => !starting.has(id));
      const events = attentionOf(client.baseUrl).observe(started, clock.date());
      const isAgain = ({ kind, id }: AttentionEvent) =>
        events.some((event) => event.kind === kind && event.id === id);
      one.kept = [...one.kept.filter((event) => !isAgain(event)), ...events];
      this.tell(one);
    }
    this.tellChange(before);
    this.readDue();
  }

  private tell(one: Watched): void {
    if (!this.focused || one.kept.length === 0) return;
    const { connection, client } = one;
    const { baseUrl } = client;
    const attention = this.needs.attentionOf(baseUrl);
    const still = one.kept.filter((event) => attention.isStill(event));
    one.kept = [];
    const untold = this.needs.told.claim(baseUrl, still);
    const events = untold.filter(({ id }) => !this.needs.isLookedAt(baseUrl, id));
    if (events.length > 0) this.happened.fire({ baseUrl, events, connection: connection.name });
  }

  private tellChange(before: readonly WaitingElsewhere[]): void {
    if (!same(before, this.waiting)) this.changed.fire(undefined);
  }
}

const newlyWatched = (one: Reached): Watched => ({
  ...one,
  ending: new AbortController(),
  waiting: [],
  kept: [],
  isReading: false,
  readAt: -Infinity,
  quietMs: 0,
  hasFailed: false,
});
