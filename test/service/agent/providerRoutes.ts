import { randomUUID } from 'node:crypto';
import { isObject, ok, type Answer, type Call } from '../http';
import { mask } from '../settingsFields';
import type { StartState } from './startRoutes';

const refused = (status: number, detail: unknown): Answer => ({ status, body: { detail } });

const shown = ({ id, name, provider, key, baseUrl }: StartState['providers'][number]) => ({
  id,
  display_name: name,
  provider,
  base_url: baseUrl,
  api_key_set: key !== '',
});

/** Answers requests for provider connections; undefined for other requests. */
export function providerAnswer({ providers, models }: StartState, call: Call): Answer | undefined {
  const [whole, id] = /^\/api\/llm\/provider-connections(?:\/([^/]+))?$/.exec(call.path) ?? [];
  if (whole === undefined) return undefined;
  const body = 'value' in call.body && isObject(call.body.value) ? call.body.value : {};
  const { api_key: key, display_name: name, provider = 'custom', base_url: baseUrl = null } = body;
  const isKey = typeof key === 'string' && key.trim() !== '' && key !== mask;
  const connection = providers.find((one) => one.id === id);
  switch (call.method) {
    case 'GET':
      return ok(providers.map(shown));
    case 'POST': {
      if (!isKey || typeof name !== 'string') return refused(422, 'Field required');
      const added = { id: randomUUID(), name, provider, key, baseUrl } as StartState['providers'][number];
      providers.push(added);
      return { status: 201, body: shown(added) };
    }
    case 'PATCH':
      if (!connection) return refused(404, 'Provider connection not found');
      if (!isKey) return refused(422, 'api_key must not be empty');
      connection.key = key;
      return ok(shown(connection));
    case 'DELETE':
      if (!connection) return refused(404, 'Provider connection not found');
      if ([...models.values()].some(({ llm }) => llm?.['provider_connection_id'] === id))
        return refused(409, `Provider connection is in use by profiles`);
      providers.splice(providers.indexOf(connection), 1);
      return ok(shown(connection));
    default:
      return undefined;
  }
}
