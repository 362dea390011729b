import { isObject, objectBody, ok, type Answer, type Call, type Route } from '../http';
import type { ProfileRecord, State, StoredSettings } from '../records';
import { addressOfProvider } from './record';

const path = '/api/v1/settings/profiles';
const most = 10;
const pattern = /^[A-Za-z0-9._-]{1,64}$/;

const refused = (status: number, detail: string): Answer => ({ status, body: { detail } });
const done = (status: number, name: string): Answer => ({ status, body: { name, message: 'Done' } });
const nameIn = ({ params }: Call): string => params['name'] ?? '';

/** Model profiles: copies of the model in the settings, by name. */
export function profileRoutes(state: State): Route[] {
  const known = (call: Call, handle: (name: string, profile: ProfileRecord) => Answer): Answer => {
    const name = nameIn(call);
    const profile = state.profiles.get(name);
    return profile ? handle(name, profile) : refused(404, `Profile '${name}' not found`);
  };
  return [
    {
      method: 'GET',
      path,
      handle: () =>
        ok({
          profiles: [...state.profiles].map(([name, { model, base_url, api_key }]) => ({
            name,
            model,
            base_url,
            api_key_set: api_key !== null,
          })),
          active_profile: activeProfile(state),
        }),
    },
    {
      method: 'POST',
      path: `${path}/:name`,
      handle(call) {
        const name = nameIn(call);
        if (!pattern.test(name)) return refused(422, 'String should match pattern');
        if (state.settings === null) return refused(404, 'Settings not found');
        if (!state.profiles.has(name) && state.profiles.size >= most)
          return refused(409, `Profile limit reached (${most}).`);
        const { llm_model, llm_base_url, llm_api_key } = state.settings;
        const body = objectBody(call);
        const llm = isObject(body) && isObject(body['llm']) ? body['llm'] : undefined;
        const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
        state.profiles.set(
          name,
          llm
            ? {
                model: textOf(llm['model']),
                base_url: textOf(llm['base_url']),
                api_key: textOf(llm['api_key']),
              }
            : { model: llm_model, base_url: llm_base_url, api_key: llm_api_key },
        );
        return done(201, name);
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:name`,
      handle(call) {
        const name = nameIn(call);
        state.profiles.delete(name);
        return done(200, name);
      },
    },
    {
      method: 'POST',
      path: `${path}/:name/activate`,
      handle: (call) =>
        known(call, (name, { model, base_url, api_key }) => {
          if (state.settings === null) return refused(404, `Profile '${name}' not found`);
          const llm = { llm_model: model, llm_base_url: base_url ?? addressOfProvider(model) };
          Object.assign(state.settings, { ...llm, llm_api_key: api_key });
          state.activeProfile = name;
          return ok({ name, message: 'Done', model });
        }),
    },
    {
      method: 'POST',
      path: `${path}/:name/rename`,
      handle: (call) =>
        known(call, (name, profile) => {
          const body = objectBody(call);
          const next = isObject(body) ? body['new_name'] : undefined;
          if (typeof next !== 'string' || !pattern.test(next)) return refused(422, 'Wrong name');
          if (next !== name && state.profiles.has(next)) return refused(409, `Profile '${next}' exists`);
          state.profiles.delete(name);
          state.profiles.set(next, profile);
          if (state.activeProfile === name) state.activeProfile = next;
          return done(200, next);
        }),
    },
  ];
}

/** The active profile, as long as the settings have its model, address, and key; otherwise null. */
function activeProfile({ profiles, activeProfile: name, settings }: State): string | null {
  const profile = name === null ? undefined : profiles.get(name);
  return profile && settings && isSame(profile, settings) ? name : null;
}

const isSame = (profile: ProfileRecord, { llm_model, llm_base_url, llm_api_key }: StoredSettings) =>
  profile.model === llm_model &&
  (profile.base_url ?? addressOfProvider(llm_model)) === llm_base_url &&
  profile.api_key === llm_api_key;
