import type { AgentClient } from '../../../api/agent/client';
import type { AgentEvent } from '../../../api/events/event';
import type { AgentConversation } from '../../../api/agent/schemas/conversation';
import { ApiError } from '../../../api/http/errors';
import type { Execution, Head, PendingAction, Proof } from '../../../shared/transcript';
import { Refusal } from '../../../core/basics/refusal';
import type { Outcome } from './model';
import type { Outbox } from './outbox';
import type { TranscriptPorts } from './ports';
import { asksNobody, words } from '../../transcript';

/** What is needed to change a conversation. */
export interface Desk {
  readonly id: string;
  readonly ports: TranscriptPorts;
  readonly head: Head;
  readonly outbox: Outbox;
  /** Aborted with the conversation. */
  readonly signal: AbortSignal;
  /** All known events, in order of time. */
  readonly events: readonly AgentEvent[];
  /** Finds the agent server again. Throws a Refusal if there is none to talk to, and ApiError. */
  reach: (whileWaking?: () => void) => Promise<AgentClient>;
  /** Reads the current state. Throws ApiError. */
  readStatus: (agent: AgentClient) => Promise<AgentConversation>;
  /** Reads the current events. Throws ApiError. */
  readEvents: () => Promise<void>;
  /** Reads the current events, and proves that everything an approval would run is known. Throws ApiError. */
  prove: () => Promise<Proof>;
  /** The actions that wait for approval, as last read. */
  pendingNow: () => PendingAction[];
  /** Whether a run would first execute an action, whatever the agent’s state. */
  hasOpenActions: () => boolean;
  /** Likewise, an action that isn’t among those that are known to wait. */
  hidesActions: () => boolean;
  /** Whether all actions that may be open are known. */
  knowsLastStep: () => boolean;
  /** Whether the step that ran when the agent was paused has certainly ended. */
  isStepOver: () => boolean;
  /** Actions that were just answered: the server may still report the old state for a moment. */
  answered: (ids: readonly string[]) => void;
  /** The agent server took an answer to these actions from this window. */
  decided: (ids: readonly string[]) => void;
  /** Whether these were just answered and haven’t shown up in a later read. */
  isAnswered: (ids: readonly string[]) => boolean;
  /** Reads soon, since something is about to change. */
  lookSoon: () => void;
}

/** How often to check an agent after a request, in milliseconds, and how many times. */
const lookMs = 200;
/** The same for an agent whose step is still ending after a pause, or that may continue by itself. */
const stepLookMs = 1_000;
export const mostStepLooks = 5;
const mostLooks = 10;

export const done: Outcome = { kind: 'done' };

/** The outcome of a failed change. An error that isn’t about a request is a bug, and is thrown again. */
export function failedOutcome(
  error: unknown,
  { describe }: Pick<TranscriptPorts, 'describe'>,
): Exclude<Outcome, { kind: 'done' }> {
  if (error instanceof Refusal) return { kind: 'refused', problem: error.message };
  if (!(error instanceof ApiError)) throw error;
  return { kind: error.outcomeUnknown ? 'unknown' : 'refused', problem: describe(error) };
}

/** Runs a change to its outcome, and looks at the conversation soon. */
export async function attempt(desk: Desk, work: () => Promise<void>, stops = false): Promise<Outcome> {
  desk.ports.acts(stops);
  try {
    await work();
    return done;
  } catch (error) {
    return failedOutcome(error, desk.ports);
  } finally {
    desk.lookSoon();
  }
}

/** Like `attempt`, while no other window changes this conversation. */
export function attemptAlone(desk: Desk, work: () => Promise<void>): Promise<Outcome> {
  return attempt(desk, () => desk.ports.exclusively(desk.id, work));
}

/**
 * Waits until an agent shows a new state after a request, two seconds at most. Going by the old state, the next change
 * here or in another window would answer the same again, or start the agent twice. Resolves to false if it still shows the
 * old one.
 */
export async function untilHeard(desk: Desk, agent: AgentClient, before: Execution): Promise<boolean> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const status = await desk.readStatus(agent).catch(() => undefined);
    if (status?.execution !== before) return true;
    await wait(desk, lookMs);
  }
  return false;
}

/**
 * Reads events and state until the step of a paused agent has ended, some seconds at most. Resolves to the last state:
 * still `paused` and not over if that takes longer. A pause between two steps is never followed by anything that shows
 * the end; if the agent asks nothing, an action without an answer is all there is to wait for.
 */
export async function untilStepIsOver(
  desk: Desk,
  agent: AgentClient,
  paused: AgentConversation,
): Promise<AgentConversation> {
  let status = paused;
  for (let looks = 0; looks < mostStepLooks && status.execution === 'paused'; looks += 1) {
    if (looks > 0) await wait(desk, stepLookMs);
    await desk.readEvents();
    status = await desk.readStatus(agent);
    if (desk.isStepOver() || (asksNobody(status.policy) && !desk.hasOpenActions())) break;
  }
  return status;
}

/** Waits as long as between two looks at a step that is still ending. */
export const untilNextLook = (desk: Desk): Promise<void> => wait(desk, stepLookMs);

/** Runs the agent. Resolves to false if its server refuses to, as while the run before, whose step is over, still ends. */
export async function startsRun(desk: Desk, agent: AgentClient): Promise<boolean> {
  try {
    await agent.run(desk.signal);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return false;
    throw error;
  }
}

/** Whether a run of a paused agent, if it arrives after its step, executes nothing that it should have asked for. */
export const isRunSafe = (desk: Desk, { policy }: AgentConversation): boolean =>
  asksNobody(policy) || desk.isStepOver();

/** Whether a run would or might first execute an action, for which earlier events are read if need be. */
export async function wouldExecute(desk: Desk): Promise<'known' | 'hidden' | false> {
  if (!desk.knowsLastStep()) {
    const proof = await desk.prove();
    if (proof !== 'whole' && !desk.knowsLastStep()) throw new Refusal(words.mayExecute());
  }
  return desk.hasOpenActions() ? 'known' : desk.hidesActions() && 'hidden';
}

/** Whether an idle agent stays idle: one that got a message in the middle of a step continues by itself. */
export async function staysIdle(desk: Desk, agent: AgentClient): Promise<boolean> {
  await wait(desk, stepLookMs);
  await desk.readEvents();
  return (await desk.readStatus(agent)).execution === 'idle';
}

function wait({ ports }: Desk, ms: number): Promise<void> {
  return new Promise((resolve) => ports.after(ms, resolve));
}
