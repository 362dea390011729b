import type { ChoiceStore } from '../../../core/basics/choiceStore';
import { bareId } from '../../../api/http/ids';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { derived } from '../../../core/basics/derived';
import { keepNewest } from '../../../core/basics/keepNewest';
import { Emitter } from '../../../core/basics/emitter';
import { newestOf } from '../../../core/lists/attention';
import { type StateGroup, stateGroupOf } from '../../../core/lists/stateGroups';
import { conversationState, lastActive, settledAfterMs } from '../../../core/lists/status';
import { membersOf } from '../../../shared/membersOf';

/** What is kept of a service. Times are milliseconds since the epoch. */
interface Marks {
  /** What changed until then was there before anybody looked. */
  since: number;
  /** When each conversation was looked at, by id as `bareId` writes it; 0 for those that were marked as unread. */
  seen: Record<string, number>;
}

/** No working clock is this far ahead of another, in milliseconds. */
const aheadMs = 24 * 60 * 60_000;
/** Far more than people look at. */
const most = 500;
/** Twice as many as the longest lists have. */
const mostWorked = 20_000;

/** What has changed since somebody looked, on this computer. */
export class ReadMarks {
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;
  /** The conversations in visible tabs, by service and id. */
  private readonly visible = new Map<string, { service: string; id: string }>();
  private focused = true;
  /** What was observed last, by service. */
  private readonly observed = new Map<string, readonly Conversation[]>();
  /** When an agent last did something, as far as this window saw: pausing its sandbox is no news. */
  private readonly worked = new Map<string, number>();
  /** What the user did here: the group of each conversation at that time, and how long a change counts as its effect. */
  private readonly acts = new Map<string, { group: StateGroup; until: number }>();

  /** @param now milliseconds since the epoch */
  constructor(
    private readonly store: ChoiceStore,
    private readonly keyOf: (service: string) => string,
    private readonly now: () => number,
  ) {}

  /** Takes what was read of a service. At the first time, nothing is new. */
  observe(service: string, conversations: readonly Conversation[]): void {
    if (conversations.length === 0 || service === '' || this.observed.get(service) === conversations) return;
    this.observed.set(service, conversations);
    const marks = this.read(service);
    const isAhead = (mark: number, one: Conversation) =>
      mark > this.now() + aheadMs && mark > lastActive(one);
    if (!marks || conversations.every((one) => isAhead(marks.since, one)))
      this.write(service, {
        since: newestOf(conversations.map(lastActive), this.now()),
        seen: marks?.seen ?? {},
      });
    // Marks from when this computer’s clock was ahead would hide what’s new until then.
    const wrong = conversations.filter((one) => isAhead(marks?.seen[bareId(one.id)] ?? 0, one));
    if (wrong.length > 0) this.markRead(service, wrong);
    for (const conversation of conversations)
      if (!['working', 'paused'].includes(stateGroupOf(conversation)))
        keepNewest(this.worked, key(service, conversation.id), lastActive(conversation), mostWorked);
    // Whoever looks on has seen it, also if the window is closed next, or for another window.
    const isSeen = (one: Conversation) => this.isLookedAt(service, one.id) && !this.isUnread(service, one);
    const watched = conversations.filter(
      (one) => (this.isOwnEffect(service, one) || isSeen(one)) && this.hasNews(service, one),
    );
    if (watched.length > 0) this.markRead(service, watched);
  }

  /** Whether a conversation has changed since somebody looked. A working agent changes all the time. */
  isUnread(service: string, conversation: Conversation): boolean {
    return (
      this.read(service)?.seen[bareId(conversation.id)] === 0 ||
      (!this.isLookedAt(service, conversation.id) && this.hasNews(service, conversation))
    );
  }

  private hasNews(service: string, conversation: Conversation): boolean {
    const marks = this.read(service);
    const group = stateGroupOf(conversation);
    if (!marks || group === 'working') return false;
    const { id } = conversation;
    const worked = group === 'paused' ? this.worked.get(key(service, id)) : undefined;
    const at = worked ?? lastActive(conversation);
    return at > (marks.seen[bareId(id)] ?? marks.since);
  }

