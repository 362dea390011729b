import { coalesce } from './coalesce';
import type { Disposable } from './emitter';

/** Time as the refresher needs it; the tests bring their own. */
export interface Timer {
  setTimeout: (callback: () => void, ms: number) => unknown;
  clearTimeout: (handle: unknown) => void;
}

/** Why a refresh is made: somebody begins to look, the interval is over, or the user or an action asked for it. */
export type Occasion = 'look' | 'interval' | 'asked';

export interface RefresherDependencies {
  /** Does one refresh; resolves to whether all of it succeeded. Ends soon after `signal` is aborted. */
  refresh: (occasion: Occasion, signal: AbortSignal) => Promise<boolean>;
  /** True while a state is expected to change within seconds. */
  inTransition: () => boolean;
  /** Milliseconds between two refreshes; 0 = none by themselves. Read before each wait. */
  intervalMs: () => number;
  timer: Timer;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Milliseconds between two refreshes while something is in transition; no refresh by itself is quicker than this. */
export const transitionIntervalMs = 1_500;
/** The longest wait after errors, so that the views recover by themselves soon after the service does. */
export const longestBackoffMs = 60_000;

interface Run {
  occasion: Occasion;
  abort: AbortController;
}

/**
 * Decides when to refresh: only while there is a reader (a view visible and the window focused), quickly in
 * transitions, slower and slower after errors. One refresh at a time: one that was asked for takes the place of one
 * that goes on by itself, and a trigger that comes during one that was asked for is served by one more.
 */
export class Refresher implements Disposable {
  private reader = false;
  private looking = false;
  private handle: unknown;
  private run: Run | undefined;
  private beganAt = -Infinity;
  private failures = 0;
  private disposed = false;

  constructor(private readonly dependencies: RefresherDependencies) {}

  /** Says whether anybody looks. Refreshes when somebody begins to; what goes on by itself ends when nobody does. */
  setReader(reader: boolean): void {
    if (reader === this.reader) return;
    this.reader = reader;
    if (reader) {
      this.look();
    } else {
      this.cancelWait();
      if (this.run?.occasion !== 'asked') this.abandon();
    }
  }

  /**
   * Somebody looks who did not before: refreshes at once, but for one who only flips back and forth.
   * @param unseen whether there is something that was never read: nobody waits for that
   */
  look(unseen = false): void {
    this.looking = true;
    if (unseen) this.beganAt = -Infinity;
    if (!this.run) this.wait();
  }

  /** Refreshes now, reader or not: for the user's own actions. Resolves when the answers are in. */
  readonly refreshNow = coalesce(() => this.begin('asked'));

  /** Everything is another: drops what goes on and begins anew. */
  restart(): void {
    this.abandon();
    this.failures = 0;
    this.beganAt = -Infinity;
    this.look();
  }

  /** The world changed so that the present wait may be too long; a reader gets a new one. */
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
    const { now, refresh } = this.dependencies;
    this.beganAt = now();
    const run: Run = { occasion, abort: new AbortController() };
    this.run = run;
    this.looking = false;
    const succeeded = await refresh(occasion, run.abort.signal).catch(() => false);
    if (this.run !== run) return;
    this.run = undefined;
    this.failures = succeeded ? 0 : this.failures + 1;
    this.wait();
  }

  private wait(): void {
    this.cancelWait();
    if (!this.reader || this.disposed) return;
    const ms = this.looking ? this.waitToLookMs() : this.waitMs();
    const occasion = this.looking ? 'look' : 'interval';
    if (occasion === 'look' && ms === 0) void this.begin('look');
    else if (ms > 0) this.handle = this.dependencies.timer.setTimeout(() => void this.begin(occasion), ms);
  }

  private waitToLookMs(): number {
    const since = this.dependencies.now() - this.beganAt;
    // A clock that was set back tells nothing.
    return since < 0 ? 0 : Math.max(0, transitionIntervalMs - since);
  }

  private waitMs(): number {
    const { inTransition, intervalMs } = this.dependencies;
    const usual = inTransition() ? transitionIntervalMs : intervalMs();
    if (this.failures === 0 || usual === 0) return usual;
    return Math.min(Math.max(usual, longestBackoffMs), usual * 2 ** this.failures);
  }

  private cancelWait(): void {
    this.dependencies.timer.clearTimeout(this.handle);
    this.handle = undefined;
  }
}
