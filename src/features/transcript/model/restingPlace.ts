import type { AgentEvent } from '../../../api/events/event';

/**
 * Where an agent can continue as it could after an entry: the entry’s event, or the first one after it on its branch with
 * which every action has its answer. An agent that continued before that would first run an action that nobody approved.
 *
 * @param events all events of the conversation, in order of time
 * @param entryId the id of the entry’s event
 * @returns the event’s id; undefined if there’s none, or not everything before is known
 */
export function restingPlace(events: readonly AgentEvent[], entryId: string): string | undefined {
  const byId = new Map(events.map((event) => [event.id, event]));
  const chain: AgentEvent[] = [];
  const seen = new Set<string>();
  for (let id: string | undefined = entryId; id !== undefined; id = byId.get(id)?.parent) {
    const event = byId.get(id);
    if (!event || seen.has(id)) return undefined;
    seen.add(id);
    chain.unshift(event);
  }
  const [root] = chain;
  const open = new OpenActions();
  // Events from before an update of the server name no parent, and come before those that do.
  for (const event of events) {
    if (event === root) break;
    if (event.parent === undefined && !seen.has(event.id)) open.add(event);
  }
  for (const event of chain) open.add(event);
  let last: ReadonlySet<string> = new Set([entryId]);
  let place = entryId;
  for (const event of events.slice(events.findIndex(({ id }) => id === entryId) + 1)) {
    if (open.areNone) break;
    if (event.parent === undefined || !last.has(event.parent)) continue;
    // Updates of the state hang off the branch without being part of it.
    if (event.kind === 'hidden') {
      last = new Set([...last, event.id]);
      continue;
    }
    if (event.kind === 'message') return undefined;
    open.add(event);
    place = event.id;
    last = new Set([place]);
  }
  return open.areNone && !open.mayHaveMore ? place : undefined;
}

/** The actions of a branch that nothing has answered. */
class OpenActions {
  /** Ids of actions, with those of their calls. */
  private readonly open = new Map<string, string>();
  /** Whether something couldn’t be read that may be an action. */
  mayHaveMore = false;

  add(event: AgentEvent): void {
    if (event.kind === 'action') this.open.set(event.id, event.callId);
    if (event.kind === 'observation' || event.kind === 'rejection') this.open.delete(event.actionId);
    if (event.kind === 'unread') {
      if (event.actionId === undefined) this.mayHaveMore = true;
      else this.open.delete(event.actionId);
    }
    if (event.kind !== 'toolError') return;
    const answered = [...this.open].findLast(([, callId]) => callId === event.callId);
    if (answered) this.open.delete(answered[0]);
  }

  get areNone(): boolean {
    return this.open.size === 0;
  }
}
