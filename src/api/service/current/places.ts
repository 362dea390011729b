import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { fieldTable } from '../../../shared/fields';
import type { JsonMembers } from '../../../shared/json';
import { plainFields, secretFields, type PlainField, type SecretField } from '../../../shared/settings';
import { outgoingSecret } from '../schemas/secret';

type Field = PlainField | SecretField;

/** Where the current generation has a field, and what may be sent for it. */
export interface FieldPlace {
  /** From the top of the record. */
  readonly path: readonly [string, ...string[]];
  /** Null is the service's default unless the schema refuses it. */
  readonly schema: z.ZodMiniType;
}

/** The objects of the record that are saved by a difference, and the names that differences have in a save. */
export const diffNames: Readonly<Record<string, string>> = {
  agent_settings: 'agent_settings_diff',
  conversation_settings: 'conversation_settings_diff',
};

/** Where the MCP servers are. */
export const mcpPath = ['agent_settings', 'mcp_config'] as const;

const entered = (field: PlainField): z.ZodMiniType => fieldTable[field].schema;
const top = (field: PlainField): FieldPlace => ({ path: [field], schema: entered(field) });
const agent = (field: PlainField, ...names: string[]): FieldPlace => ({
  path: ['agent_settings', ...names],
  schema: entered(field),
});
const conversation = (field: PlainField): FieldPlace => ({
  path: ['conversation_settings', field],
  schema: entered(field),
});

/** An empty key means that the user clears it. White space and masks would silently clear it too. */
const key = z.pipe(
  outgoingSecret.check(
    z.refine((value) => value === '' || (value.trim() !== '' && value !== '<redacted>'), {
      error: 'a blank or hidden value',
    }),
  ),
  z.transform((value: string) => (value === '' ? null : value)),
);

const emptyIsNull = z.pipe(
  z.transform((value: unknown) => (value === '' ? null : value)),
  entered('llm_base_url'),
);

const model = z.string().check(
  z.refine((value) => value.trim() !== '', {
    error: () => l10n.t('Enter a model. This service has no default for it.'),
  }),
);

const analyzer = z.nullable(
  z.enum(['llm', 'none'], { error: () => l10n.t('This service knows only “llm” and “none”.') }),
);

const places: Readonly<Record<Field, FieldPlace | null>> = {
  llm_model: { ...agent('llm_model', 'llm', 'model'), schema: model },
  llm_base_url: { ...agent('llm_base_url', 'llm', 'base_url'), schema: emptyIsNull },
  agent: agent('agent', 'agent'),
  language: top('language'),
  confirmation_mode: conversation('confirmation_mode'),
  security_analyzer: { ...conversation('security_analyzer'), schema: analyzer },
  enable_default_condenser: agent('enable_default_condenser', 'condenser', 'enabled'),
  max_iterations: conversation('max_iterations'),
  max_budget_per_task: top('max_budget_per_task'),
  remote_runtime_resource_factor: top('remote_runtime_resource_factor'),
  sandbox_base_container_image: top('sandbox_base_container_image'),
  sandbox_runtime_container_image: top('sandbox_runtime_container_image'),
  git_user_name: top('git_user_name'),
  git_user_email: top('git_user_email'),
  enable_sound_notifications: top('enable_sound_notifications'),
  enable_proactive_conversation_starters: top('enable_proactive_conversation_starters'),
  // Accepted and ignored.
  enable_solvability_analysis: null,
  user_consents_to_analytics: top('user_consents_to_analytics'),
  llm_api_key: { path: ['agent_settings', 'llm', 'api_key'], schema: key },
  search_api_key: { path: ['search_api_key'], schema: key },
  // Accepted and stored as its mask.
  sandbox_api_key: null,
};

const allFields: readonly Field[] = [...plainFields, ...secretFields];

/** Each field that the generation has, with its place. */
export const placed: readonly (readonly [Field, FieldPlace])[] = allFields.flatMap((field) => {
  const place = places[field];
  return place === null ? [] : [[field, place] as const];
});

/** The fields of the form that this generation doesn't have. */
export const currentLacks: readonly Field[] = allFields.filter((field) => places[field] === null);

/**
 * The fields of the form that a standalone agent server doesn't have: only the two objects that differences change, and
 * no model for an ACP agent, whose record mustn't get one.
 * @param record in the shape of the specification
 */
export function agentServerLacks(record: JsonMembers): readonly Field[] {
  const { agent_kind: kind } = Object(record['agent_settings']) as { agent_kind?: unknown };
  const roots = kind === 'acp' ? ['conversation_settings'] : Object.keys(diffNames);
  return allFields.filter((field) => !roots.includes(places[field]?.path[0] ?? ''));
}
