import * as z from 'zod/mini';
import { lenientMembers } from '../../../shared/members';
import { mcpConfigBodySchema } from './mcp';
import { outgoingSecret } from './secret';

/**
 * A git provider in the request. Its `token` is a secret; an empty one keeps the stored token. Its host is overwritten.
 */
const providerTokenSchema = z.strictObject({
  token: outgoingSecret,
  user_id: z.nullish(z.string()),
  /** Host of the provider where it is not the public one. */
  host: z.nullish(z.string()),
});

/**
 * Body of `POST /api/add-git-providers` (docs/protocol/service.md, “Provider tokens”). The service replaces the whole
 * map, so the caller names every provider.
 */
export const providerTokensBodySchema = z.strictObject({
  provider_tokens: lenientMembers(providerTokenSchema).check(
    z.refine((tokens) => !Object.hasOwn(tokens, '')),
  ),
  mcp_config: z.optional(mcpConfigBodySchema),
});
/** What `providerTokensBodySchema` lets through. */
export type ProviderTokensBody = z.infer<typeof providerTokensBodySchema>;
