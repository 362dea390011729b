import type { AgentEvent } from '../../../api/events/event';
import { byTime } from '../../../api/events/schema';
import type { Risk } from '../../../shared/transcript';
import { derived } from '../../../core/basics/derived';

export type ActionEvent = Extract<AgentEvent, { kind: 'action' }>;
export type ToolCallEvent = Extract<AgentEvent, { kind: 'toolCall' }>;
/** What answers an action: its result, a rejection, or an error of the tool. */
export type OutcomeEvent = Extract<AgentEvent, { kind: 'observation' | 'rejection' | 'toolError' }>;

const order: readonly Risk[] = ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH'];

const higherRisk = (one: Risk, other: Risk = 'UNKNOWN'): Risk =>
  order.indexOf(one) < order.indexOf(other) ? other : one;

type ErrorEvent = Extract<AgentEvent, { kind: 'toolError' }>;

/** An action without its arguments, which are held only as long as it waits: they can be long. */
type CalledAction = Pick<ActionEvent, 'kind' | 'id' | 'timestamp'>;

/** The order of the events of a call: of one moment, which a coarse clock makes of several, an action comes before errors. */
function byCallTime(one: CalledAction | ErrorEvent, other: CalledAction | ErrorEvent): number {
  if (one.timestamp !== other.timestamp || one.kind === other.kind) return byTime(one, other);
  return one.kind === 'action' ? -1 : 1;
}

/**
 * The errors among the events of one call, by the id of the action that they answer. Servers don’t write events strictly
 * in order of time, so of several open actions before an error, nobody knows which ones it answers.
 * @param isNamed whether an event names this action as the one that it answers
 */
function pairedErrors(
  events: readonly (CalledAction | ErrorEvent)[],
  isNamed: (id: string) => boolean,
): ReadonlyMap<string, ErrorEvent> {
  const found = new Map<string, ErrorEvent>();
  let open = new Set<string>();
  let isOver = false;
  for (const event of events.toSorted(byCallTime)) {
    if (event.kind === 'action') {
      if (isOver) open = new Set();
      isOver = false;
      if (!isNamed(event.id)) open.add(event.id);
      continue;
    }
    const [only] = open;
    if (only !== undefined && open.size === 1) found.set(only, event);
    isOver = true;
  }
  return found;
}

/** What names the action that it answers; of what can’t be read, that’s all that is known. */
type AnswerEvent = Extract<AgentEvent, { kind: 'observation' | 'rejection' | 'unread' }>;

/** Pairs actions with their results, event by event (docs/protocol/live-conversations.md, “Confirmation”). */
export class Outcomes {
  /** By the id of the action that they name, in order of time. */
  private readonly byAction = new Map<string, AnswerEvent[]>();
  /** The actions and errors with the ID of a call. */
  private readonly byCall = new Map<string, (CalledAction | ErrorEvent)[]>();
  /** The errors of calls since their last change. */
  private readonly errors = new Map<string, ReadonlyMap<string, ErrorEvent>>();
  /** Actions that no event names; errors of a tool name only the call. */
  private readonly unnamed = new Map<string, ActionEvent>();
  private readonly risks = new Map<string, Risk>();
  /** Adds an event, in any order: the last answer to an action counts. */
  add(event: AgentEvent): void {
    if (event.kind === 'observation' || event.kind === 'rejection' || event.kind === 'unread')
      this.addAnswer(event);
    if (event.kind === 'toolError') this.addToCall(event, event);
    if (event.kind === 'action') {
      const { kind, id, timestamp } = event;
      this.addToCall(event, { kind, id, timestamp });
      if (!this.byAction.has(event.id)) this.unnamed.set(event.id, event);
    }
    if (event.kind === 'risks')
      for (const [id, risk] of Object.entries(event.risks))
        this.risks.set(id, higherRisk(risk, this.risks.get(id)));
  }

