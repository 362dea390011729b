import * as z from 'zod/mini';
import { listOf, longText, shortText } from '../../../shared/bounded';
import type { Control, ValueOf } from '../../../shared/fieldKinds';
import { mcpServer, type McpEnvEntry, type McpServer } from '../../../shared/mcp';
import { moreSettingsSchema, moreValuesSchema } from '../../../shared/moreFields';
import {
  each,
  perField,
  plainFields,
  secretFields,
  secretPresence,
  type SecretIntention,
} from '../../../shared/settings';

/** The data of the form, and the schemas by which messages between form and extension host are checked. */

const text = z.nullable(longText);
const number = z.nullable(z.number());

/** The structure of the plain values; the schemas of `fieldTable` decide whether a value makes sense. */
const plainValues = perField({
  text,
  suggestions: text,
  wholeNumber: number,
  amount: number,
  flag: z.boolean(),
  optionalFlag: z.nullable(z.boolean()),
} satisfies { [C in Control]: z.ZodMiniType<ValueOf[C]> });

type Optional<Shape extends z.core.$ZodShape> = { [K in keyof Shape]: z.ZodMiniExactOptional<Shape[K]> };

function exactPartial<Shape extends z.core.$ZodShape>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.exactOptional(schema)]);
  return z.strictObject(Object.fromEntries(entries) as Optional<Shape>);
}

export const partialValues = exactPartial(plainValues);

const anyField = z.enum([...plainFields, ...secretFields]);

/** A git provider whose token the service holds (docs/protocol/service.md, “Settings”). */
const provider = z.strictObject({
  name: shortText,
  /** Host of the provider where it is not the public one. */
  host: z.nullable(longText),
});
export type Provider = z.infer<typeof provider>;

/** A field that the service has but this client doesn't know: kept and shown, not edited. */
const otherValue = z.strictObject({
  name: longText,
  /** The value if it can't be a secret (number, boolean, null); otherwise only its type. */
  text: longText,
});

/** Which secret a prompt is about. */
export const secretTarget = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('field'), field: z.enum(secretFields) }),
  z.strictObject({ at: z.literal('mcpApiKey'), id: shortText }),
  z.strictObject({ at: z.literal('mcpEnv'), id: shortText, name: longText }),
]);
export type SecretTarget = z.infer<typeof secretTarget>;

/** Everything the form shows; contains no secrets. */
export const formModel = z.strictObject({
  /** False when the service has no settings yet for this user: the form then shows the defaults. */
  saved: z.boolean(),
  values: z.strictObject(plainValues),
  secrets: z.strictObject(each(secretFields, () => secretPresence)),
  email: z.nullable(longText),
  emailVerified: z.nullable(z.boolean()),
  mcpServers: listOf(mcpServer),
  providers: listOf(provider),
  /** The service tests MCP servers itself, also those that are commands. */
  testsServers: z.boolean(),
  /** False when the service keeps no git provider tokens. */
  hasProviders: z.boolean(),
  /** False when the service doesn't say which providers it has tokens for. */
  providersTold: z.boolean(),
  /** Fields that the service doesn't have. */
  lacks: listOf(anyField),
  /** The service hides the secrets of MCP servers, and a change to one needs them all. */
  hidesServerSecrets: z.boolean(),
  /** Those that this computer doesn’t know either. */
  hiddenSecrets: listOf(secretTarget),
  other: listOf(otherValue),
  /** Fields that the service describes and the form doesn't have. */
  more: moreSettingsSchema,
});
export type FormModel = z.infer<typeof formModel>;

const secretEdit = z.enum(['replace', 'clear']);

/** Everything the user changed and hasn't saved; contains no secrets. */
export const formEdits = z.strictObject({
  /** Only the fields the user changed. */
  values: partialValues,
  secrets: exactPartial(each(secretFields, () => secretEdit)),
  /** The whole list as the user wants it, or null when it was not touched. */
  mcpServers: z.nullable(listOf(mcpServer)),
  /** New values of fields that the service describes, by path; absent where there are none. */
  more: z.exactOptional(moreValuesSchema),
});
export type FormEdits = z.infer<typeof formEdits>;

/**
 * Where an error of a save belongs: a field by wire name, a member of an MCP server by the server's id, or a field that
 * the service describes.
 */
export const errorTarget = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('field'), field: anyField }),
  z.strictObject({ at: z.literal('mcp'), id: shortText, member: shortText }),
  z.strictObject({ at: z.literal('more'), path: shortText }),
  z.strictObject({ at: z.literal('form') }),
]);
export type ErrorTarget = z.infer<typeof errorTarget>;

