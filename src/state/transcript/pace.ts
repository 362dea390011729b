import type { Clock } from '../../api/http/clock';
import type { Disposable } from '../basics/emitter';

/** Runs work again and again, one at a time, while there is a reason to. */
export class Pace implements Disposable {
  private cancelTimer: (() => void) | undefined;
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
    private readonly after: Clock['after'],
  ) {}

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.soon();
  }

  /** Runs now, or again after the run in progress. */
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
    if (!this.stopped) this.cancelTimer = this.after(this.waitMs(), () => this.soon());
  }

  private cancel(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }
}
