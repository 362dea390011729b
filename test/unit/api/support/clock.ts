import type { Clock } from '../../../../src/api/http/clock';

interface Timer {
  due: number;
  ms: number;
  callback: () => void;
}

/** A clock that stands still until it is advanced. `random` always returns 0.5. */
export class FakeClock implements Clock {
  private time = 0;
  private readonly timers = new Set<Timer>();
  private watchers: (() => void)[] = [];

  /** @param skips selects timers that are due immediately, as if the time had passed. */
  constructor(private readonly skips: (ms: number) => boolean = () => false) {}

  /** The time at which every fake clock starts, in milliseconds since 1970. */
  static readonly start = Date.UTC(2025, 10, 21, 8, 0, 0);

  now = () => this.time;
  date = () => FakeClock.start + this.time;
  random = () => 0.5;

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

  /** Resolves when a timer of this duration is active. */
  async started(ms: number): Promise<void> {
    while (!this.running.includes(ms)) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  /** Advances time and runs due timers in order. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [next] = [...this.timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (!next) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.due);
      next.callback();
    }
    this.time = Math.max(this.time, end);
  }
}
