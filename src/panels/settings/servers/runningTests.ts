import type { HostMessage, TestResult } from '../../../shared/messages';

/** The tests of MCP servers: at most one for each, which the page shows on the server’s row. */
export class RunningTests {
  /** By the server’s id. */
  private readonly running = new Map<string, AbortController>();
  /** What ended while the page was hidden. */
  private readonly unseen = new Map<string, TestResult>();

  /** @param isLive whether the page can receive messages now */
  constructor(
    private readonly post: (message: HostMessage) => void,
    private readonly isLive: () => boolean,
  ) {}

  /** Runs a test, and ends the previous one of the same server. `test` never rejects. */
  async run(id: string, test: (signal: AbortSignal) => Promise<TestResult>): Promise<void> {
    this.cancel(id);
    const controller = new AbortController();
    this.running.set(id, controller);
    this.unseen.delete(id);
    this.tell(id, null);
    const result = await test(controller.signal);
    // A later test replaced this one, or the form switched to something else.
    if (this.running.get(id) !== controller) return;
    this.running.delete(id);
    if (this.isLive()) this.tell(id, result);
    else this.unseen.set(id, result);
  }

  /** Ends a test; its result says that it was canceled. */
  cancel(id: string): void {
    this.running.get(id)?.abort();
  }

  /** Tells a page that was hidden which tests run, and what the others came to. */
  tellAgain(): void {
    for (const id of [...this.running.keys(), ...this.unseen.keys()]) this.tell(id, null);
    for (const [id, result] of this.unseen) this.tell(id, result);
    this.unseen.clear();
  }

  /** Ends all tests without a result. */
  end(): void {
    const tests = [...this.running.values()];
    this.running.clear();
    this.unseen.clear();
    for (const test of tests) test.abort();
  }

  private tell(id: string, result: TestResult | null): void {
    this.post({ type: 'test', id, result });
  }
}
