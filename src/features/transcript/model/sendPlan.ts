import type { Execution, Limit, Policy, SendEffect } from '../../../shared/transcript';

/**
 * How to send a message to an agent whose state was just read (docs/protocol/live-conversations.md, “Confirmation”).
 * `run` starts the agent. While it works or waits, that would execute pending actions without approval, so the message
 * goes without it, and the state is read again afterwards.
 */
export type SendPlan =
  { kind: 'send'; run: boolean } | { kind: 'rejectFirst' } | { kind: 'refuse'; state: DeafState };

/** States in which an agent would never read a message. */
export type DeafState = Extract<Execution, 'stuck' | 'deleting' | 'unknown'>;

const starts: SendPlan = { kind: 'send', run: true };
const joins: SendPlan = { kind: 'send', run: false };
const refuse = (state: DeafState): SendPlan => ({ kind: 'refuse', state });

/** What the plan for a message depends on, besides the agent’s state. */
export interface Circumstances {
  /** The release turns a stuck agent idle on a message. */
  revivesStuck: boolean;
  /** The step that ran when the agent was paused has certainly ended, or the agent asks nothing. */
  isRunSafe: boolean;
}

/** The only place with the rule for `run`. */
export function sendPlan(execution: Execution, { revivesStuck, isRunSafe }: Circumstances): SendPlan {
  const plans: Record<Execution, SendPlan> = {
    idle: starts,
    // A run would execute what the step asks for when it ends.
    paused: isRunSafe ? starts : joins,
    finished: starts,
    error: starts,
    running: joins,
    waiting_for_confirmation: { kind: 'rejectFirst' },
    stuck: revivesStuck ? joins : refuse('stuck'),
    deleting: refuse('deleting'),
    unknown: refuse('unknown'),
  };
  return plans[execution];
}

/** Whether `run` may follow a message that was sent without it, in a state that was read after it. */
export function runsAfterwards(execution: Execution): boolean {
  return execution === 'idle';
}

/** Whether an agent under this policy never asks: then a run executes nothing that needs approval. */
export const asksNobody = (policy: Policy): boolean => policy === 'never' || policy === 'itself';

/** States that `run` gets an agent out of, besides a pause. It does nothing in finished and stuck. */
export function canGoOn(execution: Execution): boolean {
  return execution === 'idle' || execution === 'paused' || execution === 'error';
}

/** What sending a message now will do. */
export function sendEffect(
  execution: Execution,
  limit: Limit,
  circumstances: Circumstances & { messageRejects: boolean },
): SendEffect {
  if (limit === 'asleep') return 'resumes';
  // Any other limit means that the agent can't be reached.
  if (limit !== 'none' && limit !== 'busy') return 'impossible';
  const plan = sendPlan(execution, circumstances);
  if (plan.kind === 'send' && execution === 'running')
    return circumstances.messageRejects ? 'supersedes' : 'joins';
  if (plan.kind === 'send') return execution === 'paused' && !plan.run ? 'joins' : 'starts';
  return plan.kind === 'rejectFirst' ? 'rejects' : 'impossible';
}
