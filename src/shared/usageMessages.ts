import * as z from 'zod/mini';
import { listOf, longText, shortText } from './bounded';
import { parseWith, type Parsed } from './parsed';

/** Messages between the page with the usage (webview) and the extension host. Both sides refuse anything else. */

/** What usage is summed up by. */
export const usageKinds = ['day', 'model', 'repository', 'connection'] as const;
export type UsageKind = (typeof usageKinds)[number];

const sumSchema = z.strictObject({
  /** `YYYY-MM-DD` for a day. Empty for conversations that don’t say. */
  name: shortText,
  conversations: z.number(),
  cost: z.number(),
  /** Tokens. */
  input: z.number(),
  output: z.number(),
});
/** What some conversations have used together. */
export type UsageSum = z.infer<typeof sumSchema>;

/** More rows than conversations are ever read. */
const mostRows = 1_000_000;
const table = listOf(sumSchema, mostRows);

const shownUsageSchema = z.strictObject({
  type: z.literal('usage'),
  isReading: z.boolean(),
  /** Whether there’s more to read: older conversations, or those that couldn’t be read. */
  hasMore: z.boolean(),
  total: sumSchema,
  tables: z.strictObject({ day: table, model: table, repository: table, connection: table }),
  /** What isn’t counted, in sentences. */
  uncounted: listOf(longText),
});
export type ShownUsage = z.infer<typeof shownUsageSchema>;

const fromPageSchema = z.discriminatedUnion('type', [
  /** The page can be filled. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('refresh') }),
  z.strictObject({ type: z.literal('readMore') }),
  z.strictObject({ type: z.literal('stop') }),
]);
export type FromUsagePage = z.infer<typeof fromPageSchema>;

const order = z.object({
  by: z.enum(['name', 'conversations', 'cost', 'input', 'output']),
  isDescending: z.boolean(),
});

/** What the page keeps while it’s hidden: the column by which each table is sorted, and which way. */
export const keptUsageSchema = z.object({
  sorting: z.object({ day: order, model: order, repository: order, connection: order }),
});
export type UsageSorting = z.infer<typeof keptUsageSchema>['sorting'];

export const parseShownUsage = (data: unknown): Parsed<ShownUsage> => parseWith(shownUsageSchema, data);
export const parseFromUsagePage = (data: unknown): Parsed<FromUsagePage> => parseWith(fromPageSchema, data);
