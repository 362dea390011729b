import * as z from 'zod/mini';
import { someText } from './bounded';

/** Network options of one connection; without any, the editor's own proxy and certificate settings apply. */
export const networkOptionsSchema = z.strictObject({
  /** PEM file with certificate authorities to trust besides the usual ones. */
  caFile: z.optional(someText),
  /** PEM files of a client certificate and its private key. */
  certFile: z.optional(someText),
  keyFile: z.optional(someText),
  /** Address of an HTTP proxy. */
  proxy: z.optional(someText),
  /** Hosts reached without the proxy, separated by commas. */
  noProxy: z.optional(z.string()),
});
export type NetworkOptions = z.infer<typeof networkOptionsSchema>;

/** One entry of the setting `agentWorkspace.connections`, as the user wrote it. */
export const connectionEntrySchema = z.strictObject({
  name: someText,
  url: z.string(),
  network: z.optional(networkOptionsSchema),
});
export type ConnectionEntry = z.infer<typeof connectionEntrySchema>;

/** A connection whose address was checked. */
export interface Connection {
  name: string;
  /** Normalised base address without a trailing slash; identifies the connection. */
  baseUrl: string;
  /** What the session key belongs to. */
  origin: string;
  network?: NetworkOptions;
}
