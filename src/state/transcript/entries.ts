import type { AgentEvent } from '../../api/events/event';
import { timeOf } from '../../api/events/schema';
import type { Entry, Execution, StepEntry } from '../../shared/transcript';
import { derived } from '../basics/derived';
import { type OutcomeEvent, outcomes } from './outcomes';
import { stepOf } from './steps';

/** Turns events into the entries of a transcript; what hasn’t changed since the last time is the same object. */
export type EntryMaker = (
  events: readonly AgentEvent[],
  execution: Execution,
  /** Ids of the events before which some are missing. */
  gaps?: ReadonlySet<string>,
) => Entry[];

export function createEntryMaker(): EntryMaker {
  const steps = new WeakMap<AgentEvent, Step>();
  return (events, execution, gaps) => {
    const outcomeOf = outcomes(events, true);
    const isOtherModel = modelChanges();
    const draw = (event: AgentEvent): Entry[] => {
      if (isOtherModel(event)) return modelSeparator(event);
      if (event.kind !== 'action') return simple(event);
      const outcome = outcomeOf(event);
      const known = steps.get(event);
      // An outcome ends the step, whatever the agent does then.
      if (known && known.outcome === outcome && (outcome || known.execution === execution))
        return [known.entry];
      const entry = stepOf(event, outcome, execution);
      steps.set(event, { outcome, execution, entry });
      return [entry];
    };
    return events.flatMap((event) =>
      gaps?.has(event.id) ? [...gapSeparator(event), ...draw(event)] : draw(event),
    );
  };
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

interface Step {
  outcome: OutcomeEvent | undefined;
  execution: Execution;
  entry: StepEntry;
}

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
