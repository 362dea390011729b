import type { AgentEvent } from '../../api/events/event';
import { same } from '../../shared/same';
import { compact } from './compact';
import type { ActionEvent } from './outcomes';
import type { SecretMask } from './secretMask';

/**
 * Those of the actions that wait that the agent server tells otherwise than before, or than its socket did; each as it's
 * now, which is what an approval would run.
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
