import type { AgentEvent } from '../../../api/events/event';
import { timeOf } from '../../../api/events/schema';
import type { Entry, Execution, StepEntry, StepHook } from '../../../shared/transcript';
import { clip } from './clip';
import { type ActionEvent, type OutcomeEvent, Outcomes, type ToolCallEvent } from './outcomes';
import { gapSeparator, simple } from './simpleEntries';
import { stepOf, stepOfCall } from './steps';
import { type Reports, startsAgain } from './toolCalls';

/** Turns events into the entries of a transcript; what hasn’t changed since the last time is the same object. */
export type EntryMaker = (
  events: readonly AgentEvent[],
  execution: Execution,
  /** Ids of the events before which some are missing. */
  gaps?: ReadonlySet<string>,
  /** Ids of the actions that were left unanswered on another branch. */
  left?: ReadonlySet<string>,
) => readonly Entry[];

/** @param shorten what is shown of actions that are held whole */
export function createEntryMaker(shorten = (action: ActionEvent) => action): EntryMaker {
  const steps: Steps = new WeakMap();
  let drawing: Drawing | undefined;
  return (events, execution, gaps = new Set(), left = new Set()) => {
    const older = drawing?.olderIn(events, gaps);
    if (!drawing || older === undefined) drawing = new Drawing(steps, shorten);
    return drawing.draw(events, older ?? 0, { execution, left }, gaps);
  };
}

interface Step {
  outcome: OutcomeEvent | undefined;
  now: Execution | 'left';
  hooks: readonly StepHook[] | undefined;
  entry: StepEntry;
}

type Steps = WeakMap<AgentEvent, Step>;

/** What happens to the actions without an outcome. */
interface AgentNow {
  execution: Execution;
  left: ReadonlySet<string>;
}

/** A model that the agent uses from an event on, and where its entry is. */
interface Model {
  name: string;
  place: number;
}

type Status = Extract<AgentEvent, { kind: 'status' }>;

/** Changes of the agent’s status, which say when the agent waited for a person. */
const statusesIn = (events: readonly AgentEvent[]): Status[] =>
  events.filter((event) => event.kind === 'status');

/** A tool call that may still be reported on, and where its entry is. */
interface Call {
  reports: Reports;
  place: number;
}

/** Hooks shown with one step, and characters of what each says. */
const mostHooks = 20;
const mostOfHook = 2_000;

/**
 * The entries of a list of events that grows at both ends. The cost depends on what's new, not on the list's length.
 */
class Drawing {
  private events: readonly AgentEvent[] = [];
  private gaps = 0;
  /** Includes an entry for each event that names a model, even one already in use. */
  private entries: Entry[] = [];
  private models: Model[] = [];
  private statuses: Status[] = [];
  /** Steps without an outcome, and where their entries are. */
  private readonly open = new Map<ActionEvent, number>();
  private readonly actions = new Set<string>();
  private readonly hooks = new Map<string, readonly StepHook[]>();
  /** By their ids: the last one, should an agent use an id again. */
  private readonly calls = new Map<string, Call>();
  /** Actions that aren’t here, though hooks ran for them. */
  private readonly missed = new Set<string>();
  /** Calls of errors whose action isn’t here. */
  private readonly astray = new Set<string>();
  private readonly outcomes = new Outcomes();

  constructor(
    private readonly steps: Steps,
    private readonly shorten: (action: ActionEvent) => ActionEvent,
  ) {}

  /**
   * How many events there are now before those drawn so far; undefined if these aren’t among them in one piece, or if
   * one of their entries begins before them.
   */
  olderIn(events: readonly AgentEvent[], gaps: ReadonlySet<string>): number | undefined {
    if (gaps.size !== this.gaps) return undefined;
    const { events: drawn } = this;
    const older = events[0] === drawn[0] ? 0 : events.length - drawn.length;
    const isThere = events[older] === drawn[0] && events[older + drawn.length - 1] === drawn.at(-1);
    return isThere && !events.slice(0, older).some((event) => this.continues(event)) ? older : undefined;
  }

