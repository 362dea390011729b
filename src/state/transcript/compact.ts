import type { Content } from '../../api/events/content';
import type { AgentEvent } from '../../api/events/event';
import { clip } from './clip';

/** Characters kept of each kind of text; the rest is read again when somebody asks for it. */
const most = { message: 40_000, result: 3_000, error: 10_000 };

/** Characters of an edited file, before and after together, that are kept for the editor’s diff. */
const mostOfFile = 200_000;

/**
 * The event as it’s held: without the middle of long texts and without large files. Actions stay whole, since people
 * approve them.
 */
export function compact(event: AgentEvent): AgentEvent {
  switch (event.kind) {
    case 'message':
      return shorter(event, most.message);
    case 'observation':
      return { ...event, result: withoutLargeFile(shorter(event.result, most.result)) };
    case 'failure':
      return { ...event, detail: clip(event.detail, most.error).text };
    case 'toolError':
      return { ...event, error: clip(event.error, most.error).text };
    case 'action':
    case 'rejection':
    case 'status':
    case 'usage':
    case 'condensation':
    case 'paused':
    case 'interrupted':
    case 'hidden':
    case 'other':
      return event;
  }
}

function shorter<T extends Content>(content: T, limit: number): T {
  return content.text.length > limit ? { ...content, text: clip(content.text, limit).text } : content;
}

type Result = Extract<AgentEvent, { kind: 'observation' }>['result'];

function withoutLargeFile(result: Result): Result {
  const size = (result.before?.length ?? 0) + (result.after?.length ?? 0);
  return size > mostOfFile ? { ...result, before: null, after: null } : result;
}
