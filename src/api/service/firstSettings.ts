import { secretFields } from '../../shared/settings';
import { isSettingsNotFound } from '../http/errors';
import type { Transport } from '../http/transport';
import { checked, optional, record } from './calls';
import { mcpSecrets } from './schemas/mcp';
import { providerTokensBodySchema } from './schemas/providerTokens';
import { serviceSettingsSchema, settingsBodySchema } from './schemas/settings';
import { merging, type SettingsCalls } from './settingsCalls';

/** Where the first generation has its settings. */
export const firstSettingsRoute = '/api/settings';
const providersRoute = '/api/add-git-providers';

/**
 * The settings of the first generation: a save replaces the whole record (docs/protocol/service.md, “Saving settings”).
 */
export function firstSettings(transport: Transport): SettingsCalls {
  const suggestions = (name: string) => (signal?: AbortSignal) =>
    transport.request({ method: 'GET', route: `/api/options/${name}`, read: strings, ...optional }, signal);

  return {
    getSettings: (signal) =>
      transport.request(
        {
          method: 'GET',
          route: firstSettingsRoute,
          read: record(serviceSettingsSchema),
          expects: isSettingsNotFound,
          exact: true,
        },
        signal,
      ),

    postSettings: async (settings, _changed, signal) => {
      const body = checked(settingsBodySchema, settings, firstSettingsRoute);
      const keys = secretFields.map((field) => body[field] ?? '');
      const secrets = [...keys, ...mcpSecrets(body.mcp_config)];
      await transport.request({ method: 'POST', route: firstSettingsRoute, body, secrets }, signal);
    },

    addGitProviders: async (providers, signal) => {
      const body = checked(providerTokensBodySchema, providers, providersRoute);
      const tokens = Object.values(body.provider_tokens).map(({ token }) => token);
      const secrets = [...tokens, ...mcpSecrets(body.mcp_config)];
      await transport.request({ method: 'POST', route: providersRoute, body, secrets }, signal);
    },

    unsetProviderTokens: (signal) =>
      transport.request({ method: 'POST', route: '/api/unset-provider-tokens', ...optional }, signal),

    describeFields: () => Promise.resolve({ fields: [], elsewhere: [] }),
    listModels: suggestions('models'),
    listAgents: suggestions('agents'),
    listSecurityAnalyzers: suggestions('security-analyzers'),
    abilities: () => ({ ...merging, replaces: true, movesTokens: true }),
  };
}

function strings(json: unknown): string[] | undefined {
  return Array.isArray(json) ? json.filter((element) => typeof element === 'string') : undefined;
}
