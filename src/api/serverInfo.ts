import * as z from 'zod/mini';

/** What an agent server says about itself, such as release `1.58.0`. */
export interface AgentServerInfo {
  release: string | undefined;
}

const infoSchema = z.object({ title: z.literal('OpenHands Agent Server'), version: z.optional(z.string()) });

/** Reads an answer of `GET /server_info`; undefined for any other server than an agent server. */
export function serverInfoOf(json: unknown): AgentServerInfo | undefined {
  const { data } = infoSchema.safeParse(json);
  return data && { release: data.version };
}
