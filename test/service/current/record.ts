import { crashed, ok, type Answer } from '../http';
import { withDescribed } from './described';
import { tokensSet } from '../providerTokens';
import type { State, StoredSettings } from '../records';
import { mask } from '../settingsFields';
import { maskedMap, shownMap, type Release } from './mcpMap';

const texts = [
  ...['language', 'sandbox_base_container_image', 'sandbox_runtime_container_image', 'search_api_key'],
  ...['email', 'git_user_name', 'git_user_email'],
];
const flags = ['enable_sound_notifications', 'enable_proactive_conversation_starters'];
const strategies = [
  ...['NO_GROUPING', 'GROUP_BY_NEWEST', 'LEAST_RECENTLY_USED', 'FEWEST_CONVERSATIONS', 'ADD_TO_ANY'],
];

/** The top-level fields of the record. None of them is checked when saved. */
export const topFields = [
  ...texts,
  ...flags,
  ...['remote_runtime_resource_factor', 'max_budget_per_task', 'user_consents_to_analytics'],
  ...['email_verified', 'sandbox_grouping_strategy', 'sandbox_api_key'],
];

/** Whether a save has broken the record, so that it can't be read anymore. */
export function isBroken(settings: StoredSettings): boolean {
  const fits = (name: string, isRight: (value: unknown) => boolean) => isRight(settings[name]);
  const orNull = (isRight: (value: unknown) => boolean) => (value: unknown) =>
    value === null || value === undefined || isRight(value);
  const isNumber = (value: unknown) => typeof value === 'number';
  const isFlag = (value: unknown) => typeof value === 'boolean';
  return !(
    texts.every((name) =>
      fits(
        name,
        orNull((value) => typeof value === 'string'),
      ),
    ) &&
    flags.every((name) => fits(name, isFlag)) &&
    fits('remote_runtime_resource_factor', orNull(Number.isInteger)) &&
    fits('max_budget_per_task', orNull(isNumber)) &&
    fits('user_consents_to_analytics', orNull(isFlag)) &&
    fits('sandbox_grouping_strategy', (value) => value === undefined || strategies.includes(value as string))
  );
}

/** Shown for values that aren't set. */
export const shownDefaults: Readonly<Record<string, unknown>> = {
  agent: 'CodeActAgent',
  llm_model: 'gpt-5.5',
};

/** The address to store when none is set. It's shown as null. */
export function addressOfProvider(model: string | null): string | null {
  const provider = /^(anthropic|openai)\//.exec(model ?? '')?.[1];
  return provider === undefined ? null : `https://api.${provider}.com`;
}

/** Answer to `GET /api/v1/settings`. */
export function currentSettings({ settings, providerTokens }: State, release: Release): Answer {
  if (settings === null) return { status: 404, body: { error: 'Settings not found' } };
  if (isBroken(settings)) return crashed();
  return ok({
    ...recordOf(settings, shownMap(settings.mcp_config, release), null),
    llm_api_key_set: settings.llm_api_key !== null,
    search_api_key_set: settings.search_api_key !== null,
    provider_tokens_set: tokensSet(providerTokens),
  });
}

/** Answer to `GET /api/v1/users/me`: the same record, with masks for secrets that are set. */
export function currentUser({ settings }: State): Answer {
  if (settings !== null && isBroken(settings)) return crashed();
  return ok({ id: null, ...(settings && recordOf(settings, maskedMap(settings.mcp_config), mask)) });
}

function recordOf(settings: StoredSettings, mcp: unknown, shown: string | null): Record<string, unknown> {
  const secret = (value: string | null) => (value === null ? null : shown);
  const top = topFields.filter((name) => settings[name] !== undefined);
  return {
    ...Object.fromEntries(top.map((name) => [name, settings[name]])),
    search_api_key: secret(settings.search_api_key),
    sandbox_api_key: null,
    secrets_store: { provider_tokens: {} },
    v1_enabled: true,
    sandbox_grouping_strategy: settings['sandbox_grouping_strategy'] ?? 'NO_GROUPING',
    agent_settings: withDescribed(settings, {
      schema_version: 4,
      agent_kind: settings['agent_kind'] ?? 'openhands',
      agent: settings.agent ?? shownDefaults['agent'],
      llm: {
        model: settings.llm_model ?? shownDefaults['llm_model'],
        api_key: secret(settings.llm_api_key),
        base_url:
          settings.llm_base_url === addressOfProvider(settings.llm_model) ? null : settings.llm_base_url,
      },
      mcp_config: mcp,
      agent_context: { skills: [], current_datetime: new Date().toISOString() },
      condenser: { enabled: settings.enable_default_condenser, max_size: 240 },
    }),
    conversation_settings: {
      schema_version: 1,
      max_iterations: settings.max_iterations ?? 500,
      confirmation_mode: settings.confirmation_mode ?? false,
      security_analyzer: settings.security_analyzer ?? 'llm',
    },
  };
}
