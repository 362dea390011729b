import * as z from 'zod/mini';
import { someText } from '../../../shared/bounded';
import { ApiError, type Method } from '../../http/errors';
import { searchParams } from '../../http/query';
import type { Transport } from '../../http/transport';
import { maybe } from '../../lenient';
import { pageOf, pagesOf } from '../../page';

const secretSchema = z.object({ name: someText, description: maybe(z.string()) });
/** A custom secret, which agents get as an environment variable. Its value never shows. */
export interface CustomSecret extends z.infer<typeof secretSchema> {
  /** Its description changes only together with the value. */
  needsValue?: boolean;
  /** The server made it for itself: it isn’t for the user to change. */
  isOwn?: boolean;
}

/** Custom secrets, which services of the current generation have. */
export interface CustomSecretCalls {
  /** `GET /api/v1/secrets/search`: all of them. */
  listSecrets(signal?: AbortSignal): Promise<CustomSecret[]>;
  /**
   * `POST /api/v1/secrets`: adds a secret, or replaces the value and description of the one with that name. Release 1.8
   * refuses to replace one with 400. A secret that `needsValue` keeps its description if that is undefined.
   */
  saveSecret(secret: CustomSecret & { value: string }, signal?: AbortSignal): Promise<void>;
  /** `PUT /api/v1/secrets/<name>`: can’t change the value; without a description, the service clears the stored one. */
  describeSecret(name: string, description: string, signal?: AbortSignal): Promise<void>;
  /** `DELETE /api/v1/secrets/<name>`. */
  deleteSecret(name: string, signal?: AbortSignal): Promise<void>;
}

const route = '/api/v1/secrets';

/** Names that reach other routes: a `DELETE` of the first would clear all git provider tokens. */
const otherRoutes = ['git-providers', 'search'];

/** The calls for custom secrets. */
export function customSecretCalls(transport: Transport): CustomSecretCalls {
  const change = (method: Method, name: string, signal: AbortSignal | undefined, body?: object) => {
    const path = `${route}/{id}`;
    if (otherRoutes.includes(name.toLowerCase())) return Promise.reject(new ApiError('badId', method, path));
    return transport.request({ method, route: path, id: name, body }, signal);
  };
  return {
    listSecrets: async (signal) => {
      const secrets: CustomSecret[] = [];
      const pages = pagesOf(`${route}/search`, (pageId) => {
        const query = searchParams({ limit: 100, page_id: pageId });
        const read = pageOf(secretSchema, pageId);
        const call = { method: 'GET', route: `${route}/search`, query, read, elements: 'items' } as const;
        return transport.request(call, signal);
      });
      for await (const { items } of pages) for (const secret of items) secrets.push(secret);
      return secrets;
    },
    saveSecret: ({ name, value, description }, signal) => {
      const body = { name, value, description: description ?? '' };
      return transport.request({ method: 'POST', route, body, secrets: [value] }, signal);
    },
    describeSecret: (name, description, signal) => change('PUT', name, signal, { name, description }),
    deleteSecret: (name, signal) => change('DELETE', name, signal),
  };
}
