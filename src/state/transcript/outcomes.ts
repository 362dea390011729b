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
  const byAction = new Map<string, OutcomeEvent>();
  const byCall = new Map<string, OutcomeEvent>();
  for (const event of events) {
    if (event.kind === 'observation' || event.kind === 'rejection') byAction.set(event.actionId, event);
    if (event.kind === 'toolError') byCall.set(event.callId, event);
  }
  return ({ id, callId, action }) =>
    byAction.get(id) ?? (errorsAnswer || action === null ? byCall.get(callId) : undefined);
}
