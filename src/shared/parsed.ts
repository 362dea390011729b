import type * as z from 'zod/mini';

/** A valid message, or in a few words why it was refused. The reason never quotes the message's values. */
export type Parsed<Message> = { ok: true; message: Message } | { ok: false; reason: string };

/** A refusal, with its reason. */
export const no = (reason: string) => ({ ok: false, reason }) as const;

/** Parses a message between a page and the extension host. */
export function parseWith<Message>(schema: z.ZodMiniType<Message>, data: unknown): Parsed<Message> {
  const result = schema.safeParse(data);
  if (result.success) return { ok: true, message: result.data };
  const issue = result.error.issues[0];
  const place = issue?.path.map(String).join('.') ?? '';
  return no(`${issue?.code ?? 'invalid'} at "${place.slice(0, 200)}"`);
}
