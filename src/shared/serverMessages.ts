import * as z from 'zod/mini';
import { listOf, longText, shortText } from './bounded';
import { mcpServer } from './messageParts';
import { shownParkedServerSchema } from './parked';

/**
 * What form and extension host tell each other about import, export, test and parking of MCP servers. Servers go by
 * their ids alone, and no message holds a secret.
 */

/** Maximum number of tool names shown; `count` has the total. */
export const mostToolsShown = 20;

/** How a test of a URL server ended; `message` is a sentence for the user, and says where the test ran from. */
const testResult = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    /** Name and version as the server gives them. */
    server: shortText,
    tools: listOf(shortText, mostToolsShown),
    /** Number of all tools, including those not in the list. */
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
  /** All servers that are parked here for the service of the form. */
  z.strictObject({ kind: z.literal('parked'), servers: listOf(shownParkedServerSchema) }),
  /** A change on the service began: nothing can be edited until `done`. */
  z.strictObject({ kind: z.literal('working'), words: shortText }),
  /** It ended, after a `model` message where that changed what the form shows. `goTo` is where the focus belongs. */
  z.strictObject({
    kind: z.literal('done'),
    notices: listOf(longText),
    failed: z.boolean(),
    goTo: z.nullable(z.strictObject({ list: z.enum(['servers', 'parked']), id: shortText })),
  }),
]);
export type ServerEvent = z.infer<typeof serverEventSchema>;

/** From the form to the extension host. */
export const serverRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('import') }),
  z.strictObject({ kind: z.literal('export') }),
  /** Tests the server of this row as it stands in the form. */
  z.strictObject({ kind: z.literal('test'), id: shortText }),
  z.strictObject({ kind: z.literal('cancelTest'), id: shortText }),
  /** Takes the server off the service and keeps it here, immediately and without a save. */
  z.strictObject({ kind: z.literal('park'), id: shortText }),
  /** Restores a parked server. */
  z.strictObject({ kind: z.literal('restore'), id: shortText }),
  /** Deletes a parked server, after asking. */
  z.strictObject({ kind: z.literal('deleteParked'), id: shortText }),
]);
export type ServerRequest = z.infer<typeof serverRequestSchema>;
