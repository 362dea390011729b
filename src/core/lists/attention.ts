import type { Conversation } from '../../api/service/schemas/conversation';
import { keepNewest } from '../basics/keepNewest';

/** Twice as many as the longest lists have. What is forgotten beyond that is no news when it’s seen again. */
const mostAgents = 20_000;

/** What users can be notified about. */
export type AttentionKind =
  'agentWaits' | 'agentEnded' | 'agentFailed' | 'automationFailed' | 'sandboxFailed' | 'sandboxPaused';

/**
 * Something that happened to one conversation (kinds `agent…`), one sandbox (kinds `sandbox…`), or one run of an
 * automation.
 */
export interface AttentionEvent {
  readonly kind: AttentionKind;
  readonly id: string;
  /** When it was last seen not to be the case, in milliseconds since the epoch. */
  readonly since: number;
  /** A conversation's title, or an automation’s name, as the service gives it. */
  readonly title?: string | undefined;
  /** The service's own words about a sandbox or a run that failed. */
  readonly detail?: string | undefined;
  /** The automation that a run is of. */
  readonly automation?: string | undefined;
}

type AgentState = 'busy' | 'agentWaits' | 'agentEnded' | 'agentFailed';

/**
 * Finds out what's new about the agents of one connection: compares each conversation with what was last known of it,
 * however long ago. At the first look, nothing is new. A conversation that was created after that is news even when it's
 * seen for the first time.
 */
export class Attention {
  private readonly agents = new Map<string, { state: AgentState; readAt: number }>();
  /** When the newest conversation of the first look was created; undefined before that look. */
  private newestAtFirst: number | undefined;
  private lookedAt = 0;

  /** Takes what was read at `now` (milliseconds since the epoch), and returns what happened since the last call. */
  observe(conversations: readonly Conversation[], now: number): AttentionEvent[] {
    this.newestAtFirst ??= newestOf(conversations.map(createdAt), now);
    const events = conversations.flatMap((conversation) => this.observeAgent(conversation, now) ?? []);
    this.lookedAt = now;
    return events;
  }

  /** Whether an event still describes its agent. */
  isStill({ kind, id }: AttentionEvent): boolean {
    return this.agents.get(id)?.state === kind;
  }

  private observeAgent(conversation: Conversation, now: number): AttentionEvent | undefined {
    const state = agentState(conversation);
    if (state === undefined) return undefined;
    const { id, title } = conversation;
    const known = this.agents.get(id);
    keepNewest(this.agents, id, { state, readAt: now }, mostAgents);
    const previous = known?.state ?? (this.isNew(conversation) ? 'busy' : state);
    if (previous === state || state === 'busy') return undefined;
    return { kind: state, id, since: known?.readAt ?? this.lookedAt, title: title ?? undefined };
  }

  private isNew(conversation: Conversation): boolean {
    return this.lookedAt > 0 && createdAt(conversation) > (this.newestAtFirst ?? Infinity);
  }
}

const dayMs = 24 * 60 * 60_000;

/** The latest of some times; not one that a broken clock gave, which nothing later could exceed, unless all are. */
export function newestOf(times: readonly number[], now: number): number {
  const sound = times.filter((time) => time < now + dayMs);
  return (sound.length > 0 ? sound : times).reduce((a, b) => Math.max(a, b), 0);
}

/** By the service's clock; 0 when unknown. */
const createdAt = ({ created_at }: Conversation) => Date.parse(created_at ?? '') || 0;

/** Undefined if the status says nothing: an agent has none while its sandbox or the agent itself is paused. */
export function agentState({
  execution_status,
}: Pick<Conversation, 'execution_status'>): AgentState | undefined {
  switch (execution_status?.toLowerCase()) {
    case undefined:
    case 'paused':
      return undefined;
    case 'waiting_for_confirmation':
      return 'agentWaits';
    case 'finished':
      return 'agentEnded';
    case 'error':
    case 'stuck':
      return 'agentFailed';
    default:
      return 'busy';
  }
}
