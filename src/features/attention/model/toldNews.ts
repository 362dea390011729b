import type { ChoiceStore } from '../../../core/basics/choiceStore';
import type { AttentionEvent } from '../../../core/lists/attention';

/** When each event (connection, kind, and id) was reported, in milliseconds since the epoch. */
type Told = Record<string, number>;

/** Far more than windows report at the same time. */
const most = 100;

/**
 * What the windows on this computer have reported, so that several windows with one connection report it only once. All
 * windows must share the store.
 */
export class ToldNews {
  constructor(
    private readonly store: ChoiceStore,
    private readonly key: string,
    private readonly now: () => number,
  ) {}

  /** Returns the events that no window has reported since they happened, and records them as reported. */
  claim(baseUrl: string, events: readonly AttentionEvent[]): AttentionEvent[] {
    const told = this.read();
    const keyOf = ({ kind, id }: AttentionEvent) => `${kind} ${id} ${baseUrl}`;
    const fresh = events.filter((event) => (told[keyOf(event)] ?? -Infinity) < event.since);
    if (fresh.length === 0) return fresh;
    const now = this.now();
    const mine = fresh.map((event): [string, number] => [keyOf(event), now]);
    const all = { ...told, ...Object.fromEntries(mine) };
    const newest = Object.entries(all).sort(([, a], [, b]) => b - a);
    void this.store.update(this.key, Object.fromEntries(newest.slice(0, most)));
    return fresh;
  }

  /** Without entries from the future: the clock was set back since. */
  private read(): Told {
    const value = this.store.get(this.key);
    if (typeof value !== 'object' || value === null) return {};
    const now = this.now();
    return Object.fromEntries(
      Object.entries(value).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] <= now,
      ),
    );
  }
}
