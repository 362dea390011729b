import { ok, type Route } from '../http';
import type { Context } from './context';

/** The models that the seed and the tests use. */
const namedModels = [
  'anthropic/claude-haiku-4-5-20251001',
  'anthropic/claude-sonnet-4-5-20250929',
  'gemini/gemini-2.5-pro',
  'mistral/devstral-medium-2507',
  'openai/gpt-5-2025-08-07',
  'openai/gpt-5-mini-2025-08-07',
  'openhands/claude-sonnet-4-5-20250929',
];

const hosts = [
  '',
  'azure/',
  'bedrock/',
  'deepinfra/',
  'fireworks_ai/accounts/models/',
  'groq/',
  'openrouter/',
];
const families = ['claude', 'command-r', 'deepseek-v3', 'gemma-3', 'gpt-4.1', 'llama-3', 'mixtral', 'phi-4'];
const sizes = ['1b', '3b', '8b', '14b', '32b', '70b', 'mini', 'nano', 'large'];
const kinds = ['', '-instruct', '-preview', '-vision-latest'];

/** As long as the real service's list: about 2,000 names, sorted by code point. */
const models = [
  ...namedModels,
  ...hosts.flatMap((host) =>
    families.flatMap((family) =>
      sizes.flatMap((size) => kinds.map((kind) => `${host}${family}-${size}${kind}`)),
    ),
  ),
].sort();

const options: Record<string, unknown> = {
  models,
  agents: ['BrowsingAgent', 'CodeActAgent', 'DummyAgent', 'LocAgent', 'ReadOnlyAgent', 'VisualBrowsingAgent'],
  'security-analyzers': ['grayswan', 'invariant', 'llm'],
  config: {
    APP_MODE: 'oss',
    GITHUB_CLIENT_ID: '',
    POSTHOG_CLIENT_KEY: 'phc_example',
    FEATURE_FLAGS: { ENABLE_BILLING: false, HIDE_LLM_SETTINGS: false },
  },
};

/** The observed service's suggestions for some settings, and its own configuration. */
export function suggestionRoutes({ profile }: Context): Route[] {
  if (!profile.beyondSpecification) return [];
  return Object.entries(options).map(([name, value]) => ({
    method: 'GET',
    path: `/api/options/${name}`,
    handle: () => ok(value),
  }));
}
