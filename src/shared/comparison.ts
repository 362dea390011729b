import * as z from 'zod/mini';
import { listOf, shortText } from './bounded';
import { parseWith, type Parsed } from './parsed';

/** A command with which an agent checked its work, as it ran last. */
const checkSchema = z.strictObject({
  command: shortText,
  /** Null while it runs or if unknown. */
  exitCode: z.nullable(z.number()),
  /** False if the exit code may be that of another command of the same line. */
  isSure: z.boolean(),
  runs: z.number(),
});
export type Check = z.infer<typeof checkSchema>;

const changedSchema = z.strictObject({
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  /** False if there may be more. */
  isWhole: z.boolean(),
});
/** What an agent changed, in numbers. */
export type Changed = z.infer<typeof changedSchema>;

/** One of the conversations that are compared. */
const attemptSchema = z.strictObject({
  id: z.string(),
  title: shortText,
  /** What it’s told apart by; empty if by its title. */
  difference: shortText,
  /** What the agent is doing, as its server says it. */
  execution: shortText,
  /** In words. */
  state: shortText,
  /** Why what is shown may be old or incomplete; empty if it isn’t. */
  mark: shortText,
  /** From the first entry to the last, in milliseconds; null if unknown. */
  took: z.nullable(z.number()),
  /** While the agent works: when it began, in milliseconds since the epoch. */
  since: z.nullable(z.number()),
  cost: z.nullable(z.number()),
  tokens: z.nullable(z.number()),
  /** Null until read, and if it can’t be. */
  changed: z.nullable(changedSchema),
  /** Why changes can’t be read; empty if they can. */
  changesProblem: shortText,
  checks: listOf(checkSchema),
  /** Whether all of the transcript was read. */
  isWhole: z.boolean(),
  lastWords: shortText,
});
export type ComparedAttempt = z.infer<typeof attemptSchema>;

/** What the page keeps while it’s hidden. */
export const keptComparisonSchema = z.object({
  service: z.string(),
  ids: z.array(z.string()),
});

const toPageSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('show'),
    service: shortText,
    ids: listOf(z.string()),
    attempts: listOf(attemptSchema),
    /** What else there is to say, such as that an attempt never started; empty if there’s nothing. */
    note: shortText,
  }),
  /** Why nothing can be shown. */
  z.strictObject({ type: z.literal('notice'), message: shortText }),
]);
export type ToComparison = z.infer<typeof toPageSchema>;

const actSchema = z.enum(['showChanges', 'showDifference', 'take', 'continue']);
/** What can be done with an attempt. */
export type ComparisonAct = z.infer<typeof actSchema>;

const fromPageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  /** The page refused a message of the host. */
  z.strictObject({ type: z.literal('refused'), what: shortText }),
  z.strictObject({ type: z.literal('act'), act: actSchema, id: shortText }),
]);
export type FromComparison = z.infer<typeof fromPageSchema>;

export const parseToComparison = (data: unknown): Parsed<ToComparison> => parseWith(toPageSchema, data);
export const parseFromComparison = (data: unknown): Parsed<FromComparison> => parseWith(fromPageSchema, data);
