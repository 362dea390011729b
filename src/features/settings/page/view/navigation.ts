import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { sectionLabel, sections, type Section } from '../../../../shared/fields';
import type { SettingsApp } from '../app';
import { searchId, sectionId } from '../ids';
import { chevronDown, dot, problemIcon } from '../../../../core/kit/icons';
import type { Part } from '../../../../core/kit/buttons';
import { typedIn } from './parts';
import type { ErrorTarget } from '../../shared/form';
import type { Problem } from '../../shared/messages';
import { fieldSection } from '../../../../shared/settings';
import { changesOf, type Form } from '../model';
import type { FormState } from '../state';

/** Search and ways to the sections: links beside the form, a list to select from where there is no room. */
export function navigation(
  app: SettingsApp,
  marks: Readonly<Record<Section, Marks>>,
  shown: readonly Section[],
): Part {
  return html`<div class="side sticky">
    <div role="search">
      <input
        type="text"
        id=${searchId}
        aria-label=${l10n.t('Search settings')}
        placeholder=${l10n.t('Search settings')}
        spellcheck="false"
        autocomplete="off"
        maxlength="200"
        .value=${live(app.state.search)}
        @input=${(event: Event) => app.set({ search: typedIn(event) })}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Escape') app.set({ search: '' });
        }}
      />
      <p class="visually-hidden" role="status">${countWords(app, shown)}</p>
    </div>
    <nav aria-label=${l10n.t('Sections')}>
      <ul>
        ${shown.map((section) => link(app, section, marks[section]))}
      </ul>
      <span class="select jump"
        ><select
          aria-label=${l10n.t('Go to section')}
          @change=${(event: Event) => {
            const target = sections.find((section) => section === typedIn(event));
            if (target) app.reveal(target);
          }}
        >
          ${shown.map((section) => html`<option value=${section}>${optionWords(section, marks[section])}</option>`)}</select
        >${chevronDown}</span
      >
    </nav>
  </div>`;
}

function link(app: SettingsApp, section: Section, marks: Marks): Part {
  return html`<li>
    <a
      href="#${sectionId(section)}"
      data-target=${section}
      @click=${(event: Event) => {
        event.preventDefault();
        app.reveal(section);
      }}
      ><span>${sectionLabel(section)}</span>${mark(marks)}</a
    >
  </li>`;
}

/** A problem outweighs changes. */
function mark(marks: Marks): Part {
  const words = markWords(marks);
  if (words === undefined) return nothing;
  return html`<span class="mark" data-mark=${marks.problems > 0 ? 'problem' : 'changed'} title=${words}
    >${marks.problems > 0 ? problemIcon : dot}<span class="visually-hidden">${words}</span></span
  >`;
}

function markWords({ changes, problems }: Marks): string | undefined {
  if (problems === 1) return l10n.t('1 problem');
  if (problems > 1) return l10n.t('{0} problems', problems);
  if (changes === 1) return l10n.t('1 unsaved change');
  return changes > 1 ? l10n.t('{0} unsaved changes', changes) : undefined;
}

function optionWords(section: Section, marks: Marks): string {
  const label = sectionLabel(section);
  const words = markWords(marks);
  return words === undefined ? label : l10n.t('{0} ({1})', label, words);
}

function countWords({ state: { search } }: SettingsApp, shown: readonly Section[]): string {
  if (search.trim() === '') return '';
  if (shown.length === 0) return l10n.t('No settings match “{0}”.', search.trim());
  return shown.length === 1 ? l10n.t('Found in 1 section.') : l10n.t('Found in {0} sections.', shown.length);
}

/** How many changes and problems a section has. */
interface Marks {
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
