import type * as z from 'zod/mini';
import { ApiError } from '../http/errors';
import type { Call, Transport } from '../http/transport';

/** The service doesn't have the route. */
export const isMissing = (error: unknown) => hasStatus(error, 404, 405);

/** A route that not every service has. */
export const optional = {
  /** For such a route, an error that a healthy service may answer. */
  expects: isMissing,
};

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
