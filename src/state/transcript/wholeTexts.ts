import type { AgentEvent } from '../../api/events/event';
import { pretty, purposeOf } from './actions';
import { isShortened, textOf, withoutPictures } from './compact';
import type { EditedFile } from './model';
import { type ActionEvent, outcomesIn } from './outcomes';

/** Reads one event again, whole. */
type Read = (id: string) => Promise<AgentEvent | null>;

/** The full text of an entry: what was said, or what was done, with its result. Throws ApiError. */
export async function fullTextOf(
  events: readonly AgentEvent[],
  id: string,
  read: Read,
): Promise<string | undefined> {
  const event = events.find((one) => one.id === id);
  if (!event) return undefined;
  if (event.kind !== 'action') return textOf(await wholeOf(event, read));
  const outcome = outcomesIn(events).of(event);
  const result = outcome && textOf(await wholeOf(outcome, read));
  return [callText(event), result ?? ''].filter((part) => part !== '').join('\n\n');
}

/** The event as the server has it, if what is held was shortened. */
async function wholeOf(event: AgentEvent, read: Read): Promise<AgentEvent> {
  return isShortened(event) ? withoutPictures((await read(event.id)) ?? event) : event;
}

/** All events as the server has them; those that it doesn’t give again stay shortened. */
export async function wholeEvents(
  events: readonly AgentEvent[],
  read: Read,
  signal: AbortSignal,
): Promise<AgentEvent[]> {
  const whole: AgentEvent[] = [];
  // One after the other: older servers hold each request until a step ends.
  for (const event of events) {
    whole.push(signal.aborted ? event : await wholeOf(event, read).catch(() => event));
  }
  return whole;
}

function callText({ action, call }: ActionEvent): string {
  if (!action) return call;
  const purpose = purposeOf(action);
  return purpose.to === 'terminal' ? `$ ${purpose.command}` : pretty(action.input);
}

/** Both sides of an edit; undefined if its event doesn’t have them, or the files are too large to be held. */
export function editedFileOf(events: readonly AgentEvent[], id: string): EditedFile | undefined {
  const event = events.find((one) => one.id === id);
  const outcome = event?.kind === 'action' ? outcomesIn(events).of(event) : undefined;
  if (outcome?.kind !== 'observation') return undefined;
  const { path, before, after } = outcome.result;
  return path === null || after === null ? undefined : { path, before: before ?? '', after };
}
