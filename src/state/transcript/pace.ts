import type { Disposable } from '../basics/emitter';
import type { Timer } from '../lists/refresher';

/** Runs work again and again, one at a time, while there is a reason to. */
export class Pace implements Disposable {
  private handle: unknown;
  private running = false;
  private again = false;
  private stopped = true;

  /**
   * @param work never rejects
   * @param waitMs milliseconds to wait after each run; read then
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly waitMs: () => number,
    private readonly timer: Timer,
  ) {}

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.soon();
  }

  /** Runs now, or once more after the run in progress. */
  soon(): void {
    if (this.stopped) return;
    this.again = true;
    this.cancel();
    if (!this.running) void this.run();
  }

  dispose(): void {
    this.stopped = true;
    this.cancel();
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.again) {
      this.again = false;
      await this.work();
    }
    this.running = false;
    if (!this.stopped) this.handle = this.timer.setTimeout(() => this.soon(), this.waitMs());
  }

  private cancel(): void {
    this.timer.clearTimeout(this.handle);
    this.handle = undefined;
  }
}
