import type { Clock } from '../../../api/http/clock';
import { ApiError } from '../../../api/http/errors';
import { quietAskedBy } from '../../../api/http/retry';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { Automation, AutomationRun } from '../../../api/service/automations';
import type { ApiClient } from '../../../api/service/client';
import { keepNewest } from '../../../core/basics/keepNewest';
import { type Disposable, Emitter } from '../../../core/basics/emitter';
import { type AttentionEvent, newestOf } from '../../../core/lists/attention';
import { DueReads } from '../../../core/lists/dueReads';
import { troubleKind } from '../../../core/rows/trouble';
import type { Connection } from '../../../shared/connection';
import type { News, Reached } from '../../attention';
import { isUnderWay, stateOf } from './words';

interface Needs {
  /** The connected service once it’s known to work, and the others that are watched. */
  services: () => readonly Reached[];
  /** The base URL of the connected service. */
  here: () => string | undefined;
  /** Milliseconds between two looks at each for runs that failed, while the window has the focus; 0 = none. */
  watchMs: () => number;
  /** Milliseconds between two looks while the view is on screen; 0 = none. */
  shownMs: () => number;
  /** The events that no window has reported yet. */
  claim: (baseUrl: string, events: readonly AttentionEvent[]) => AttentionEvent[];
  /** Whether the failure of a conversation’s own agent is news, or the user looks at it. */
  isTold: (client: ApiClient, conversationId: string) => Promise<boolean>;
  clock: Pick<Clock, 'now' | 'date' | 'after'>;
}

/** What is known of the automations of a service. */
export interface AutomationsAt {
  readonly connection: Connection;
  readonly server: AgentServerCalls;
  readonly items: readonly Automation[];
  readonly loaded: boolean;
  /** Why they couldn’t be read the last time. */
  readonly error: Error | undefined;
  /** When they were last read, in milliseconds since the epoch. */
  readonly readAt: number | undefined;
  /** The newest run that is known, by the automation’s id. */
  readonly runs: ReadonlyMap<string, AutomationRun>;
}

/** What the view says in place of rows: that there are none, or why they were never read. */
export const insteadOfRows = ({ loaded, error }: AutomationsAt): string | undefined =>
  loaded ? 'loaded' : error && troubleKind(error);

interface Watched extends Reached {
  items: readonly Automation[];
  loaded: boolean;
  error: Error | undefined;
  readAt: number | undefined;
  readonly runs: Map<string, AutomationRun>;
  /** Whether it has an automation service; undefined until it was asked. */
  has: boolean | undefined;
  /** When each automation had last begun to run as its runs were read. */
  readonly triggered: Map<string, string>;
  /** Automations whose runs couldn’t be read the last time. */
  readonly failing: Set<string>;
  /** The state in which each run was last seen. */
  readonly seen: Map<string, string>;
  /** When the latest run began by the first look, by the service’s clock; later ones are news when they’ve failed. */
  latest: number | undefined;
  /** When it was last asked, by the clock’s `now`; and how long it must be left alone since. */
  askedAt: number;
  quietMs: number;
  /** Ends with the reading that is under way. */
  reading: Promise<void> | undefined;
  /** What this window hasn’t reported, as it wasn’t focused. */
  kept: readonly AttentionEvent[];
}

/** Milliseconds until the next reading while a change isn’t shown, in order. */
const untilShownMs = [100, 300, 1_000, 3_000];

/** How much less often is asked while the window isn’t focused, while a service fails, and where nothing can run. */
const slowdown = 5;
/** Runs of this many automations are read at once, a few of each. */
const readAtOnce = 10;
const runsOfEach = 5;
/** Runs that are remembered of a service: far more than are read again. */
const mostSeen = 5_000;
/** A run that began longer ago is over, in milliseconds: servers end them after half an hour. */
const longestRunMs = 60 * 60_000;

/**
 * Watches what servers start by themselves: the automations of the connected one for the view, and runs that failed on all
 * of them. Runs are read only of automations that have run since, so that an idle service is asked once each time; a
 * server without an automation service is asked once.
 */
