import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { quotedNames } from '../../../shared/joined';
import { sandboxName } from '../../../core/lists/names';
import { sandboxPhase, type SandboxPhase } from '../../../core/lists/status';

/*
 * Services run only a few sandboxes and silently pause the oldest if there are more. The specification doesn't mention
 * this (docs/protocol/service.md, “Hazards”), so users get a warning that it may happen.
 */

/** How many sandboxes a service keeps running in practice. */
const mostRunning = 5;

/** What is known about the service's sandboxes. */
export interface Running {
  readonly sandboxes: readonly Sandbox[];
  readonly conversations: readonly Conversation[];
}

/** The parts of a `ServiceModel` that say what is running. */
interface Known {
  readonly sandboxes: { readonly state: { readonly items: readonly Sandbox[] } };
  readonly conversations: { readonly state: { readonly items: readonly Conversation[] } };
  readonly pending: { get(id: string): { readonly via: SandboxPhase } | undefined };
}

/** The sandboxes that the model knows, with pending actions applied. */
export function runningNow({ sandboxes, conversations, pending }: Known): Running {
  return {
    sandboxes: sandboxes.state.items.map((sandbox) => {
      const action = pending.get(sandbox.id);
      return action ? { ...sandbox, status: action.via } : sandbox;
    }),
    conversations: conversations.state.items,
  };
}

/** The sandboxes that the service is likely to pause if `more` are started or resumed, oldest first. */
export function likelyPaused({ sandboxes }: Pick<Running, 'sandboxes'>, more: number): Sandbox[] {
  const running = sandboxes.filter((sandbox) => sandboxPhase(sandbox) === 'running');
  const starting = sandboxes.filter((sandbox) => sandboxPhase(sandbox) === 'starting').length;
  // A service that runs more than usual has a higher limit, and may have reached it.
  const limit = Math.max(mostRunning, running.length);
  const createdAt = ({ created_at }: Sandbox) => Date.parse(created_at ?? '') || 0;
  return running
    .toSorted((a, b) => createdAt(a) - createdAt(b))
    .slice(0, Math.max(0, running.length + starting + more - limit));
}

/** The warning for a question, as sentences, the most important one first; empty if nothing is likely to be paused. */
export function pauseWarnings(
  running: Running,
  cause: 'start' | 'resume',
  more = 1,
  now = Date.now(),
): string[] {
  const names = pausedNames(running, more, now);
  return names === undefined ? [] : [pauseWarning(cause, more, names), agentsStop()];
}

/** What a pause means for the agents. */
export const agentsStop = () => l10n.t('Agents working in a paused sandbox stop until you resume it.');

function pauseWarning(cause: 'start' | 'resume', more: number, names: string): string {
  if (more > 1) return l10n.t('Resuming these sandboxes may pause {0}.', names);
  return cause === 'start'
    ? l10n.t('Starting this sandbox may pause {0}.', names)
    : l10n.t('Resuming this sandbox may pause {0}.', names);
}

/** The same for the detail of a picker's row: "May pause “Port tariff parser”". */
export function pauseHint(running: Running, more = 1, now = Date.now()): string | undefined {
  const names = pausedNames(running, more, now);
  const hint = names === undefined ? undefined : l10n.t('May pause {0}', names);
  if (more <= mostRunning) return hint;
  // With that many, the first new sandbox may itself be the oldest one running.
  const own = l10n.t(
    'Services rarely run more than {0} sandboxes at once, so attempts may be paused, too',
    mostRunning,
  );
  return hint === undefined ? own : `${hint}. ${own}`;
}

function pausedNames({ sandboxes, conversations }: Running, more: number, now: number): string | undefined {
  const paused = likelyPaused({ sandboxes }, more);
  if (paused.length === 0) return undefined;
  return quotedNames(
    paused.map((sandbox) => sandboxName(sandbox, conversations, now)),
    3,
  );
}
