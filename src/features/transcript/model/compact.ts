import type { Content } from '../../../api/events/content';
import type { AgentAction, AgentEvent, FileChange, Result, ToolCall } from '../../../api/events/event';
import { type Clipped, type EditDetail, isCut } from '../../../shared/transcript';
import { purposeOf, purposeOfCall } from './actions';
import { clip, clipAll } from './clip';
import { editDetail } from './edits';
import { readableArguments } from './readable';

/** Characters kept of each kind of text; the rest is read again when somebody asks for it. */
const most = {
  message: 40_000,
  thought: 10_000,
  result: 2_000,
  error: 10_000,
  name: 500,
  argument: 4_000,
  arguments: 20_000,
};

/** Characters of an edited file, before and after together, that are kept for the editor’s diff. */
const mostOfFile = 200_000;

/**
 * The event as it’s held: without the middle of long texts, large files, and pictures. Actions stay whole until they are
 * answered, since people approve them.
 */
export function compact(full: AgentEvent): AgentEvent {
  const event = withoutPictures(full);
  switch (event.kind) {
    case 'message':
      return shorter(withShort(event, 'thought', most.thought), most.message);
    case 'observation':
      return { ...event, result: withoutLargeFile(shorter(event.result, most.result)) };
    case 'toolCall':
      return compactCall(event);
    case 'hook': {
      const said = clip(event.text, most.error);
      return isCut(said) ? { ...event, text: said.text, length: said.length } : event;
    }
    case 'failure': {
      const error = clip(event.detail, most.error);
      const named = withShort(event, 'code', most.name);
      return isCut(error) ? { ...named, detail: error.text, length: error.length } : named;
    }
    case 'toolError': {
      const error = clip(event.error, most.error);
      return isCut(error) ? { ...event, error: error.text, length: error.length } : event;
    }
    case 'action':
      return withShort(event, 'summary', most.argument);
    case 'goal':
      return withShort(withShort(event, 'objective', most.message), 'missing', most.message);
    case 'rejection':
    case 'status':
    case 'usage':
    case 'risks':
    case 'model':
    case 'condensation':
    case 'paused':
    case 'interrupted':
    case 'hidden':
    case 'unread':
    case 'other':
      return event;
  }
}

type Action = Extract<AgentEvent, { kind: 'action' }>;

/** An action as it’s held once it was answered: without the middle of long arguments. */
export function compactAction(event: Action): Action {
  const { action, call, shortened } = event;
  if (shortened) return event;
  const short = withShort(withShort(event, 'thought', most.thought), 'tool', most.name);
  const written = clip(call, most.arguments);
  if (!action) return isCut(written) ? { ...short, call: written.text, shortened: true } : short;
  const input = shortInput(action.input);
  if (input === action.input) return short;
  const edit = editOf(action);
  return { ...short, action: { ...action, input }, shortened: true, ...(edit && { edit }) };
}

/** Counted before its texts are shortened. */
function editOf(action: AgentAction): EditDetail | undefined {
  const purpose = purposeOf(action);
  return purpose.to === 'edit' ? editDetail(purpose.edits, undefined) : undefined;
}

/**
 * Arguments without the middle of long texts, and in all no longer than is shown of them; the same if they are short.
 */
function shortInput(input: AgentAction['input']): AgentAction['input'] {
  const shown = clipAll(input, most.argument) as AgentAction['input'];
  const size = JSON.stringify(shown).length;
  return size <= most.arguments ? shown : { arguments: clip(readableArguments(input), most.argument).text };
}

function compactCall<T extends ToolCall>(call: T): T {
  const input = call.input && shortInput(call.input);
  const result = withoutLargeFile(shorter(call.result, most.result));
  // If the agent reports no command, its title is one.
  const { title, tool } = withShort(withShort(call, 'title', most.argument), 'tool', most.name);
  const hasAll = input === call.input && title === call.title && result.files === call.result.files;
  const purpose = hasAll ? undefined : purposeOfCall(call);
  const edit = purpose?.to === 'edit' ? editDetail(purpose.edits, result) : undefined;
  return { ...call, title, tool, input, result, ...(!hasAll && { shortened: true }), ...(edit && { edit }) };
}

