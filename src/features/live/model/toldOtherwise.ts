import type { AgentEvent } from '../../../api/events/event';
import { same } from '../../../shared/same';
import { compact, type ActionEvent, type EventList, type SecretMask } from '../../transcript';

/** What an event is, and which action it answers. */
const roleOf = (event: AgentEvent): readonly unknown[] => [
  event.kind,
  'actionId' in event ? event.actionId : undefined,
  event.kind === 'toolError' ? event.callId : undefined,
];

/**
 * The waiting actions that the agent server reports differently than before, or than its socket did, and the events that
 * are something else by now, or answer something else; each in its current form, by which an approval would go.
 * @param isWaiting whether an action that is held may have to be approved
 * @param events what the server answered
 * @param known those that are held
 */
export function toldOtherwise(
  isWaiting: (action: ActionEvent) => boolean,
  events: readonly AgentEvent[],
  known: Pick<EventList, 'find'>,
  mask: Pick<SecretMask, 'again'>,
): Map<AgentEvent, AgentEvent> {
  // Of two with one ID, the one that may be approved.
  const told = new Map<string, AgentEvent>();
  for (const event of events) if (told.get(event.id)?.kind !== 'action') told.set(event.id, event);
  const changed = [...told.values()].flatMap((event): [AgentEvent, AgentEvent][] => {
    const before = known.find(event.id);
    if (!before) return [];
    const isOther = !same(roleOf(before), roleOf(event));
    // An answered action is held in a shorter form.
    if (!isOther && !(before.kind === 'action' && isWaiting(before))) return [];
    const now = compact(mask.again(event));
    return isOther || !same(before, now) ? [[before, now]] : [];
  });
  return new Map(changed);
}
