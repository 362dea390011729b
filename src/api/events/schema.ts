import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { tooDeep } from '../http/body';
import { readTime } from '../time';
import type { AgentEvent, Particulars } from './event';
import { readId } from './eventId';
import { kinds } from './kinds';
import { holdsActions, tellsOfWaiting, toldActions } from './toldActions';

/**
 * An event as both servers send it: with an id and a time. Unknown kinds, and known ones of an unknown shape, are
 * `other`.
 */
export const eventSchema: z.ZodMiniType<AgentEvent> = z.pipe(
  z.custom<JsonMembers>(
    (value) =>
      isJsonObject(value) && readId(value['id']) !== undefined && readTime(value['timestamp']) !== undefined,
  ),
  z.transform((value) => readEvent(value, '')),
);

/** Servers name this as the parent of an event that begins a tree. */
const rootParent = '__root__';

/**
 * Reads an element of a list of events. What can’t be read is marked instead of left out: it may be an action that the
 * agent wants to take.
 * @param near the time to place the event at if it has none
 */
export function readEvent(value: unknown, near: string): AgentEvent {
  const event = isJsonObject(value) ? value : {};
  const { source } = event;
  const named = readId(event['parent_id']);
  const parent = named === rootParent ? undefined : named;
  return {
    id: readId(event['id']) ?? `unread-${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`,
    timestamp: readTime(event['timestamp']) ?? near,
    source: typeof source === 'string' ? source : '',
    ...(parent !== undefined && { parent }),
    ...particularsOf(value),
  };
}

function particularsOf(value: unknown): Particulars & Pick<AgentEvent, 'mayAct' | 'waits'> {
  if (!isJsonObject(value)) return { kind: 'unread', why: 'odd' };
  const { kind } = value;
  const name = typeof kind === 'string' ? kind : '';
  if (tooDeep in value) {
    const actionId = readId(value['action_id']);
    return {
      kind: 'unread',
      why: 'deep',
      ...(isNoAction(name) && { isNoAction: true }),
      ...(answers.has(name) && actionId !== undefined && { actionId }),
    };
  }
  const known = kinds.get(name)?.safeParse(value).data ?? { kind: 'other', name };
  const acts =
    known.kind === 'action'
      ? hasMore(value, known.action ? 1 : 0)
      : known.kind === 'other'
        ? mayAct(value)
        : alsoActs(value);
  const waits = name === stateUpdate ? toldActions(value) : [];
  return { ...known, ...(acts && { mayAct: acts }), ...(waits.length > 0 && { waits }) };
}

const stateUpdate = 'ConversationStateUpdateEvent';

/** By the server’s name of its kind. */
const isNoAction = (name: string) => kinds.has(name) && name !== 'ActionEvent';

/** Kinds that report the outcome of an action. */
const answers: ReadonlySet<string> = new Set(['ObservationEvent', 'UserRejectObservation']);

/** Kinds that report what was done, or what a hook said about it. */
const reports: ReadonlySet<unknown> = new Set(['ACPToolCallEvent', 'HookExecutionEvent']);

/** Sources other than the agent. */
const others: ReadonlySet<unknown> = new Set(['user', 'environment', 'hook']);

/** Whether an action’s event has several of them, of which one is read at most. */
const hasMore = (event: JsonMembers, read: number): true | undefined =>
  [event['actions'], event['tool_calls']].some((all) => Array.isArray(all) && all.length > read) || undefined;

/** What an event of a known kind may have besides what is read of it. */
function alsoActs(event: JsonMembers): AgentEvent['mayAct'] {
  if ((event['action'] ?? event['actions'] ?? null) !== null) return true;
  if (event['kind'] !== stateUpdate && tellsOfWaiting(event)) return 'unclear';
  return event['kind'] === 'MessageEvent' && holdsActions(event['llm_message']) ? 'unclear' : undefined;
}

/**
 * Whether an event of an unknown kind may be an action: it carries one, or a call of a tool that answers none. Whatever
 * else an agent says may be one, too, in words that this client doesn’t know.
 */
function mayAct(event: JsonMembers): AgentEvent['mayAct'] {
  const has = (...names: string[]) =>
    names.some((name) => (event[name] ?? null) !== null && event[name] !== '');
  if (reports.has(event['kind'])) return undefined;
  if (has('action', 'actions', 'tool_call', 'tool_calls')) return true;
  if (has('action_id') && event['action_id'] === event['id']) return true;
  const holds = holdsActions(event) ? 'unclear' : undefined;
  if (others.has(event['source']) || has('action_id')) return holds;
  if (has('tool_name', 'tool_call_id')) return true;
  const { kind } = event;
  return typeof kind === 'string' && isNoAction(kind) ? holds : 'unclear';
}

/** Milliseconds since the epoch of an event, if the sandbox’s clock shows UTC, as containers’ clocks do. */
export function timeOf({ timestamp }: Pick<AgentEvent, 'timestamp'>): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`);
}

type Timed = Pick<AgentEvent, 'id' | 'timestamp'>;

/** Compares events by time, then by id: within one second, the service's answers aren't sorted. */
export function byTime(one: Timed, other: Timed): number {
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp ? -1 : 1;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

/** The events by time, in the direction asked for. */
export function sorted(events: readonly AgentEvent[], newestFirst: boolean): AgentEvent[] {
  const oldestFirst = events.toSorted(byTime);
  return newestFirst ? oldestFirst.reverse() : oldestFirst;
}
