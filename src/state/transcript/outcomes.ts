import type { AgentEvent } from '../../api/events/event';
import { byTime } from '../../api/events/schema';
import type { Risk } from '../../shared/transcript';
import { derived } from '../basics/derived';

export type ActionEvent = Extract<AgentEvent, { kind: 'action' }>;
export type ToolCallEvent = Extract<AgentEvent, { kind: 'toolCall' }>;
/** What answers an action: its result, a rejection, or an error of the tool. */
export type OutcomeEvent = Extract<AgentEvent, { kind: 'observation' | 'rejection' | 'toolError' }>;

const order: readonly Risk[] = ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH'];

const higherRisk = (one: Risk, other: Risk = 'UNKNOWN'): Risk =>
  order.indexOf(one) < order.indexOf(other) ? other : one;

/** Pairs actions with what answers them, event by event (live-conversations: “Confirmation”). */
export class Outcomes {
  private readonly byAction = new Map<string, OutcomeEvent>();
  private readonly byCall = new Map<string, OutcomeEvent>();
  /** Actions that no event names; errors of a tool name only the call. */
  private readonly unnamed = new Map<string, ActionEvent>();
  private readonly risks = new Map<string, Risk>();

  /** Adds an event, in any order: the last answer to an action counts. */
  add(event: AgentEvent): void {
    if (event.kind === 'observation' || event.kind === 'rejection') {
      const known = this.byAction.get(event.actionId);
      if (!known || byTime(known, event) < 0) this.byAction.set(event.actionId, event);
      this.unnamed.delete(event.actionId);
    }
    if (event.kind === 'toolError' && !this.isAnsweredSince(event)) this.byCall.set(event.callId, event);
    if (event.kind === 'action' && !this.byAction.has(event.id)) this.unnamed.set(event.id, event);
    if (event.kind === 'risks')
      for (const [id, risk] of Object.entries(event.risks))
        this.risks.set(id, higherRisk(risk, this.risks.get(id)));
  }

  /** The higher of the model’s and the analyzer’s. */
  riskOf({ id, risk }: ActionEvent): Risk {
    return higherRisk(risk, this.risks.get(id));
  }

  /** What answered an action; undefined if nothing has yet. */
  of(action: ActionEvent): OutcomeEvent | undefined {
    return (
      this.byAction.get(action.id) ??
      (this.isAnsweredSince(action) ? this.byCall.get(action.callId) : undefined)
    );
  }

  /**
   * The actions that nothing answered, in order of time, with the analyzer’s risk if that’s higher.
   * @param errorsAnswer whether errors of a tool answer actions
   */
  unanswered(errorsAnswer: boolean): ActionEvent[] {
    const open = [...this.unnamed.values()];
    return open
      .filter((action) => !errorsAnswer || !this.isAnsweredSince(action))
      .map((action) =>
        this.riskOf(action) === action.risk ? action : { ...action, risk: this.riskOf(action) },
      )
      .sort(byTime);
  }

  /** Whether an error names the call after this event: models give later calls the same ID. */
  private isAnsweredSince({ callId, timestamp }: Pick<ActionEvent, 'callId' | 'timestamp'>): boolean {
    return (this.byCall.get(callId)?.timestamp ?? '') >= timestamp;
  }
}

/** The outcomes in these events. */
export const outcomesIn = derived((events: readonly AgentEvent[]): Outcomes => {
  const found = new Outcomes();
  for (const event of events) found.add(event);
  return found;
});