  /**
   * The user changes conversations here. The state that follows isn’t news.
   * @param stops whether that may take until a long step has ended
   */
  acted(service: string, isMeant: (conversation: Conversation) => boolean, stops = false): void {
    for (const one of this.observed.get(service) ?? []) {
      if (!isMeant(one) || this.isUnread(service, one)) continue;
      const group = stateGroupOf(one);
      const until = stops && group === 'working' ? Infinity : this.now() + settledAfterMs;
      this.acts.set(key(service, one.id), { group, until });
    }
  }

  /** Whether a conversation’s state comes from what the user did here. Forgets that once something else has happened. */
  private isOwnEffect(service: string, one: Conversation): boolean {
    const place = key(service, one.id);
    const act = this.acts.get(place);
    if (!act) return false;
    const group = stateGroupOf(one);
    if (group === act.group && this.now() < act.until) return true;
    const fromAgent = act.group === 'paused' ? ['failed'] : ['failed', 'needsYou', 'finished'];
    const isOver =
      conversationState(one) === 'running' || fromAgent.includes(group) || this.now() >= act.until;
    if (isOver) this.acts.delete(place);
    else {
      // What follows a pause is the agent’s; what follows a start of its sandbox isn’t.
      const next = group === 'paused' ? 'idle' : group === 'working' ? act.group : group;
      this.acts.set(place, { group: next, until: this.now() + settledAfterMs });
    }
    return !isOver;
  }

  markRead(service: string, conversations: readonly Conversation[]): void {
    const seen = conversations.map((one): [string, number] => [
      one.id,
      Math.max(this.now(), lastActive(one)),
    ]);
    this.mark(service, seen);
  }

  markUnread(service: string, conversations: readonly Conversation[]): void {
    this.mark(
      service,
      conversations.map(({ id }) => [id, 0]),
    );
  }

  /** Sets whether the tab of a conversation is visible. */
  setVisible(service: string, id: string, visible: boolean): void {
    const place = key(service, id);
    if (visible === this.visible.has(place)) return;
    if (visible) this.visible.set(place, { service, id });
    else this.visible.delete(place);
    if (this.focused) this.see(service, id);
  }

  /** Sets whether the window is focused. */
  setFocused(focused: boolean): void {
    if (focused === this.focused) return;
    this.focused = focused;
    for (const { service, id } of this.visible.values()) this.see(service, id);
  }

  /** Whether the tab of a conversation is on screen in the focused window. */
  isLookedAt(service: string, id: string): boolean {
    return this.focused && this.visible.has(key(service, id));
  }

  private see(service: string, id: string): void {
    const known = this.observed.get(service)?.find((one) => bareId(one.id) === bareId(id));
    // The service’s clock may be ahead.
    this.mark(service, [[id, Math.max(this.now(), known ? lastActive(known) : 0)]]);
  }

  private mark(service: string, seen: readonly (readonly [id: string, at: number])[]): void {
    const { since, seen: before } = this.read(service) ?? { since: this.now(), seen: {} };
    const all = { ...before, ...Object.fromEntries(seen.map(([id, at]) => [bareId(id), at])) };
    const newest = Object.entries(all).sort(([, a], [, b]) => (a === 0 ? -1 : b === 0 ? 1 : b - a));
    this.write(service, { since, seen: Object.fromEntries(newest.slice(0, most)) });
    this.changed.fire(undefined);
  }

  private read(service: string): Marks | undefined {
    const stored = this.store.get(this.keyOf(service));
    return typeof stored === 'object' && stored !== null ? marksIn(stored) : undefined;
  }

  private write(service: string, marks: Marks): void {
    const key = this.keyOf(service);
    void this.store.update(key, { ...membersOf(this.store.get(key)), ...marks });
  }
}

const marksIn = derived((stored: object): Marks | undefined => {
  const { since, seen } = stored as Partial<Record<keyof Marks, unknown>>;
  if (typeof since !== 'number') return undefined;
  const entries = Object.entries(Object(seen) as object).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return { since, seen: Object.fromEntries(entries) };
});

const key = (service: string, id: string) => `${bareId(id)} ${service}`;
