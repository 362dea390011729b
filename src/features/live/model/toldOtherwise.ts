import type { AgentEvent } from '../../../api/events/event';
import { same } from '../../../shared/same';
import { compact, type ActionEvent, type SecretMask } from '../../transcript';

/**
 * The waiting actions that the agent server reports differently than before, or than its socket did; each in its current
 * form, which is what an approval would run.
 * @param events what the server answered
 */
export function toldOtherwise(
  waiting: Iterable<ActionEvent>,
  events: readonly AgentEvent[],
  mask: Pick<SecretMask, 'again'>,
): Map<AgentEvent, AgentEvent> {
  const byId = new Map([...waiting].map((action) => [action.id, action]));
  const changed = events.flatMap((event): [AgentEvent, AgentEvent][] => {
    const known = byId.get(event.id);
    const now = known && compact(mask.again(event));
    return known && now?.kind === 'action' && !same(known, now) ? [[known, now]] : [];
  });
  return new Map(changed);
}
