import type { AgentEvent } from '../../api/events/event';

export type ActionEvent = Extract<AgentEvent, { kind: 'action' }>;
/** What answers an action: its result, a rejection, or an error of the tool. */
export type OutcomeEvent = Extract<AgentEvent, { kind: 'observation' | 'rejection' | 'toolError' }>;

/** Finds what answered an action; undefined if nothing has yet. */
export type OutcomeOf = (action: ActionEvent) => OutcomeEvent | undefined;

/**
 * Pairs actions with what answers them (live-conversations: “Confirmation”).
 * @param errorsAnswer whether errors of a tool, which name only the call, answer actions
 */
export function outcomes(events: readonly AgentEvent[], errorsAnswer: boolean): OutcomeOf {
  const found = new Outcomes(errorsAnswer);
  for (const event of events) found.add(event);
  return found.of;
}

/** Likewise, event by event. */
export class Outcomes {
  private readonly byAction = new Map<string, OutcomeEvent>();
  private readonly byCall = new Map<string, OutcomeEvent>();

  constructor(private readonly errorsAnswer: boolean) {}

  add(event: AgentEvent): void {
    if (event.kind === 'observation' || event.kind === 'rejection') this.byAction.set(event.actionId, event);
    if (event.kind === 'toolError') this.byCall.set(event.callId, event);
  }

  readonly of: OutcomeOf = ({ id, callId, action }) =>
    this.byAction.get(id) ?? (this.errorsAnswer || action === null ? this.byCall.get(callId) : undefined);
}
