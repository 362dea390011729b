import * as z from 'zod/mini';
import { orElse } from '../lenient';
import { notUnderstood } from './failure';

/** Releases of MCP whose `initialize` and `tools/list` this extension speaks, newest first. */
export const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** A member that some servers write as null instead of leaving it out; agents accept both. */
const absent = <T>(schema: z.ZodMiniType<T>) => orElse<T | undefined>(schema, () => undefined);

const messageSchema = z.object({
  id: z.nullish(z.union([z.number(), z.string()])),
  method: absent(z.string()),
  result: z.optional(z.unknown()),
  error: absent(z.object({ message: z.string() })),
});
/** A request, a notification, or an answer, in JSON-RPC. */
export type Message = z.infer<typeof messageSchema>;

/** The result of `initialize`. */
export const initializedSchema = z.object({
  protocolVersion: z.string(),
  capabilities: z.object({ tools: absent(z.unknown()) }),
  serverInfo: z.object({ name: z.string(), version: z.string(), title: absent(z.string()) }),
});

/** The result of `tools/list`; how a tool is called doesn’t matter here. */
export const toolsSchema = z.object({
  tools: z.array(z.object({ name: z.string(), title: absent(z.string()) })),
  nextCursor: absent(z.string()),
});

/** Throws a `Failure` for what isn’t MCP. */
export function understood<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw notUnderstood();
}

/** The messages of one text: servers of MCP 2025-03-26 may put several into one answer. */
export function messagesOf(text: string): Message[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw notUnderstood();
  }
  const messages = z.array(messageSchema).safeParse(Array.isArray(json) ? json : [json]).data ?? [];
  const isRpc = ({ method, error, result }: Message) => Boolean(method ?? error) || result !== undefined;
  if (messages.length > 0 && messages.every(isRpc)) return messages;
  throw notUnderstood();
}
