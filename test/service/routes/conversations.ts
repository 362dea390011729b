import { crashed, Invalid, issue, missing, objectBody, ok, type Answer, type Route } from '../http';
import type { ConversationRecord, StartTaskRecord, State } from '../records';
import { readStartRequest } from '../startRequest';
import { readBoolean, readChoice } from '../validation';
import type { Context } from './context';

const path = '/api/v1/app-conversations';

/** The routes of conversations, as in the specification or as in the observed service. */
export function conversationRoutes(context: Context): Route[] {
  return context.profile.beyondSpecification
    ? [...observedRoutes(context), ...startTaskRoutes(context)]
    : documentedRoutes(context);
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

function observedRoutes(context: Context): Route[] {
  const { profile, state } = context;
  return [
    ...(['current', 'hosted'].includes(profile.name) ? currentChanges(context) : legacyChanges(context)),
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
      method: 'GET',
      path: `${path}/count`,
      handle: ({ query }) => ok([...state.conversations.values()].filter(readFilters(query)).length),
    },
  ];
}

/** Renaming and deleting belong to the legacy API. */
function legacyChanges({ state, behaviour, sandboxes, clock }: Context): Route[] {
  return [
    {
      // Renaming also resets the time of creation.
      method: 'PATCH',
      path: '/api/conversations/:conversation_id',
      handle(call) {
        const title = readTitle(objectBody(call));
        const conversation = state.conversations.get(bare(call.params['conversation_id'] ?? ''));
        if (!conversation) return { status: 404, body: notFound };
        const now = new Date(clock.now()).toISOString();
        Object.assign(conversation, { title, created_at: now, updated_at: now });
        return ok(true);
      },
    },
    {
      // Usually removes its sandbox, too, even if other conversations are in there.
      method: 'DELETE',
      path: '/api/conversations/:conversation_id',
      handle({ params }) {
        const conversation = take(state, params['conversation_id']);
        if (conversation && !behaviour.keepsSandbox) sandboxes.remove(conversation.sandbox_id);
        return ok(conversation !== undefined);
      },
    },
  ];
}

function currentChanges({ profile, state, sandboxes }: Context): Route[] {
  return [
    {
      method: 'PATCH',
      path: `${path}/:conversation_id`,
      handle(call) {
        const title = readTitle(objectBody(call));
        const conversation = state.conversations.get(bare(call.params['conversation_id'] ?? ''));
        if (!conversation) return profile.noSuchItem();
        conversation.title = title;
        return ok(profile.conversation(conversation));
      },
    },
    {
      // Removes its sandbox, too, if no other conversation is in there.
      method: 'DELETE',
      path: `${path}/:conversation_id`,
      handle({ params }) {
        const conversation = take(state, params['conversation_id']);
        if (!conversation) return { status: 404, body: { detail: 'Conversation not found' } };
        const isLast = [...state.conversations.values()].every(
          ({ sandbox_id }) => sandbox_id !== conversation.sandbox_id,
        );
        if (isLast) sandboxes.remove(conversation.sandbox_id);
        return ok({ success: true });
      },
    },
  ];
}

/** Removes a conversation and those that its agent started. Returns the conversation; undefined if there is none. */
function take(state: State, id = ''): ConversationRecord | undefined {
  const found = state.conversations.get(bare(id));
  if (!found) return undefined;
  state.conversations.delete(found.id);
  for (const { id: below, parent_conversation_id: parent } of [...state.conversations.values()])
    if (parent === found.id) take(state, below);
  return found;
}

const notFound = {
  status: 'error',
  message: 'Conversation not found',
  msg_id: 'CONVERSATION$NOT_FOUND',
};

function readTitle(body: Record<string, unknown>): string {
  const { title } = body;
  const loc = ['body', 'title'];
  if (title === undefined) throw new Invalid([missing(loc, body)]);
  if (typeof title !== 'string')
    throw new Invalid([issue(loc, 'Input should be a valid string', 'string_type', title)]);
  if (title === '') {
    const msg = 'String should have at least 1 character';
    throw new Invalid([issue(loc, msg, 'string_too_short', title, { min_length: 1 })]);
  }
  return title.trim();
}

function startTaskRoutes({ profile, state, starts }: Context): Route[] {
  const tasks = `${path}/start-tasks`;
  return [
    {
      method: 'POST',
      path,
      handle: (call) => ok({ ...starts.startTask(readStartRequest(objectBody(call))) }),
    },
    {
      method: 'POST',
      path: `${path}/stream-start`,
      handle(call) {
        const request = readStartRequest(objectBody(call));
        const steps: string[] = [];
        return new Promise<Answer>((resolve) => {
          const told = (task: StartTaskRecord) => {
            steps.push(JSON.stringify(task));
            if (['READY', 'ERROR'].includes(task.status))
              resolve({ status: 200, text: `[\n${steps.join(',\n')}]`, contentType: 'application/json' });
          };
          told(starts.startTask(request, told));
        });
      },
    },
    {
      method: 'GET',
      path: tasks,
      handle: ({ query }) => byIds(query, state.startTasks, storedTask),
    },
    {
      method: 'GET',
      path: `${tasks}/search`,
      handle({ query }) {
        const matches = readTaskFilter(query);
        const records = profile.order([...state.startTasks.values()].filter(matches));
        return profile.list(records, storedTask, query);
      },
    },
    {
      method: 'GET',
      path: `${tasks}/count`,
      handle: ({ query }) => ok([...state.startTasks.values()].filter(readTaskFilter(query)).length),
    },
  ];
}

