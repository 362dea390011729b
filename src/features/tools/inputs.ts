import * as z from 'zod/mini';
import { toolIds, type ToolId } from '../../ids';
import { plainLines, plainText } from '../../shared/plainText';
import { repositoryName } from '../../shared/repositoryName';
import { gitProviders } from '../../shared/gitProviders';
import { attempts } from '../start';
import { ToolError } from './errors';

/*
 * The input of each tool. The manifest has the same as JSON Schema, with a description of each property; a test compares
 * the two. Text is cleaned here, so that the user agrees to exactly what is sent.
 */

export const limits = {
  rows: 100,
  rowsByDefault: 20,
  /** Pages of 100 records to read from a list. */
  pages: 10,
  /** Characters. */
  message: 10_000,
  /** Entries of a transcript. */
  entries: 100,
  entriesByDefault: 20,
  /** Lines of a file. */
  lines: 2_000,
  linesByDefault: 400,
};

const line = (max: number, ...checks: z.core.$ZodCheck<string>[]) =>
  z.string().check(
    z.maxLength(max),
    z.overwrite((text) => plainText(text, max)),
    z.minLength(1),
    ...checks,
  );
const upTo = (most: number) => z.int().check(z.gte(1), z.lte(most));
const limit = z._default(upTo(limits.rows), limits.rowsByDefault);
const id = line(512);
const message = z.string().check(z.maxLength(limits.message), z.overwrite(plainLines), z.minLength(1));
/** Exactly as it’s listed: names of files may have anything in them. */
const path = z.string().check(z.maxLength(4_096), z.minLength(1));
const repository = line(300, z.regex(repositoryName));

export const inputs = {
  listSandboxes: z.strictObject({
    limit,
    status: z.optional(line(40)),
    includeSpecs: z.optional(z.boolean()),
  }),
  listConversations: z.strictObject({
    limit,
    state: z.optional(line(60)),
    titleContains: z.optional(line(200)),
    repository: z.optional(repository),
    sandboxId: z.optional(id),
    updatedWithinDays: z.optional(upTo(3_650)),
  }),
  listAutomations: z.strictObject({ limit, automationId: z.optional(id) }),
  startSandbox: z.strictObject({ specId: z.optional(line(512)) }),
  changeSandbox: z.strictObject({ sandboxId: id }),
  readConversation: z.strictObject({
    conversationId: id,
    limit: z._default(upTo(limits.entries), limits.entriesByDefault),
  }),
  searchConversations: z.strictObject({ words: line(200), limit }),
  compareConversations: z.strictObject({
    conversationIds: z.array(id).check(z.minLength(attempts.least), z.maxLength(attempts.most)),
  }),
  readUsage: z.strictObject({
    by: z._default(z.enum(['day', 'model', 'repository']), 'day'),
    limit,
  }),
  listChanges: z.strictObject({ conversationId: id }),
  readChange: z.strictObject({
    conversationId: id,
    path: line(4_096),
  }),
  readFile: z.strictObject({
    conversationId: id,
    path,
    fromLine: z._default(upTo(100_000_000), 1),
    lines: z._default(upTo(limits.lines), limits.linesByDefault),
  }),
  listFolder: z.strictObject({ conversationId: id, path: z.optional(path) }),
  searchFiles: z.strictObject({
    conversationId: id,
    text: line(200),
    names: z.optional(z.boolean()),
    path: z.optional(path),
    limit,
  }),
  messageConversation: z.strictObject({ conversationId: id, message }),
  startConversation: z
    .strictObject({
      message,
      repository: z.optional(repository),
      branch: z.optional(line(250)),
      gitProvider: z.optional(z.enum(gitProviders)),
      sandboxId: z.optional(id),
      folder: z.optional(line(1_000)),
      model: z.optional(line(200)),
      title: z.optional(line(200)),
    })
    .check(
      z.refine(
        ({ repository, branch, gitProvider }) => repository !== undefined || !(branch ?? gitProvider),
        {
          path: ['repository'],
          error: 'is required with branch or gitProvider',
        },
      ),
    ),
};

/** A schema of an object with known property names. */
export type InputSchema<T> = z.ZodMiniType<T> & { shape: object };

/** Parses the input. Throws `ToolError`, which tells the model what's wrong and what's allowed. */
export function inputOf<T>(tool: ToolId, schema: InputSchema<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const problems = issues.slice(0, 5).map((issue) => `- ${memberOf(issue)} ${problemOf(issue)}.`);
  throw new ToolError(
    [
      'Nothing was done because the input isn’t valid:',
      ...problems,
      `Supported properties: ${Object.keys(schema.shape).join(', ')}. Correct the input and call ${tool} again.`,
      ...(issues.some(({ path }) => path[0] === 'sandboxId')
        ? [`${toolIds.listSandboxes} returns the ids of sandboxes.`]
        : []),
      ...(issues.some(({ path }) => path[0] === 'conversationId' || path[0] === 'conversationIds')
        ? [`${toolIds.listConversations} returns the ids of conversations.`]
        : []),
    ].join('\n'),
  );
}

function memberOf({ path }: z.core.$ZodIssue): string {
  return path.length === 0 ? 'The input' : plainText(path.map(String).join('.'), 60);
}

function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords(issue.expected)}`;
    case 'too_small':
      if (issue.origin === 'array') return `must have ${issue.minimum} or more elements`;
      return issue.origin === 'string' ? 'must not be empty' : `must be ${issue.minimum} or more`;
    case 'too_big':
      if (issue.origin === 'array') return `must have ${issue.maximum} or fewer elements`;
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be ${issue.maximum} or less`;
    case 'invalid_format':
      return 'must have the form owner/name';
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys
        .slice(0, 5)
        .map((key) => JSON.stringify(plainText(key, 40)))
        .join(', ')}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return issue.message;
  }
}

const typeWords = (type: string) =>
  ({
    ...{ int: 'a whole number', number: 'a whole number', boolean: 'true or false' },
    ...{ object: 'an object', array: 'an array' },
  })[type] ?? `a ${type}`;
