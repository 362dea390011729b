import type { Conversation } from '../api/schemas/conversation';
import type { Sandbox } from '../api/schemas/sandbox';

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
