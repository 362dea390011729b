import { seededRandom, type Random } from './random';
import {
  defaultSpec,
  emptyState,
  exposedUrls,
  makeConversation,
  makeMetrics,
  makeSandbox,
  makeSettings,
  makeSpec,
  type ConversationRecord,
  type SandboxRecord,
  type State,
} from './records';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Points in time before `now` (milliseconds since the epoch), as ISO 8601. */
const before = (now: number) => (ms: number) => new Date(now - ms).toISOString();

/**
 * A service in use: eight sandboxes in all states, twelve conversations (two of them sub-conversations) in all states
 * of the agent, filled-in settings, MCP servers of all three kinds, a GitHub token. Sandboxes that are starting stay
 * that way.
 */
export function lifelikeState(now: number): State {
  const state = emptyState();
  const ago = before(now);
  for (const spec of [
    makeSpec({ id: 'ghcr.io/openhands/agent-server:1.1.0-node', created_at: '2025-11-20T09:14:02.000Z' }),
    makeSpec({
      id: 'registry.example.com/platform/agent-rust:2025.11',
      created_at: '2025-11-12T16:40:00.000Z',
      initial_env: { CARGO_REGISTRY_TOKEN: 'seed-cargo-token-4417', RUST_LOG: 'info' },
      working_dir: '/workspace/crates',
    }),
  ])
    state.specs.set(spec.id, spec);
  for (const sandbox of lifelikeSandboxes(ago, [...state.specs.keys()]))
    state.sandboxes.set(sandbox.id, sandbox);
  for (const conversation of lifelikeConversations(ago))
    state.conversations.set(conversation.id, conversation);
  state.providerTokens = { github: { token: 'ghp_seedGithubToken0001', user_id: null, host: null } };
  state.settings = makeSettings({
    language: 'en',
    agent: 'CodeActAgent',
    max_iterations: 150,
    security_analyzer: 'llm',
    confirmation_mode: true,
    llm_model: 'anthropic/claude-sonnet-4-5-20250929',
    llm_api_key: 'sk-seed-llm-key-0001',
    llm_base_url: 'https://llm.example.com/v1',
    remote_runtime_resource_factor: 2,
    enable_sound_notifications: true,
    user_consents_to_analytics: false,
    sandbox_base_container_image: 'nikolaik/python-nodejs:python3.12-nodejs22',
    search_api_key: 'tvly-seed-search-key-0001',
    sandbox_api_key: 'seed-sandbox-key-0001',
    max_budget_per_task: 7.5,
    email: 'mara.lindqvist@example.com',
    email_verified: true,
    git_user_name: 'Mara Lindqvist',
    git_user_email: 'mara.lindqvist@example.com',
    user_version: null,
    condenser_max_size: 240,
    v1_enabled: true,
    mcp_config: {
      sse_servers: [{ url: 'https://mcp.linear.example.com/sse', api_key: 'seed-linear-key-0001' }],
      stdio_servers: [
        {
          name: 'fetch',
          command: 'uvx',
          args: ['mcp-server-fetch', '--ignore-robots-txt'],
          env: { HTTP_USER_AGENT: 'agent-workspace' },
        },
        {
          name: 'postgres-readonly',
          command: 'npx',
          args: ['-y', '@example/mcp-postgres'],
          env: { DATABASE_URL: 'postgres://reader:seed-db-pass-0001@db.example.com/orders' },
        },
      ],
      shttp_servers: [{ url: 'https://docs.example.com/mcp', api_key: 'seed-docs-key-0001', timeout: 120 }],
    },
  });
  return state;
}

