import type { AgentEvent } from '../../api/events/event';
import type { Entry, Execution, StepEntry } from '../../shared/transcript';
import { type ActionEvent, type OutcomeEvent, Outcomes } from './outcomes';
import { gapSeparator, simple } from './simpleEntries';
import { stepOf } from './steps';

/** Turns events into the entries of a transcript; what hasn’t changed since the last time is the same object. */
export type EntryMaker = (
  events: readonly AgentEvent[],
  execution: Execution,
  /** Ids of the events before which some are missing. */
  gaps?: ReadonlySet<string>,
) => readonly Entry[];

export function createEntryMaker(): EntryMaker {
  const steps: Steps = new WeakMap();
  let drawing: Drawing | undefined;
  return (events, execution, gaps = new Set()) => {
    const older = drawing?.olderIn(events, gaps);
    if (!drawing || older === undefined) drawing = new Drawing(steps);
    return drawing.draw(events, older ?? 0, execution, gaps);
  };
}

interface Step {
  outcome: OutcomeEvent | undefined;
  execution: Execution;
  entry: StepEntry;
}

type Steps = WeakMap<AgentEvent, Step>;

/** A model that the agent uses from an event on, and where its entry is. */
interface Model {
  name: string;
  place: number;
}

/**
 * The entries of a list of events that grows at both ends. The cost depends on what's new, not on the list's length.
 */
class Drawing {
  private events: readonly AgentEvent[] = [];
  private gaps = 0;
  /** Includes an entry for each event that names a model, even one already in use. */
  private entries: Entry[] = [];
  private models: Model[] = [];
  /** Steps without an outcome, and where their entries are. */
  private readonly open = new Map<ActionEvent, number>();
  private readonly outcomes = new Outcomes();

  constructor(private readonly steps: Steps) {}

  /** How many events there are now before those drawn so far; undefined if these aren’t among them in one piece. */
  olderIn(events: readonly AgentEvent[], gaps: ReadonlySet<string>): number | undefined {
    if (gaps.size !== this.gaps) return undefined;
    const { events: drawn } = this;
    const older = events[0] === drawn[0] ? 0 : events.length - drawn.length;
    const isThere = events[older] === drawn[0] && events[older + drawn.length - 1] === drawn.at(-1);
    return isThere ? older : undefined;
  }

  /** @param older how many of the events are before those drawn so far */
  draw(
    events: readonly AgentEvent[],
    older: number,
    execution: Execution,
    gaps: ReadonlySet<string>,
  ): readonly Entry[] {
    const [before, after] = [events.slice(0, older), events.slice(older + this.events.length)];
    for (const event of [...before, ...after]) this.outcomes.add(event);
    if (older > 0) {
      const [entries, models, open] = [this.entries, this.models, [...this.open]];
      [this.entries, this.models] = [[], []];
      this.add(before, execution, gaps);
      const moved = this.entries.length;
      for (const [action, place] of open) this.open.set(action, moved + place);
      for (const { name, place } of models) this.models.push({ name, place: moved + place });
      this.entries = this.entries.concat(entries);
    }
    this.add(after, execution, gaps);
    [this.events, this.gaps] = [events, gaps.size];
    for (const [action, place] of this.open) {
      this.entries[place] = this.stepOf(action, execution);
      // An outcome ends the step, whatever the agent does then.
      if (this.outcomes.of(action)) this.open.delete(action);
    }
    return this.withoutSameModels();
  }

  /** Adds the entries of these events at the end. */
  private add(events: readonly AgentEvent[], execution: Execution, gaps: ReadonlySet<string>): void {
    for (const event of events) {
      if (gaps.has(event.id)) this.entries.push(...gapSeparator(event));
      if (event.kind === 'action') {
        this.open.set(event, this.entries.length);
        this.entries.push(this.stepOf(event, execution));
      } else {
        if (event.kind === 'model') this.models.push({ name: event.name, place: this.entries.length });
        this.entries.push(...simple(event));
      }
    }
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

  private stepOf(action: ActionEvent, execution: Execution): StepEntry {
    const outcome = this.outcomes.of(action);
    const known = this.steps.get(action);
    if (known && known.outcome === outcome && (outcome || known.execution === execution)) return known.entry;
    const entry = stepOf(action, outcome, execution);
    this.steps.set(action, { outcome, execution, entry });
    return entry;
  }
}

const isStep = ({ kind }: Entry) => kind === 'step';
