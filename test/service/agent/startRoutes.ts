import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { objectBody, ok, type Answer, type Call } from '../http';
import { agentProfileAnswer, type StoredAgent } from './agentProfileRoutes';
import type { AgentConversation, ConversationOptions } from './conversation';
import { habits, isNew, type Release } from './release';
import { foreignModels, view } from './routes';
import type { SandboxFiles } from './sandboxFiles';
import type { SignIns } from './signInRoutes';
import type { SubscriptionState } from './subscriptionRoutes';
import type { AddOns } from './skillRoutes';
import { initialAgentSettings } from './settingsRecord';

/** A model profile; `llm` has what was saved of it, secrets in clear. */
export interface StoredModel {
  model: string;
  hasKey: boolean;
  llm?: Record<string, unknown>;
  /** Its key was encrypted with another secret key. */
  isUnreadable?: true;
}

/** What an agent server keeps for starts, and what one must not take from it. */
export class StartState {
  /** What `GET /api/settings` calls so, with secrets in clear. */
  agentSettings: Record<string, unknown> = initialAgentSettings();
  /** By name; the values never leave the server. */
  readonly secrets = new Map<string, { value: string; description: string | null }>();
  conversationSettings: Record<string, unknown> = {
    max_iterations: 500,
    confirmation_mode: false,
    security_analyzer: 'llm',
  };
  /** By name. */
  readonly models = new Map<string, StoredModel>();
  activeModel: string | null = null;
  /** What chooses a model for each task, since 1.58. */
  metaProfile: string | null = null;
  /** Whether it’s a release that can’t check models. */
  checksNoModels = false;
  readonly agents: StoredAgent[] = [];
  readonly providers: { id: string; name: string; provider: string; key: string; baseUrl: string | null }[] =
    [];
  readonly addOns: AddOns = new Map();
  /** The id of the profile in use; the first one if undefined. */
  activeAgent: string | null | undefined;
  readonly workspaces: { id: string; name: string; path: string }[] = [];
  readonly workspaceParents: { id: string; name: string; path: string }[] = [];
  readonly subscription: SubscriptionState = { pending: new Set(), until: null, isOffline: false };
  /** The MCP servers that were tested, secrets in clear. */
  readonly tested: Record<string, unknown>[] = [];
  /** The sign-ins to MCP servers. */
  readonly signIns: SignIns = new Map();
  /** The bodies of all starts, oldest first. */
  readonly bodies: Record<string, unknown>[] = [];
  /** How many of the next starts to carry out without answering. */
  unanswered = 0;
  /** How many of the next starts not to carry out, as when the server is down behind its ingress. */
  outages = 0;
  /** What starts are refused with. */
  refusal: string | undefined;
  /** Why an ACP agent tells no models. */
  modelsError: { code: string; detail: string } | undefined;
  /** How many agents work at once; earlier releases have no limit. */
  mostRunning = 10;
}

interface Desk {
  state: StartState;
  release: Release;
  files: SandboxFiles;
  runtime: 'local' | 'docker';
  /** Whether a start can choose. */
  isSelectable: boolean;
  conversations: ReadonlyMap<string, AgentConversation>;
  add: (options: Omit<ConversationOptions, 'release' | 'clock'>) => AgentConversation;
}

const down: Answer = { status: 502, text: 'Bad Gateway: connect ECONNREFUSED', contentType: 'text/plain' };

const refused = (status: number, detail: unknown): Answer => ({ status, body: { detail } });

