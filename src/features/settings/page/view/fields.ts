import * as l10n from '@vscode/l10n';
import { html } from 'lit';
import { fieldTable, languageCodes, secretTable, type Section } from '../../../../shared/fields';
import { suggestedFields, type SuggestedField } from '../../shared/messages';
import { fieldHelp, fieldLabel, type PlainField, type SecretField } from '../../../../shared/settings';
import type { SettingsApp } from '../app';
import type { Option } from '../../../../core/kit/combobox';
import { fieldId } from '../ids';
import {
  inputModes,
  isChanged,
  messagesFor,
  setText,
  setValue,
  inputText,
  valueOf,
  type FieldOf,
} from '../model';
import { fieldsIn } from '../search';
import type { Part } from '../../../../core/kit/buttons';
import {
  checkbox,
  describedBy,
  fieldPart,
  flagChoices,
  groupPart,
  selectInput,
  textInput,
  type Field,
} from './controls';
import { type Drawing, secretParts, typedIn } from './parts';

/** Every field of a section that the service has: the plain ones, then the secrets. */
export function fieldsOf(drawing: Drawing, section: Section): Part {
  return fieldsIn(section)
    .filter((field) => !drawing.form.model.lacks.includes(field))
    .map((field) => (isSecret(field) ? secretField(drawing, field) : plainField(drawing, field)));
}

function isSecret(field: PlainField | SecretField): field is SecretField {
  return field in secretTable;
}

function shownField({ form, problems, found }: Drawing, name: PlainField | SecretField): Field {
  return {
    id: fieldId(name),
    title: fieldLabel(name),
    help: fieldHelp(name),
    name,
    messages: messagesFor(problems, (target) => target.at === 'field' && target.field === name),
    changed: isChanged(form, name),
    hidden: !found.field(name),
  };
}

function plainField(drawing: Drawing, name: PlainField): Part {
  const { app, form } = drawing;
  const field = shownField(drawing, name);
  switch (fieldTable[name].control) {
    case 'flag': {
      const flag = name as FieldOf<boolean>;
      const change = (checked: boolean) => app.change((before) => setValue(before, flag, checked));
      return fieldPart(field, checkbox(field, valueOf(form, flag), change), true);
    }
    case 'optionalFlag': {
      const flag = name as FieldOf<boolean | null>;
      const choose = (value: boolean | null) => app.change((before) => setValue(before, flag, value));
      return fieldPart(field, selectInput(field, valueOf(form, flag), flagChoices(), choose));
    }
    case 'text':
    case 'suggestions':
    case 'wholeNumber':
    case 'amount':
      return fieldPart(field, typedField(drawing, field, name as FieldOf<string | number | null>));
  }
}

function typedField({ app, form }: Drawing, field: Field, name: FieldOf<string | number | null>): Part {
  const { control } = fieldTable[name];
  const input = (text: string) => app.change((before) => setText(before, name, text));
  const placeholder = l10n.t('Service default');
  const value = inputText(form, name);
  if (control !== 'suggestions')
    return textInput(field, { inputmode: inputModes[control], value, placeholder, input });
  // Suggestions may come while somebody types, so the input is the same without any.
  return html`<aw-combobox
    .inputId=${field.id}
    .field=${name}
    .describedBy=${describedBy(field)}
    .labelledBy=${`${field.id}-title`}
    .invalid=${field.messages.length > 0}
    .placeholder=${placeholder}
    .options=${optionsOf(app, name)}
    .value=${value}
    @input=${(event: Event) => input(typedIn(event))}
  ></aw-combobox>`;
}

let languages: readonly Option[] | undefined;

function optionsOf(app: SettingsApp, field: PlainField): readonly Option[] {
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

function secretField(drawing: Drawing, name: SecretField): Part {
  const { app, form } = drawing;
  const field = shownField(drawing, name);
  return groupPart(
    field,
    secretParts(app, {
      target: { at: 'field', field: name },
      secret: { presence: form.model.secrets[name], intention: form.secrets[name] ?? 'keep' },
      id: field.id,
      describedBy: `${field.id}-title`,
      canClear: true,
    }),
  );
}
