import type { AgentEvent } from '../../../api/events/event';
import { timeOf } from '../../../api/events/schema';

/** A service may note the beginning of a conversation only after its agent has begun, in milliseconds. */
const longestDelay = 5 * 60 * 1_000;

/**
 * When a conversation began, in milliseconds since the epoch: by the service’s record, or shortly before by its first
 * event. Null if that isn’t known.
 * @param events in order; older ones may be missing
 */
export function beganAt(created: string | null | undefined, events: readonly AgentEvent[]): number | null {
  const recorded = Date.parse(created ?? '');
  if (Number.isNaN(recorded)) return null;
  const first = events[0] ? timeOf(events[0]) : recorded;
  // The clock of an agent server by itself may show another zone than UTC.
  return first < recorded && first > recorded - longestDelay ? first : recorded;
}
