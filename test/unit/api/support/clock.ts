import type { Clock } from '../../../../src/api/clock';

interface Timer {
  due: number;
  ms: number;
  callback: () => void;
}

/** A clock that stands still until it is told. Chance is always one half. */
export class FakeClock implements Clock {
  private time = 0;
  private readonly timers = new Set<Timer>();
  private watchers: (() => void)[] = [];

  /** @param skips timers that need no waiting: they are due at once, as if the time had passed. */
  constructor(private readonly skips: (ms: number) => boolean = () => false) {}

  /** Moment at which the clock was made, in milliseconds since 1970. */
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

  /** Lengths of the timers that run, shortest first. */
  get running(): number[] {
    return [...this.timers].map(({ ms }) => ms).sort((a, b) => a - b);
  }

  /** Resolves when a timer of this length runs. */
  async started(ms: number): Promise<void> {
    while (!this.running.includes(ms)) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  /** Lets time pass, and what falls due happen in order. */
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