  /** Whether something that’s drawn belongs to an earlier event. */
  private continues(event: AgentEvent): boolean {
    if (event.kind === 'toolCall') return this.calls.has(event.callId);
    return event.kind === 'action' && (this.missed.has(event.id) || this.astray.has(event.callId));
  }

  /** @param older how many of the events are before those drawn so far */
  draw(
    events: readonly AgentEvent[],
    older: number,
    agent: AgentNow,
    gaps: ReadonlySet<string>,
  ): readonly Entry[] {
    const [before, after] = [events.slice(0, older), events.slice(older + this.events.length)];
    const changed = this.learn([...before, ...after]);
    this.statuses = [...statusesIn(before), ...this.statuses, ...statusesIn(after)];
    [this.events, this.gaps] = [events, gaps.size];
    if (older > 0) this.addOlder(before, agent, gaps);
    this.add(after, agent, gaps);
    for (const id of changed) {
      const action = events.findLast((event) => event.id === id);
      const place = this.entries.findLastIndex((entry) => entry.id === id);
      if (action?.kind === 'action') this.put(place, this.stepOf(action, agent));
    }
    for (const [action, place] of this.open) {
      this.put(place, this.stepOf(action, agent));
      // An outcome ends the step, whatever the agent does then.
      if (this.outcomes.of(action)) this.open.delete(action);
    }
    for (const { reports, place } of this.calls.values())
      this.put(place, this.stepOfCall(reports, agent.execution));
    return this.withoutSameModels();
  }

  /** Notes what new events say about steps; returns the ids of actions drawn before about which they say something. */
  private learn(events: readonly AgentEvent[]): Set<string> {
    const told = new Set<string>();
    const fresh = new Set<string>();
    for (const event of events) {
      this.outcomes.add(event);
      if (event.kind === 'action') fresh.add(event.id);
      if (event.kind === 'risks') for (const id of Object.keys(event.risks)) told.add(id);
      if (event.kind !== 'hook') continue;
      const { actionId, on, outcome, text, command } = event;
      told.add(actionId);
      const said = clip(text || command, mostOfHook).text;
      const known = this.hooks.get(actionId) ?? [];
      this.hooks.set(actionId, [...known, { on, outcome, text: said }].slice(0, mostHooks));
    }
    const drawn = [...told].filter((id) => this.actions.has(id));
    for (const id of fresh) this.actions.add(id);
    return new Set(drawn);
  }

  private addOlder(events: readonly AgentEvent[], agent: AgentNow, gaps: ReadonlySet<string>): void {
    const { entries, models } = this;
    const [open, calls] = [[...this.open], [...this.calls.values()]];
    [this.entries, this.models] = [[], []];
    this.add(events, agent, gaps);
    const moved = this.entries.length;
    for (const [action, place] of open) this.open.set(action, moved + place);
    for (const call of calls) call.place += moved;
    for (const { name, place } of models) this.models.push({ name, place: moved + place });
    this.entries = this.entries.concat(entries);
  }

  /** Adds the entries of these events at the end. */
  private add(events: readonly AgentEvent[], agent: AgentNow, gaps: ReadonlySet<string>): void {
    for (const event of events) {
      if (gaps.has(event.id)) this.push(...gapSeparator(event));
      if (event.kind === 'action') {
        this.open.set(event, this.entries.length);
        this.push(this.stepOf(event, agent));
      } else if (event.kind === 'toolCall') this.addCall(event, agent.execution);
      else if (event.kind === 'hook' && this.actions.has(event.actionId)) continue;
      else if (event.kind === 'toolError' && this.outcomes.isCalled(event)) continue;
      else {
        if (event.kind === 'hook') this.missed.add(event.actionId);
        // An action without an ID has no error, and would have all drawn again.
        if (event.kind === 'toolError' && event.callId !== '') this.astray.add(event.callId);
        if (event.kind === 'model') this.models.push({ name: event.name, place: this.entries.length });
        this.push(...simple(event));
      }
    }
  }

