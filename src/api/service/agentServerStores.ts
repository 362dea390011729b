import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { profileName } from '../../shared/serviceNames';
import { ApiError, type Method } from '../http/errors';
import type { Transport } from '../http/transport';
import { record } from './calls';
import type { CustomSecretCalls } from './current/customSecrets';
import { llmOf, modelProfilesSchema, type ProfileCalls } from './current/profiles';
import { firstSettingsRoute as settingsRoute } from './firstSettings';
import { ownSecret, secretNamesSchema } from './schemas/agentServer';
import { mask } from './schemas/secret';

/** What an agent server keeps besides its settings, by the same calls as a service. */
type StoreCalls = ProfileCalls & CustomSecretCalls;

const secretsRoute = '/api/settings/secrets';
const profilesRoute = '/api/profiles';

const encryptedModelSchema = z.object({
  agent_settings: z.object({ llm: z.custom<JsonMembers>(isJsonObject) }),
});

/** Secrets come as text that only the server itself can read, and that it takes back for the secret. */
const encrypted = { 'X-Expose-Secrets': 'encrypted' };

/** The calls for the custom secrets and model profiles of a standalone agent server. */
export function agentServerStores(transport: Transport): StoreCalls {
  const list = async (signal?: AbortSignal) => {
    const read = record(secretNamesSchema);
    const call = { method: 'GET', route: secretsRoute, read, elements: 'secrets' } as const;
    return (await transport.request(call, signal)).secrets;
  };
  const change = (
    method: Method,
    name: string,
    signal?: AbortSignal,
    below = '',
    body?: object,
    secrets: string[] = [],
  ) => {
    const route = `${profilesRoute}/{id}${below}`;
    if (!profileName.test(name)) return Promise.reject(new ApiError('badId', method, route));
    return transport.request({ method, route, id: name, body, secrets }, signal);
  };
  return {
    listSecrets: async (signal) =>
      (await list(signal)).map((secret) => ({
        ...secret,
        needsValue: true,
        ...(secret.name === ownSecret && { isOwn: true }),
      })),
    saveSecret: async ({ name, value, description }, signal) => {
      // Earlier releases store such a value, and later ones refuse it.
      const isNothing = value.trim() === '' || value.trim() === mask;
      if (isNothing || name === ownSecret) {
        const msg = isNothing
          ? l10n.t('Enter a value.')
          : l10n.t('Agent Canvas needs this secret itself. It can’t be changed here.');
        const issues = [{ loc: ['body', 'value'], msg, type: '' }];
        throw new ApiError('invalid', 'PUT', secretsRoute, { issues });
      }
      // A description that isn’t sent would be cleared.
      const held = description === undefined ? (await list(signal)).find((one) => one.name === name) : null;
      const body = { name, value, description: description ?? held?.description ?? null };
      await transport.request({ method: 'PUT', route: secretsRoute, body, secrets: [value] }, signal);
    },
    describeSecret: () => Promise.reject(new ApiError('agentServer', 'PUT', secretsRoute)),
    deleteSecret: (name, signal) =>
      name === ownSecret
        ? Promise.reject(new ApiError('badId', 'DELETE', `${secretsRoute}/{id}`))
        : transport.request({ method: 'DELETE', route: `${secretsRoute}/{id}`, id: name }, signal),

    listProfiles: async (signal) => {
      const read = record(modelProfilesSchema);
      const call = { method: 'GET', route: profilesRoute, read, elements: 'profiles' } as const;
      return { ...(await transport.request(call, signal)), isUnlimited: true };
    },
    saveProfile: async (name, signal, model) => {
      if (model) {
        const body = { llm: llmOf(model), include_secrets: true };
        return change('POST', name, signal, '', body, [model.key]);
      }
      const call = { method: 'GET', route: settingsRoute, headers: encrypted } as const;
      const read = record(encryptedModelSchema);
      const { agent_settings: settings } = await transport.request({ ...call, read, exact: true }, signal);
      // The profile is replaced whole: without the key, it would have none.
      return change('POST', name, signal, '', { llm: settings.llm, include_secrets: true });
    },
    activateProfile: (name, signal) => change('POST', name, signal, '/activate'),
    renameProfile: (name, newName, signal) => change('POST', name, signal, '/rename', { new_name: newName }),
    deleteProfile: (name, signal) => change('DELETE', name, signal),
  };
}
