import * as z from 'zod/mini';
import { caught } from '../../shared/caught';
import { lenientList } from '../lenient';

/**
 * One element of the validation error body (docs/protocol/service.md, “Validation error body”). In practice `loc` mixes
 * names and list positions: `["body", "mcp_config", "sse_servers", 0, "url"]`. The `input` that some services echo may
 * be a secret and is not kept.
 */
const issueSchema = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: caught(z.string(), ''),
});
/** What `issueSchema` reads. */
export type Issue = z.infer<typeof issueSchema>;

/** `{"detail": [...]}`; elements of another shape are left out. */
export const validationErrorSchema = z.object({ detail: lenientList(issueSchema) });
