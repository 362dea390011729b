import * as z from 'zod/mini';
import { someText } from './bounded';
import type { Json } from './json';
import { mcpKinds } from './mcp';

const parkedVariable = z.object({ name: z.string(), isSet: z.boolean() });

/** A parked MCP server as the form may show it, without its secrets. */
export const parkedServerSchema = z.object({
  id: someText,
  /** ISO 8601. */
  parkedAt: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  kind: z.enum(mcpKinds),
  /** sse and shttp. */
  url: z.string(),
  /** shttp: seconds, null when the service's default applies. */
  timeout: z.nullable(z.number()),
  /** stdio. */
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  /** Whether there was an API key. */
  hasApiKey: z.boolean(),
  env: z.array(parkedVariable),
  /** Names of the members that this client does not know. Their values may be secrets. */
  otherMembers: z.array(z.string()),
  /** It was turned off, and is when it comes back. */
  isOff: z.exactOptional(z.boolean()),
});
/** The same, refusing any other member, so that no secret gets into a message. */
export const shownParkedServerSchema = z.strictObject({
  ...parkedServerSchema.shape,
  env: z.array(z.strictObject(parkedVariable.shape)),
});
export type ParkedServer = z.infer<typeof parkedServerSchema>;

/** A server to park. */
export type ParkableServer = Omit<ParkedServer, 'id' | 'parkedAt'>;

/** A parked server with its secrets, for the extension host; the form never gets it. */
export interface TakenServer {
  server: ParkedServer;
  /** Its object on the service, secrets included; undefined if its secrets are lost or it has none. */
  wire: Json | undefined;
}

/** Names of a server's members that are or may be secret, for people to read. */
export function secretNames({ hasApiKey, env, otherMembers }: ParkableServer): string[] {
  const variables = env.filter(({ isSet }) => isSet).map(({ name }) => `env.${name}`);
  return [...(hasApiKey ? ['api_key'] : []), ...variables, ...otherMembers];
}
