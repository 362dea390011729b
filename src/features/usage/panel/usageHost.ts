import { parseFromUsagePage, type FromUsagePage, type ShownUsage } from '../../../shared/usageMessages';
import { UsageReading, type UsageSource } from '../model/reading';
import { uncountedWords } from '../model/words';

/** What the panel does for its host. */
export interface UsagePorts {
  post: (message: ShownUsage) => void;
  /** The connections to read, and the names of those without a key. */
  sources: () => Promise<{ sources: readonly UsageSource[]; withoutKey: readonly string[] }>;
  describe: (error: unknown) => string;
  /** Logs why a message was refused. */
  refuse: (reason: string) => void;
}

/** Reads what conversations have used for the page that shows it. */
export class UsageHost {
  private reading: UsageReading | undefined;
  private withoutKey: readonly string[] = [];
  private stopping: AbortController | undefined;

  constructor(private readonly ports: UsagePorts) {}

  /** Handles a message of the page. Resolves once what it asked for was read. */
  async handle(data: unknown): Promise<void> {
    const parsed = parseFromUsagePage(data);
    if (parsed.ok) await this.handlers[parsed.message.type]();
    else this.ports.refuse(parsed.reason);
  }

  private readonly handlers: Record<FromUsagePage['type'], () => unknown> = {
    ready: () => (this.stopping || this.reading ? this.show() : this.refresh()),
    refresh: () => this.refresh(),
    readMore: () => this.read((signal) => this.readOn(signal)),
    stop: () => {
      this.dispose();
      this.show();
    },
  };

  /** Reads everything afresh. */
  refresh(): Promise<void> {
    return this.read(async (signal) => {
      const { sources, withoutKey } = await this.ports.sources();
      if (signal.aborted) return;
      this.reading = new UsageReading(sources);
      this.withoutKey = withoutKey;
      await this.readOn(signal);
    });
  }

  /** Stops reading; what was read stays. */
  dispose(): void {
    this.stopping?.abort();
    this.stopping = undefined;
  }

  private async read(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.dispose();
    const stopping = new AbortController();
    this.stopping = stopping;
    this.show();
    try {
      await work(stopping.signal);
    } finally {
      if (this.stopping === stopping) {
        this.stopping = undefined;
        this.show();
      }
    }
  }

  private async readOn(signal: AbortSignal): Promise<void> {
    await this.reading?.readOn(signal, () => {
      if (!signal.aborted) this.show();
    });
  }

  private show(): void {
    const { reading, ports, withoutKey } = this;
    const { totals, hasMore } = reading ?? new UsageReading([]);
    const isReading = this.stopping !== undefined;
    ports.post({
      type: 'usage',
      isReading,
      hasMore,
      total: totals.total,
      tables: totals.tables,
      // It changes with every page.
      uncounted: isReading || !reading ? [] : uncountedWords(reading, withoutKey, ports.describe),
    });
  }
}
