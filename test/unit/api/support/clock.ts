import type { Clock } from '../../../../src/api/http/clock';
import { settled } from '../../../support/settled';

interface Timer {
  due: number;
  ms: number;
  callback: () => void;
}

/** A clock that stands still until it is advanced. */
export class FakeClock implements Clock {
  private time = 0;
  private readonly timers = new Set<Timer>();
  private watchers: (() => void)[] = [];

  /** @param skips selects timers that are due immediately, as if the time had passed. */
  constructor(
    private readonly skips: (ms: number) => boolean = () => false,
    readonly random: () => number = () => 0.5,
  ) {}

  /** The time at which every fake clock starts, in milliseconds since 1970. */
  static readonly start = Date.UTC(2025, 10, 21, 8, 0, 0);

  now = () => this.time;
  date = () => FakeClock.start + this.time;

  after = (ms: number, callback: () => void) => {
    const timer: Timer = { due: this.time + ms, ms, callback };
    this.timers.add(timer);
    if (this.skips(ms)) setImmediate(() => this.timers.has(timer) && this.advance(timer.due - this.time));
    for (const watcher of this.watchers.splice(0)) watcher();
    return () => void this.timers.delete(timer);
  };

  /** Durations of the active timers, shortest first. */
  get running(): number[] {
    return [...this.timers].map(({ ms }) => ms).sort((a, b) => a - b);
  }

  /** Milliseconds until the next timer is due; undefined if none is active. */
  get nextIn(): number | undefined {
    const next = this.next();
    return next && next.due - this.time;
  }

  /** Resolves when a timer of this duration is active. */
  async started(ms: number): Promise<void> {
    while (!this.running.includes(ms)) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  /** Advances time and runs due timers in order. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.next();
      if (!next || next.due > end) break;
      this.run(next);
    }
    this.time = Math.max(this.time, end);
  }

  /** Advances time like `advance`, and lets the work that each timer starts go as far as it can. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settled();
    for (;;) {
      const next = this.next();
      if (!next || next.due > end) break;
      this.run(next);
      await settled();
    }
    this.time = end;
  }

  private next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) if (!first || timer.due < first.due) first = timer;
    return first;
  }

  private run(timer: Timer): void {
    this.timers.delete(timer);
    this.time = Math.max(this.time, timer.due);
    timer.callback();
  }
}