  private addCall(event: ToolCallEvent, execution: Execution): void {
    const known = this.calls.get(event.callId);
    if (known && !startsAgain(event, known.reports)) {
      known.reports.push(event);
      return;
    }
    if (known) this.put(known.place, this.stepOfCall(known.reports, execution));
    this.calls.set(event.callId, { reports: [event], place: this.entries.length });
    this.push(this.stepOfCall([event], execution));
  }

  private push(...entries: readonly Entry[]): void {
    for (const entry of entries) this.put(this.entries.length, entry);
  }

  /** Puts an entry in its place, at a time that exists. */
  private put(place: number, entry: Entry): void {
    this.entries[place] = Number.isFinite(entry.at)
      ? entry
      : dated(entry, this.entries[place - 1]?.at ?? this.firstTime);
  }

  private get firstTime(): number {
    return timeOf(
      this.events.find((event) => Number.isFinite(timeOf(event))) ?? { timestamp: '1970-01-01T00:00:00' },
    );
  }

  /** Leaves out models that were already in use, and the one that the agent starts with. */
  private withoutSameModels(): Entry[] {
    const { entries, models } = this;
    const isSame = ({ name, place }: Model, index: number) => {
      const before = models[index - 1];
      return before ? name === before.name : !entries.slice(0, place).some(isStep);
    };
    const kept: Entry[] = [];
    let from = 0;
    for (const { place } of [...models.filter(isSame), { place: entries.length }]) {
      // A call with all of them as arguments can't take more than about 100,000.
      for (const entry of entries.slice(from, place)) kept.push(entry);
      from = place + 1;
    }
    return kept;
  }

  private stepOf(action: ActionEvent, { execution, left }: AgentNow): StepEntry {
    const outcome = this.outcomes.of(action);
    // An answer that can't be read is one.
    const state = this.outcomes.answersOf(action).length === 0 ? execution : 'unknown';
    const now = left.has(action.id) ? 'left' : state;
    const hooks = this.hooks.get(action.id);
    const risk = this.outcomes.riskOf(action);
    const known = this.steps.get(action);
    const isKnown = known && known.outcome === outcome && known.hooks === hooks && known.entry.risk === risk;
    if (isKnown && (outcome || known.now === now)) return known.entry;
    const approvedAt = outcome && this.approvedAt(action, outcome);
    const entry = stepOf(this.shorten(action), outcome, { execution: now, risk, approvedAt, hooks });
    this.steps.set(action, { outcome, now, hooks, entry });
    return entry;
  }

  /** When the agent continued after the action was approved: NaN if unknown, undefined if it needed no approval. */
  private approvedAt(action: ActionEvent, outcome: OutcomeEvent): number | undefined {
    const { statuses } = this;
    const asked = statuses.findLastIndex(
      ({ timestamp: at, status }) =>
        status === 'waiting_for_confirmation' && at >= action.timestamp && at <= outcome.timestamp,
    );
    if (asked < 0) return undefined;
    const continued = statuses.slice(asked).find(({ status }) => status === 'running');
    return continued && continued.timestamp <= outcome.timestamp ? timeOf(continued) : NaN;
  }

  private stepOfCall(reports: Reports, execution: Execution): StepEntry {
    const last = reports.at(-1) ?? reports[0];
    const known = this.steps.get(last);
    const isOpen = last.state === 'running';
    if (known?.entry.id === reports[0].id && (!isOpen || known.now === execution)) return known.entry;
    const entry = stepOfCall(reports, execution);
    this.steps.set(last, { outcome: undefined, now: execution, hooks: undefined, entry });
    return entry;
  }
}

/** An entry whose event has a time that doesn’t exist, with its neighbor’s; the same each time. */
const dated = (entry: Entry, at: number): Entry => {
  const known = datedEntries.get(entry);
  if (known?.at === at) return known;
  const made = { ...entry, at };
  datedEntries.set(entry, made);
  return made;
};
const datedEntries = new WeakMap<Entry, Entry>();

const isStep = ({ kind }: Entry) => kind === 'step';
