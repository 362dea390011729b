import * as z from 'zod/mini';

/** Any JSON value: what a field the client does not know may hold. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Accepts any JSON value and keeps it as it is. Marked, so that pages which only look at objects leave it out. */
export const jsonSchema: z.ZodMiniType<Json> = /* @__PURE__ */ z.json();

/** An object of any members. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isJsonObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