/** Names what a target points at, for maps and choices. */
export function targetKey(target: ErrorTarget): string {
  switch (target.at) {
    case 'field':
      return `field:${target.field}`;
    case 'mcp':
      return `mcp:${target.id}:${target.member}`;
    case 'more':
      return `more:${target.path}`;
    case 'form':
      return 'form';
  }
}

/** One change of a save, in words; for a secret, only what happens to it. */
export interface SavedChange {
  target: ErrorTarget;
  /** Wire name of the field, or the MCP server and its member. */
  label: string;
  before: string;
  after: string;
}

/**
 * A value that the user changed and that was also changed on the service. All versions are in words; the user picks a
 * side by `key`.
 */
export const conflictChoice = z.strictObject({
  /** What a resolution refers to. Unique within a save, even if one target has several conflicts. */
  key: shortText,
  label: longText,
  mine: longText,
  theirs: longText,
  /** The value before either change. */
  previous: longText,
});
export type ConflictChoice = z.infer<typeof conflictChoice>;

/** The same, with the control it belongs to. */
export type Conflict = ConflictChoice & { target: ErrorTarget };

/** The user's choices by the keys of the conflicts. A choice counts only while the service holds what was shown. */
export type Resolution = Readonly<Record<string, 'mine' | 'theirs'>>;

/**
 * A surprise found by reading back after a save.
 * - `kept`: the service still has the previous value
 * - `changed`: it has a different value than was sent
 * - `missing`: it doesn't have the server
 * - `returned`: a deleted or renamed server came back from the administrator's configuration
 * - `secret`: a secret is set that shouldn't be, or the reverse
 */
export interface SaveNote {
  kind: 'kept' | 'changed' | 'missing' | 'returned' | 'secret';
  target: ErrorTarget;
  label: string;
  message: string;
}

/** The name by which the extension host knows the value of a variable. */
export function identityOf(entry: McpEnvEntry): string {
  return entry.originalName ?? entry.name;
}

/** The entry with another name. */
export function renamed(entry: McpEnvEntry, name: string): McpEnvEntry {
  const { originalName: _before, ...rest } = entry;
  const identity = identityOf(entry);
  return identity === name ? { ...rest, name } : { ...rest, name, originalName: identity };
}

/**
 * The server with another intention for one of its secrets.
 * @param identity identity of the variable, or null for the server's key
 */
export function withServerIntention(
  server: McpServer,
  identity: string | null,
  intention: SecretIntention,
): McpServer {
  if (identity === null) return { ...server, apiKey: { ...server.apiKey, intention } };
  const env = server.env.map((entry) => (identityOf(entry) === identity ? { ...entry, intention } : entry));
  return { ...server, env };
}

/**
 * The edits with another intention for the secret that `target` names.
 * @param held the MCP servers as the service holds them, for a list that was not touched yet
 */
export function withIntention(
  edits: FormEdits,
  held: readonly McpServer[],
  target: SecretTarget,
  intention: SecretIntention,
): FormEdits {
  if (target.at === 'field') {
    const { [target.field]: _before, ...rest } = edits.secrets;
    return { ...edits, secrets: intention === 'keep' ? rest : { ...rest, [target.field]: intention } };
  }
  // In an unchanged list, every secret is kept.
  if (edits.mcpServers === null && intention === 'keep') return edits;
  const identity = target.at === 'mcpEnv' ? target.name : null;
  const servers = edits.mcpServers ?? held;
  // The server may have been removed from the list.
  if (!servers.some(({ id }) => id === target.id)) return edits;
  return {
    ...edits,
    mcpServers: servers.map((server) =>
      server.id === target.id ? withServerIntention(server, identity, intention) : server,
    ),
  };
}

/** What saving the edits would do to secrets, except for those it keeps. */
export function intentionsOf({ secrets, mcpServers }: FormEdits): Intended[] {
  const fields = secretFields.map((field): Intended => ({
    target: { at: 'field', field },
    intention: secrets[field] ?? 'keep',
  }));
  const servers = (mcpServers ?? []).flatMap(({ id, apiKey, env }): Intended[] => [
    { target: { at: 'mcpApiKey', id }, intention: apiKey.intention },
    ...env.map((entry): Intended => {
      return { target: { at: 'mcpEnv', id, name: identityOf(entry) }, intention: entry.intention };
    }),
  ]);
  return [...fields, ...servers].filter(({ intention }) => intention !== 'keep');
}

interface Intended {
  target: SecretTarget;
  intention: SecretIntention;
}
