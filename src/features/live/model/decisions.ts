import type { AgentEvent } from '../../../api/events/event';
import { timeOf } from '../../../api/events/schema';
import { derived } from '../../../core/basics/derived';
import type { Entry } from '../../../shared/transcript';
import { clip } from '../../transcript';

type Separator = Extract<Entry, { kind: 'separator' }>;

/** Longest reason for a rejection, in characters. */
const mostOfText = 2_000;

/** What somebody decided about the actions that an agent asked for, here or elsewhere. */
interface Decision extends Pick<Separator, 'id' | 'at'> {
  what: 'approved' | 'rejected';
  /** Ids of the actions. */
  ids: string[];
  /** The reason for a rejection. */
  reason: string;
  /** The event that showed it. */
  from: AgentEvent;
}

/**
 * The decisions in events that come in order. A rejection has events of its own; an approval has none, but an agent that
 * waited continues with what it had asked for. Without its state, approvals aren’t known.
 */
class Decided {
  readonly found: Decision[] = [];
  /** The rejected actions whose reason is said below: by the last one of them, or by the message that rejected them. */
  readonly saidBelow = new Set<string>();
  /** The actions that nothing has answered so far, by their ids, with their calls’. */
  private readonly open = new Map<string, string>();
  private isAsking = false;
  /** The last rejection, while nothing else has come. */
  private rejecting: Decision | undefined;
  private first: AgentEvent | undefined;
  private last: AgentEvent | undefined;
  private count = 0;

  /** Whether these are the events so far, and perhaps later ones. */
  isIn(events: readonly AgentEvent[]): boolean {
    return this.count === 0 || (events[0] === this.first && events[this.count - 1] === this.last);
  }

  /** Takes the new events only, so that the cost depends on these alone. */
  take(events: readonly AgentEvent[]): void {
    for (const event of events.slice(this.count)) this.add(event);
    [this.first, this.last, this.count] = [events[0], events.at(-1), events.length];
  }

  private add(event: AgentEvent): void {
    if (event.kind === 'status') this.addStatus(event);
    else this.addOther(event);
  }

  private addStatus(event: Extract<AgentEvent, { kind: 'status' }>): void {
    const { id, status } = event;
    const ids = this.isAsking && status === 'running' ? [...this.open.keys()] : [];
    if (ids.length > 0)
      this.found.push({ id, at: timeOf(event), what: 'approved', ids, reason: '', from: event });
    this.isAsking = status === 'waiting_for_confirmation' || (this.isAsking && status !== 'running');
  }

  private addOther(event: AgentEvent): void {
    const { id, kind } = event;
    if (kind === 'action' && event.action) this.open.set(id, event.callId);
    if (kind === 'observation' || kind === 'rejection') this.open.delete(event.actionId);
    if (kind === 'toolError') {
      const failed = [...this.open].findLast(([, call]) => call === event.callId);
      if (failed) this.open.delete(failed[0]);
    }
    if (kind === 'message' && event.source === 'user' && reasonIn(event.text) === this.rejecting?.reason)
      for (const one of this.rejecting.ids) this.saidBelow.add(one);
    if (kind === 'rejection' && !event.byHook) this.reject(event);
    else if (kind !== 'usage' && kind !== 'hidden') this.rejecting = undefined;
  }

  private reject(event: Extract<AgentEvent, { kind: 'rejection' }>): void {
    const { id, actionId } = event;
    const reason = reasonIn(event.reason);
    if (this.rejecting?.reason === reason) {
      for (const one of this.rejecting.ids) this.saidBelow.add(one);
      this.rejecting.ids.push(actionId);
    } else {
      this.rejecting = { id, at: timeOf(event), what: 'rejected', ids: [actionId], reason, from: event };
      this.found.push(this.rejecting);
    }
  }
}

const reasonIn = (text: string) => clip(text, mostOfText).text;

const withoutReason = derived((entry: Entry) =>
  entry.kind === 'step' ? { ...entry, problem: clip('', 0) } : entry,
);

/** Puts decisions among the entries of a conversation, and knows which of them were made here. */
export class Decisions {
  private readonly mine = new Set<string>();
  private made = new Map<string, Separator>();
  private decided = new Decided();

  /** Notes that these actions were approved or rejected in this window. */
  add(ids: readonly string[]): void {
    for (const id of ids) this.mine.add(id);
  }

  /** The entries with those of the decisions; what hasn’t changed is the same object. */
  among(entries: readonly Entry[], events: readonly AgentEvent[]): readonly Entry[] {
    if (!this.decided.isIn(events)) this.decided = new Decided();
    this.decided.take(events);
    const decided = this.decided.found.filter(({ at }) => Number.isFinite(at));
    if (decided.length === 0) return entries;
    const made = decided.map((decision) => [decision, this.entryOf(decision)] as const);
    this.made = new Map(made.map(([{ id }, entry]) => [id, entry]));
    const all: Entry[] = [];
    let from = 0;
    for (const [decision, entry] of made) {
      const to = placeOf(decision, entries, events, from);
      // A call with all of them as arguments can't take more than about 100,000.
      for (const before of entries.slice(from, to))
        all.push(this.decided.saidBelow.has(before.id) ? withoutReason(before) : before);
      all.push(entry);
      from = to;
    }
    return all.concat(entries.slice(from));
  }

  private entryOf({ id, at, what, ids }: Decision): Separator {
    const isMine = ids.every((one) => this.mine.has(one));
    const known = this.made.get(id);
    if (known?.count === ids.length && known.isMine === isMine) return known;
    return { kind: 'separator', id, at, what, count: ids.length, isMine, text: '' };
  }
}

/** The place of a decision in entries, in order of time and, within a millisecond, of their events. */
function placeOf(
  { at, from: known }: Decision,
  entries: readonly Entry[],
  events: readonly AgentEvent[],
  from: number,
): number {
  let [low, high] = [from, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  if (low === from || entries[low - 1]?.at !== at) return low;
  const later = new Set<string>();
  for (const event of events.slice(events.lastIndexOf(known) + 1)) {
    if (timeOf(event) !== at) break;
    later.add(event.id);
  }
  while (low > from && later.has(entries[low - 1]?.id ?? '')) low -= 1;
  return low;
}