  private addAnswer(event: AnswerEvent): void {
    const { actionId } = event;
    if (actionId === undefined) return;
    const known = this.byAction.get(actionId);
    // A list of one takes the memory of one; with `...`, it would have room for 17.
    this.byAction.set(actionId, known ? [...known, event].sort(byTime) : [event]);
    const action = this.unnamed.get(actionId);
    if (action) this.errors.delete(action.callId);
    this.unnamed.delete(actionId);
  }

  /** The higher of the model’s and the analyzer’s. */
  riskOf({ id, risk }: ActionEvent): Risk {
    return higherRisk(risk, this.risks.get(id));
  }

  /** The action with that risk. */
  private withRisk(action: ActionEvent): ActionEvent {
    const risk = this.riskOf(action);
    return risk === action.risk ? action : { ...action, risk };
  }

  /** The events that name this one as the action that they answer, in order of time. */
  answersOf({ id }: { id: string }): readonly AgentEvent[] {
    return this.byAction.get(id) ?? [];
  }

  /** What answered an action; undefined if nothing has yet. */
  of(action: ActionEvent): OutcomeEvent | undefined {
    return this.byAction.get(action.id)?.findLast((event) => event.kind !== 'unread') ?? this.errorOf(action);
  }

  /**
   * The actions that nothing answered, in order of time, with the analyzer’s risk if that’s higher.
   * @param errorsAnswer whether errors of a tool answer actions
   * @param isVoid whether an answer of an action answers nothing, as on a branch that was left
   */
  unanswered(
    errorsAnswer: boolean,
    isVoid: (answer: AgentEvent, action: ActionEvent) => boolean = () => false,
  ): ActionEvent[] {
    const open = [...this.unnamed.values()];
    const hasError = (action: ActionEvent) => {
      const error = this.errorOf(action);
      return error !== undefined && !isVoid(error, action);
    };
    return open
      .filter((action) => !errorsAnswer || !hasError(action))
      .map((action) => this.withRisk(action))
      .sort(byTime);
  }

  /**
   * The actions that only void answers name. What was long in them was shortened.
   * @param events all of them
   * @param isVoid as in `unanswered`
   */
  openAgain(
    events: readonly AgentEvent[],
    isVoid: (answer: AgentEvent, action: ActionEvent) => boolean,
  ): ActionEvent[] {
    const isOpen = (action: ActionEvent) => {
      const answers = this.answersOf(action);
      return answers.length > 0 && answers.every((answer) => isVoid(answer, action));
    };
    return events.flatMap((event) =>
      event.kind === 'action' && isOpen(event) ? [this.withRisk(event)] : [],
    );
  }

  /**
   * The error that answers an action: each answers the one before it that has the call’s ID. Models give later calls the
   * same ID, and those aren’t answered by it. Without an ID, an error answers nothing.
   */
  private errorOf({ id, callId }: ActionEvent): ErrorEvent | undefined {
    const events = this.byCall.get(callId);
    if (!events) return undefined;
    const errors = this.errors.get(callId) ?? pairedErrors(events, (action) => this.byAction.has(action));
    this.errors.set(callId, errors);
    return errors.get(id);
  }

  /** Whether the action of an error is here: one before it, since models give later calls the same ID. */
  isCalled(error: ErrorEvent): boolean {
    const events = this.byCall.get(error.callId) ?? [];
    return events.some((event) => event.kind === 'action' && byCallTime(event, error) < 0);
  }

  private addToCall({ callId }: ActionEvent | ErrorEvent, event: CalledAction | ErrorEvent): void {
    if (callId === '') return;
    const known = this.byCall.get(callId);
    if (known) known.push(event);
    else this.byCall.set(callId, [event]);
    this.errors.delete(callId);
  }
}

/** The outcomes in these events. */
export const outcomesIn = derived((events: readonly AgentEvent[]): Outcomes => {
  const found = new Outcomes();
  for (const event of events) found.add(event);
  return found;
});
