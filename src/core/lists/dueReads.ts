import type { Clock } from '../../api/http/clock';

interface Needs<T> {
  clock: Pick<Clock, 'now' | 'after'>;
  /** What isn’t being read now. */
  idle: () => readonly T[];
  /** When to read it, by the clock’s `now`; Infinity for never. */
  dueAt: (one: T) => number;
  /** Starts reading it; it isn’t idle until that ends. */
  read: (one: T) => void;
  /** Called when the next is due; has to call `run`. */
  wake: () => void;
}

/** Reads several things, each when it’s due, with one timer. */
export class DueReads<T> {
  private cancelTimer: () => void = () => undefined;

  constructor(private readonly needs: Needs<T>) {}

  /** Reads what is due, and waits for the next. Call this whenever that may have changed. */
  run(): void {
    const { clock, idle, dueAt, read, wake } = this.needs;
    this.stop();
    const now = clock.now();
    for (const one of idle()) if (dueAt(one) <= now) read(one);
    const next = Math.min(...idle().map(dueAt));
    if (Number.isFinite(next)) this.cancelTimer = clock.after(next - now, wake);
  }

  /** Waits for nothing. */
  stop(): void {
    this.cancelTimer();
  }
}
