import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { listOf, shortText } from './bounded';
import { boundedMembers } from './members';
import { refusal } from './refusal';

/** The value of a field that the service describes; null means its default. */
const moreValue = z.nullable(z.union([shortText, z.number(), z.boolean()]));
export type MoreValue = z.infer<typeof moreValue>;

/** How such a value is edited. */
const moreControls = ['text', 'wholeNumber', 'amount', 'flag', 'choice'] as const;
export type MoreControl = (typeof moreControls)[number];

/** A setting that the service describes and `fieldTable` doesn't have. All texts are the service's own. */
const moreField = z.strictObject({
  /** Where the service has it, from the top of its record: `agent_settings.llm.temperature`. */
  path: shortText,
  label: shortText,
  help: shortText,
  /** Heading of its group. */
  group: shortText,
  control: z.enum(moreControls),
  /** The options of a `choice`, with their labels. */
  choices: listOf(z.strictObject({ value: shortText, label: shortText })),
  default: moreValue,
  /** False for one that few people need: it's folded away. */
  isProminent: z.boolean(),
  /** Fields that must be on, or have a value, for this one to have any effect: names, paths, or `path=value`. */
  dependsOn: listOf(shortText),
});
export type MoreField = z.infer<typeof moreField>;

/** The fields of a form that the service describes. */
export const moreSettingsSchema = z.strictObject({
  fields: listOf(z.strictObject({ ...moreField.shape, value: moreValue })),
  /** Labels of what can't be edited here: secrets, where secrets go, lists, and objects. */
  elsewhere: listOf(shortText),
});
export type MoreSettings = z.infer<typeof moreSettingsSchema>;

/** Values of such fields by path, which the extension host looks up among those of the form. */
export const moreValuesSchema: z.ZodMiniType<Readonly<Record<string, MoreValue>>> = boundedMembers(moreValue);
export type MoreValues = z.infer<typeof moreValuesSchema>;

const schemas: Readonly<Record<MoreControl, z.ZodMiniType<MoreValue>>> = {
  text: z.string(),
  wholeNumber: z
    .number()
    .check(z.refine(Number.isSafeInteger, { error: () => l10n.t('Enter a whole number.') })),
  amount: z.number(),
  flag: z.boolean(),
  choice: z.string(),
};

/** Why the field can't have the value, in words; undefined if it can. The service reports anything else it refuses. */
export function moreRefusal({ control, choices }: MoreField, value: MoreValue): string | undefined {
  if (value === null) return undefined;
  const isOffered = control !== 'choice' || choices.some((choice) => choice.value === value);
  return isOffered ? refusal(schemas[control], value) : l10n.t('Select one of the offered values.');
}
