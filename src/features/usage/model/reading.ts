import type { ApiClient } from '../../../api/service/client';
import { bareId, isUuid } from '../../../api/http/ids';
import type { Page } from '../../../api/page';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { UsageTotals } from './totals';

/** A connection whose conversations count. */
export interface UsageSource {
  /** Its name. */
  connection: string;
  client: Pick<ApiClient, 'listConversations'>;
}

/** How far reading one connection has come. */
export interface UsageProgress {
  readonly connection: string;
  /** Conversations that were read, and records that couldn’t be. */
  read: number;
  skipped: number;
  /** Conversations that another connection to the same service has, too, and that were counted there. */
  counted: number;
  /** Whether there are older ones. */
  hasMore: boolean;
  /** Why the last page couldn’t be read. */
  error: unknown;
}

/**
 * How many pages of a hundred conversations are read for each connection before the user is asked whether to continue.
 */
const pagesAtOnce = 10;

/** Reads the conversations of connections, the newest first, and sums up what they have used. */
export class UsageReading {
  readonly totals = new UsageTotals();
  private readonly readers: readonly Reader[];

  constructor(sources: readonly UsageSource[]) {
    const counted = new Set<string>();
    this.readers = sources.map((source) => new Reader(source, this.totals, counted));
  }

  get progress(): readonly UsageProgress[] {
    return this.readers;
  }

  get hasMore(): boolean {
    return this.readers.some(({ hasMore }) => hasMore);
  }

  /** Continues reading where it stopped. Never rejects. */
  async readOn(signal: AbortSignal, changed: () => void): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.readOn(signal, changed)));
  }
}

class Reader implements UsageProgress {
  readonly connection: string;
  read = 0;
  skipped = 0;
  counted = 0;
  hasMore = true;
  error: unknown;
  private pageId: string | undefined;
  private readonly seenPages = new Set<string | undefined>();
  /** A conversation may move to another page between two readings. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly source: UsageSource,
    private readonly totals: UsageTotals,
    /** UUIDs that any connection has counted: a service may be reached by several addresses. */
    private readonly everywhere: Set<string>,
  ) {
    this.connection = source.connection;
  }

  async readOn(signal: AbortSignal, changed: () => void): Promise<void> {
    this.error = undefined;
    const isStopped = () => signal.aborted;
    for (let page = 0; page < pagesAtOnce && this.hasMore && !isStopped(); page += 1) {
      try {
        const query = { limit: 100, includeSubConversations: true, pageId: this.pageId };
        this.take(await this.source.client.listConversations(query, signal));
      } catch (error) {
        if (!isStopped()) this.error = error;
        return;
      } finally {
        changed();
      }
    }
  }

  private take({ items, nextPageId, skipped = 0 }: Page<Conversation>): void {
    for (const record of items) {
      const id = bareId(record.id);
      if (this.seen.has(id)) continue;
      this.seen.add(id);
      this.read += 1;
      if (isUuid(id) && this.everywhere.has(id)) {
        this.counted += 1;
        continue;
      }
      this.everywhere.add(id);
      this.totals.add(this.connection, record);
    }
    this.skipped += skipped;
    this.seenPages.add(this.pageId);
    // A list without an end isn’t read again.
    this.hasMore = nextPageId !== null && !this.seenPages.has(nextPageId);
    this.pageId = nextPageId ?? undefined;
  }
}
