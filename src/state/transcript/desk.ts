import type { AgentClient } from '../../api/agent/client';
import type { AgentConversation } from '../../api/agent/schemas/conversation';
import { ApiError } from '../../api/http/errors';
import type { Execution, Head, PendingAction } from '../../shared/transcript';
import { Refusal } from '../basics/refusal';
import type { Outcome } from './model';
import type { Outbox } from './outbox';
import type { TranscriptPorts } from './ports';

/** What code needs that changes a conversation. */
export interface Desk {
  readonly id: string;
  readonly ports: TranscriptPorts;
  readonly head: Head;
  readonly outbox: Outbox;
  /** Aborted with the conversation. */
  readonly signal: AbortSignal;
  /** Time of the newest known event. */
  readonly newest: string;
  /** Finds the agent server afresh. Throws a Refusal if there is none to talk to, and ApiError. */
  reach: (whileWaking?: () => void) => Promise<AgentClient>;
  /** Reads the state afresh. Throws ApiError. */
  readStatus: (agent: AgentClient) => Promise<AgentConversation>;
  /** Reads the events afresh. Throws ApiError. */
  readEvents: () => Promise<void>;
  /** What waits for approval by the last readings. */
  pendingNow: () => PendingAction[];
  /** Actions that were just answered: the old state may still show for a moment. */
  answered: (ids: readonly string[]) => void;
  /** Whether these were just answered, and no later reading has shown them again. */
  isAnswered: (ids: readonly string[]) => boolean;
  /** Reads soon, since something is about to change. */
  lookSoon: () => void;
}

/** Milliseconds between two looks at an agent after a request, and how many. */
const lookMs = 200;
const mostLooks = 10;

export const done: Outcome = { kind: 'done' };

/** The outcome of a failed change. An error that isn’t about a request is a bug, and is thrown again. */
export function outcomeOf(
  error: unknown,
  { describe }: Pick<TranscriptPorts, 'describe'>,
): Exclude<Outcome, { kind: 'done' }> {
  if (error instanceof Refusal) return { kind: 'refused', problem: error.message };
  if (!(error instanceof ApiError)) throw error;
  return { kind: error.outcomeUnknown ? 'unknown' : 'refused', problem: describe(error) };
}

/** Runs a change to its outcome, and looks at the conversation soon. */
export async function attempt(desk: Desk, work: () => Promise<void>): Promise<Outcome> {
  try {
    await work();
    return done;
  } catch (error) {
    return outcomeOf(error, desk.ports);
  } finally {
    desk.lookSoon();
  }
}

/** Likewise, while no other window changes this conversation. */
export function attemptAlone(desk: Desk, work: () => Promise<void>): Promise<Outcome> {
  return attempt(desk, () => desk.ports.exclusively(desk.id, work));
}

/**
 * Waits until an agent shows a new state after a request, two seconds at most. Going by the old state, the next change
 * here or in another window would answer the same again, or start the agent twice.
 */
export async function untilHeard(desk: Desk, agent: AgentClient, before: Execution): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const status = await desk.readStatus(agent).catch(() => undefined);
    if (status?.execution !== before) return;
    await new Promise<void>((resolve) => desk.ports.after(lookMs, resolve));
  }
}
