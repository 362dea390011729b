import * as z from 'zod/mini';
import { profileName } from '../../../shared/serviceNames';
import { someText } from '../../../shared/bounded';
import { ApiError, type Method } from '../../http/errors';
import type { Transport } from '../../http/transport';
import { lenientList, maybe } from '../../lenient';
import { shownAddress } from '../../shownAddress';
import { record } from '../calls';

const profileSchema = z.object({
  name: someText,
  model: maybe(z.string()),
  base_url: shownAddress,
  /** Whether the profile has a key, or its provider connection does. */
  api_key_set: maybe(z.boolean()),
  /** On agent servers, the connection from which it has key and address. */
  provider_connection_id: maybe(z.string()),
});
/** A model with its address and key, which the service keeps under a name. The key never shows. */
export type ModelProfile = z.infer<typeof profileSchema>;

/** A model to set up. */
export interface NewModel {
  /** With its provider: `anthropic/claude-sonnet-5`. */
  model: string;
  /** Empty for none. */
  key: string;
  /** Empty for the provider’s own. */
  baseUrl: string;
}

/** A model as services take it. */
export const llmOf = ({ model, key, baseUrl }: NewModel) => ({
  model,
  ...(key !== '' && { api_key: key }),
  ...(baseUrl !== '' && { base_url: baseUrl }),
});

/** The model profiles of a service or of a standalone agent server. */
export const modelProfilesSchema = z.object({
  profiles: lenientList(profileSchema),
  /** The profile in use; null once model, address, or key have changed since. */
  active_profile: maybe(z.string()),
});
/** Answer of `GET /api/v1/settings/profiles`. */
export interface ModelProfiles extends z.infer<typeof modelProfilesSchema> {
  /** There can be more than `mostProfiles`. */
  isUnlimited?: boolean;
}

/** The most profiles that a service of the current generation keeps for a user. */
export const mostProfiles = 10;

/** Model profiles, which services of the current generation have. Elsewhere: errors that say so (`notFound` and the like). */
export interface ProfileCalls {
  /** `GET /api/v1/settings/profiles`. */
  listProfiles(signal?: AbortSignal): Promise<ModelProfiles>;
  /**
   * `POST /api/v1/settings/profiles/<name>`: stores `model`, by default that of the settings with its key; replaces one of
   * that name.
   */
  saveProfile(name: string, signal?: AbortSignal, model?: NewModel): Promise<void>;
  /** `POST .../activate`: replaces model, address, and key of the settings. A profile without a key clears the key. */
  activateProfile(name: string, signal?: AbortSignal): Promise<void>;
  /** `POST .../rename`: an error of reason `conflict` if another profile has the name. */
  renameProfile(name: string, newName: string, signal?: AbortSignal): Promise<void>;
  /** `DELETE .../<name>`: succeeds as well if there is no such profile. */
  deleteProfile(name: string, signal?: AbortSignal): Promise<void>;
}

const route = '/api/v1/settings/profiles';

/** The calls for model profiles. */
export function profileCalls(transport: Transport): ProfileCalls {
  const change = (
    method: Method,
    name: string,
    signal: AbortSignal | undefined,
    body?: object,
    below = '',
    secrets: string[] = [],
  ): Promise<void> => {
    const path = `${route}/{id}${below}`;
    if (!profileName.test(name)) return Promise.reject(new ApiError('badId', method, path));
    return transport.request({ method, route: path, id: name, body, secrets }, signal);
  };
  return {
    listProfiles: (signal) =>
      transport.request(
        { method: 'GET', route, read: record(modelProfilesSchema), elements: 'profiles' },
        signal,
      ),
    saveProfile: (name, signal, model) => {
      const body = { ...(model && { llm: llmOf(model) }), include_secrets: true };
      return change('POST', name, signal, body, '', model && [model.key]);
    },
    activateProfile: (name, signal) => change('POST', name, signal, undefined, '/activate'),
    renameProfile: (name, newName, signal) => change('POST', name, signal, { new_name: newName }, '/rename'),
    deleteProfile: (name, signal) => change('DELETE', name, signal),
  };
}
