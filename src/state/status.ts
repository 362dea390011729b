import type { Conversation } from '../api/schemas/conversation';
import type { Sandbox } from '../api/schemas/sandbox';
import { derived } from './derived';

/**
 * What a sandbox's status lets one do. The specification shows no states; these are the observed ones, in any case.
 * `other` is an error or a state that this client does not know: the service decides what is possible.
 */
export type SandboxPhase = 'running' | 'paused' | 'starting' | 'missing' | 'other';

const phases: Record<string, SandboxPhase> = {
  RUNNING: 'running',
  PAUSED: 'paused',
  STARTING: 'starting',
  MISSING: 'missing',
};

export function sandboxPhase(sandbox: Pick<Sandbox, 'status'>): SandboxPhase {
  return phases[sandbox.status?.toUpperCase() ?? ''] ?? 'other';
}

/** True while pausing makes sense to offer. */
export function canPause(sandbox: Sandbox): boolean {
  return ['running', 'other'].includes(sandboxPhase(sandbox));
}

/** True while resuming makes sense to offer. */
export function canResume(sandbox: Sandbox): boolean {
  return ['paused', 'other'].includes(sandboxPhase(sandbox));
}

/** True when the agent cannot go on without the user. */
export function waitsForUser(conversation: Conversation): boolean {
  return conversation.execution_status?.toLowerCase() === 'waiting_for_confirmation';
}

/** A sandbox that has been starting for so long is stuck, and asking every second does not help it. */
const longestStartMs = 10 * 60_000;
/** A container sandbox shows ERROR until it is healthy. */
const longestUnhealthyMs = 2 * 60_000;

/** True for a new sandbox in a state of error that it may only pass through. */
export function mayBecomeHealthy(sandbox: Sandbox, now: number): boolean {
  return sandbox.status?.toUpperCase() === 'ERROR' && now - startedAt(sandbox) < longestUnhealthyMs;
}

/** True while a sandbox's state is expected to change within seconds. */
export function startsSoon(sandbox: Sandbox, now: number): boolean {
  if (sandboxPhase(sandbox) !== 'starting') return mayBecomeHealthy(sandbox, now);
  const since = startedAt(sandbox);
  return Number.isNaN(since) || now - since < longestStartMs;
}

const startedAt = (sandbox: Sandbox) => Date.parse(sandbox.created_at ?? '');

/** What a conversation's agent does, in lower case, or `sandbox:` and the state of its sandbox where no agent runs. */
export function conversationState(conversation: Conversation): string {
  const { execution_status: agent, sandbox_status: sandbox } = conversation;
  return agent ? agent.toLowerCase() : `sandbox:${sandbox?.toLowerCase() ?? ''}`;
}

/** How many run at once on the service in practice; beyond that it silently pauses the oldest. */
export const mostRunning = 5;

/** How many sandboxes run or are about to. */
export function countUp(sandboxes: readonly Sandbox[]): number {
  return sandboxes.filter((sandbox) => ['running', 'starting'].includes(sandboxPhase(sandbox))).length;
}

/** How many sandboxes run. */
export const countRunning = derived(
  (sandboxes: readonly Sandbox[]) =>
    sandboxes.filter((sandbox) => sandboxPhase(sandbox) === 'running').length,
);
/** How many agents cannot go on without the user. */
export const countWaiting = derived(
  (conversations: readonly Conversation[]) => conversations.filter(waitsForUser).length,
);
