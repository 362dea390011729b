/** How long a page waits for more typing, in milliseconds. */
const idleMs = 200;

/** Does something once the user has stopped typing, or at once when it can’t wait. */
export class WhenIdle {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly act: () => void) {}

  /** The user typed: starts waiting again. */
  wait(): void {
    this.cancel();
    this.timer = setTimeout(() => this.now(), idleMs);
  }

  /** Does it now, if it’s still waiting. */
  now(): void {
    if (this.cancel()) this.act();
  }

  /** Stops waiting; true if it was. */
  cancel(): boolean {
    clearTimeout(this.timer);
    const wasWaiting = this.timer !== undefined;
    this.timer = undefined;
    return wasWaiting;
  }
}