/** The same if the text of that name is short. */
function withShort<N extends string, T extends Readonly<Record<N, string>>>(
  event: T,
  name: N,
  limit: number,
): T {
  const { text } = clip(event[name], limit);
  return text === event[name] ? event : { ...event, [name]: text };
}

/** Without the contents of pictures. */
export function withoutPictures(event: AgentEvent): AgentEvent {
  if (event.kind === 'message') return pictureless(event);
  if (event.kind !== 'observation' && event.kind !== 'toolCall') return event;
  const result = pictureless(event.result);
  return result === event.result ? event : { ...event, result };
}

function pictureless<T extends Content>(content: T): T {
  if (!content.pictures) return content;
  const { pictures: _, ...rest } = content;
  return rest as T;
}

/** The pictures of an event that was read again, or just now. */
export function picturesOf(event: AgentEvent): readonly unknown[] {
  if (event.kind === 'message') return event.pictures ?? [];
  return event.kind === 'observation' || event.kind === 'toolCall' ? (event.result.pictures ?? []) : [];
}

/** Whether the event, as it’s held, lacks a part of its text. */
export const isShortened = (event: AgentEvent): boolean =>
  isCut(clippedOf(event)) ||
  ((event.kind === 'action' || event.kind === 'toolCall') && event.shortened === true);

/** The text that an event is about, with the length of the whole. */
export function clippedOf(event: AgentEvent): Clipped {
  const text = eventText(event);
  if (event.kind === 'observation' || event.kind === 'toolCall') return { text, length: event.result.length };
  return { text, length: ('length' in event ? event.length : undefined) ?? text.length };
}

/** The text that an event is about; empty for an action, and for events without any. */
export function eventText(event: AgentEvent): string {
  switch (event.kind) {
    case 'message':
      return event.text;
    case 'observation':
    case 'toolCall':
      return event.result.text;
    case 'hook':
      return event.text;
    case 'rejection':
      return event.reason;
    case 'toolError':
      return event.error;
    case 'failure':
      return event.detail;
    case 'condensation':
      return event.summary;
    case 'goal':
    case 'action':
    case 'status':
    case 'usage':
    case 'risks':
    case 'model':
    case 'paused':
    case 'interrupted':
    case 'hidden':
    case 'unread':
    case 'other':
      return '';
  }
}

function shorter<T extends Content>(content: T, limit: number): T {
  return content.text.length > limit ? { ...content, text: clip(content.text, limit).text } : content;
}

/** Without the contents of files, but still with their paths, if they are large. */
function withoutLargeFile(result: Result): Result {
  const { files = [], ...rest } = result;
  const sizeOf = (before: string | null, after: string | null) =>
    (before?.length ?? 0) + (after?.length ?? 0);
  const size = files.reduce(
    (sum, { before, after }) => sum + sizeOf(before, after),
    sizeOf(rest.before, rest.after),
  );
  if (size <= mostOfFile) return result;
  const paths = files.map(({ before, after, ...file }) => ({
    ...file,
    before: before && '',
    after: after && '',
    isGone: true as const,
  }));
  return { ...rest, before: null, after: null, ...(paths.length > 0 && { files: paths }) };
}

type Sides = Pick<FileChange, 'before' | 'after'>;

/** Holds the same contents of a file once: most edits begin with what the one before left. */
export class SharedFiles {
  /** By path, both sides of the last edit. */
  private readonly last = new Map<string, readonly (string | null)[]>();

  /** The event with contents that the last edit has, where they are the same; edits come in order, or in reverse. */
  share<E extends AgentEvent>(event: E): E {
    if (event.kind !== 'observation' && event.kind !== 'toolCall') return event;
    const { result } = event;
    const files = result.files?.map((file) => this.sides(file, file.path));
    if (!files && result.after === null) return event;
    return { ...event, result: { ...this.sides(result, result.path ?? ''), ...(files && { files }) } };
  }

  private sides<T extends Sides>(file: T, path: string): T {
    const last = this.last.get(path) ?? [];
    const [before = null, after = null] = [file.before, file.after].map(
      (text) => last.find((one) => one === text) ?? text,
    );
    this.last.set(path, [before, after]);
    return { ...file, before, after };
  }
}