/** Answers requests that a start needs; undefined for other requests. */
export function startAnswer(desk: Desk, call: Call): Promise<Answer> | Answer | undefined {
  const { state, files } = desk;
  const what = `${call.method} ${call.path}`;
  switch (what) {
    case 'GET /api/workspaces':
      return ok(listed(state));
    case 'POST /api/workspaces':
      return addWorkspaces(state, call);
    case 'DELETE /api/workspaces': {
      const at = state.workspaces.findIndex((one) => one.path === call.query.get('path'));
      if (at < 0) return refused(404, 'Workspace not found');
      state.workspaces.splice(at, 1);
      return ok(listed(state));
    }
    case 'GET /api/file/home':
      return ok({ home: '/workspace', favorites: [], locations: [{ label: '/', path: '/' }] });
    case 'GET /api/file/search_subdirs':
      return folders(files, call.query);
    case 'POST /api/acp/models':
      return isNew(desk.release)
        ? ok({ agent_name: 'claude', available_models: foreignModels, error: state.modelsError ?? null })
        : undefined;
    case 'POST /api/hooks':
      return hooksAnswer(hooksOf(files, String(objectBody(call)['project_dir'])));
    case 'POST /api/conversations':
      return start(desk, call);
    default:
      return agentProfileAnswer(state, desk.release, call);
  }
}

/** Half a character is no UTF-8. */
const hooksAnswer = (hooks: object | null): Answer =>
  /\\ud[89a-f]/.test(JSON.stringify(hooks))
    ? refused(500, 'Internal Server Error')
    : ok({ hook_config: hooks });

/** Null if there are none, or they can’t be read. A start doesn’t look for them. */
function hooksOf(files: SandboxFiles, folder: string): object | null {
  try {
    const file = path.join(files.place(folder), '.openhands', 'hooks.json');
    const all = JSON.parse(readFileSync(file, 'utf8')) as { hooks?: object };
    const snake = (name: string) => name.replace(/(?<!^)(?=[A-Z])/g, '_').toLowerCase();
    const read: [string, unknown][] = Object.entries(all.hooks ?? all);
    return Object.fromEntries(read.map(([event, matchers]) => [snake(event), matchers]));
  } catch {
    return null;
  }
}

/** Never checked; a path that is saved stays as it is. */
function addWorkspaces(state: StartState, call: Call): Answer {
  const { workspaces } = objectBody(call) as unknown as Pick<StartState, 'workspaces'>;
  for (const one of workspaces)
    if (!state.workspaces.some(({ path }) => path === one.path)) state.workspaces.push(one);
  return ok(listed(state));
}

const listed = ({ workspaces, workspaceParents }: StartState) => ({ workspaces, workspaceParents });

function folders(files: SandboxFiles, query: URLSearchParams): Answer {
  const asked = query.get('path') ?? '';
  if (!path.isAbsolute(asked)) return refused(400, 'Path must be absolute');
  const folder = files.place(asked);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return refused(404, 'Directory not found');
  if (!stats.isDirectory()) return refused(400, 'Path is not a directory');
  const limit = Number(query.get('limit') ?? 100);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted();
  const from = Math.max(0, names.indexOf(query.get('page_id') ?? ''));
  return ok({
    items: names.slice(from, from + limit).map((name) => ({ name, path: path.posix.join(asked, name) })),
    next_page_id: names[from + limit] ?? null,
  });
}

