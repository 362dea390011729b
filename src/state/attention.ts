import type { Conversation } from '../api/schemas/conversation';
import type { Sandbox } from '../api/schemas/sandbox';
import type { PendingAction } from './pendingActions';
import { sandboxPhase } from './status';

/** What can happen that somebody may want to be told. */
export type AttentionKind = 'agentWaits' | 'agentEnded' | 'agentFailed' | 'sandboxFailed' | 'sandboxPaused';

/** Something that happened to one conversation (kinds `agent…`) or one sandbox (kinds `sandbox…`). */
export interface AttentionEvent {
  readonly kind: AttentionKind;
  readonly id: string;
  /** A conversation's title, as the service gives it. */
  readonly title?: string | undefined;
  /** The service's own words about a sandbox that failed. */
  readonly detail?: string | undefined;
}

/** What is seen at one moment; a list that was not read well is left out. */
export interface Sight {
  readonly sandboxes?: readonly Sandbox[] | undefined;
  readonly conversations?: readonly Conversation[] | undefined;
  readonly pending: (sandboxId: string) => PendingAction | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A sandbox that comes up may show an error until it is healthy, and a pause asked for may take its time. */
const patienceMs = 120_000;

type AgentState = 'busy' | 'agentWaits' | 'agentEnded' | 'agentFailed';

interface KnownSandbox {
  state: 'running' | 'starting' | 'paused' | 'missing' | 'failed';
  /** Until when a pause counts as asked for from here. */
  pauseAskedUntil: number;
  /** Since when it fails and nothing was said of it. */
  failsSince: number | undefined;
}

/**
 * Tells news from what was so before, for one connection: compares each record with what was last known of it, however
 * long ago and whatever list it was in. What is so when a record is first seen is no news, and neither is a pause that
 * was asked for from here. So each event comes once.
 */
export class Attention {
  private readonly agents = new Map<string, AgentState>();
  private readonly sandboxes = new Map<string, KnownSandbox>();

  /** Takes in what is seen now, and returns what has happened since. */
  observe({ sandboxes = [], conversations = [], pending, now }: Sight): AttentionEvent[] {
    return [
      ...conversations.flatMap((conversation) => this.observeAgent(conversation) ?? []),
      ...sandboxes.flatMap((sandbox) => this.observeSandbox(sandbox, pending(sandbox.id), now) ?? []),
    ];
  }

  private observeAgent(conversation: Conversation): AttentionEvent | undefined {
    const state = agentState(conversation);
    if (state === undefined) return undefined;
    const { id, title } = conversation;
    const former = this.agents.get(id);
    this.agents.set(id, state);
    if (former === undefined || former === state || state === 'busy') return undefined;
    return { kind: state, id, title: title ?? undefined };
  }

  private observeSandbox(
    sandbox: Sandbox,
    pending: PendingAction | undefined,
    now: number,
  ): AttentionEvent | undefined {
    const { id } = sandbox;
    const pauseAskedUntil = pending === 'pausing' ? now + patienceMs : 0;
    const known = this.sandboxes.get(id);
    if (known && pauseAskedUntil > 0) known.pauseAskedUntil = pauseAskedUntil;
    const state = sandboxState(sandbox);
    if (state === undefined) return undefined;
    if (!known) {
      this.sandboxes.set(id, { state, pauseAskedUntil, failsSince: undefined });
      return undefined;
    }
    const former = known.state;
    known.state = state;
    if (state === 'failed') {
      if (former !== 'failed') known.failsSince = now;
      if (known.failsSince === undefined) return undefined;
      if (former !== 'running' && now - known.failsSince < patienceMs) return undefined;
      known.failsSince = undefined;
      return { kind: 'sandboxFailed', id, detail: sandbox.status_detail ?? undefined };
    }
    known.failsSince = undefined;
    if (state !== 'paused' || (former !== 'running' && former !== 'starting')) return undefined;
    const askedHere = now < known.pauseAskedUntil;
    known.pauseAskedUntil = 0;
    return askedHere ? undefined : { kind: 'sandboxPaused', id };
  }
}

/** Undefined where the status says nothing new: an agent has none while its sandbox, or it itself, is paused. */
function agentState({ execution_status }: Conversation): AgentState | undefined {
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

function sandboxState(sandbox: Sandbox): KnownSandbox['state'] | undefined {
  const phase = sandboxPhase(sandbox);
  if (phase !== 'other') return phase;
  return sandbox.status?.toUpperCase() === 'ERROR' ? 'failed' : undefined;
}
