import type { AgentEvent } from '../../../api/events/event';
import { byTime } from '../../../api/events/schema';
import type { ActionEvent } from './outcomes';

/** What an agent does once everything that it asked for is answered, or answers it. */
export const goesOn = ({ kind, source }: AgentEvent): boolean =>
  kind === 'observation' || kind === 'rejection' || (kind === 'message' && source === 'agent');

/** Whether an event that can’t be read may be what answered an action: the agent went on after it. */
export function mayBeAnswered(action: ActionEvent, events: readonly AgentEvent[]): boolean {
  const unread = events.find((event) => event.kind === 'unread' && byTime(action, event) < 0);
  return unread !== undefined && events.some((event) => goesOn(event) && byTime(unread, event) < 0);
}
