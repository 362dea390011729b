import { bareId } from '../../api/http/ids';
import type { Conversation } from '../../api/service/schemas/conversation';
import { same } from '../../shared/same';
import { withUsage } from './usage';

/** What a conversation that is followed says about itself, as its record would. */
export type LiveChange = Partial<Pick<Conversation, 'execution_status' | 'sandbox_status'>> & {
  /** What its agent says that it has used. */
  used?: { cost: number | null; tokens: number | null };
  /** True if its server can't interrupt it. */
  isUninterruptible?: boolean;
};

/** Where a change comes from. */
export interface LiveSource {
  /** Whether it’s still followed: then it knows better than any list. */
  follows: () => boolean;
  /** Looks again now, because a list says something else. */
  lookAgain: () => void;
}

interface Known {
  change: LiveChange;
  source: LiveSource;
  /** When it was heard, in milliseconds since the epoch. */
  at: number;
  /** What a list said against it, so that each contradiction is looked into once. */
  doubted?: string | null | undefined;
}

/**
 * What open conversations say of themselves, so that the lists say the same at the same time. While one is followed, it
 * counts; after that, until a list is read again.
 */
export class LiveStates {
  private readonly known = new Map<string, Known>();

  /** @param now milliseconds since the epoch */
  constructor(private readonly now: () => number) {}

  /** Takes what a conversation says. */
  hear(id: string, change: LiveChange, source: LiveSource): void {
    const key = bareId(id);
    const before = this.known.get(key);
    const doubted = before && same(before.change, change) ? before.doubted : undefined;
    this.known.set(key, { change, source, at: this.now(), doubted });
  }

  /**
   * A record as it is now.
   *
   * @param began when the request for it began; undefined for one that was read before
   */
  applied(record: Conversation, began?: number): Conversation {
    // A list may have thousands.
    if (this.known.size === 0) return record;
    const key = bareId(record.id);
    const known = this.known.get(key);
    if (!known) return record;
    const { change, source, at } = known;
    // A time that is still to come is one from before the clock was set back.
    if (began !== undefined && (began > at || at > this.now())) {
      if (!source.follows()) {
        this.known.delete(key);
        return record;
      }
      const said = record.execution_status;
      if (said && said !== change.execution_status && said !== known.doubted) {
        known.doubted = said;
        source.lookAgain();
      }
    }
    const { used, ...members } = change;
    const changed = { ...record, ...members, ...(used && { metrics: withUsage(record, used) }) };
    return same(changed, record) ? record : changed;
  }

  clear(): void {
    this.known.clear();
  }
}