function lifelikeSandboxes(ago: (ms: number) => string, specs: string[]): SandboxRecord[] {
  const [python, node, rust] = specs;
  const rows: [suffix: string, status: string, age: number, spec: string | undefined][] = [
    ['7Qm2xVbT', 'STARTING', 40_000, python],
    ['3fKp9LwR', 'RUNNING', 25 * minute, python],
    ['Zc81HnYd', 'RUNNING', 3 * hour, node],
    ['b5TgWq0E', 'RUNNING', 7 * hour, rust],
    ['Lx6sJ4uA', 'ERROR', 9 * hour, rust],
    ['P0vR2mKi', 'PAUSED', 26 * hour, python],
    ['t9DyN7eC', 'PAUSED', 3 * day, node],
    ['Gw3oB8zF', 'MISSING', 11 * day, python],
  ];
  return rows.map(([suffix, status, age, spec], index) => {
    const key = `seed-sandbox-session-${suffix}`;
    return makeSandbox({
      id: `oh-agent-server-${suffix}`,
      status,
      sandbox_spec_id: spec ?? defaultSpec.id,
      session_api_key: key,
      exposed_urls: exposedUrls(34_000 + index * 10, key),
      created_at: ago(age),
    });
  });
}

function lifelikeConversations(ago: (ms: number) => string): ConversationRecord[] {
  const random = seededRandom(20_251_121);
  const make = (
    sandbox: string,
    age: number,
    quiet: number,
    fields: Partial<ConversationRecord> & { title: string | null },
  ) =>
    makeConversation({
      id: random.hex(32),
      sandbox_id: `oh-agent-server-${sandbox}`,
      trigger: 'gui',
      llm_model: 'anthropic/claude-sonnet-4-5-20250929',
      metrics: metrics(random, 'anthropic/claude-sonnet-4-5-20250929'),
      created_at: ago(age),
      updated_at: ago(quiet),
      ...fields,
    });
  const shop = (branch: string) => ({
    selected_repository: 'northwind/webshop',
    selected_branch: branch,
    git_provider: 'github',
  });
  const checkout = make('3fKp9LwR', 22 * minute, minute, {
    title: 'Fix flaky checkout test on CI',
    ...shop('fix/flaky-checkout'),
    execution_status: 'running',
  });
  const migration = make('Zc81HnYd', 2 * hour, 4 * minute, {
    title: 'Move order history to the new pagination API',
    ...shop('feature/order-pages'),
    execution_status: 'waiting_for_confirmation',
  });
  const plan = make('Zc81HnYd', 110 * minute, 95 * minute, {
    title: 'Plan: pagination cut-over',
    ...shop('feature/order-pages'),
    execution_status: 'finished',
    parent_conversation_id: migration.id,
  });
  const review = make('Zc81HnYd', 70 * minute, 50 * minute, {
    title: 'Review of the new cursor format',
    ...shop('feature/order-pages'),
    execution_status: 'idle',
    parent_conversation_id: migration.id,
  });
  migration.sub_conversation_ids = [plan.id, review.id];
  return [
    checkout,
    migration,
    plan,
    review,
    make('3fKp9LwR', 18 * minute, 12 * minute, {
      title: 'Why does the nightly export time out?',
      selected_repository: 'northwind/reports',
      selected_branch: 'main',
      git_provider: 'gitlab',
      execution_status: 'paused',
    }),
    make('b5TgWq0E', 6 * hour, 2 * hour, {
      title: 'Port the tariff parser to nom 8',
      selected_repository: 'gridworks/tariffs',
      selected_branch: 'nom-8',
      git_provider: 'bitbucket',
      llm_model: 'openai/gpt-5-2025-08-07',
      metrics: metrics(random, 'openai/gpt-5-2025-08-07'),
      execution_status: 'finished',
    }),
    make('b5TgWq0E', 5 * hour, 5 * hour - minute, {
      title: 'Benchmark the decoder against 10 MB inputs',
      selected_repository: 'gridworks/tariffs',
      selected_branch: 'main',
      git_provider: 'bitbucket',
      execution_status: 'stuck',
    }),
    make('b5TgWq0E', 4 * hour, 3 * hour, {
      title: 'Add release notes for 4.2',
      selected_repository: 'gridworks/tariffs',
      selected_branch: 'release/4.2',
      git_provider: 'bitbucket',
      trigger: 'resolver',
      pr_number: [318],
      execution_status: 'error',
    }),
    make('Lx6sJ4uA', 8 * hour, 8 * hour, {
      title: 'Upgrade tokio and fix what breaks',
      selected_repository: 'gridworks/ingest',
      selected_branch: 'deps/tokio',
      git_provider: 'github',
      execution_status: 'running',
    }),
    make('P0vR2mKi', 25 * hour, 20 * hour, {
      title: 'Résumé parser: handle “Straße” and 東京 in addresses',
      selected_repository: 'hireflow/parser',
      selected_branch: 'main',
      git_provider: 'github',
      execution_status: 'idle',
    }),
    make('t9DyN7eC', 3 * day, 2 * day, {
      title: 'Draft an onboarding guide for the data team',
      metrics: null,
      execution_status: 'finished',
    }),
    make('Gw3oB8zF', 11 * day, 10 * day, {
      title: null,
      selected_repository: 'northwind/webshop',
      selected_branch: null,
      git_provider: 'github',
      trigger: 'slack',
      metrics: null,
      execution_status: null,
    }),
  ];
}

