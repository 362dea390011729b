import type { Content } from '../../api/events/content';
import type { AgentEvent } from '../../api/events/event';
import { type Clipped, isCut } from '../../shared/transcript';
import { clip } from './clip';

/** Characters kept of each kind of text; the rest is read again when somebody asks for it. */
const most = { message: 40_000, result: 2_000, error: 10_000 };

/** Characters of an edited file, before and after together, that are kept for the editor’s diff. */
const mostOfFile = 200_000;

/**
 * The event as it’s held: without the middle of long texts, large files, and pictures. Actions stay whole, since people
 * approve them.
 */
export function compact(full: AgentEvent): AgentEvent {
  const event = withoutPictures(full);
  switch (event.kind) {
    case 'message':
      return shorter(event, most.message);
    case 'observation':
      return { ...event, result: withoutLargeFile(shorter(event.result, most.result)) };
    case 'failure': {
      const error = clip(event.detail, most.error);
      return isCut(error) ? { ...event, detail: error.text, length: error.length } : event;
    }
    case 'toolError': {
      const error = clip(event.error, most.error);
      return isCut(error) ? { ...event, error: error.text, length: error.length } : event;
    }
    case 'action':
    case 'rejection':
    case 'status':
    case 'usage':
    case 'model':
    case 'condensation':
    case 'paused':
    case 'interrupted':
    case 'hidden':
    case 'other':
      return event;
  }
}

/** Without the contents of pictures. */
export function withoutPictures(event: AgentEvent): AgentEvent {
  if (event.kind !== 'message' || !event.pictures) return event;
  const { pictures: _, ...rest } = event;
  return rest;
}

/** Whether the event, as it’s held, lacks a part of its text. */
export const isShortened = (event: AgentEvent): boolean => isCut(clippedOf(event));

/** The text that an event is about, with the length of the whole. */
export function clippedOf(event: AgentEvent): Clipped {
  const text = textOf(event);
  if (event.kind === 'observation') return { text, length: event.result.length };
  return { text, length: ('length' in event ? event.length : undefined) ?? text.length };
}

/** The text that an event is about; empty for an action, and for events without any. */
export function textOf(event: AgentEvent): string {
  switch (event.kind) {
    case 'message':
      return event.text;
    case 'observation':
      return event.result.text;
    case 'rejection':
      return event.reason;
    case 'toolError':
      return event.error;
    case 'failure':
      return event.detail;
    case 'condensation':
      return event.summary;
    case 'action':
    case 'status':
    case 'usage':
    case 'model':
    case 'paused':
    case 'interrupted':
    case 'hidden':
    case 'other':
      return '';
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
