import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { refusal } from './refusal';

/** The value of a field that the service describes; null means its default. */
export type MoreValue = string | number | boolean | null;

/** How such a value is edited. */
export const moreControls = ['text', 'wholeNumber', 'amount', 'flag', 'choice'] as const;
export type MoreControl = (typeof moreControls)[number];

/** A setting that the service describes and `fieldTable` doesn't have. All texts are the service's own. */
export interface MoreField {
  /** Where the service has it, from the top of its record: `agent_settings.llm.temperature`. */
  path: string;
  label: string;
  help: string;
  /** Heading of its group. */
  group: string;
  control: MoreControl;
  /** The options of a `choice`, with their labels. */
  choices: { value: string; label: string }[];
  default: MoreValue;
  /** False for one that few people need: it's folded away. */
  isProminent: boolean;
  /** Fields that must be on for this one to have any effect, by name (`enable_default_condenser`) or path. */
  dependsOn: string[];
}

/** The fields of a form that the service describes. */
export interface MoreSettings {
  fields: (MoreField & { value: MoreValue })[];
  /** Labels of what can't be edited here: secrets, where secrets go, lists, and objects. */
  elsewhere: string[];
}

/** Values of such fields, by path. */
export type MoreValues = Readonly<Record<string, MoreValue>>;

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
