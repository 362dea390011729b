import { ok, type Route } from '../http';
import type { Context } from './context';

const suggestions = {
  models: [
    'anthropic/claude-sonnet-4-5-20250929',
    'anthropic/claude-haiku-4-5-20251001',
    'gemini/gemini-2.5-pro',
    'mistral/devstral-medium-2507',
    'openai/gpt-5-2025-08-07',
    'openai/gpt-5-mini-2025-08-07',
    'openhands/claude-sonnet-4-5-20250929',
  ],
  agents: ['BrowsingAgent', 'CodeActAgent', 'LocAgent', 'ReadOnlyAgent', 'VisualBrowsingAgent'],
  'security-analyzers': ['invariant', 'llm', 'none'],
};

/** What the observed service proposes for some settings. */
export function suggestionRoutes({ profile }: Context): Route[] {
  if (!profile.beyondSpecification) return [];
  return Object.entries(suggestions).map(([name, values]) => ({
    method: 'GET',
    path: `/api/options/${name}`,
    handle: () => ok(values),
  }));
}
