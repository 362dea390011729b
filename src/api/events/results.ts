import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { terminalText } from '../../shared/terminal';
import { lenientList, maybe, maybeText } from '../lenient';
import { type Content, dataUri, outputSchema, whole } from './content';
import type { FileChange, Result, Task } from './event';
import { readId } from './eventId';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A text; empty if it’s absent or something else. */
export const lenientText = z.pipe(z.optional(z.unknown()), z.transform(textOf)) as z.ZodMiniType<string>;

/** An ID as it’s held; empty if it’s absent. */
export const idText = z.pipe(
  z.optional(z.unknown()),
  z.transform((id): string => readId(id) ?? ''),
) as z.ZodMiniType<string>;

const statuses: ReadonlySet<unknown> = new Set<Task['status']>(['todo', 'in_progress', 'done']);

/** An item of a plan, in a result or an action. Plans can be long: this takes a tenth of the time of an object’s schema. */
export const taskSchema: z.ZodMiniType<Task> = z.pipe(
  z.custom<JsonMembers>(isJsonObject),
  z.transform(({ title, notes, status }) => ({
    title: textOf(title),
    notes: textOf(notes),
    status: statuses.has(status) ? (status as Task['status']) : 'todo',
  })),
);

const fileChange = z.object({ old_content: maybeText, new_content: maybeText, move_path: maybeText });

/** Reads `{"changes": {"<path>": {"type": "add|delete|update", "old_content", "new_content", "move_path"}}}`. */
const commitSchema = z.pipe(
  z.object({ changes: z.custom<object>(isJsonObject) }),
  z.transform(({ changes }): FileChange[] =>
    Object.entries<unknown>({ ...changes }).flatMap(([path, value]): FileChange[] => {
      const { data } = fileChange.safeParse(value);
      if (!data) return [];
      const [before, after] = [data.old_content ?? null, data.new_content ?? null];
      if (before === null && after === null) return [];
      return [{ path, before, after, ...(data.move_path && { movedTo: data.move_path }) }];
    }),
  ),
);

const observation = z.object({
  kind: lenientText,
  content: outputSchema,
  is_error: maybe(z.boolean()),
  exit_code: maybe(z.number()),
  path: maybeText,
  file_path: maybeText,
  old_content: maybeText,
  new_content: maybeText,
  task_list: maybe(lenientList(taskSchema)),
  commit: maybe(commitSchema),
  screenshot_data: maybeText,
  metadata: maybe(z.object({ prefix: lenientText, suffix: lenientText, working_dir: maybeText })),
});

/** What the server adds to the output of each command that ends: the exit code, which the result has anyway. */
const usualSuffix = /^\s*\[The command completed with exit code -?\d+\.\]\s*$/;

/** The output of a tool, with what the server says about it and with pictures. */
function contentOf({ content, metadata, screenshot_data: screenshot }: z.infer<typeof observation>): Content {
  const pictures = [...(content.pictures ?? []), ...(screenshot ? [dataUri(screenshot)] : [])];
  const suffix = metadata && !usualSuffix.test(metadata.suffix) ? metadata.suffix : '';
  const said = terminalText((metadata?.prefix ?? '') + content.text + suffix);
  return whole(content.text === '' ? said.trim() : said, pictures);
}

/** A result of any tool. */
export const resultSchema: z.ZodMiniType<Result> = z.pipe(
  observation,
  z.transform((told): Result => ({
    ...contentOf(told),
    kind: told.kind,
    isError: told.is_error ?? false,
    exitCode: told.exit_code ?? null,
    path: told.path ?? told.file_path ?? null,
    before: told.old_content ?? null,
    after: told.new_content ?? null,
    tasks: told.task_list ?? null,
    ...(told.metadata?.working_dir && { folder: told.metadata.working_dir }),
    ...(told.commit && told.commit.length > 0 && { files: told.commit }),
  })),
);
