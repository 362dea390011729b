import type { AgentEvent } from '../../api/events/event';
import type { Entry, Execution, StepEntry } from '../../shared/transcript';
import { type ActionEvent, type OutcomeEvent, Outcomes } from './outcomes';
import { gapSeparator, modelSeparator, simple } from './simpleEntries';
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

/** The model that the agent uses after some events, and whether it has acted in them. */
interface ModelInUse {
  name: string | undefined;
  hasActed: boolean;
}

/** A part of the events as it was drawn. */
interface Part {
  entries: Entry[];
  /** Steps without an outcome, and where their entries are. */
  open: Map<ActionEvent, number>;
  /** The first event that names a model: whether it’s another one depends on what is before this part. */
  firstModel: { event: AgentEvent & { kind: 'model' }; at: number; hasActed: boolean } | undefined;
  inUse: ModelInUse;
}

/**
 * The entries of a list of events that grows at both ends. The cost depends on what's new, not on the list's length.
 */
class Drawing {
  private events: readonly AgentEvent[] = [];
  private gaps = 0;
  private drawn: Part = noPart();
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
    for (const event of before.toReversed()) this.outcomes.addOlder(event);
    for (const event of after) this.outcomes.add(event);
    if (older > 0) this.putBefore(this.partOf(before, noPart(), execution, gaps));
    this.partOf(after, this.drawn, execution, gaps);
    [this.events, this.gaps] = [events, gaps.size];
    const { entries, open } = this.drawn;
    for (const [action, place] of open) {
      entries[place] = this.stepOf(action, execution);
      // An outcome ends the step, whatever the agent does then.
      if (this.outcomes.of(action)) open.delete(action);
    }
    return entries.slice();
  }

  /** Adds the entries of events to a part. */
  private partOf(
    events: readonly AgentEvent[],
    part: Part,
    execution: Execution,
    gaps: ReadonlySet<string>,
  ): Part {
    const { entries, open, inUse } = part;
    for (const event of events) {
      if (gaps.has(event.id)) entries.push(...gapSeparator(event));
      if (event.kind === 'action') {
        inUse.hasActed = true;
        open.set(event, entries.length);
        entries.push(this.stepOf(event, execution));
      } else if (event.kind === 'model') {
        part.firstModel ??= { event, at: entries.length, hasActed: inUse.hasActed };
        if (isOther(event.name, inUse)) entries.push(...modelSeparator(event));
        inUse.name = event.name;
      } else entries.push(...simple(event));
    }
    return part;
  }

  /** Puts older entries before those drawn so far. */
  private putBefore(older: Part): void {
    const { entries, open, firstModel, inUse } = this.drawn;
    let moved = older.entries.length;
    let newer = entries;
    if (firstModel) {
      const { event, at, hasActed } = firstModel;
      const wasOther = entries[at]?.id === event.id;
      const known = { name: older.inUse.name, hasActed: older.inUse.hasActed || hasActed };
      const separator = isOther(event.name, known) ? modelSeparator(event) : [];
      newer = entries.toSpliced(at, wasOther ? 1 : 0, ...separator);
      moved += separator.length - (wasOther ? 1 : 0);
    }
    const place = (at: number) => at + (firstModel && at < firstModel.at ? older.entries.length : moved);
    for (const [action, at] of open) older.open.set(action, place(at));
    this.drawn = {
      entries: older.entries.concat(newer),
      open: older.open,
      firstModel:
        older.firstModel ??
        (firstModel && {
          ...firstModel,
          at: older.entries.length + firstModel.at,
          hasActed: older.inUse.hasActed || firstModel.hasActed,
        }),
      inUse: { name: inUse.name ?? older.inUse.name, hasActed: inUse.hasActed || older.inUse.hasActed },
    };
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

const noPart = (): Part => ({
  entries: [],
  open: new Map(),
  firstModel: undefined,
  inUse: { name: undefined, hasActed: false },
});

/** Whether this is another model than before. Changes before the agent first acts don't count. */
function isOther(name: string, { name: before, hasActed }: ModelInUse): boolean {
  return name !== before && (before !== undefined || hasActed);
}
