import type * as z from 'zod/mini';
import { ApiError } from '../http/errors';
import { bareId, pathSegment } from '../http/ids';
import { type ConversationQuery, pageQuery, searchParams } from '../http/query';
import type { Call, Transport } from '../http/transport';
import { type Page, pageOf, pagesOf } from '../page';

/** The service doesn't have the route. */
export const isMissing = (error: unknown) => hasStatus(error, 404, 405);

/** A route that not every service has. */
export const optional = {
  /** For such a route, an error that a healthy service may answer. */
  expects: isMissing,
};

/** The answer of such a route; undefined if the service doesn’t have it. */
export const ifThere = <T>(
  transport: Transport,
  call: Call<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> =>
  transport.request({ ...call, ...optional }, signal).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** True for an ApiError with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof ApiError && error.status !== undefined && statuses.includes(error.status);
}

/** The body, if it may be sent. */
export function checked<T>(schema: z.ZodMiniType<T>, body: T, route: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message, code }) => ({
    loc: ['body', ...path.map((part) => (typeof part === 'number' ? part : String(part)))],
    msg: message,
    type: code,
  }));
  throw new ApiError('invalid', 'POST', route, { issues });
}

/** Reads an answer by a schema. */
export function record<T>(schema: z.ZodMiniType<T>): Call<T>['read'] {
  return (json) => schema.safeParse(json).data;
}

/** Makes a function that reads a route by a schema. */
export const readerOf =
  (transport: Transport) =>
  <T>(
    route: string,
    schema: z.ZodMiniType<T>,
    signal?: AbortSignal,
    rest: Pick<Call<T>, 'query' | 'elements'> = {},
  ): Promise<T> =>
    transport.request({ method: 'GET', route, read: record(schema), ...rest }, signal);

/** Reads a page of a list. */
export const readList = <T>(
  transport: Transport,
  route: string,
  schema: z.ZodMiniType<T>,
  query: ConversationQuery = {},
  signal?: AbortSignal,
  expects: Call<T>['expects'] = () => false,
): Promise<Page<T>> =>
  transport.request(
    {
      ...{ method: 'GET', route, query: pageQuery(query), expects, elements: 'items' },
      read: pageOf(schema, query.pageId),
    },
    signal,
  );

/** Reads one record of a list; null if there is no record with this id. */
export async function readOne<T extends { id: string }>(
  transport: Transport,
  route: string,
  schema: z.ZodMiniType<T>,
  id: string,
  signal?: AbortSignal,
): Promise<T | null> {
  segmentOf(id, route);
  // By the specification, services can't look up ids: they list all conversations, perhaps in pages.
  const pages = pagesOf(route, (pageId) => {
    const query = searchParams({ ids: id, page_id: pageId });
    const read = pageOf(schema, pageId);
    return transport.request({ method: 'GET', route, query, read, elements: 'items' }, signal);
  });
  for await (const page of pages) {
    const found = page.items.find((item) => bareId(item.id) === bareId(id));
    if (found) return found;
    // It may be the one that can't be read.
    if (page.skipped) throw new ApiError('badShape', 'GET', route);
  }
  return null;
}

/** The id, encoded for a path. Throws an ApiError of reason `badId`. */
export function segmentOf(id: string, route: string): string {
  const segment = pathSegment(id);
  if (segment === undefined) throw new ApiError('badId', 'GET', route);
  return segment;
}

/** Renames a conversation, and resolves to the title in the answer; undefined if it has none. */
export async function patchTitle(
  transport: Transport,
  route: string,
  id: string,
  title: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const read = (json: unknown) => [Object(json) as { title?: unknown }] as const;
  const [told] = await transport.request({ method: 'PATCH', route, id, body: { title }, read }, signal);
  return typeof told.title === 'string' ? told.title : undefined;
}
