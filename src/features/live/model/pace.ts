import type { Clock } from '../../../api/http/clock';
import { coalesce } from '../../../core/basics/coalesce';
import type { Disposable } from '../../../core/basics/emitter';

/** Runs work again and again, one at a time, while there is a reason to. */
export class Pace implements Disposable {
  private cancelTimer: (() => void) | undefined;
  private stopped = true;
  private readonly run: () => Promise<void>;

  /**
   * @param work never rejects
   * @param waitMs milliseconds to wait after each run; read then
   */
  constructor(work: () => Promise<void>, waitMs: () => number, after: Clock['after']) {
    this.run = coalesce(async () => {
      this.cancel();
      await work();
      if (!this.stopped) this.cancelTimer = after(waitMs(), () => this.soon());
    });
  }

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.soon();
  }

  /** Runs now, or once the current run has ended. */
  soon(): void {
    if (!this.stopped) void this.run();
  }

  dispose(): void {
    this.stopped = true;
    this.cancel();
  }

  private cancel(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }
}
