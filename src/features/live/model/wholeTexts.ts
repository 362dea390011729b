import type { AgentEvent } from '../../../api/events/event';
import {
  purposeOfCall,
  isShortened,
  picturesOf,
  eventText,
  withoutPictures,
  changedFiles,
  type ActionEvent,
  outcomesIn,
  type ToolCallEvent,
  readableArguments,
  purposeOfEvent,
  callsIn,
  joinedReports,
  type Reports,
} from '../../transcript';
import type { EditedFile } from './model';

/** Reads one event again, in full. */
type Read = (id: string) => Promise<AgentEvent | null>;

/**
 * The full text of an entry: what was said, or what was done, with its result. Throws ApiError.
 * @param part `command` for what was done alone
 */
export async function fullTextOf(
  events: readonly AgentEvent[],
  id: string,
  read: Read,
  part: 'all' | 'command' = 'all',
): Promise<string | undefined> {
  const event = events.find((one) => one.id === id);
  if (!event) return undefined;
  if (event.kind === 'toolCall') {
    const [first = event, ...reports] = await Promise.all(
      reportsOf(events, event).map((report) => wholeOf(report, read)),
    );
    return callOf([first as ToolCallEvent, ...(reports as ToolCallEvent[])], part);
  }
  if (event.kind !== 'action') return eventText(await wholeOf(event, read));
  const whole = await wholeOf(event, read);
  const call = whole.kind === 'action' ? callText(whole) : '';
  if (part === 'command') return call;
  const outcome = outcomesIn(events).of(event);
  const result = outcome && eventText(await wholeOf(outcome, read));
  const written = purposeOfEvent(event).to === 'terminal' ? `$ ${call}` : call;
  return [written, result ?? ''].filter((text) => text !== '').join('\n\n');
}

const reportsOf = (events: readonly AgentEvent[], first: ToolCallEvent): Reports =>
  callsIn(events).find(([one]) => one.id === first.id) ?? [first];

function callOf(reports: Reports, part: 'all' | 'command'): string {
  const call = joinedReports(reports);
  const { title, input, result } = call;
  const purpose = purposeOfCall(call);
  const command = purpose.to === 'terminal' ? purpose.command : undefined;
  const asked = command === undefined ? (input ? readableArguments(input) : title) : `$ ${command}`;
  return part === 'command'
    ? (command ?? asked)
    : [asked, result.text].filter((text) => text !== '').join('\n\n');
}

/** The pictures of an entry, read again: of a message, or of what a step brought. Throws ApiError. */
export async function picturesIn(
  events: readonly AgentEvent[],
  id: string,
  read: Read,
): Promise<readonly unknown[]> {
  const event = events.find((one) => one.id === id);
  const shown =
    event?.kind === 'action'
      ? outcomesIn(events).of(event)
      : event?.kind === 'toolCall'
        ? reportsOf(events, event).findLast(({ result }) => result.images > 0)
        : event;
  const again = shown && (await read(shown.id));
  return again ? picturesOf(again) : [];
}

/** The event as the server has it, if what is held was shortened. */
async function wholeOf(event: AgentEvent, read: Read): Promise<AgentEvent> {
  return isShortened(event) ? withoutPictures((await read(event.id)) ?? event) : event;
}

/** All events as the server has them; those that it no longer returns stay shortened. */
export async function wholeEvents(
  events: readonly AgentEvent[],
  read: Read,
  signal: AbortSignal,
): Promise<AgentEvent[]> {
  const whole: AgentEvent[] = [];
  // One at a time: older servers hold each request until a step ends.
  for (const event of events) {
    whole.push(signal.aborted ? event : await wholeOf(event, read).catch(() => event));
  }
  return whole;
}

function callText(event: ActionEvent): string {
  const { action, call } = event;
  if (!action) return call;
  const purpose = purposeOfEvent(event);
  return purpose.to === 'terminal' ? purpose.command : readableArguments(action.input);
}

/** Both sides of an edited file; undefined if its event doesn’t have them, or they are too large to be held. */
export function editedFileOf(events: readonly AgentEvent[], id: string): EditedFile | undefined {
  const event = events.find((one) => one.id === id);
  const outcome = event?.kind === 'action' ? outcomesIn(events).of(event) : undefined;
  const source = event?.kind === 'toolCall' ? joinedReports(reportsOf(events, event)) : outcome;
  const [file, ...others] = source && 'result' in source ? changedFiles(source.result) : [];
  if (!file || others.length > 0 || file.isPart) return undefined;
  return { path: file.path, before: file.before ?? '', after: file.after ?? '' };
}
