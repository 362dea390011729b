import * as l10n from '@vscode/l10n';
import { askText } from '../../../editor/inputs';

/** A question for a name. */
export interface NameQuestion {
  title: string;
  prompt: string;
  value?: string;
  /** What a name has to be like, and the words that say so. */
  form: RegExp;
  rule: string;
  /** Why a name of that form can’t be used; undefined if it can. */
  refused: (name: string) => string | undefined;
}

/** Asks for the name of a profile; undefined if the user leaves. */
export async function askName({
  form,
  rule,
  refused,
  ...question
}: NameQuestion): Promise<string | undefined> {
  const answer = await askText({
    placeholder: l10n.t('For example, work'),
    ...question,
    validate: (name) => (form.test(name) ? refused(name) : rule),
  });
  return typeof answer === 'string' ? answer : undefined;
}
