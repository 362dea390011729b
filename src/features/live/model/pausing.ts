import type { AgentEvent } from '../../../api/events/event';

/** Milliseconds after which a step that shows nothing counts as ended, by the clock of this computer. */
const quietMs = 60_000;

/** Milliseconds between two looks that count at most: one look alone, after whatever time, shows no end. */
const longestLookMs = quietMs / 2;

/** What shows that a step has ended. */
const ends: ReadonlySet<AgentEvent['kind']> = new Set([
  'action',
  'observation',
  'rejection',
  'toolError',
  'failure',
  'condensation',
  'other',
]);

/**
 * Knows whether the step that ran when an agent was paused has ended. Servers may say `paused` at once, and a run that
 * arrives after the step executes unasked what the step has asked for.
 */
export class PausedStep {
  /** The latest pause, when it was last checked, and how long it has been observed. */
  private pause: { id: string; lookedAt: number; ms: number } | undefined;

  /**
   * Whether it has certainly ended.
   * @param events all that are known, in order of time
   * @param isAll whether they begin with the conversation
   * @param hasOpen whether an action has no answer yet
   * @param now milliseconds that only increase
   */
  isOver(events: readonly AgentEvent[], isAll: boolean, hasOpen: boolean, now: number): boolean {
    const at = events.findLastIndex(({ kind }) => kind === 'paused' || kind === 'interrupted');
    const pause = events[at];
    const id = pause?.id ?? '';
    const { ms, lookedAt } = this.pause?.id === id ? this.pause : { ms: 0, lookedAt: now };
    // The computer may have been asleep, with the agent server on it.
    const passed = Math.min(now - lookedAt, longestLookMs);
    this.pause = { id, lookedAt: now, ms: ms + passed };
    if (this.pause.ms >= quietMs) return true;
    if (hasOpen) return false;
    if (pause?.kind === 'interrupted') return true;
    if (pause && events.slice(at + 1).some(showsEnd)) return true;
    const before = events
      .slice(0, Math.max(at, 0))
      .findLast((one) => one.kind === 'status' && one.status !== 'paused');
    return before ? before.kind === 'status' && before.status !== 'running' : isAll && pause !== undefined;
  }
}

const showsEnd = ({ kind, source }: AgentEvent): boolean =>
  ends.has(kind) || (kind === 'message' && source === 'agent');
