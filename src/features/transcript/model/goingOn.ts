import type { AgentEvent } from '../../../api/events/event';
import { byTime } from '../../../api/events/schema';
import type { ActionEvent } from './outcomes';

/** Whether an event answers what the agent asked for, or is one that the agent sends only once that is answered. */
export const goesOn = ({ kind, source }: AgentEvent): boolean =>
  kind === 'observation' || kind === 'rejection' || (kind === 'message' && source === 'agent');

/** Whether an event that can’t be read may be what answered an action: the agent continued after it. */
export function mayBeAnswered(action: ActionEvent, events: readonly AgentEvent[]): boolean {
  const unread = events.find((event) => event.kind === 'unread' && byTime(action, event) < 0);
  return unread !== undefined && events.some((event) => goesOn(event) && byTime(unread, event) < 0);
}
