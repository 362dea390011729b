import * as z from 'zod/mini';
import { atMost } from './bounded';
import type { ErrorTarget, FormEdits, FormModel, SecretTarget } from './form';
import { mcpKinds, type McpServer } from './mcp';
import { plainFields, secretFields, type PlainValues } from './settings';

/**
 * The shapes that the messages between form and extension host are made of.
 *
 * The bounds only keep a forged or broken message from filling the memory; they lie far above real settings.
 */
export const shortText = z.string().check(atMost(2_000));
export const longText = z.string().check(atMost(4_000_000));

export function listOf<T extends z.core.$ZodType>(item: T, most = 5_000) {
  return z.array(item).check(atMost(most));
}

const values = {
  text: z.nullable(longText),
  number: z.nullable(z.number()),
  flag: z.boolean(),
  optionalFlag: z.nullable(z.boolean()),
};

/** The structure of the plain values; whether a value makes sense is for `plainFieldSchemas` to say. */
const plainValueShape = {
  llm_model: values.text,
  llm_base_url: values.text,
  agent: values.text,
  language: values.text,
  confirmation_mode: values.optionalFlag,
  security_analyzer: values.text,
  enable_default_condenser: values.flag,
  max_iterations: values.number,
  max_budget_per_task: values.number,
  remote_runtime_resource_factor: values.number,
  sandbox_base_container_image: values.text,
  sandbox_runtime_container_image: values.text,
  git_user_name: values.text,
  git_user_email: values.text,
  enable_sound_notifications: values.flag,
  enable_proactive_conversation_starters: values.flag,
  enable_solvability_analysis: values.flag,
  user_consents_to_analytics: values.optionalFlag,
} satisfies { [F in keyof PlainValues]: z.ZodMiniType<PlainValues[F]> };

type Optional<Shape extends z.core.$ZodShape> = { [K in keyof Shape]: z.ZodMiniExactOptional<Shape[K]> };

function exactPartial<Shape extends z.core.$ZodShape>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.exactOptional(schema)]);
  return z.strictObject(Object.fromEntries(entries) as Optional<Shape>);
}

export const partialValues = exactPartial(plainValueShape);
const presence = z.enum(['set', 'notSet', 'unknown']);
export const intention = z.enum(['keep', 'replace', 'clear']);
const mcpSecretShape = { presence, intention };

export const mcpServer: z.ZodMiniType<McpServer> = z.strictObject({
  id: shortText,
  kind: z.enum(mcpKinds),
  url: longText,
  apiKey: z.strictObject(mcpSecretShape),
  timeout: z.nullable(z.number()),
  name: longText,
  command: longText,
  args: listOf(longText),
  env: listOf(z.strictObject({ ...mcpSecretShape, name: longText, originalName: z.exactOptional(longText) })),
  copiedFrom: z.exactOptional(shortText),
});

export const provider = z.strictObject({ name: shortText, host: z.nullable(longText) });

export const formModel: z.ZodMiniType<FormModel> = z.strictObject({
  saved: z.boolean(),
  values: z.strictObject(plainValueShape),
  secrets: z.strictObject({ llm_api_key: presence, search_api_key: presence, sandbox_api_key: presence }),
  email: z.nullable(longText),
  emailVerified: z.nullable(z.boolean()),
  mcpServers: listOf(mcpServer),
  providers: listOf(provider),
  other: listOf(z.strictObject({ name: longText, text: longText })),
});

const secretEdit = z.enum(['replace', 'clear']);

export const formEdits: z.ZodMiniType<FormEdits> = z.strictObject({
  values: partialValues,
  secrets: exactPartial({ llm_api_key: secretEdit, search_api_key: secretEdit, sandbox_api_key: secretEdit }),
  mcpServers: z.nullable(listOf(mcpServer)),
});

export const errorTarget: z.ZodMiniType<ErrorTarget> = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('field'), field: z.enum([...plainFields, ...secretFields]) }),
  z.strictObject({ at: z.literal('mcp'), id: shortText, member: shortText }),
  z.strictObject({ at: z.literal('form') }),
]);

export const secretTarget: z.ZodMiniType<SecretTarget> = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('field'), field: z.enum(secretFields) }),
  z.strictObject({ at: z.literal('mcpApiKey'), id: shortText }),
  z.strictObject({ at: z.literal('mcpEnv'), id: shortText, name: longText }),
]);
