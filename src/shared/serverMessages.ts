import * as z from 'zod/mini';
import { listOf, longText, mcpServer } from './messageParts';

/**
 * What form and extension host tell each other about import and export of MCP servers. Servers go by their ids alone, and
 * no message holds a secret.
 */

/** From the extension host to the form. */
export const serverEventSchema = z.discriminatedUnion('kind', [
  /** Servers to put at the end of the list, unsaved, and what the user should know about them. */
  z.strictObject({ kind: z.literal('added'), servers: listOf(mcpServer), notices: listOf(longText) }),
]);
export type ServerEvent = z.infer<typeof serverEventSchema>;

/** From the form to the extension host. */
export const serverRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('import') }),
  z.strictObject({ kind: z.literal('export') }),
]);
export type ServerRequest = z.infer<typeof serverRequestSchema>;
