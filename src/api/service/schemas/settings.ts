import * as z from 'zod/mini';
import { each, perField, responseOnlyFields, secretFields, toldFields } from '../../../shared/settings';
import { lenientMembers } from '../../../shared/members';
import { exactNumberSchema } from '../../http/exactNumbers';
import { mcpConfigBodySchema, mcpConfigSchema } from './mcp';
import { outgoingSecret } from './secret';

const text = z.nullish(z.string());
/** Where JavaScript can't hold the number, its exact digits (see exactNumbers.ts): it has to come back as it is. */
const number = z.nullish(z.union([z.number(), exactNumberSchema]));
const flag = z.nullish(z.boolean());

/**
 * `provider_tokens_set`: each git provider that has a token, with its host where that is not the public one. The
 * entries are not specified; anything but a host counts as "no host", and false as "no token".
 */
const providerHosts = z.pipe(
  lenientMembers(z.unknown()),
  z.transform((entries: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(entries)
        .filter(([, entry]) => entry !== false)
        .map(([name, entry]) => [name, typeof entry === 'string' ? entry : null]),
    ),
  ),
);

/** Fields that are read and sent alike. */
const values = {
  ...perField({
    text,
    suggestions: text,
    wholeNumber: number,
    amount: number,
    flag,
    optionalFlag: flag,
  }),
  email: text,
  email_verified: flag,
};

const fields = {
  ...values,
  /** Null or masked, never the keys themselves. */
  ...each(secretFields, () => text),
  ...each(toldFields, () => flag),
  /** Not to be sent back. */
  secrets_store: z.optional(z.unknown()),
  mcp_config: z.nullish(mcpConfigSchema),
  provider_tokens_set: z.nullish(providerHosts),
};

/** Wire names of the fields of the specification. */
export const settingsFields: readonly string[] = Object.keys(fields);

/** An agent server has its settings at the same route, and none of these fields. */
const recognized = [...settingsFields, 'agent_settings'];

/**
 * Answer of `GET /api/settings` (docs/protocol/service.md, “Settings”). Any field may be absent or null and unknown
 * ones are kept, but one of another type is an error: dropping it here would lose it at the next save, which replaces
 * everything. So is an object without any of these fields, which is no settings record.
 */
export const serviceSettingsSchema = z
  .looseObject(fields)
  .check(z.refine((settings) => recognized.some((field) => field in settings)));
/** What `serviceSettingsSchema` reads. */
export type ServiceSettings = z.infer<typeof serviceSettingsSchema>;

const refused = z.optional(z.never());

/**
 * Body of `POST /api/settings`. The service resets what is absent, so the caller sends every field. Fields that only
 * the response has and masked secrets are refused; fields that this client doesn't know pass through. The form checks
 * whether the user's changes make sense; the rest is what the service itself has.
 */
export const settingsBodySchema = z.looseObject({
  ...values,
  ...each(secretFields, () => z.nullish(outgoingSecret)),
  ...each(responseOnlyFields, () => refused),
  mcp_config: z.nullish(mcpConfigBodySchema),
  secrets_store: refused,
});
/** What `settingsBodySchema` lets through. */
export type SettingsBody = z.infer<typeof settingsBodySchema>;