export class AutomationWatch implements Disposable {
  private watched = new Map<string, Watched>();
  private readonly changed = new Emitter<undefined>();
  /** Fires when what is known has changed. */
  readonly onDidChange = this.changed.event;
  private readonly happened = new Emitter<News>();
  /** Fires once for all runs that a reading has found to have failed. */
  readonly onDidHappen = this.happened.event;
  private focused = true;
  private visible = false;
  private isDisposed = false;
  private readonly due: DueReads<Watched>;

  constructor(private readonly needs: Needs) {
    this.due = new DueReads({
      clock: needs.clock,
      idle: () => [...this.watched.values()].filter(({ reading }) => !reading),
      dueAt: (one) => this.dueAt(one),
      read: (one) => void this.read(one),
      wake: () => this.follow(),
    });
  }

  /** Those of the connected service; undefined unless it has an automation service. */
  get here(): AutomationsAt | undefined {
    return this.at(this.needs.here());
  }

  /** Whether the view is on screen. */
  get isVisible(): boolean {
    return this.visible;
  }

  /** Those of a service; undefined unless it’s watched and has an automation service. */
  at(service: string | undefined): AutomationsAt | undefined {
    const one = this.watched.get(service ?? '');
    const server = one?.has ? one.client.agents : undefined;
    return one && server && { ...one, server };
  }

  /** Call this when connections, keys, or intervals may have changed. */
  follow(): void {
    const before = this.watched;
    this.watched = new Map();
    for (const one of this.isDisposed ? [] : this.needs.services()) {
      const known = before.get(one.client.baseUrl);
      const isSame = known?.client === one.client;
      this.watched.set(one.client.baseUrl, isSame ? Object.assign(known, one) : { ...one, ...unread() });
    }
    this.changed.fire(undefined);
    this.due.run();
  }

  /** Sets whether the window is focused: only then does it report news. */
  setFocused(focused: boolean): void {
    this.focused = focused;
    for (const one of this.watched.values()) this.tell(one);
    this.due.run();
  }

