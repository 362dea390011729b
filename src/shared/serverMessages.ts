import * as z from 'zod/mini';
import { listOf, longText, mcpServer, shortText } from './messageParts';

/**
 * What form and extension host tell each other about import, export and test of MCP servers. Servers go by their ids
 * alone, and no message holds a secret.
 */

/** Names of tools that are shown; the count tells of the others. */
export const mostToolsShown = 20;

/** How a test of a URL server ended; `message` is a sentence for the user, and says where the test ran from. */
const testResult = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    /** Name and version as the server gives them. */
    server: shortText,
    tools: listOf(shortText, mostToolsShown),
    /** Tools that the server named, those that are not in the list included. */
    count: z.number(),
    message: shortText,
  }),
  z.strictObject({ ok: z.literal(false), message: shortText }),
]);
export type TestResult = z.infer<typeof testResult>;

/** From the extension host to the form. */
export const serverEventSchema = z.discriminatedUnion('kind', [
  /** Servers to put at the end of the list, unsaved, and what the user should know about them. */
  z.strictObject({ kind: z.literal('added'), servers: listOf(mcpServer), notices: listOf(longText) }),
  /** A test of a server began, or with a result ended. */
  z.strictObject({ kind: z.literal('test'), id: shortText, result: z.nullable(testResult) }),
]);
export type ServerEvent = z.infer<typeof serverEventSchema>;

/** From the form to the extension host. */
export const serverRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('import') }),
  z.strictObject({ kind: z.literal('export') }),
  /** Tests the server of this row as it stands in the form. */
  z.strictObject({ kind: z.literal('test'), id: shortText }),
  z.strictObject({ kind: z.literal('cancelTest'), id: shortText }),
]);
export type ServerRequest = z.infer<typeof serverRequestSchema>;
