import type { MoreSettings, MoreValue, MoreValues } from '../../../shared/moreFields';
import { moreRefusal } from '../../../shared/moreFields';
import { isUnreadable, notANumber, type FoundProblem } from './rows';

/** A field that the service describes, with the value that the service has. */
export type HeldMore = MoreSettings['fields'][number];

/** What the user typed or selected in such fields. */
export interface MoreEdits {
  readonly model: { readonly more: MoreSettings };
  readonly more: MoreValues;
  readonly texts: Readonly<Record<string, string>>;
}

export function moreValueOf({ more }: MoreEdits, { path, value }: HeldMore): MoreValue {
  const edited = more[path];
  return edited === undefined ? value : edited;
}

/** The text in the input of a text or number. */
export function moreTextOf(form: MoreEdits, field: HeldMore): string {
  return form.texts[field.path] ?? String(moreValueOf(form, field) ?? '');
}

export function isNumber({ control }: HeldMore): boolean {
  return control === 'wholeNumber' || control === 'amount';
}

function isUnread({ texts }: MoreEdits, field: HeldMore): boolean {
  return isNumber(field) && isUnreadable(texts[field.path]);
}

export function isMoreChanged(form: MoreEdits, field: HeldMore): boolean {
  return field.path in form.more || isUnread(form, field);
}

/** The fields that the user changed, as targets. */
export function moreChanges(form: MoreEdits) {
  return form.model.more.fields
    .filter((field) => isMoreChanged(form, field))
    .map(({ path }) => ({ at: 'more', path }) as const);
}

/** The user's values with another one; the value that the service has is no edit. */
export function withMoreValue({ more }: MoreEdits, { path, value }: HeldMore, wanted: MoreValue): MoreValues {
  const { [path]: _before, ...rest } = more;
  return wanted === value ? rest : { ...more, [path]: wanted };
}

/** What is wrong with the user's values of such fields. */
export function moreFormProblems(form: MoreEdits): FoundProblem[] {
  return form.model.more.fields.flatMap((field): FoundProblem[] => {
    const { path } = field;
    const edited = form.more[path];
    const message = isUnread(form, field)
      ? notANumber()
      : edited === undefined
        ? undefined
        : moreRefusal(field, edited);
    return message === undefined ? [] : [{ target: { at: 'more', path }, message, quiet: false }];
  });
}