  /** Sets whether the view is on screen. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    this.due.run();
  }

  /**
   * Reads a service now, by default the connected one if it’s on screen; resolves when the answers are in. The service
   * answers before it stores a change, so this reads a few times until `isShown` holds.
   */
  async refresh(service?: string, isShown: () => boolean = () => true): Promise<void> {
    const one = this.watched.get(service ?? (this.visible ? (this.needs.here() ?? '') : ''));
    if (!one) return;
    // What is being read may be older than what the caller has done.
    await one.reading;
    await this.read(one);
    for (const ms of untilShownMs) {
      if (this.isDisposed || one.error !== undefined || isShown()) return;
      await new Promise<void>((resolve) => void this.needs.clock.after(ms, resolve));
      await this.read(one);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.follow();
  }

  private isShown(one: Watched): boolean {
    return this.visible && this.focused && one.client.baseUrl === this.needs.here();
  }

  private dueAt(one: Watched): number {
    const { has, error, items, runs, askedAt, quietMs } = one;
    if (has === false) return Infinity;
    if (askedAt === -Infinity) return askedAt;
    const isSlow = !this.focused || error !== undefined || items.length === 0;
    const shown = this.isShown(one) ? this.needs.shownMs() : 0;
    const isUnread = this.unreadRuns(one).some(({ id }) => !one.failing.has(id));
    if (shown > 0 && !error && isUnread) return askedAt + quietMs;
    // What runs changes often.
    const isBusy = [...runs.values()].some(isUnderWay);
    const waits = [this.needs.watchMs() * (isSlow ? slowdown : 1), isBusy ? shown / 2 : shown];
    return askedAt + Math.max(quietMs, Math.min(...waits.filter((ms) => ms > 0)));
  }

  /** Never rejects. */
  private read(one: Watched): Promise<void> {
    const { agents: server } = one.client;
    if (!server) return Promise.resolve();
    one.reading ??= this.readOnce(server, one);
    return one.reading;
  }

  private async readOnce(server: AgentServerCalls, one: Watched): Promise<void> {
    const events: AttentionEvent[] = [];
    try {
      one.has ??= (await server.about()).hasAutomations === true;
      if (one.has) await this.readFrom(server, one, events);
      Object.assign(one, { error: undefined, quietMs: 0 });
    } catch (error) {
      Object.assign(one, { error, quietMs: quietAskedBy(error as Error) });
    }
    Object.assign(one, { reading: undefined, askedAt: this.needs.clock.now() });
    if (this.watched.get(one.client.baseUrl) !== one) return;
    one.kept = [...one.kept, ...events];
    this.tell(one);
    this.changed.fire(undefined);
    this.due.run();
  }

  private async readFrom(server: AgentServerCalls, one: Watched, events: AttentionEvent[]): Promise<void> {
    const since = one.readAt ?? 0;
    const now = this.needs.clock.date();
    one.items = await server.listAutomations();
    one.loaded = true;
    const isFirst = one.latest === undefined;
    one.latest ??= newestOf(one.items.map(triggeredAt), now);
    const busy = one.items.filter(({ id }) => isUnderWay(one.runs.get(id)));
    const due = [...new Set([...busy, ...this.unreadRuns(one)])];
    const isFailing = ({ id }: Automation) => Number(one.failing.has(id));
    due.sort((a, b) => isFailing(a) - isFailing(b));
    for (const { id, name, last_triggered_at: triggered } of due.slice(0, readAtOnce)) {
      const runs = await readRuns(server, id);
      if (!runs) {
        one.failing.add(id);
        continue;
      }
      one.failing.delete(id);
      const [newest] = runs;
      if (newest) one.runs.set(id, newest);
      one.triggered.set(id, triggered ?? '');
      for (const run of runs) {
        const state = stateOf(run);
        const before = one.seen.get(run.id);
        keepNewest(one.seen, run.id, state, mostSeen);
        const isNew = before === undefined ? !isFirst && createdAt(run) > one.latest : before !== state;
        if (state !== 'FAILED' || !isNew || (await this.isTold(one.client, run))) continue;
        const detail = run.error_detail?.split('\n', 1)[0];
        const words = { ...(name && { title: name }), ...(detail && { detail }) };
        events.push({ kind: 'automationFailed', id: run.id, automation: id, since, ...words });
      }
    }
    one.readAt = now;
  }

  private async isTold(client: ApiClient, { conversation_id: id }: AutomationRun): Promise<boolean> {
    return !!id && this.needs.isTold(client, id).catch(() => false);
  }

  /**
   * The automations that have begun to run since their runs were read, the latest first. What was over before the first
   * look is read only to be shown.
   */
  private unreadRuns(one: Watched): Automation[] {
    const { items, triggered, latest = 0 } = one;
    const now = this.needs.clock.date();
    const isUnread = (automation: Automation) => {
      const [known, at] = [triggered.get(automation.id), triggeredAt(automation)];
      if (at === 0 || known === automation.last_triggered_at) return false;
      return known !== undefined || this.isShown(one) || at > latest || now - at < longestRunMs;
    };
    return items.filter(isUnread).sort((a, b) => triggeredAt(b) - triggeredAt(a));
  }

  private tell(one: Watched): void {
    if (!this.focused || one.kept.length === 0) return;
    const { connection, client, kept } = one;
    const { baseUrl } = client;
    one.kept = [];
    const events = this.needs.claim(baseUrl, kept);
    const elsewhere = baseUrl === this.needs.here() ? {} : { connection: connection.name };
    if (events.length > 0) this.happened.fire({ baseUrl, events, ...elsewhere });
  }
}

/** The latest runs; undefined if only these can’t be read, and others perhaps can. */
async function readRuns(server: AgentServerCalls, id: string): Promise<AutomationRun[] | undefined> {
  try {
    return await server.listAutomationRuns(id, runsOfEach);
  } catch (error) {
    if (error instanceof ApiError && ownReasons.has(error.reason)) return undefined;
    throw error;
  }
}

const ownReasons: ReadonlySet<ApiError['reason']> = new Set([
  'badId',
  'badShape',
  'invalid',
  'notFound',
  'serverError',
  'tooLarge',
  'truncated',
]);

const triggeredAt = ({ last_triggered_at: time }: Automation) => Date.parse(time ?? '') || 0;
const createdAt = ({ created_at: time }: AutomationRun) => Date.parse(time ?? '') || 0;

const unread = (): Omit<Watched, keyof Reached> => ({
  items: [],
  loaded: false,
  error: undefined,
  readAt: undefined,
  runs: new Map(),
  has: undefined,
  triggered: new Map(),
  failing: new Set(),
  seen: new Map(),
  latest: undefined,
  askedAt: -Infinity,
  quietMs: 0,
  reading: undefined,
  kept: [],
});
