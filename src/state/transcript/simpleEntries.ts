import type { AgentEvent } from '../../api/events/event';
import { timeOf } from '../../api/events/schema';
import type { Entry } from '../../shared/transcript';
import { derived } from '../basics/derived';
import { clippedOf } from './compact';

/** Says that events are missing before this one. */
export const gapSeparator = derived((event: AgentEvent): Entry[] => [
  { id: `gap-${event.id}`, at: timeOf(event), kind: 'separator', what: 'gap', text: '' },
]);

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
          text: clippedOf(event),
          images: event.images,
          thought: event.thought,
        },
      ];
    }
    case 'failure':
      return [{ ...base, kind: 'error', title: event.code, text: clippedOf(event) }];
    case 'paused':
    case 'interrupted':
      return [{ ...base, kind: 'separator', what: event.kind, text: '' }];
    case 'condensation':
      return [{ ...base, kind: 'separator', what: 'condensed', text: event.summary }];
    case 'model':
      return [{ ...base, kind: 'separator', what: 'modelChanged', text: event.name }];
    case 'other':
      return [{ ...base, kind: 'separator', what: 'other', text: event.name }];
    case 'action':
    case 'observation':
    case 'rejection':
    case 'toolError':
    case 'status':
    case 'usage':
    case 'hidden':
      return [];
  }
});
