import * as l10n from '@vscode/l10n';
import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import { fieldTable, languageCodes, secretTable, type Section } from '../../../shared/fields';
import { suggestedFields, type Problem, type SuggestedField } from '../../../shared/messages';
import { plainFields, secretFields, type PlainField, type SecretField } from '../../../shared/settings';
import type { App } from '../app';
import type { Option } from '../../kit/combobox';
import { fieldId } from '../ids';
import {
  inputModes,
  isChanged,
  messagesFor,
  setText,
  setValue,
  textOf,
  valueOf,
  type FieldOf,
  type Form,
} from '../model';
import type { Found } from '../search';
import { chevronDown } from '../../kit/icons';
import type { Part } from '../../kit/buttons';
import { errorsOf, helpOf, secretParts, typedIn } from './parts';

/** Every field of a section that the service has: the plain ones, then the secrets. */
export function fieldsOf(
  app: App,
  form: Form,
  problems: readonly Problem[],
  found: Found,
  section: Section,
): Part {
  const isHad = (field: PlainField | SecretField) => !form.model.lacks.includes(field);
  return [
    ...plainFields
      .filter((field) => fieldTable[field].section === section && isHad(field))
      .map((field) => plainField(app, form, problems, field, found.field(field))),
    ...secretFields
      .filter((field) => secretTable[field].section === section && isHad(field))
      .map((field) => secretField(app, form, problems, field, found.field(field))),
  ];
}

type Names = ReturnType<typeof namesOf>;

function namesOf(problems: readonly Problem[], field: PlainField | SecretField) {
  const id = fieldId(field);
  const messages = messagesFor(problems, (target) => target.at === 'field' && target.field === field);
  return {
    id,
    title: `${id}-title`,
    help: `${id}-help`,
    error: `${id}-error`,
    invalid: messages.length > 0,
    messages,
  };
}

function changedMark(changed: boolean): Part {
  return html`<span class="changed-mark" ?hidden=${!changed}>${l10n.t('changed')}</span>`;
}

function plainField(
  app: App,
  form: Form,
  problems: readonly Problem[],
  field: PlainField,
  isShown: boolean,
): Part {
  const names = namesOf(problems, field);
  const info = fieldTable[field];
  const changed = isChanged(form, field);
  const help = helpOf(names.help, info.help(), field);
  return html`<div class="field" ?data-changed=${changed} ?hidden=${!isShown}>
    <div class="title-line">
      <label class="title" id=${names.title} for=${names.id}>${info.label()}</label>${changedMark(changed)}
    </div>
    ${
      info.control === 'flag'
        ? html`<div class="check-line">${checkbox(app, form, field as FieldOf<boolean>, names)} ${help}</div>`
        : info.control === 'optionalFlag'
          ? [help, choiceInput(app, form, field as FieldOf<boolean | null>, names)]
          : [help, textInput(app, form, field as FieldOf<string | number | null>, names)]
    }
    ${errorsOf(names.error, names.messages)}
  </div>`;
}

function checkbox(app: App, form: Form, field: FieldOf<boolean>, names: Names): Part {
  return html`<input
    type="checkbox"
    id=${names.id}
    data-field=${field}
    aria-describedby="${names.help} ${names.error}"
    aria-invalid=${names.invalid}
    .checked=${live(valueOf(form, field))}
    @change=${(event: Event) => {
      const { checked } = event.target as HTMLInputElement;
      app.change((before) => setValue(before, field, checked));
    }}
  />`;
}

function choiceInput(app: App, form: Form, field: FieldOf<boolean | null>, names: Names): Part {
  const value = valueOf(form, field);
  return html`<span class="select">
    <select
      id=${names.id}
      data-field=${field}
      aria-describedby="${names.help} ${names.error}"
      aria-invalid=${names.invalid}
      .value=${live(value === null ? '' : String(value))}
      @change=${(event: Event) => {
        const chosen = typedIn(event);
        app.change((before) => setValue(before, field, chosen === '' ? null : chosen === 'true'));
      }}
    >
      <option value="">${l10n.t('Service default')}</option>
      <option value="true">${l10n.t('On')}</option>
      <option value="false">${l10n.t('Off')}</option></select
    >${chevronDown}
  </span>`;
}

function textInput(app: App, form: Form, field: FieldOf<string | number | null>, names: Names): Part {
  const { control } = fieldTable[field];
  const input = (event: Event) => {
    const text = typedIn(event);
    app.change((before) => setText(before, field, text));
  };
  const options = control === 'suggestions' ? optionsOf(app, field) : [];
  const placeholder = l10n.t('Service default');
  if (options.length > 0) {
    return html`<aw-combobox
      .inputId=${names.id}
      .field=${field}
      .describedBy=${`${names.help} ${names.error}`}
      .labelledBy=${names.title}
      .invalid=${names.invalid}
      .placeholder=${placeholder}
      .options=${options}
      .value=${textOf(form, field)}
      @input=${input}
    ></aw-combobox>`;
  }
  return html`<input
    type="text"
    class=${inputModes[control] === 'text' ? '' : 'number'}
    inputmode=${inputModes[control]}
    id=${names.id}
    data-field=${field}
    spellcheck="false"
    autocomplete="off"
    placeholder=${placeholder}
    aria-describedby="${names.help} ${names.error}"
    aria-invalid=${names.invalid}
    .value=${live(textOf(form, field))}
    @input=${input}
  />`;
}

let languages: readonly Option[] | undefined;

function optionsOf(app: App, field: PlainField): readonly Option[] {
  if (field === 'language') return (languages ??= languageOptions());
  const suggested: readonly string[] = suggestedFields;
  const values = suggested.includes(field) ? app.state.suggestions[field as SuggestedField] : undefined;
  return values?.map((value) => ({ value })) ?? [];
}

/** Languages are named when their list is opened: the first name alone takes the browser 30 ms. */
function languageOptions(): Option[] {
  let names: Intl.DisplayNames | undefined;
  return languageCodes.map((value) => ({
    value,
    get detail() {
      names ??= new Intl.DisplayNames([document.documentElement.lang || 'en'], { type: 'language' });
      return names.of(value) ?? value;
    },
  }));
}

function secretField(
  app: App,
  form: Form,
  problems: readonly Problem[],
  field: SecretField,
  isShown: boolean,
): Part {
  const names = namesOf(problems, field);
  const info = secretTable[field];
  const changed = isChanged(form, field);
  return html`<div
    class="field"
    role="group"
    data-field=${field}
    aria-labelledby=${names.title}
    aria-describedby="${names.help} ${names.error}"
    ?data-changed=${changed}
    ?hidden=${!isShown}
  >
    <div class="title-line">
      <span class="title" id=${names.title}>${info.label()}</span>${changedMark(changed)}
    </div>
    ${helpOf(names.help, info.help(), field)}
    ${secretParts(app, {
      target: { at: 'field', field },
      secret: { presence: form.model.secrets[field], intention: form.secrets[field] ?? 'keep' },
      id: names.id,
      describedBy: names.title,
      canClear: true,
    })}
    ${errorsOf(names.error, names.messages)}
  </div>`;
}
