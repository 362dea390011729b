import type { AgentEvent } from '../../api/events/event';
import { timeOf } from '../../api/events/schema';
import type { Entry, Execution, StepEntry } from '../../shared/transcript';
import { derived } from '../basics/derived';
import { type ActionEvent, type OutcomeEvent, Outcomes } from './outcomes';
import { stepOf } from './steps';

/** Turns events into the entries of a transcript; what hasn’t changed since the last time is the same object. */
export type EntryMaker = (
  events: readonly AgentEvent[],
  execution: Execution,
  /** Ids of the events before which some are missing. */
  gaps?: ReadonlySet<string>,
) => Entry[];

export function createEntryMaker(): EntryMaker {
  const steps: Steps = new WeakMap();
  let drawing: Drawing | undefined;
  return (events, execution, gaps = new Set()) => {
    if (!drawing?.continues(events, gaps)) drawing = new Drawing(steps);
    return drawing.draw(events, execution, gaps);
  };
}

interface Step {
  outcome: OutcomeEvent | undefined;
  execution: Execution;
  entry: StepEntry;
}

type Steps = WeakMap<AgentEvent, Step>;

/** The entries of a list of events that grows at its end: what is new costs what is new, however long the list. */
class Drawing {
  private events: readonly AgentEvent[] = [];
  private gaps = 0;
  private readonly entries: Entry[] = [];
  private readonly outcomes = new Outcomes(true);
  /** Steps without an outcome, and where their entries are. */
  private readonly open = new Map<ActionEvent, number>();
  private readonly isOtherModel = modelChanges();

  constructor(private readonly steps: Steps) {}

  /** Whether these are the events drawn so far, and maybe more after them. */
  continues(events: readonly AgentEvent[], gaps: ReadonlySet<string>): boolean {
    const { length } = this.events;
    const isLonger = events.length >= length && gaps.size === this.gaps;
    return isLonger && events[0] === this.events[0] && events[length - 1] === this.events[length - 1];
  }

  draw(events: readonly AgentEvent[], execution: Execution, gaps: ReadonlySet<string>): Entry[] {
    const fresh = events.slice(this.events.length);
    this.events = events;
    this.gaps = gaps.size;
    for (const event of fresh) this.outcomes.add(event);
    for (const event of fresh) {
      if (gaps.has(event.id)) this.entries.push(...gapSeparator(event));
      if (event.kind === 'action') this.open.set(event, this.entries.length);
      if (this.isOtherModel(event)) this.entries.push(...modelSeparator(event));
      else if (event.kind === 'action') this.entries.push(this.stepOf(event, execution));
      else this.entries.push(...simple(event));
    }
    for (const [action, place] of this.open) {
      this.entries[place] = this.stepOf(action, execution);
      // An outcome ends the step, whatever the agent does then.
      if (this.outcomes.of(action)) this.open.delete(action);
    }
    return [...this.entries];
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

/** Tells whether the agent uses another model from an event on. What it has used until it first acts is no change. */
function modelChanges(): (event: AgentEvent) => boolean {
  let model: string | undefined;
  let hasActed = false;
  return (event) => {
    if (event.kind === 'action') hasActed = true;
    if (event.kind !== 'model') return false;
    const isOther = event.name !== model && (model !== undefined || hasActed);
    model = event.name;
    return isOther;
  };
}

type Separator = Extract<Entry, { kind: 'separator' }>;

const separator =
  (what: Separator['what'], id: string) =>
  (event: AgentEvent): Entry[] => [
    {
      id: `${id}${event.id}`,
      at: timeOf(event),
      kind: 'separator',
      what,
      text: event.kind === 'model' ? event.name : '',
    },
  ];

const modelSeparator = derived(separator('modelChanged', ''));
const gapSeparator = derived(separator('gap', 'gap-'));

const senders = new Map<string, 'user' | 'agent'>([
  ['user', 'user'],
  ['agent', 'agent'],
]);

/** The entry of an event that stands for itself; none if it isn’t shown, or belongs to a step. */
const simple = derived((event: AgentEvent): Entry[] => {
  const base = { id: event.id, at: timeOf(event) };
  switch (event.kind) {
    case 'message':
      return [
        {
          ...base,
          kind: 'message',
          from: senders.get(event.source) ?? 'environment',
          text: { text: event.text, length: event.length },
          images: event.images,
          thought: event.thought,
        },
      ];
    case 'failure':
      return [
        {
          ...base,
          kind: 'error',
          title: event.code,
          text: { text: event.detail, length: event.detail.length },
        },
      ];
    case 'paused':
    case 'interrupted':
      return [{ ...base, kind: 'separator', what: event.kind, text: '' }];
    case 'condensation':
      return [{ ...base, kind: 'separator', what: 'condensed', text: event.summary }];
    case 'other':
      return [{ ...base, kind: 'separator', what: 'other', text: event.name }];
    case 'action':
    case 'observation':
    case 'rejection':
    case 'toolError':
    case 'status':
    case 'usage':
    case 'model':
    case 'hidden':
      return [];
  }
});