/** Cost and tokens of a conversation that worked for a while. */
function metrics(random: Random, model: string): Record<string, unknown> {
  const prompt = 20_000 + random.int(900_000);
  return makeMetrics(
    { model_name: model, accumulated_cost: Number((prompt / 300_000).toFixed(4)) },
    {
      model,
      prompt_tokens: prompt,
      completion_tokens: 1_000 + random.int(30_000),
      cache_read_tokens: Math.floor(prompt * 0.8),
      cache_write_tokens: Math.floor(prompt * 0.1),
      reasoning_tokens: random.int(4_000),
      context_window: 200_000,
      per_turn_token: 500 + random.int(9_000),
    },
  );
}

const verbs = ['Fix', 'Add', 'Rework', 'Document', 'Speed up', 'Remove', 'Test', 'Explain'] as const;
const things = [
  'the login redirect',
  'retries of the upload queue',
  'the invoice PDF',
  'dark mode in the settings page',
  'the nightly import',
  'search by tag',
  'the rate limiter',
  'date parsing in reports',
  'the billing webhook',
  'flaky websocket tests',
] as const;
const repositories = ['northwind/webshop', 'gridworks/tariffs', 'hireflow/parser', 'acme/infra'] as const;
const branches = ['main', 'develop', 'fix/timeout', 'feature/search', 'release/2.4'] as const;
const agentStates = ['idle', 'running', 'paused', 'finished', 'error', 'stuck'] as const;

/** Any number of sandboxes, newest first, always the same for the same arguments: five run, most are paused. */
export function generateSandboxes(count: number, now: number, seed = 1): SandboxRecord[] {
  const random = seededRandom(seed);
  const ago = before(now);
  return Array.from({ length: count }, (_, index) => {
    const key = random.hex(32);
    return makeSandbox({
      id: `oh-agent-server-${random.hex(16)}`,
      status:
        index < 5 ? 'RUNNING' : random.pick(['PAUSED', 'PAUSED', 'PAUSED', 'PAUSED', 'ERROR', 'MISSING']),
      session_api_key: key,
      exposed_urls: exposedUrls(30_000 + (index % 8_000) * 4, key),
      created_at: ago(minute + index * 7 * minute),
    });
  });
}

/** Any number of conversations, newest first, spread over `sandboxes`, always the same for the same arguments. */
export function generateConversations(
  count: number,
  now: number,
  sandboxes: readonly SandboxRecord[],
  seed = 2,
): ConversationRecord[] {
  const random = seededRandom(seed);
  const ago = before(now);
  return Array.from({ length: count }, (_, index) => {
    const age = minute + index * 5 * minute;
    const model = 'openai/gpt-5-2025-08-07';
    return makeConversation({
      id: random.hex(32),
      sandbox_id: sandboxes[random.int(Math.max(1, sandboxes.length))]?.id ?? 'oh-agent-server-gone',
      title: `${random.pick(verbs)} ${random.pick(things)} (${index + 1})`,
      selected_repository: random.pick(repositories),
      selected_branch: random.pick(branches),
      git_provider: random.pick(['github', 'gitlab', 'bitbucket']),
      trigger: 'gui',
      llm_model: model,
      metrics: metrics(random, model),
      created_at: ago(age),
      updated_at: ago(random.int(age)),
      execution_status: random.pick(agentStates),
    });
  });
}
