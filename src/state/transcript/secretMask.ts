import type { AgentEvent } from '../../api/events/event';

/** What stands in place of a secret. */
const blot = '••••••••';

/** Shorter values also occur by chance. */
const shortest = 8;

/** Members that are compared, not shown. */
const kept = new Set(['id', 'timestamp', 'kind', 'source', 'actionId', 'callId']);

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
  const hide = (text: string, found: () => void): string =>
    secrets()
      .filter((secret) => secret.length >= shortest)
      .sort((one, other) => other.length - one.length)
      .reduce((rest, secret) => {
        const parts = rest.split(secret);
        for (let place = 1; place < parts.length; place += 1) found();
        return parts.length > 1 ? parts.join(blot) : rest;
      }, text);
  const mask = (value: unknown, found: () => void): unknown => {
    if (typeof value === 'string') return hide(value, found);
    if (typeof value !== 'object' || value === null) return value;
    const before = Object.entries(value);
    const after = before.map(([name, member]): [string, unknown] => [
      hide(name, found),
      kept.has(name) && typeof member === 'string' ? member : mask(member, found),
    ]);
    // A copy would take more memory than the original.
    const isSame = after.every(([name, member], at) => name === before[at]?.[0] && member === before[at][1]);
    if (isSame) return value;
    return Array.isArray(value)
      ? after.map(([, member]) => member)
      : withLength(value, Object.fromEntries(after));
  };
  const uncounted = () => undefined;
  return {
    event: (event) => mask(event, () => (count += 1)) as AgentEvent,
    again: (event) => mask(event, uncounted) as AgentEvent,
    text: (text) => hide(text, uncounted),
    get count() {
      return count;
    },
  };
}

/** A text’s length tells whether it was shortened, so it follows what masking did. */
function withLength(before: { text?: unknown; length?: unknown }, after: Record<string, unknown>): unknown {
  const { text, length } = before;
  if (typeof text !== 'string' || typeof length !== 'number' || typeof after['text'] !== 'string')
    return after;
  return { ...after, length: length + after['text'].length - text.length };
}