/** Takes nothing from the settings: without a policy in the body, the agent asks nobody. */
async function start(desk: Desk, call: Call): Promise<Answer> {
  const { state, release, files, conversations, add } = desk;
  const body = 'value' in call.body ? (call.body.value as Record<string, unknown>) : {};
  if (state.outages > 0) {
    state.outages -= 1;
    return down;
  }
  state.bodies.push(body);
  const given = typeof body['conversation_id'] === 'string' ? body['conversation_id'] : randomUUID();
  const known = conversations.get(given.replaceAll('-', '').toLowerCase());
  if (known) return ok(view(known));
  const { confirmation_policy: policy = { kind: 'NeverConfirm' } } = body as {
    confirmation_policy?: Record<string, unknown>;
  };
  if (state.refusal !== undefined)
    return refused(422, [{ type: 'value_error', loc: ['body'], msg: state.refusal }]);
  const agent = state.agents.find(({ id }) => id === body['agent_profile_id']);
  if (!agent) return refused(404, `Agent profile with id '${String(body['agent_profile_id'])}' not found`);
  const launches = habits[release].capabilities.includes('agent_launch_pipeline_v1');
  const additions = body['agent_launch_additions'] as { llm_profile_ref?: string } | undefined;
  const modelName = (launches ? additions?.llm_profile_ref : undefined) ?? agent.model;
  const model = state.models.get(modelName);
  if (agent.kind === 'openhands' && !model)
    return launches
      ? refused(422, {
          code: 'unresolved_profile_references',
          message: `LLM profile '${modelName}' not found`,
        })
      : refused(404, `LLM profile '${modelName}' not found`);
  const { working_dir: folder } = body['workspace'] as { working_dir: string };
  const asked = isNew(release) ? (body['conversation_runtime'] as string | null | undefined) : null;
  if (asked === 'docker' && desk.runtime === 'local' && !desk.isSelectable)
    return refused(422, 'This server only runs local conversations');
  if (existsSync(files.place(folder)) && !statSync(files.place(folder)).isDirectory())
    return failed(`[Errno 17] File exists: '${folder}'`);
  const options = (isNew(release) ? body['worktree_options'] : undefined) as WorktreeOptions | undefined;
  if (options?.base === 'ref' && !options.ref)
    return refused(422, [{ type: 'value_error', loc: ['body', 'worktree_options'], msg: 'ref is required' }]);
  const workingDir = await prepare(files, folder, body['worktree'] === true, given, options ?? {});
  if (typeof workingDir !== 'string') return workingDir;
  const conversation = add({
    id: given,
    policy,
    workingDir,
    about: {
      max_iterations: body['max_iterations'] ?? 500,
      security_analyzer: body['security_analyzer'] ?? null,
      secrets: Object.keys((body['secrets'] as object | undefined) ?? {}),
      model: model?.model,
    },
  });
  conversation.tags = (body['tags'] as Record<string, unknown> | undefined) ?? {};
  if (agent.kind === 'acp') conversation.agentKind = 'ACPAgent';
  if ((asked ?? desk.runtime) === 'docker') conversation.container = 'available';
  const answer: Answer = { status: 201, body: view(conversation) };
  const { initial_message: message } = body as {
    initial_message?: { content: { text?: string }[]; run?: boolean };
  };
  if (message) {
    const text = message.content.map((part) => part.text ?? '').join('');
    const running = [...conversations.values()].filter(({ status }) => status === 'running').length;
    const isFull = launches && running >= state.mostRunning;
    conversation.message(text, message.run === true && !isFull);
    // The conversation stays, with its message.
    if (message.run === true && isFull)
      return refused(429, 'Conversation run limit reached. Retry the request later.');
  }
  if (state.unanswered > 0) {
    state.unanswered -= 1;
    return down;
  }
  return answer;
}

interface WorktreeOptions {
  base?: string;
  ref?: string;
  branch_prefix?: string;
}

const failed = (exception: string): Answer => ({
  status: 500,
  body: { detail: 'Internal Server Error', exception, error_id: '0'.repeat(32) },
});

/** Creates what is missing: the folder, its repository, and the worktree. */
async function prepare(
  files: SandboxFiles,
  folder: string,
  isWorktree: boolean,
  id: string,
  { base = 'default_branch', ref, branch_prefix: prefix = 'openhands/' }: WorktreeOptions,
): Promise<string | Answer> {
  const place = files.place(folder);
  const isThere = existsSync(place);
  mkdirSync(place, { recursive: true });
  const { exitCode: known } = await files.execute('git rev-parse --git-dir', folder, 20);
  if (known !== 0) await files.execute('git init --quiet --initial-branch=main', folder, 20);
  // It looks for the repository before it makes one.
  if (!isWorktree || known !== 0 || !isThere) return folder;
  const tree = `/workspace/conversation-worktrees/${id}/${path.basename(folder)}`;
  const start = base === 'ref' ? (ref ?? '') : base === 'head' ? 'HEAD' : 'origin/HEAD';
  const add = (from: string) =>
    files.execute(`git worktree add --quiet -b '${prefix}${id}' '${files.place(tree)}' ${from}`, folder, 20);
  const first = await add(start);
  const done = first.exitCode === 0 || base !== 'default_branch' ? first : await add('HEAD');
  return done.exitCode === 0 ? tree : failed(`Git command failed: git worktree add: ${done.stderr}`);
}
