import * as z from 'zod/mini';
import { lenientList } from '../../lenient';
import { ApiError, isSettingsNotFound } from '../../http/errors';
import { searchParams } from '../../http/query';
import type { Transport } from '../../http/transport';
import { checked, optional, record } from '../calls';
import { providerTokensBodySchema } from '../schemas/providerTokens';
import { formSchemaSchema } from '../schemas/formSchema';
import { merging, type SettingsCalls } from '../settingsCalls';
import { differenceOf, refusalOf } from './difference';
import { leavesOutSecrets } from './mcp';
import { currentLacks, mcpPath } from './places';
import { moreFieldsOf, type MoreFields } from './moreFields';
import { currentRecordSchema, toSettings, valueAt, type CurrentRecord } from './record';

/** Where the current generation has its settings. */
const currentSettingsRoute = '/api/v1/settings';
const providersRoute = '/api/v1/secrets/git-providers';
const userRoute = '/api/v1/users/me';
/** Where the service describes the fields of each object of the record. */
const schemaRoutes = {
  agent_settings: '/api/v1/settings/agent-schema',
  conversation_settings: '/api/v1/settings/conversation-schema',
};
const modelsRoute = '/api/v1/config/models/search';

const modelsSchema = z.object({
  items: lenientList(z.object({ provider: z.nullish(z.string()), name: z.string() })),
});

/** The most that one page has. */
const mostModels = 100;

/**
 * The settings of the current generation. A save sends what changed, and the service keeps the rest. Concurrent saves
 * lose each other's fields although both are answered with 200, so saves run one at a time.
 */
export function currentSettings(transport: Transport): SettingsCalls {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const run = last.then(work, work);
    last = run.catch(() => undefined);
    return run;
  };

  const read = (route: string, signal: AbortSignal | undefined): Promise<CurrentRecord> =>
    transport.request(
      { method: 'GET', route, read: record(currentRecordSchema), expects: isSettingsNotFound, exact: true },
      signal,
    );

  return {
    getSettings: async (signal, forEditing = false) => {
      const own = await read(currentSettingsRoute, signal);
      const asks = forEditing && leavesOutSecrets(valueAt(own, mcpPath));
      const told = asks ? await read(userRoute, signal) : own;
      const settings = toSettings(own, told);
      // Servers that can't be read would be saved as none, and lost.
      const isLacking = forEditing && settings?.mcp_config === null;
      if (settings === undefined || isLacking)
        throw new ApiError('badShape', 'GET', currentSettingsRoute, { status: 200 });
      return settings;
    },

    postSettings: (settings, changed = Object.keys(settings), signal) =>
      inTurn(async () => {
        const route = currentSettingsRoute;
        const difference = differenceOf(settings, changed, route);
        const { body, secrets } = difference;
        try {
          await transport.request({ method: 'POST', route, body, secrets }, signal);
        } catch (error) {
          throw error instanceof ApiError ? refusalOf(error, difference) : error;
        }
      }),

    addGitProviders: (providers, signal) =>
      inTurn(async () => {
        const { provider_tokens } = checked(providerTokensBodySchema, providers, providersRoute);
        const secrets = Object.values(provider_tokens).map(({ token }) => token);
        const body = { provider_tokens };
        await transport.request({ method: 'POST', route: providersRoute, body, secrets }, signal);
      }),

    unsetProviderTokens: (signal) =>
      inTurn(() => transport.request({ method: 'DELETE', route: providersRoute, ...optional }, signal)),

    listModels: async (signal) => {
      const query = searchParams({ verified__eq: 'true', limit: mostModels });
      const { items } = await transport.request(
        {
          method: 'GET',
          route: modelsRoute,
          query,
          read: record(modelsSchema),
          elements: 'items',
          ...optional,
        },
        signal,
      );
      return items.map(({ provider, name }) => (provider ? `${provider}/${name}` : name));
    },
    describeFields: (agentKind, signal) => describedFields(transport, schemaRoutes, agentKind, signal),
    listAgents: () => Promise.resolve([]),
    listSecurityAnalyzers: () => Promise.resolve(['llm', 'none']),
    abilities: () => ({ ...merging, lacks: currentLacks }),
  };
}

/**
 * The fields that a service describes and the form doesn’t have.
 * @param routes where it describes the fields of each object of its record
 * @param agentKind of the record: fields of other kinds are left out
 */
export async function describedFields(
  transport: Transport,
  routes: Readonly<Record<string, string>>,
  agentKind: string,
  signal: AbortSignal | undefined,
): Promise<MoreFields> {
  const parts = Object.entries(routes).map(async ([root, route]) => {
    const { sections } = await transport.request(
      { method: 'GET', route, read: record(formSchemaSchema), elements: 'sections', ...optional },
      signal,
    );
    const described = sections.flatMap(({ fields }) => fields);
    return moreFieldsOf(described, root, agentKind);
  });
  const read = await Promise.all(parts);
  return {
    fields: read.flatMap(({ fields }) => fields),
    elsewhere: read.flatMap(({ elsewhere }) => elsewhere),
  };
}
