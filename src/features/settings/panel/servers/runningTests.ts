import { testedAs, type McpServer } from '../../../../shared/mcp';
import type { HostMessage, TestResult } from '../../shared/messages';
import type { OpenForm } from '../openForm';

interface Running {
  about: string[];
  controller: AbortController;
  signsIn: boolean;
}

/** The tests of MCP servers: at most one for each, which the page shows on the server’s row. */
export class RunningTests {
  /** By the server’s id. */
  private readonly running = new Map<string, Running>();
  /** The key of each server’s last test. */
  private readonly keys = new Map<string, string | null>();
  /** What ended while the page was hidden. */
  private readonly unseen = new Map<string, Running & { result: TestResult }>();

  /** @param isLive whether the page can receive messages now */
  constructor(
    private readonly post: (message: HostMessage) => void,
    private readonly isLive: () => boolean,
  ) {}

  /** Runs a test with `key`, or signs in, and ends the previous one of the same server. `test` never rejects. */
  async run(
    server: McpServer,
    key: string | null,
    test: (signal: AbortSignal) => Promise<TestResult>,
    signsIn = false,
  ): Promise<void> {
    const { id } = server;
    this.cancel(id);
    const controller = new AbortController();
    const started = { about: testedAs(server), controller, signsIn };
    this.running.set(id, started);
    this.keys.set(id, key);
    this.unseen.delete(id);
    this.tell(id, { ...started, result: null });
    const ended = { ...started, result: await test(controller.signal) };
    // A later test replaced this one, or the form switched to something else.
    if (this.running.get(id) !== started) return;
    this.running.delete(id);
    if (this.isLive()) this.tell(id, ended);
    else this.unseen.set(id, ended);
  }

  /** Ends a test; its result says that it was canceled. */
  cancel(id: string): void {
    this.running.get(id)?.controller.abort();
  }

  /** Ends and forgets the tests of servers that have another key by now: they say nothing about it. */
  forgetPreviousKeys({ document, edits }: Pick<OpenForm, 'document' | 'edits'>): void {
    for (const server of edits.mcpServers ?? document.model.mcpServers) {
      const { id } = server;
      if (!this.keys.has(id) || this.keys.get(id) === document.secretsOf(server).apiKey) continue;
      const controller = this.running.get(id)?.controller;
      this.running.delete(id);
      this.keys.delete(id);
      this.unseen.delete(id);
      controller?.abort();
      this.post({ type: 'untested', id });
    }
  }

  /** Tells a page that was hidden which tests are running, and how the others ended. */
  tellAgain(): void {
    for (const [id, running] of this.running) this.tell(id, { ...running, result: null });
    for (const [id, ended] of this.unseen) this.tell(id, ended);
    this.unseen.clear();
  }

  /** Ends all tests without a result. */
  end(): void {
    const tests = [...this.running.values()];
    this.running.clear();
    this.keys.clear();
    this.unseen.clear();
    for (const { controller } of tests) controller.abort();
  }

  private tell(
    id: string,
    { about, result, signsIn }: Pick<Running, 'about' | 'signsIn'> & { result: TestResult | null },
  ): void {
    this.post({ type: 'test', id, about, result, ...(signsIn && { signsIn }) });
  }
}
