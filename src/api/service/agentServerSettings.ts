import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { caught } from '../../shared/caught';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { ApiError } from '../http/errors';
import type { Transport } from '../http/transport';
import { lenientList, maybe } from '../lenient';
import { lenientMembers } from '../../shared/members';
import { optional, record } from './calls';
import { differenceOf, refusalOf } from './current/difference';
import { agentServerLacks } from './current/places';
import { toSettings } from './current/record';
import { describedFields } from './current/settings';
import { firstSettingsRoute as route } from './firstSettings';
import { merging, type SettingsCalls } from './settingsCalls';

const members = z.custom<JsonMembers>(isJsonObject);

/** Answer of `GET /api/settings` of an agent server; what is for other clients is left out. */
const settingsSchema = z.object({
  agent_settings: members,
  conversation_settings: members,
  llm_api_key_is_set: maybe(z.boolean()),
});

/** A provider whose models can’t be read has none. */
const modelsSchema = z.object({ models: lenientMembers(caught(lenientList(z.string()), [])) });

/**
 * The settings of a standalone agent server (docs/protocol/agent-server.md, “Settings of an agent server”): its record
 * is that of the current generation. A save changes the leaves that it names, also in a map such as that of the MCP
 * servers; null removes, and so does a mask in place of a secret.
 */
export function agentServerSettings(transport: Transport): SettingsCalls {
  const isElsewhere = () => Promise.reject(new ApiError('agentServer', 'POST', route));
  return {
    getSettings: (signal) =>
      transport.request(
        {
          method: 'GET',
          route,
          exact: true,
          read: (json) => {
            const { data } = settingsSchema.safeParse(json);
            if (data === undefined) return undefined;
            const { llm_api_key_is_set: isSet, ...told } = data;
            const settings = toSettings({
              ...told,
              ...(typeof isSet === 'boolean' && { llm_api_key_set: isSet }),
            });
            // Servers that can’t be read would be removed by the next change.
            return settings?.mcp_config === null ? undefined : settings;
          },
        },
        signal,
      ),

    postSettings: async (settings, changed = Object.keys(settings), signal, before = {}) => {
      const lacking = agentServerLacks(before);
      const refusal = (name: string, value: unknown) => {
        if (lacking.some((field) => field === name)) return l10n.t('This service doesn’t have this setting.');
        const isDefault = value === null && (name === 'max_iterations' || name === 'confirmation_mode');
        return isDefault ? l10n.t('Enter a value.') : undefined;
      };
      const difference = differenceOf(settings, changed, route, { before, refusal });
      const { body, secrets } = difference;
      try {
        await transport.request({ method: 'PATCH', route, body, secrets }, signal);
      } catch (error) {
        throw error instanceof ApiError ? refusalOf(error, difference) : error;
      }
    },

    addGitProviders: isElsewhere,
    unsetProviderTokens: isElsewhere,
    describeFields: (agentKind, signal) =>
      describedFields(
        transport,
        { agent_settings: `${route}/agent-schema`, conversation_settings: `${route}/conversation-schema` },
        agentKind,
        signal,
      ),
    listModels: async (signal) => {
      const call = { method: 'GET', route: '/api/llm/models/verified', elements: 'models' } as const;
      const read = record(modelsSchema);
      const { models } = await transport.request({ ...call, read, ...optional }, signal);
      return Object.entries(models).flatMap(([provider, names]) =>
        names.map((name) => `${provider}/${name}`),
      );
    },
    listAgents: () => Promise.resolve([]),
    listSecurityAnalyzers: () => Promise.resolve(['llm', 'none']),
    abilities: (settings) => ({
      ...merging,
      keepsHidden: true,
      testsServers: true,
      hasProviders: false,
      lacks: agentServerLacks(settings),
    }),
  };
}
