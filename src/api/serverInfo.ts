import * as z from 'zod/mini';
import { listOf, maybe } from './lenient';

/** What an agent server says about itself. */
export interface AgentServerInfo {
  /** Such as `1.58.0`. */
  release: string | undefined;
  /** Names of what it can do beyond the first releases; they end with a version, such as `_v1`. */
  capabilities: readonly string[];
}

const infoSchema = z.object({
  title: z.literal('OpenHands Agent Server'),
  version: z.optional(z.string()),
  capabilities: maybe(listOf(z.string())),
});

/** Reads an answer of `GET /server_info`; undefined for any other server than an agent server. */
export function serverInfoOf(json: unknown): AgentServerInfo | undefined {
  const { data } = infoSchema.safeParse(json);
  return data && { release: data.version, capabilities: data.capabilities ?? [] };
}
