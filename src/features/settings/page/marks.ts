import { sections, type Section } from '../../../shared/fields';
import type { ErrorTarget } from '../shared/form';
import type { Problem } from '../shared/messages';
import { fieldSection } from '../../../shared/settings';
import { changesOf, type Form } from './model';
import type { FormState } from './state';

/** How many changes and problems a section has. */
export interface Marks {
  changes: number;
  problems: number;
}

/** What the navigation shows beside each section. */
export function marksOf(
  { providerChanges }: FormState,
  form: Form,
  problems: readonly Problem[],
): Record<Section, Marks> {
  const marks = Object.fromEntries(
    sections.map((section): [Section, Marks] => [section, { changes: 0, problems: 0 }]),
  ) as Record<Section, Marks>;
  const count = (target: ErrorTarget, kind: keyof Marks) => {
    if (target.at !== 'form')
      marks[target.at === 'field' ? fieldSection(target.field) : target.at][kind] += 1;
  };
  for (const target of changesOf(form)) count(target, 'changes');
  for (const { target } of problems) count(target, 'problems');
  marks.providers.problems = providerChanges.filter(({ error }) => error !== null).length;
  return marks;
}
