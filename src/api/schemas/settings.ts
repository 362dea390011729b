import * as z from 'zod/mini';
import { mcpConfigBodySchema, mcpConfigSchema } from './mcp';
import { outgoingSecret } from './secret';

const text = z.nullish(z.string());
const number = z.nullish(z.number());
const flag = z.nullish(z.boolean());

/**
 * `provider_tokens_set`: each git provider that has a token, with its host where that is not the public one. The
 * entries are not specified; anything but a host counts as "no host", and false as "no token".
 */
const providerHosts = z.pipe(
  z.record(z.string(), z.unknown()),
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
  language: text,
  agent: text,
  max_iterations: number,
  security_analyzer: text,
  confirmation_mode: flag,
  llm_model: text,
  llm_base_url: text,
  remote_runtime_resource_factor: number,
  enable_default_condenser: flag,
  enable_sound_notifications: flag,
  enable_proactive_conversation_starters: flag,
  enable_solvability_analysis: flag,
  user_consents_to_analytics: flag,
  sandbox_base_container_image: text,
  sandbox_runtime_container_image: text,
  max_budget_per_task: number,
  email: text,
  email_verified: flag,
  git_user_name: text,
  git_user_email: text,
};

const fields = {
  ...values,
  /** Null or masked, never the key itself. */
  llm_api_key: text,
  search_api_key: text,
  /** Likewise; nothing else tells whether there is one. */
  sandbox_api_key: text,
  /** Not to be sent back. */
  secrets_store: z.optional(z.unknown()),
  mcp_config: z.nullish(mcpConfigSchema),
  llm_api_key_set: flag,
  provider_tokens_set: z.nullish(providerHosts),
  search_api_key_set: flag,
};

/**
 * Answer of `GET /api/settings` (specification: "Settings"). Any field may be absent or null and unknown ones are kept,
 * but one of another type is an error: to drop it here would be to lose it at the next save, which replaces all. So is
 * an object without any of these fields, which is no settings record.
 */
export const serviceSettingsSchema = z
  .looseObject(fields)
  .check(z.refine((settings) => Object.keys(fields).some((field) => field in settings)));
/** What `serviceSettingsSchema` reads. */
export type ServiceSettings = z.infer<typeof serviceSettingsSchema>;

const refused = z.optional(z.never());

/**
 * Body of `POST /api/settings`. The service resets what is absent, so the caller sends every field. Fields that only the
 * response has and masked secrets are refused; fields that this client does not know pass through. Whether a value makes
 * sense is for the form to say of what the user changed: the rest is what the service itself holds.
 */
export const settingsBodySchema = z.looseObject({
  ...values,
  llm_api_key: z.nullish(outgoingSecret),
  search_api_key: z.nullish(outgoingSecret),
  sandbox_api_key: z.nullish(outgoingSecret),
  mcp_config: z.nullish(mcpConfigBodySchema),
  secrets_store: refused,
  llm_api_key_set: refused,
  provider_tokens_set: refused,
  search_api_key_set: refused,
});
/** What `settingsBodySchema` lets through. */
export type SettingsBody = z.infer<typeof settingsBodySchema>;