/** A start task as read from the database: its times are in UTC and have no zone. */
const storedTask = (task: StartTaskRecord) => ({
  ...task,
  created_at: task.created_at.replace(/Z$/, ''),
  updated_at: task.updated_at.replace(/Z$/, ''),
});

const taskOrders = ['CREATED_AT', 'CREATED_AT_DESC', 'UPDATED_AT', 'UPDATED_AT_DESC'];

function readTaskFilter(query: URLSearchParams): (task: StartTaskRecord) => boolean {
  const issues: Invalid['issues'] = [];
  const conversation = query.get('conversation_id__eq');
  const id = conversation === null ? null : readUuid(conversation, ['query', 'conversation_id__eq'], issues);
  readChoice(query.get('sort_order') ?? 'CREATED_AT_DESC', ['query', 'sort_order'], taskOrders, issues);
  if (issues.length > 0) throw new Invalid(issues);
  return (task) => id === null || bare(task.app_conversation_id ?? '') === id;
}

const bare = (id: string): string => id.replaceAll('-', '').toLowerCase();

function readUuid(text: string, loc: Invalid['issues'][0]['loc'], issues: Invalid['issues']): string {
  const id = bare(text);
  if (!/^[0-9a-f]{32}$/.test(id)) {
    const error = `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${text.charAt(0)}\` at 1`;
    issues.push(issue(loc, `Input should be a valid UUID, ${error}`, 'uuid_parsing', text, { error }));
  }
  return id;
}

/** A batch get: `ids` is required and can be repeated; missing records are null. */
function byIds<T>(query: URLSearchParams, records: Map<string, T>, view: (record: T) => unknown): Answer {
  const ids = query.getAll('ids');
  if (ids.length === 0) throw new Invalid([missing(['query', 'ids'], null)]);
  if (ids.length >= 100) return crashed();
  const issues: Invalid['issues'] = [];
  const hex = ids.map((id, index) => readUuid(id, ['query', 'ids', index], issues));
  if (issues.length > 0) throw new Invalid(issues);
  return ok(
    hex.map((id) => {
      const record = records.get(id);
      return record === undefined ? null : view(record);
    }),
  );
}

function readFilters(query: URLSearchParams): (record: ConversationRecord) => boolean {
  const issues: Invalid['issues'] = [];
  const title = query.get('title__contains');
  const likeTitle = title === null ? undefined : like(title);
  const withSubs = readBoolean(
    query.get('include_sub_conversations') ?? false,
    ['query', 'include_sub_conversations'],
    { lax: true },
    issues,
  );
  const time = (name: string) => readTime(query, name, issues);
  const createdFrom = time('created_at__gte');
  const createdBefore = time('created_at__lt');
  const updatedFrom = time('updated_at__gte');
  const updatedBefore = time('updated_at__lt');
  if (issues.length > 0) throw new Invalid(issues);
  const within = (text: string, from?: number, before?: number) => {
    if (from === undefined && before === undefined) return true;
    const at = Date.parse(text);
    return (from === undefined || at >= from) && (before === undefined || at < before);
  };
  return (record) =>
    (withSubs === true || record.parent_conversation_id === null) &&
    (likeTitle === undefined || (record.title !== null && likeTitle(record.title))) &&
    within(record.created_at, createdFrom, createdBefore) &&
    within(record.updated_at, updatedFrom, updatedBefore);
}

/** SQLite's LIKE with the text anywhere: ignores only the case of ASCII letters, and `%` and `_` are wildcards. */
function like(text: string): (title: string) => boolean {
  const lower = (value: string) => value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const escaped = lower(text).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(escaped.replaceAll('%', '.*').replaceAll('_', '.'), 's');
  return (title) => pattern.test(lower(title));
}

function readTime(query: URLSearchParams, name: string, issues: Invalid['issues']): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const isIso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const at = isIso ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return at;
  const error = /^\d{4}-\d\d-\d\d/.test(text)
    ? 'unexpected extra characters at the end of the input'
    : 'input is too short';
  const msg = `Input should be a valid datetime or date, ${error}`;
  issues.push(issue(['query', name], msg, 'datetime_from_date_parsing', text, { error }));
  return undefined;
}
