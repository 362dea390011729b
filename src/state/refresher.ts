import { coalesce } from './coalesce';
import type { Disposable } from './emitter';

/** Time as the refresher needs it; the tests bring their own. */
export interface Timer {
  setTimeout: (callback: () => void, ms: number) => unknown;
  clearTimeout: (handle: unknown) => void;
}

export interface RefresherDependencies {
  /** Does one refresh of everything that has a reader; resolves to whether all of it succeeded. Never rejects. */
  refresh: () => Promise<boolean>;
  /** True while a state is expected to change within seconds. */
  inTransition: () => boolean;
  /** Milliseconds between two refreshes; 0 = none by themselves. Read before each wait. */
  intervalMs: () => number;
  timer: Timer;
}

/** Milliseconds between two refreshes while something is in transition. */
export const transitionIntervalMs = 1_500;
/** The longest wait after errors, so that the views recover by themselves soon after the service does. */
export const longestBackoffMs = 60_000;

/**
 * Decides when to refresh: only while there is a reader (a view visible and the window focused), quickly in
 * transitions, slower and slower after errors. One refresh at a time; a trigger that comes meanwhile is served by one
 * more.
 */
export class Refresher implements Disposable {
  private reader = false;
  private handle: unknown;
  private running = false;
  private failures = 0;
  private disposed = false;

  constructor(private readonly dependencies: RefresherDependencies) {}

  /** Says whether anybody looks. Refreshes at once when somebody begins to. */
  setReader(reader: boolean): void {
    if (reader === this.reader) return;
    this.reader = reader;
    if (reader) void this.refreshNow();
    else this.cancelWait();
  }

  /** Refreshes now, reader or not: for the user's own actions. Resolves when the answers are in. */
  readonly refreshNow = coalesce(async () => {
    if (this.disposed) return;
    this.cancelWait();
    this.running = true;
    this.failures = (await this.dependencies.refresh()) ? 0 : this.failures + 1;
    this.running = false;
    this.wait();
  });

  /** The world changed so that the present wait may be too long; a reader gets a new one. */
  reschedule(): void {
    if (!this.running) this.wait();
  }

  dispose(): void {
    this.disposed = true;
    this.cancelWait();
  }

  private wait(): void {
    this.cancelWait();
    const ms = this.waitMs();
    if (!this.reader || this.disposed || ms === 0) return;
    this.handle = this.dependencies.timer.setTimeout(() => void this.refreshNow(), ms);
  }

  private waitMs(): number {
    const { inTransition, intervalMs } = this.dependencies;
    const interval = intervalMs();
    const usual = inTransition()
      ? Math.min(transitionIntervalMs, interval || transitionIntervalMs)
      : interval;
    if (this.failures === 0 || usual === 0) return usual;
    return Math.min(Math.max(usual, longestBackoffMs), usual * 2 ** this.failures);
  }

  private cancelWait(): void {
    this.dependencies.timer.clearTimeout(this.handle);
    this.handle = undefined;
  }
}
