import { crashed, ok, type Answer, type Call } from '../http';
import type { AgentConversation } from './conversation';
import { runtimeInfo } from './runtimeRoutes';

/** What an ACP agent can use. */
export const foreignModels = [
  { model_id: 'opus', name: 'Opus', description: 'For hard tasks' },
  { model_id: 'haiku', name: 'Haiku', description: null },
];

const bare = (id: string) => id.replaceAll('-', '').toLowerCase();

const success = ok({ success: true });
const notThere: Answer = { status: 404, body: { detail: 'Not Found' } };
const invalid = (msg: string): Answer => ({ status: 422, body: { detail: [{ loc: ['query'], msg }] } });

/** A conversation as its server shows it, including its agent's secrets. */
export const view = (conversation: AgentConversation) => ({
  ...conversation.about,
  id: conversation.id,
  execution_status: conversation.status,
  title: conversation.title,
  tags: conversation.tags,
  confirmation_policy: conversation.policy,
  stats: conversation.stats,
  workspace: { kind: 'LocalWorkspace', working_dir: conversation.workingDir },
  leaf_event_id: conversation.habits.branches ? (conversation.log.leaf ?? null) : null,
  ...(conversation.release.startsWith('1.58') && { runtime_info: runtimeInfo(conversation) }),
  ...(conversation.agentKind === 'ACPAgent' && {
    current_model_id: conversation.agentModel,
    available_models: foreignModels,
  }),
  agent: {
    kind: conversation.agentKind,
    llm: { model: conversation.about.model ?? 'demo', api_key: 'canary-llm-key' },
    mcp_config: { token: 'canary-mcp-token' },
  },
  created_at: conversation.createdAt,
  updated_at: conversation.updatedAt,
});

/** As it stands in a page’s id. */
const idOf = (event: { id: unknown } | null | undefined) => String(event?.id);

/** A page of a conversation's events. Times are compared as text, without a zone. */
function search({ log }: AgentConversation, query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? 100);
  if (!(limit >= 1 && limit <= 100)) return invalid('Input should be less than or equal to 100');
  const from = query.get('timestamp__gte') ?? '';
  const before = query.get('timestamp__lt') ?? '~';
  // What isn’t an event has no time.
  const at = (event: { timestamp: string | number } | null) => String(event?.timestamp ?? '');
  const fitting = log.all.filter((event) => at(event) >= from && at(event) < before);
  if (query.get('sort_order') === 'TIMESTAMP_DESC') fitting.reverse();
  const pageId = query.get('page_id');
  const start = pageId === null ? 0 : fitting.findIndex((event) => idOf(event) === pageId);
  if (start < 0) return notThere;
  return ok({
    items: fitting.slice(start, start + limit),
    next_page_id: start + limit < fitting.length ? idOf(fitting[start + limit]) : null,
  });
}

/** Text and pictures of a message. */
function readContent(value: unknown): { text: string; images: unknown[] } {
  const parts = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
  return {
    text: parts.map(({ text }) => (typeof text === 'string' ? text : '')).join(''),
    images: parts.flatMap(({ image_urls }) => image_urls ?? []),
  };
}

/** Handlers by method and path below the conversation. */
const handlers: Record<string, (conversation: AgentConversation, call: Call) => Answer> = {
  'GET ': (conversation) => ok(view(conversation)),
  'GET /events/search': (conversation, { query }) => search(conversation, query),
  'GET /events/count': ({ log }) => ok(log.all.length),
  'POST /events': (conversation, call) => {
    const { content, run } = bodyOf(call);
    const { text, images } = readContent(content);
    conversation.message(text, run === true, images);
    return success;
  },
  'POST /events/respond_to_confirmation': (conversation, call) => {
    const { accept, reason } = bodyOf(call);
    if (accept === true) conversation.accept();
    else conversation.reject(typeof reason === 'string' ? reason : 'User rejected the action.');
    return success;
  },
  'POST /run': (conversation) => {
    if (conversation.habits.messageRejects && conversation.step)
      return { status: 409, body: { detail: 'Conversation already running. Wait for it to finish.' } };
    conversation.run();
    return success;
  },
  'POST /pause': (conversation) => {
    conversation.pause();
    return success;
  },
  'POST /navigate': (conversation, call) => {
    if (!conversation.habits.branches) return notThere;
    conversation.navigate(String(bodyOf(call)['event_id']));
    return ok(view(conversation));
  },
  'POST /interrupt': (conversation) => {
    if (!conversation.habits.interrupts) return notThere;
    conversation.interrupt();
    return success;
  },
  'POST /confirmation_policy': (conversation, call) => {
    conversation.policy = bodyOf(call)['policy'] as Record<string, unknown>;
    return success;
  },
  'POST /switch_acp_model': (conversation, call) => {
    if (conversation.agentKind !== 'ACPAgent')
      return { status: 400, body: { detail: 'switch_acp_model requires an ACP agent' } };
    conversation.agentModel = String(bodyOf(call)['model']);
    return success;
  },
  'POST /condense': (conversation) => {
    if (conversation.agentKind === 'ACPAgent')
      return { status: 409, body: { detail: 'This agent has no condenser' } };
    conversation.log.add('Condensation', 'environment', { summary: 'What came before, in short.' });
    return success;
  },
  'PATCH ': (conversation, call) => {
    const { title, tags } = bodyOf(call);
    if (typeof title === 'string') conversation.title = title;
    // All of them are replaced.
    if (typeof tags === 'object' && tags !== null) {
      const fits = ([name, value]: [string, unknown]) =>
        /^[a-z0-9]+$/.test(name) && typeof value === 'string' && value.length <= 256;
      if (!Object.entries(tags).every(fits)) return invalid('Tags are lower-case letters and digits');
      conversation.tags = { ...tags };
    }
    return success;
  },
  'POST /ask_agent': (_conversation, call) =>
    ok({ response: `You asked: ${String(bodyOf(call)['question'])}` }),
};

/** Requests that wait until the running step ends, in releases where reads block. */
const blocking = new Set(['GET /events/search', 'GET /events/count', 'POST /events']);

const bodyOf = ({ body }: Call): Record<string, unknown> =>
  'value' in body ? (body.value as Record<string, unknown>) : {};

/** Answers one request for a conversation. */
export async function answerFor(
  conversations: ReadonlyMap<string, AgentConversation>,
  call: Call,
  freeze: (until: Promise<void>) => void,
): Promise<Answer> {
  const [, id, rest = ''] = /^\/api\/conversations\/([^/]+)(\/.*)?$/.exec(call.path) ?? [];
  const conversation = conversations.get(bare(id ?? ''));
  if (!conversation) return notThere;
  const what = `${call.method} ${rest}`;
  const { step, habits } = conversation;
  if (step && what === 'POST /run' && habits.runFreezes) {
    freeze(step);
    await step;
  }
  if (habits.blocks && blocking.has(what)) await conversation.step;
  const event = /^GET \/events\/([0-9a-f-]{36})$/.exec(what)?.[1];
  if (event) {
    const found = conversation.log.all.find((one) => one.id === event);
    return found ? ok(found) : notThere;
  }
  const handle = handlers[what];
  if (!handle) return notThere;
  try {
    const answer = handle(conversation, call);
    if (what === 'POST /pause' && habits.pause === 'atOnce') await conversation.step;
    return answer;
  } catch {
    return crashed();
  }
}
