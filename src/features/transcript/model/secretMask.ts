import type { Content } from '../../../api/events/content';
import type { AgentEvent, FileChange } from '../../../api/events/event';
import { same } from '../../../shared/same';
import { secretForms } from '../../../shared/secretForms';
import { type SecretSearch, secretSearch } from '../../../shared/secretSearch';
import { nextTurn } from '../../../core/basics/nextTurn';

/** What stands in place of a secret. */
export const blot = '••••••••';

/** Shorter values also occur by chance. */
export const shortest = 8;

/** Members of events that are compared, not shown; arguments of an action may have the same names. */
const compared = new Set(
  'id,timestamp,kind,source,parent,waits,actionId,callId,status,state,remedy'.split(','),
);

/** Masks known secrets in events before anything else sees them. */
export interface SecretMask {
  /** The event without the secrets, at any depth. */
  event: (event: AgentEvent) => AgentEvent;
  /** The same for an event whose masked places are in `count` already. */
  again: (event: AgentEvent) => AgentEvent;
  text: (text: string) => string;
  /** Number of places that were masked in events. */
  readonly count: number;
}

/** @param secrets read for each event, as they may become known late */
export function createSecretMask(secrets: () => readonly string[]): SecretMask {
  let count = 0;
  let known: { secrets: readonly string[]; search: SecretSearch } | undefined;
  const hide = (text: string, found: (places: number) => void): string => {
    const now = secrets();
    if (!known || (known.secrets !== now && !same(known.secrets, now)))
      known = { secrets: now, search: secretSearch(now, shortest) };
    const hidden = known.search(text, blot);
    found(hidden.places);
    return hidden.text;
  };
  const mask = (value: unknown, found: (places: number) => void, isArguments = false): unknown => {
    if (typeof value === 'string') return hide(value, found);
    // The arguments of an action have any types; everything else has those that its readers expect.
    if (typeof value === 'number' && isArguments) {
      const text = String(value);
      const shown = hide(text, found);
      return shown === text ? value : shown;
    }
    if (typeof value !== 'object' || value === null) return value;
    const masked: [string, unknown][] = [];
    let isSame = true;
    for (const [name, member] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      const shown = isArguments ? hide(name, found) : name;
      const isCompared = compared.has(name) && !isArguments;
      const hidden = isCompared ? member : mask(member, found, isArguments || name === 'input');
      masked.push([shown, hidden]);
      if (shown !== name || hidden !== member) isSame = false;
    }
    // A copy would take more memory than the original.
    if (isSame) return value;
    return Array.isArray(value) ? masked.map(([, member]) => member) : Object.fromEntries(masked);
  };
  /** The text with nothing hidden but secrets themselves: the search also hides what is between their characters. */
  const exactly = (text: string): string =>
    secrets()
      .flatMap((secret) => secretForms(secret.trim()))
      .sort((one, other) => other.length - one.length)
      .filter((form) => form !== '')
      .reduce((rest, form) => rest.replaceAll(form.toLowerCase(), blot), text);
  const masked = (event: AgentEvent, found: (places: number) => void): AgentEvent => {
    const after = adjusted(event, mask(event, found) as AgentEvent);
    if (after === event || event.kind !== 'action' || after.kind !== 'action') return after;
    const [was = '', now] = [event, after].map(({ action }) => JSON.stringify(action).toLowerCase());
    return exactly(was) === now ? after : { ...after, isVeiled: true };
  };
  const uncounted = () => undefined;
  return {
    event: (event) => masked(event, (places) => (count += places)),
    again: (event) => masked(event, uncounted),
    text: (text) => hide(text, uncounted),
    get count() {
      return count;
    },
  };
}

/** Events that are masked again before anything else gets its turn. */
const maskedAtOnce = 100;

/**
 * Those of the events that are held, a few at a time, in which there is more to mask than before; each as it's then.
 */
export async function maskedAgain(
  held: () => readonly AgentEvent[],
  mask: Pick<SecretMask, 'event'>,
): Promise<Map<AgentEvent, AgentEvent>> {
  const masked = new Map<AgentEvent, AgentEvent>();
  // Others may be added, or shortened, in between.
  for (let rest = held(); rest.length > 0; rest = held().filter((event) => !masked.has(event))) {
    for (const event of rest.slice(0, maskedAtOnce)) masked.set(event, mask.event(event));
    if (rest.length > maskedAtOnce) await nextTurn();
  }
  return new Map([...masked].filter(([event, now]) => event !== now));
}

/** A text’s length says whether it was shortened, so it's adjusted to the masking. Masked files are marked. */
function adjusted(before: AgentEvent, after: AgentEvent): AgentEvent {
  if (after === before) return after;
  if (after.kind === 'message') return { ...after, length: lengthOf(before as typeof after, after) };
  if (after.kind !== 'observation' && after.kind !== 'toolCall') return after;
  const { result } = before as typeof after;
  const length = lengthOf(result, after.result);
  const { files: was = [] } = result;
  const files = after.result.files?.map((file, index) => ({ ...file, ...marks(was[index] ?? file, file) }));
  const marked = { ...after.result, length, ...marks(result, after.result), ...(files && { files }) };
  return { ...after, result: marked };
}

const sides = ['before', 'after'] as const;

type Sides = Pick<FileChange, 'before' | 'after' | 'masked'>;

/** The sides of a file that were masked; of one that is masked again, they stay. */
function marks(was: Sides, now: Sides): Pick<FileChange, 'masked'> {
  const masked = sides.filter((side) => now[side] !== was[side] || was.masked?.includes(side) === true);
  return masked.length > 0 ? { masked } : {};
}

const lengthOf = (before: Content, after: Content) => before.length + after.text.length - before.text.length;
