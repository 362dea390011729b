import * as z from 'zod/mini';

/** Any JSON value: what a field the client does not know may hold. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Accepts any JSON value and keeps it as it is. */
export const jsonSchema: z.ZodMiniType<Json> = z.json();
