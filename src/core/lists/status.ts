import { bareId } from '../../api/http/ids';
import type { Conversation } from '../../api/service/schemas/conversation';
import type { Sandbox } from '../../api/service/schemas/sandbox';
import { derived } from '../basics/derived';

/**
 * What a sandbox is doing, according to its status. The specification lists no states; these were observed
 * (docs/protocol/service.md, “Sandboxes”), and aren't case-sensitive. `other` is a state that this client doesn't know.
 * A container that is starting is `failed`, too, until it's healthy.
 */
export type SandboxPhase = 'running' | 'paused' | 'starting' | 'missing' | 'failed' | 'other';

const phases: Record<string, SandboxPhase> = {
  RUNNING: 'running',
  PAUSED: 'paused',
  STARTING: 'starting',
  MISSING: 'missing',
  ERROR: 'failed',
};

export function sandboxPhase(sandbox: Pick<Sandbox, 'status'>): SandboxPhase {
  return phases[sandbox.status?.toUpperCase() ?? ''] ?? 'other';
}

/** True if the agent can't continue without the user. */
export function waitsForUser(conversation: Conversation): boolean {
  return conversation.execution_status?.toLowerCase() === 'waiting_for_confirmation';
}

/** A longer start is slow: it's shown as such and polled at the normal rate again. */
export const slowAfterMs = 3 * 60_000;
/**
 * A sandbox does within seconds what it was asked to, and its container is healthy within two minutes. After that, what
 * the service says counts.
 */
export const settledAfterMs = 2 * 60_000;

/** True for a new sandbox in an error state that may be temporary. */
export function mayBecomeHealthy(sandbox: Sandbox, now: number): boolean {
  return sandboxPhase(sandbox) === 'failed' && isWithin(settledAfterMs, sandbox, now);
}

/** True while a sandbox's state is expected to change within seconds. */
export function startsSoon(sandbox: Sandbox, now: number): boolean {
  if (sandboxPhase(sandbox) !== 'starting') return mayBecomeHealthy(sandbox, now);
  return isWithin(slowAfterMs, sandbox, now);
}

/** True for a sandbox that has been starting for longer than usual. */
export function startsSlowly(sandbox: StartingSandbox, now: number): boolean {
  return sandboxPhase(sandbox) === 'starting' && now - startedAt(sandbox) >= slowAfterMs;
}

type StartingSandbox = Pick<Sandbox, 'status'> & Partial<Pick<Sandbox, 'created_at'>>;

/** False for a sandbox from the far future, due to a wrong clock: it would stay new until then. */
function isWithin(ms: number, sandbox: Sandbox, now: number): boolean {
  return Math.abs(now - startedAt(sandbox)) < ms;
}

const startedAt = (sandbox: StartingSandbox) => Date.parse(sandbox.created_at ?? '');

/** The state of a conversation's agent in lower case; if no agent is running, `sandbox:` and the sandbox's state. */
export function conversationState(conversation: Conversation): string {
  const { execution_status: agent, sandbox_status: sandbox } = conversation;
  return agent ? agent.toLowerCase() : `sandbox:${sandbox?.toLowerCase() ?? ''}`;
}

/** The number of running sandboxes. */
export const countRunning = derived(
  (sandboxes: readonly Sandbox[]) =>
    sandboxes.filter((sandbox) => sandboxPhase(sandbox) === 'running').length,
);
/** The number of running sandboxes that conversations name. */
export const countRunningIn = derived(
  (conversations: readonly Conversation[]) =>
    new Set(
      conversations
        .filter(({ sandbox_status: status }) => sandboxPhase({ status }) === 'running')
        .map(({ sandbox_id: id }) => id),
    ).size,
);
/** The conversations with agents that can't continue without the user. */
export const waiting = derived((conversations: readonly Conversation[]) =>
  conversations.filter(waitsForUser),
);

/** When a conversation last changed, in milliseconds since the epoch by the service’s clock; 0 if that’s unknown. */
export const lastActive = ({
  updated_at,
  created_at,
}: Pick<Conversation, 'updated_at' | 'created_at'>): number =>
  Date.parse(updated_at ?? created_at ?? '') || 0;

/** A conversation of a service. */
interface Placed {
  readonly id: string;
  readonly service: string | undefined;
}

/**
 * The waiting conversation after the active one, or the first: those of one service after the other, each in the order of
 * the view. Undefined if none waits.
 */
export function nextWaiting(
  waiting: readonly { service: string | undefined; conversations: readonly Conversation[] }[],
  active: Placed | undefined,
): Placed | undefined {
  const ordered = waiting.flatMap(({ service, conversations }) =>
    conversations.toSorted((a, b) => lastActive(b) - lastActive(a)).map(({ id }) => ({ id, service })),
  );
  const current = ordered.findIndex(
    ({ id, service }) => active && service === active.service && bareId(id) === bareId(active.id),
  );
  return ordered[(current + 1) % ordered.length];
}
