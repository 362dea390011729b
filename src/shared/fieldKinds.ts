import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { parseUrl } from './url';

/**
 * The value of a field, by the control it is edited with: `suggestions` is text with proposals, `optionalFlag` is on, off
 * or the default. `null` means "use the service's default".
 */
export interface ValueOf {
  text: string | null;
  suggestions: string | null;
  wholeNumber: number | null;
  amount: number | null;
  flag: boolean;
  optionalFlag: boolean | null;
}
export type Control = keyof ValueOf;

/** What the fields of one kind have in common. */
export interface Kind<C extends Control> {
  readonly control: C;
  /** Default of the specification (docs/protocol/service.md, “Settings”); “none” is null. */
  readonly default: ValueOf[C];
  /**
   * What the user may enter, with a message for anything else. The specification gives no bounds, so the schemas only
   * refuse what can't mean anything.
   */
  readonly schema: z.ZodMiniType<ValueOf[C]>;
}

const nullableText = z.nullable(z.string());

/** Any text. */
export const text: Kind<'text'> = { control: 'text', default: null, schema: nullableText };

/** Any text, with proposals. */
export const suggestions: Kind<'suggestions'> = { ...text, control: 'suggestions' };

/** A whole number of 1 or more. */
export const wholeNumber: Kind<'wholeNumber'> = {
  control: 'wholeNumber',
  default: null,
  schema: z.nullable(
    z.number().check(
      z.refine((value) => Number.isSafeInteger(value) && value >= 1, {
        error: () => l10n.t('Enter a whole number of 1 or more.'),
      }),
    ),
  ),
};

/** Zero or a positive number. */
export const amount: Kind<'amount'> = {
  control: 'amount',
  default: null,
  schema: z.nullable(z.number().check(z.gte(0, { error: () => l10n.t('Enter zero or a positive number.') }))),
};

/** On or off. Each flag has a default of its own. */
export const flag: Omit<Kind<'flag'>, 'default'> = { control: 'flag', schema: z.boolean() };

/** On, off, or the service's default. */
export const optionalFlag: Kind<'optionalFlag'> = {
  control: 'optionalFlag',
  default: null,
  schema: z.nullable(z.boolean()),
};

/** An http or https address, or empty text. */
export const address: Kind<'text'> = {
  ...text,
  schema: textThat(isHttpUrl, () =>
    l10n.t('Enter an address that starts with http:// or https://, or leave the field empty.'),
  ),
};

/** An email address, or empty text. */
export const email: Kind<'text'> = {
  ...text,
  schema: textThat(
    (value) => /^[^\s@]+@[^\s@]+$/.test(value),
    () => l10n.t('Enter an email address such as ada@example.com, or leave the field empty.'),
  ),
};

function textThat(fits: (value: string) => boolean, error: () => string) {
  return z.nullable(z.string().check(z.refine((value) => value === '' || fits(value), { error })));
}

/** True for an absolute http or https URL, which always has a host. */
function isHttpUrl(value: string): boolean {
  return ['http:', 'https:'].includes(parseUrl(value)?.protocol ?? '');
}
