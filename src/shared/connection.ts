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

/** One entry of the setting `agentWorkspace.connections`, as the user wrote it. */
export const connectionEntrySchema = z.strictObject({
  name: someText,
  url: z.string(),
  /** The kind of key that's stored; a session key by default. */
  authentication: z.optional(z.enum(['sessionKey', 'apiKey'])),
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
  /** The key is sent as an API key; absent for a session key. */
  authentication?: 'apiKey';
  network?: NetworkOptions;
}
