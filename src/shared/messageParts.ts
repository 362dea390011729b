import * as z from 'zod/mini';
import { listOf, longText, shortText } from './bounded';
import type { Control, ValueOf } from './fieldKinds';
import type { ErrorTarget, FormEdits, FormModel, SecretTarget } from './form';
import { mcpKinds, type McpServer } from './mcp';
import { moreControls, type MoreValues } from './moreFields';
import { each, perField, plainFields, secretFields } from './settings';

/** The shapes that the messages between form and extension host are made of. */

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
const presence = z.enum(['set', 'notSet', 'unknown']);
const intention = z.enum(['keep', 'replace', 'clear']);
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

const provider = z.strictObject({ name: shortText, host: z.nullable(longText) });

const moreValue = z.nullable(z.union([shortText, z.number(), z.boolean()]));

/** Values by path, which the extension host looks up among those of the form. */
export const moreValues: z.ZodMiniType<MoreValues> = z
  .record(shortText, moreValue)
  .check(z.refine((values) => Object.keys(values).length <= 5_000));

export const formModel: z.ZodMiniType<FormModel> = z.strictObject({
  saved: z.boolean(),
  values: z.strictObject(plainValues),
  secrets: z.strictObject(each(secretFields, () => presence)),
  email: z.nullable(longText),
  emailVerified: z.nullable(z.boolean()),
  mcpServers: listOf(mcpServer),
  providers: listOf(provider),
  providersTold: z.boolean(),
  lacks: listOf(z.enum([...plainFields, ...secretFields])),
  hidesServerSecrets: z.boolean(),
  other: listOf(z.strictObject({ name: longText, text: longText })),
  more: z.strictObject({
    fields: listOf(
      z.strictObject({
        path: shortText,
        label: shortText,
        help: shortText,
        group: shortText,
        control: z.enum(moreControls),
        choices: listOf(z.strictObject({ value: shortText, label: shortText })),
        default: moreValue,
        isProminent: z.boolean(),
        dependsOn: listOf(shortText),
        value: moreValue,
      }),
    ),
    elsewhere: listOf(shortText),
  }),
});

const secretEdit = z.enum(['replace', 'clear']);

export const formEdits: z.ZodMiniType<FormEdits> = z.strictObject({
  values: partialValues,
  secrets: exactPartial(each(secretFields, () => secretEdit)),
  mcpServers: z.nullable(listOf(mcpServer)),
  more: z.exactOptional(moreValues),
});

export const errorTarget: z.ZodMiniType<ErrorTarget> = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('field'), field: z.enum([...plainFields, ...secretFields]) }),
  z.strictObject({ at: z.literal('mcp'), id: shortText, member: shortText }),
  z.strictObject({ at: z.literal('more'), path: shortText }),
  z.strictObject({ at: z.literal('form') }),
]);

export const secretTarget: z.ZodMiniType<SecretTarget> = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('field'), field: z.enum(secretFields) }),
  z.strictObject({ at: z.literal('mcpApiKey'), id: shortText }),
  z.strictObject({ at: z.literal('mcpEnv'), id: shortText, name: longText }),
]);
