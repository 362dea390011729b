import type { AgentEvent } from '../../../api/events/event';
import { timeOf } from '../../../api/events/schema';
import { type Entry, hookWords } from '../../../shared/transcript';
import { derived } from '../../../core/basics/derived';
import { clip, clipLine } from './clip';
import { clippedOf } from './compact';
import { unreadWords } from './words';

/** Characters of texts that aren’t read again, and of names. */
const mostOfText = 10_000;
const mostOfName = 500;

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
    // Of an action that isn’t here, or of none.
    case 'toolError':
    case 'failure': {
      const title = event.kind === 'failure' ? event.code : event.tool;
      const { remedy } = event;
      return [{ ...base, kind: 'error', title, text: clippedOf(event), ...(remedy && { remedy }) }];
    }
    case 'hook':
      return [hookEntry(event)];
    case 'paused':
    case 'interrupted':
      return [{ ...base, kind: 'separator', what: event.kind, text: '' }];
    case 'condensation':
      return [{ ...base, kind: 'separator', what: 'condensed', text: clip(event.summary, mostOfText).text }];
    case 'model':
      return [{ ...base, kind: 'separator', what: 'modelChanged', text: clipLine(event.name, mostOfName) }];
    case 'goal':
      return [goalEntry(event)];
    case 'unread':
      return [{ ...base, kind: 'separator', what: 'unread', text: unreadWords[event.why]() }];
    case 'other':
      return [{ ...base, kind: 'separator', what: 'other', text: clipLine(event.name, mostOfName) }];
    case 'action':
    case 'observation':
    case 'rejection':
    case 'toolCall':
    case 'status':
    case 'usage':
    case 'risks':
    case 'hidden':
      return [];
  }
});

function goalEntry({ id, timestamp, ...goal }: Extract<AgentEvent, { kind: 'goal' }>): Entry {
  const { state, round, objective, missing } = goal;
  const base = { id, at: timeOf({ timestamp }), kind: 'separator' } as const;
  if (state === 'running' && round === 0)
    return { ...base, what: 'goalSet', text: clip(objective, mostOfText).text };
  if (state === 'interrupted') return { ...base, what: 'goalStopped', text: '' };
  const what = { running: 'goalRound', complete: 'goalReached', capped: 'goalMissed' } as const;
  return { ...base, what: what[state], count: round, text: clip(missing, mostOfText).text };
}

/** A hook that ran for no step that's known: one that didn't pass is an error, which is never folded. */
function hookEntry(event: Extract<AgentEvent, { kind: 'hook' }>): Entry {
  const base = { id: event.id, at: timeOf(event) };
  const { on, command, outcome } = event;
  if (outcome !== 'passed')
    return { ...base, kind: 'error', title: hookWords[outcome](on), text: clippedOf(event) };
  const said = clip([`${on}: ${command}`, event.text].filter(Boolean).join('\n\n'), mostOfText).text;
  return { ...base, kind: 'separator', what: 'hook', text: said };
}
