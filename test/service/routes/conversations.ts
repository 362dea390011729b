import { readStartRequest } from '../conversationStarts';
import { crashed, Invalid, issue, objectBody, ok, type Answer, type Route } from '../http';
import type { ConversationRecord } from '../records';
import type { Context } from './context';

const path = '/api/v1/app-conversations';

/** Conversations: as the specification lists them, or as the observed service does beside it. */
export function conversationRoutes(context: Context): Route[] {
  return context.profile.beyondSpecification ? observedRoutes(context) : documentedRoutes(context);
}

function documentedRoutes({ profile, state, starts }: Context): Route[] {
  return [
    {
      method: 'GET',
      path,
      handle: ({ query }) => profile.list(state.conversations.values(), profile.conversation, query),
    },
    {
      method: 'POST',
      path,
      handle(call) {
        const started = starts.startNow(readStartRequest(objectBody(call)));
        return typeof started === 'string'
          ? { status: 409, body: { message: started } }
          : ok(profile.conversation(started));
      },
    },
  ];
}

function observedRoutes({ profile, state, starts }: Context): Route[] {
  return [
    {
      method: 'GET',
      path,
      handle: ({ query }) => byIds(query, state.conversations, profile.conversation),
    },
    {
      method: 'GET',
      path: `${path}/search`,
      handle({ query }) {
        const matches = readFilters(query);
        const records = profile.order(state.conversations.values());
        return profile.list([...records].filter(matches), profile.conversation, query);
      },
    },
    {
      method: 'POST',
      path,
      handle: (call) => ok({ ...starts.startTask(readStartRequest(objectBody(call))) }),
    },
    {
      method: 'GET',
      path: `${path}/start-tasks`,
      handle: ({ query }) => byIds(query, state.startTasks, (task) => task),
    },
  ];
}

/** A batch get: `ids` is required and repeated; null stands for what is missing. */
function byIds<T>(query: URLSearchParams, records: Map<string, T>, view: (record: T) => unknown): Answer {
  const ids = query.getAll('ids');
  if (ids.length === 0)
    throw new Invalid([{ loc: ['query', 'ids'], msg: 'Field required', type: 'missing' }]);
  if (ids.length >= 100) return crashed();
  const hex = ids.map((id) => id.replaceAll('-', '').toLowerCase());
  const issues = hex.flatMap((id, index) =>
    /^[0-9a-f]{32}$/.test(id) ? [] : [issue(['query', 'ids', index], 'a valid UUID', 'uuid_parsing')],
  );
  if (issues.length > 0) throw new Invalid(issues);
  return ok(
    hex.map((id) => {
      const record = records.get(id);
      return record === undefined ? null : view(record);
    }),
  );
}

function readFilters(query: URLSearchParams): (record: ConversationRecord) => boolean {
  const title = query.get('title__contains')?.toLowerCase();
  const withSubs = readFlag(query, 'include_sub_conversations');
  const time = (name: string) => readTime(query, name);
  const createdFrom = time('created_at__gte');
  const createdBefore = time('created_at__lt');
  const updatedFrom = time('updated_at__gte');
  const updatedBefore = time('updated_at__lt');
  const within = (text: string, from?: number, before?: number) => {
    if (from === undefined && before === undefined) return true;
    const at = Date.parse(text);
    return (from === undefined || at >= from) && (before === undefined || at < before);
  };
  return (record) =>
    (withSubs || record.parent_conversation_id === null) &&
    (title === undefined || (record.title?.toLowerCase().includes(title) ?? false)) &&
    within(record.created_at, createdFrom, createdBefore) &&
    within(record.updated_at, updatedFrom, updatedBefore);
}

function readTime(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const isIso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const at = isIso ? Date.parse(text) : NaN;
  if (Number.isNaN(at))
    throw new Invalid([issue(['query', name], 'a valid datetime', 'datetime_from_date_parsing')]);
  return at;
}

function readFlag(query: URLSearchParams, name: string): boolean {
  const text = (query.get(name) ?? 'false').toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  if (['false', '0', 'no', 'off'].includes(text)) return false;
  throw new Invalid([issue(['query', name], 'a valid boolean', 'bool_parsing')]);
}
