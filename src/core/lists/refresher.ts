import type { Clock } from '../../api/http/clock';
import { coalesce } from '../basics/coalesce';
import type { Disposable } from '../basics/emitter';

/**
 * Why to refresh: the user begins to look at a view, the views' interval is over, it's time to watch in the background,
 * or the user or an action requested it.
 */
export type Occasion = 'look' | 'interval' | 'watch' | 'asked';

/** How a refresh ended. */
export interface RefreshEnd {
  /** True if every request succeeded. */
  succeeded: boolean;
  /** Milliseconds for which the service asked to be left alone. */
  quietMs: number;
}

export interface RefresherDependencies {
  /** Refreshes once. Ends soon after `signal` is aborted. */
  refresh: (occasion: Occasion, signal: AbortSignal) => Promise<RefreshEnd>;
  /** True while a state is expected to change within seconds. */
  inTransition: () => boolean;
  /** Milliseconds between two refreshes for a reader; 0 = no automatic ones. Read before each wait. */
  intervalMs: () => number;
  /** Milliseconds between two refreshes, with or without a reader; 0 = none. Read before each wait. */
  watchMs: () => number;
  clock: Pick<Clock, 'date' | 'after'>;
}

/** Milliseconds between two refreshes while something is in transition; automatic refreshes are never quicker. */
export const transitionIntervalMs = 1_500;
/** The longest wait of a reader after errors, so that the views recover soon after the service does. */
export const longestBackoffMs = 20_000;

interface Run {
  occasion: Occasion;
  abort: AbortController;
}

/**
 * Decides when to refresh. With a reader (a visible view in a focused window): quickly in transitions, slower and slower
 * after errors. Without a reader: now and then, to watch. Runs one refresh at a time: a requested refresh replaces an
 * automatic one, and all triggers during a requested refresh share one more afterwards.
 */
export class Refresher implements Disposable {
  private reader = false;
  private looking = false;
  private cancelTimer: (() => void) | undefined;
  private run: Run | undefined;
  private beganAt = -Infinity;
  /** When the last completed refresh began. */
  private completeAt = -Infinity;
  /** When the last refresh ended, other than those that only watch. */
  private viewsEndedAt = -Infinity;
  private failures = 0;
  /** The wait that the service asked for, and when. Users can always refresh or look. */
  private quiet = { ms: 0, since: -Infinity };
  private disposed = false;

  constructor(private readonly dependencies: RefresherDependencies) {}

  /** Sets whether there is a reader. A new reader starts a refresh; a reader who leaves ends it. */
  setReader(reader: boolean): void {
    if (reader === this.reader) return;
    this.reader = reader;
    if (reader) {
      this.look();
    } else {
      if (this.run?.occasion === 'look' || this.run?.occasion === 'interval') this.abandon();
      this.reschedule();
    }
  }

  /**
   * Call this when the user begins to look: refreshes immediately, unless they only switch back and forth.
   * @param unseen true if something on screen was never read: it's read without waiting, even for a refresh of what was
   *   on screen a moment before, because the editor reports the views of a container one by one
   */
  look(unseen = false): void {
    this.looking = true;
    if (this.run?.occasion === 'watch' || (unseen && this.run?.occasion === 'look')) this.abandon();
    if (unseen) this.beganAt = -Infinity;
    if (!this.run) this.wait();
  }

  /** Refreshes now, with or without a reader, for the user's own actions. Resolves when the answers are in. */
  readonly refreshNow = coalesce(() => this.begin('asked'));

  /** The client changed: cancels and starts over. */
  restart(): void {
    this.abandon();
    this.failures = 0;
    this.quiet = { ms: 0, since: -Infinity };
    this.beganAt = -Infinity;
    this.completeAt = -Infinity;
    this.look();
  }

  /** What kept refreshes from succeeding is over: the wait after them, too. */
  recover(): void {
    if (!this.run) this.restart();
  }

  /** Call this when something has changed that the current wait depends on: starts a new wait. */
  reschedule(): void {
    if (!this.run) this.wait();
  }

  dispose(): void {
    this.disposed = true;
    this.abandon();
    this.cancelWait();
  }

  private abandon(): void {
    this.run?.abort.abort();
    this.run = undefined;
  }

  private async begin(occasion: Occasion): Promise<void> {
    if (this.disposed) return;
    this.abandon();
    this.cancelWait();
    const { clock, refresh } = this.dependencies;
    const beganAt = (this.beganAt = clock.date());
    const run: Run = { occasion, abort: new AbortController() };
    this.run = run;
    this.looking = false;
    const failed: RefreshEnd = { succeeded: false, quietMs: 0 };
    const { succeeded, quietMs } = await refresh(occasion, run.abort.signal).catch(() => failed);
    if (this.run !== run) return;
    this.run = undefined;
    this.completeAt = beganAt;
    if (occasion !== 'watch') this.viewsEndedAt = clock.date();
    this.failures = succeeded ? 0 : this.failures + 1;
    this.quiet = { ms: quietMs, since: clock.date() };
    this.wait();
  }

  private wait(): void {
    this.cancelWait();
    if (this.disposed) return;
    const { occasion, ms } = this.next();
    if (ms === 0) void this.begin(occasion);
    else if (ms < Infinity) {
      this.cancelTimer = this.dependencies.clock.after(ms, () => void this.begin(occasion));
    }
  }

  private next(): { occasion: Occasion; ms: number } {
    const watch = { occasion: 'watch' as const, ms: this.waitToWatchMs() };
    if (!this.reader) return watch;
    if (this.looking) return { occasion: 'look', ms: this.waitToLookMs() };
    const interval = { occasion: 'interval' as const, ms: this.waitMs() };
    return interval.ms <= watch.ms ? interval : watch;
  }

  private waitToLookMs(): number {
    return Math.max(0, transitionIntervalMs - this.since(this.beganAt));
  }

  private waitToWatchMs(): number {
    const ms = this.dependencies.watchMs();
    if (ms === 0) return Infinity;
    return Math.max(this.waitToLookMs(), this.quietMs(), this.slowed(ms) - this.since(this.completeAt));
  }

  private waitMs(): number {
    const { inTransition, intervalMs } = this.dependencies;
    const usual = inTransition() ? transitionIntervalMs : intervalMs();
    if (usual === 0) return Infinity;
    return Math.max(0, this.quietMs(), this.slowed(usual) - this.since(this.viewsEndedAt));
  }

  private quietMs(): number {
    return this.quiet.ms - this.since(this.quiet.since);
  }

  /** Longer after errors, up to a bound; never shorter. */
  private slowed(ms: number): number {
    return Math.max(ms, Math.min(longestBackoffMs, ms * 2 ** this.failures));
  }

  /** Milliseconds since `time`; infinite if the clock was set back. */
  private since(time: number): number {
    const ms = this.dependencies.clock.date() - time;
    return ms < 0 ? Infinity : ms;
  }

  private cancelWait(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }
}
