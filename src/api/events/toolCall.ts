import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { terminalText } from '../../shared/terminal';
import { maybe } from '../lenient';
import { dataUri, whole } from './content';
import type { FileChange, Result, ToolCall } from './event';
import { idText, lenientText } from './results';

const membersOf = (value: unknown): JsonMembers => (isJsonObject(value) ? value : {});
const textIn = (members: JsonMembers, ...names: string[]): string | undefined =>
  names.map((name) => members[name]).find((value) => typeof value === 'string');

/** The content of one block of a call. */
interface Block {
  text?: string;
  picture?: string;
  file?: FileChange;
}

/** Reads a block as releases store it (`old_text`) or as the protocol names its members (`oldText`). */
function blockOf(value: unknown): Block {
  if (typeof value === 'string') return { text: value };
  const block = membersOf(value);
  if (block['type'] === 'diff') {
    const path = textIn(block, 'path');
    const before = block['old_text'] ?? block['oldText'] ?? null;
    const after = block['new_text'] ?? block['newText'];
    if (path === undefined) return {};
    const isNew = before === null;
    // The content is unknown then, not empty.
    if (typeof after !== 'string' || !(isNew || typeof before === 'string'))
      return { file: { path, before: isNew ? null : '', after: '', isGone: true } };
    return { file: { path, before, after, ...(!isNew && { isPart: true as const }) } };
  }
  const content = block['type'] === 'content' ? membersOf(block['content']) : block;
  const data = textIn(content, 'data');
  if (content['type'] === 'image')
    return data === undefined ? { picture: textIn(content, 'uri') ?? '' } : { picture: dataUri(data) };
  const resource = membersOf(content['resource']);
  const said = textIn(content, 'text') ?? textIn(resource, 'text') ?? textIn(content, 'uri', 'name');
  return said === undefined ? {} : { text: said };
}

/** What a result of unknown shape holds: the blocks that it is or has, as those of MCP tools, else its output. */
function blocksIn(raw: unknown): Block[] {
  const parts = Array.isArray(raw) ? raw : membersOf(raw)['content'];
  const blocks = Array.isArray(parts) ? parts.map(blockOf) : [];
  const isRead = blocks.length > 0 && blocks.every(({ text, picture }) => (text ?? picture) !== undefined);
  return isRead ? blocks : [{ text: outputIn(raw) }];
}

/** The output in a result of unknown shape: the text that it is or names, else its members. */
function outputIn(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  if (raw === null || raw === undefined) return '';
  const members = membersOf(raw);
  const streams = [
    textIn(members, 'formatted_output', 'aggregated_output', 'output', 'stdout', 'text', 'content'),
  ];
  streams.push(textIn(members, 'stderr', 'error'));
  const said = streams.filter((stream) => stream !== undefined && stream !== '').join('\n');
  return said === '' ? JSON.stringify(raw, null, 2) : said;
}

function exitCodeIn(raw: unknown): number | null {
  const { exit_code: one, exitCode: other } = membersOf(raw);
  const code = one ?? other;
  return typeof code === 'number' ? code : null;
}

const states: ReadonlyMap<string, ToolCall['state']> = new Map([
  ['completed', 'done'],
  ['failed', 'failed'],
  ['cancelled', 'failed'],
  ['canceled', 'failed'],
]);

/** Reads a progress report of a tool call. */
export const toolCallSchema: z.ZodMiniType<ToolCall> = z.pipe(
  z.object({
    tool_call_id: idText,
    title: lenientText,
    status: lenientText,
    tool_kind: lenientText,
    raw_input: z.optional(z.unknown()),
    raw_output: z.optional(z.unknown()),
    content: z.optional(z.unknown()),
    is_error: maybe(z.boolean()),
  }),
  z.transform((told): ToolCall => {
    const content = (Array.isArray(told.content) ? told.content : [told.content]).map(blockOf);
    const files = content.flatMap(({ file }) => file ?? []);
    const isSaid = files.length > 0 || content.some(({ text }) => (text ?? '') !== '');
    const blocks = isSaid
      ? content
      : [...content.filter(({ text }) => text === undefined), ...blocksIn(told.raw_output)];
    const output = blocks.flatMap(({ text }) => text ?? []).join('\n');
    const isError = told.is_error ?? told.status === 'failed';
    const result: Result = {
      ...whole(
        terminalText(output),
        blocks.flatMap(({ picture }) => picture ?? []),
      ),
      kind: 'ToolCall',
      isError,
      exitCode: exitCodeIn(told.raw_output),
      path: null,
      before: null,
      after: null,
      tasks: null,
      ...(files.length > 0 && { files }),
    };
    return {
      callId: told.tool_call_id,
      title: told.title,
      tool: told.tool_kind,
      state: isError ? 'failed' : (states.get(told.status) ?? 'running'),
      input: inputOf(told.raw_input),
      result,
    };
  }),
);

function inputOf(raw: unknown): ToolCall['input'] {
  if (raw === null || raw === undefined) return null;
  return isJsonObject(raw) ? raw : { input: raw };
}
