import { isJsonObject, type JsonMembers } from '../../shared/json';
import { readId } from './eventId';

/** Names of members, and types of parts of a message, that are actions or calls of tools. */
const actions = /^(?:pending_?)?(?:action|tool_?call|tool_?use|function_?call)s?$/i;

/** Kinds of actions, and of events that have one. */
const kinds = /Action(?:Event)?$/;

/** Names of members of a state that are actions which wait, however deep they are. */
const waiting =
  /^(?:pending|waiting|unmatched|unanswered|unapproved)_?(?:action|tool_?call|function_?call)s?$/i;

/** Whether there are actions, or calls of tools, somewhere in a value. */
export const holdsActions = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(
    ([name, member]: [string, unknown]) =>
      (actions.test(name) && typeof member === 'object' && Object.keys(member ?? {}).length > 0) ||
      (/^(?:type|kind)$/.test(name) &&
        typeof member === 'string' &&
        (actions.test(member) || kinds.test(member))) ||
      holdsActions(member),
  );

/**
 * Ids, of themselves or of their calls, of the actions that a state says wait; an empty one for an action without an ID.
 * No release tells of them there, but whoever approves must know of all.
 * @param state the members of a state update, or of the answer about a conversation
 */
export function toldActions(state: JsonMembers): readonly string[] {
  const { key, value } = state;
  const named = typeof key === 'string' ? { ...state, [key]: value } : state;
  const known = [named, ...(isJsonObject(value) ? [value] : [])].flatMap((members) =>
    Object.entries(members).flatMap(([name, member]) => (actions.test(name) ? idsIn(member) : [])),
  );
  return [...new Set([...known, ...waitingIn(named)])];
}

/** Whether an event has actions that wait beside what it’s about. */
export const tellsOfWaiting = (event: JsonMembers): boolean =>
  Object.entries(event).some(([name, member]) => waiting.test(name) && idsIn(member).length > 0);

const waitingIn = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
        waiting.test(name) ? idsIn(member) : waitingIn(member),
      );

/** Of one action, of several, or of an object that has them by their ids. */
function idsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(idOf);
  if (!isJsonObject(value)) return typeof value === 'string' && value !== '' ? [idOf(value)] : [];
  const own = idOf(value);
  return own === '' ? Object.keys(value) : [own];
}

function idOf(action: unknown): string {
  if (!isJsonObject(action)) return readId(action) ?? '';
  return readId(action['id']) ?? readId(action['action_id']) ?? readId(action['tool_call_id']) ?? '';
}
