import * as z from 'zod/mini';
import { someText } from './bounded';

/** Network options of a connection. Without any, the editor's own proxy and certificate settings apply. */
const networkOptionsSchema = z.strictObject({
  /** PEM file with additional certificate authorities to trust. */
  caFile: z.optional(someText),
  /** PEM files of a client certificate and its private key. */
  certFile: z.optional(someText),
  keyFile: z.optional(someText),
  /** Address of an HTTP proxy. */
  proxy: z.optional(someText),
  /** Hosts to connect to without the proxy, separated by commas. */
  noProxy: z.optional(z.string()),
});
export type NetworkOptions = z.infer<typeof networkOptionsSchema>;

/** An id that can be sent in the header `X-Org-Id`. */
export const organizationId = z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));

/** An organization that a user of a hosted service works for. */
export interface Organization {
  id: string;
  /** As the service has it: any text, or the id. */
  name: string;
}

/** One entry of the setting `agentWorkspace.connections`, as the user wrote it. */
export const connectionEntrySchema = z.strictObject({
  name: someText,
  url: z.string(),
  /** The kind of key that's stored; a session key by default. */
  authentication: z.optional(z.enum(['sessionKey', 'apiKey', 'signIn'])),
  /** The organization that the user works for, on a hosted service. */
  organization: z.optional(z.strictObject({ id: organizationId, name: z.string() })),
  network: z.optional(networkOptionsSchema),
});
export type ConnectionEntry = z.infer<typeof connectionEntrySchema>;

/** A connection with a valid address. */
export interface Connection {
  name: string;
  /** Normalized base address without a trailing slash; identifies the connection. */
  baseUrl: string;
  /** The origin that the session key belongs to. */
  origin: string;
  /** The key is sent as an API key, and for `signIn` comes from signing in; absent for a session key. */
  authentication?: 'apiKey' | 'signIn';
  /** The organization that the user works for; absent for the service’s choice. */
  organization?: Organization;
  network?: NetworkOptions;
}

/** The organizations that a connection can be switched to. The one that it’s for may have removed the user. */
export function otherOrganizations(
  all: readonly Organization[],
  { organization }: Pick<Connection, 'organization'>,
): readonly Organization[] {
  // The service chooses one of them where the connection names none.
  if (!organization) return all.length > 1 ? all : [];
  return all.filter(({ id }) => id !== organization.id);
}
