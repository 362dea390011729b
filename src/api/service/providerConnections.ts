import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { someText } from '../../shared/bounded';
import { ApiError } from '../http/errors';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText, recordId } from '../lenient';
import { shownAddress } from '../shownAddress';
import { ifThere, record } from './calls';
import { mask } from './schemas/secret';

const connectionSchema = z.object({
  id: recordId,
  display_name: someText,
  provider: maybeText,
  base_url: shownAddress,
  api_key_set: maybe(z.boolean()),
});
/** The key of a model provider, which model profiles share. The key never shows. */
export type ProviderConnection = z.infer<typeof connectionSchema>;

/** A connection to add. */
export interface NewProviderConnection {
  /** For people. */
  name: string;
  /** As models name it: `anthropic`. */
  provider: string;
  key: string;
  /** Empty for the provider’s own. */
  baseUrl: string;
}

/** The provider connections of an agent server, since 1.49. Throws ApiError. */
export interface ProviderConnectionCalls {
  /** `GET /api/llm/provider-connections`; undefined for a server that has none. */
  listProviders(signal?: AbortSignal): Promise<ProviderConnection[] | undefined>;
  /** `POST /api/llm/provider-connections`: also adds a second one of the same name. */
  addProvider(connection: NewProviderConnection, signal?: AbortSignal): Promise<void>;
  /** `PATCH /api/llm/provider-connections/<id>`, with the key only. */
  replaceProviderKey(id: string, key: string, signal?: AbortSignal): Promise<void>;
  /** `DELETE /api/llm/provider-connections/<id>`: an error of reason `conflict` while a model profile uses it. */
  deleteProvider(id: string, signal?: AbortSignal): Promise<void>;
}

const route = '/api/llm/provider-connections';

/** The calls for the provider connections of a standalone agent server. */
export function providerConnectionCalls(transport: Transport): ProviderConnectionCalls {
  /** A mask would be stored as the key, or refused without a reason. */
  const withKey = (key: string, act: () => Promise<void>) => {
    if (key.trim() !== '' && key.trim() !== mask) return act();
    const issues = [{ loc: ['body', 'api_key'], msg: l10n.t('Enter a value.'), type: '' }];
    return Promise.reject(new ApiError('invalid', 'POST', route, { issues }));
  };
  return {
    listProviders: (signal) => {
      const read = record(lenientList(connectionSchema));
      return ifThere(transport, { method: 'GET', route, read, elements: 'items' }, signal);
    },
    addProvider: ({ name, provider, key, baseUrl }, signal) =>
      withKey(key, () => {
        const body = {
          display_name: name,
          provider,
          api_key: key,
          ...(baseUrl !== '' && { base_url: baseUrl }),
        };
        return transport.request({ method: 'POST', route, body, secrets: [key] }, signal);
      }),
    replaceProviderKey: (id, key, signal) =>
      withKey(key, () => {
        const call = { method: 'PATCH', route: `${route}/{id}`, id, body: { api_key: key } } as const;
        return transport.request({ ...call, secrets: [key] }, signal);
      }),
    deleteProvider: (id, signal) =>
      transport.request({ method: 'DELETE', route: `${route}/{id}`, id }, signal),
  };
}
