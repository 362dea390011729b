import type { Content } from '../../api/events/content';
import type { AgentEvent } from '../../api/events/event';
import { writingsOf } from '../../api/http/errorBody';

/** What stands in place of a secret. */
export const blot = '••••••••';

/** Shorter values also occur by chance. */
const shortest = 8;

/** Members of events that are compared, not shown; arguments of an action may have the same names. */
const compared = new Set(['id', 'timestamp', 'kind', 'source', 'actionId', 'callId']);

/** Masks known secrets in events before anything else sees them. */
export interface SecretMask {
  /** The event without the secrets, at any depth. */
  event: (event: AgentEvent) => AgentEvent;
  /** Likewise, of an event whose places were counted before. */
  again: (event: AgentEvent) => AgentEvent;
  text: (text: string) => string;
  /** Number of places that were masked in events. */
  readonly count: number;
}

/** @param secrets read for each event, as they may become known late */
export function createSecretMask(secrets: () => readonly string[]): SecretMask {
  let count = 0;
  const known = new Map<string, readonly string[]>();
  const everyWayOf = (secret: string) => {
    const ways = known.get(secret) ?? [...new Set(writingsOf(secret))];
    known.set(secret, ways);
    return ways;
  };
  const hide = (text: string, found: (places: number) => void): string =>
    secrets()
      .filter((secret) => secret.length >= shortest)
      .flatMap(everyWayOf)
      .sort((one, other) => other.length - one.length)
      .reduce((rest, secret) => {
        const parts = rest.split(secret);
        found(parts.length - 1);
        return parts.join(blot);
      }, text);
  const mask = (value: unknown, found: (places: number) => void, isArguments = false): unknown => {
    if (typeof value === 'string') return hide(value, found);
    if (typeof value !== 'object' || value === null) return value;
    const masked: [string, unknown][] = [];
    let isSame = true;
    for (const [name, member] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      const shown = hide(name, found);
      const isCompared = compared.has(name) && !isArguments;
      const hidden = isCompared ? member : mask(member, found, isArguments || name === 'input');
      masked.push([shown, hidden]);
      if (shown !== name || hidden !== member) isSame = false;
    }
    // A copy would take more memory than the original.
    if (isSame) return value;
    return Array.isArray(value) ? masked.map(([, member]) => member) : Object.fromEntries(masked);
  };
  const masked = (event: AgentEvent, found: (places: number) => void): AgentEvent =>
    withLength(event, mask(event, found) as AgentEvent);
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

/** A text’s length says whether it was shortened, so it's adjusted to the masking. */
function withLength(before: AgentEvent, after: AgentEvent): AgentEvent {
  if (after === before) return after;
  if (after.kind === 'message') return { ...after, length: lengthOf(before as typeof after, after) };
  if (after.kind !== 'observation') return after;
  const length = lengthOf((before as typeof after).result, after.result);
  return { ...after, result: { ...after.result, length } };
}

const lengthOf = (before: Content, after: Content) => before.length + after.text.length - before.text.length;
