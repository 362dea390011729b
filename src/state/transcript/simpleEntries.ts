import type { AgentEvent } from '../../api/events/event';
import { timeOf } from '../../api/events/schema';
import type { Entry } from '../../shared/transcript';
import { derived } from '../basics/derived';

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

/** Says that the agent uses another model from here on. */
export const modelSeparator = derived(separator('modelChanged', ''));
/** Says that events are missing before this one. */
export const gapSeparator = derived(separator('gap', 'gap-'));

/** The entry of an event that stands for itself; none if it isn’t shown, or belongs to a step. */
export const simple = derived((event: AgentEvent): Entry[] => {
  const base = { id: event.id, at: timeOf(event) };
  switch (event.kind) {
    case 'message': {
      const { source } = event;
      return [
        {
          ...base,
          kind: 'message',
          from: source === 'user' || source === 'agent' ? source : 'environment',
          text: { text: event.text, length: event.length },
          images: event.images,
          thought: event.thought,
        },
      ];
    }
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
