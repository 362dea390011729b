import type { AgentEvent } from '../../../api/events/event';

/** The event from which the agent continues. */
export interface Leaf {
  /** The latest event on its branch; null on releases without branches. */
  leaf: string | null;
  /** How many events were known when that was read: later ones come after it. */
  size: number;
}

/**
 * The branches of a conversation that went back to an earlier event. The server continues from one event, its leaf, and
 * what isn’t before that was left. Releases without branches name no event’s parent.
 */
export class Branches {
  private readonly parents = new Map<string, string | undefined>();
  /** The last path that was looked for: it's the same one as long as nothing is new. */
  private known: { id: string; path: ReadonlySet<string> | undefined } | undefined;

  /** Whether the server says which event comes before another. */
  hasParents = false;

  add({ id, kind, parent }: AgentEvent): void {
    if (parent !== undefined) this.hasParents = true;
    // Nobody may know what comes before an event that can’t be read.
    if (kind !== 'unread' || parent !== undefined) this.parents.set(id, parent);
    this.known = undefined;
  }

  /** Whether the events before this one are known to the start. */
  leadsToStart(id: string): boolean {
    return this.pathTo(id) !== undefined;
  }

  /** Whether the conversation has certainly left this event behind, if it continues from the leaf. */
  hasLeft(id: string, leaf: string): boolean {
    if (this.known?.id !== leaf) this.known = { id: leaf, path: this.pathTo(leaf) };
    const { path } = this.known;
    const own = this.pathTo(id);
    // Without a place where they part, one of them may only lack the event before it, as those from before an update of
    // the server do.
    return path !== undefined && own !== undefined && !path.has(id) && [...own].some((one) => path.has(one));
  }

  /** The event and those before it; undefined if they don’t lead to the start. */
  private pathTo(id: string): ReadonlySet<string> | undefined {
    const path = new Set<string>();
    for (let next: string | undefined = id; next !== undefined; next = this.parents.get(next)) {
      if (path.has(next) || !this.parents.has(next)) return undefined;
      path.add(next);
    }
    return path;
  }
}
