import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { MoreValue } from '../../../../shared/moreFields';
import { chevronDown } from '../../../../core/kit/icons';
import type { Part } from '../../../../core/kit/buttons';
import { errorsOf, helpOf, typedIn } from './parts';

/** A field of the settings, or a member of a server, as people see it. */
export interface Field {
  /** Id of its control, and prefix of the ids of its title, help and errors. */
  id: string;
  title: string;
  help: string;
  /** The service's name for it. */
  name: string;
  messages: readonly string[];
  /** Whether the user changed it; undefined for a member of a server, whose row has the mark. */
  changed?: boolean;
  hidden?: boolean;
  disabled?: boolean;
}

/** A control between its title and what is wrong with it; `isBeside` is for one that has its help beside it. */
export function fieldPart(field: Field, control: Part, isBeside = false): Part {
  const { id, title, changed = false, hidden = false } = field;
  const help = helpOf(`${id}-help`, field.help, field.name);
  return html`<div class="field" ?data-changed=${changed} ?hidden=${hidden}>
    <div class="title-line">
      <label class="title" id="${id}-title" for=${id}>${title}</label>${changedMark(field)}
    </div>
    ${isBeside ? html`<div class="check-line">${control} ${help}</div>` : [help, control]}
    ${errorsOf(`${id}-error`, field.messages)}
  </div>`;
}

/** The same for several controls. */
export function groupPart(field: Field, controls: Part): Part {
  const { id, title, help, name, changed = false, hidden = false } = field;
  return html`<div
    class="field"
    role="group"
    data-field=${settingOf(field)}
    aria-labelledby="${id}-title"
    aria-describedby=${describedBy(field)}
    ?data-changed=${changed}
    ?hidden=${hidden}
  >
    <div class="title-line"><span class="title" id="${id}-title">${title}</span>${changedMark(field)}</div>
    ${helpOf(`${id}-help`, help, name)} ${controls} ${errorsOf(`${id}-error`, field.messages)}
  </div>`;
}

function changedMark({ changed }: Field): Part {
  if (changed === undefined) return nothing;
  return html`<span class="changed-mark" ?hidden=${!changed}>${l10n.t('changed')}</span>`;
}

/** The `data-field` of a control. */
function settingOf({ name, changed }: Field) {
  return ifDefined(changed === undefined ? undefined : name);
}

/** Ids of what describes the field. */
export function describedBy({ id }: Field): string {
  return `${id}-help ${id}-error`;
}

interface TextOptions {
  /** Anything but `text` is for numbers. */
  inputmode: 'text' | 'numeric' | 'decimal';
  value: string;
  placeholder?: string;
  maxlength?: number;
  input: (text: string) => void;
}

export function textInput(field: Field, options: TextOptions): Part {
  const { inputmode, value, placeholder, maxlength, input } = options;
  return html`<input
    type="text"
    class=${inputmode === 'text' ? '' : 'number'}
    inputmode=${inputmode}
    id=${field.id}
    data-field=${settingOf(field)}
    spellcheck="false"
    autocomplete="off"
    maxlength=${ifDefined(maxlength)}
    placeholder=${ifDefined(placeholder)}
    aria-describedby=${describedBy(field)}
    aria-invalid=${field.messages.length > 0}
    ?disabled=${field.disabled}
    .value=${live(value)}
    @input=${(event: Event) => input(typedIn(event))}
  />`;
}

export function checkbox(field: Field, checked: boolean, change: (checked: boolean) => void): Part {
  return html`<input
    type="checkbox"
    id=${field.id}
    data-field=${settingOf(field)}
    aria-describedby=${describedBy(field)}
    aria-invalid=${field.messages.length > 0}
    ?disabled=${field.disabled}
    .checked=${live(checked)}
    @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}
  />`;
}

export interface SelectOption<Value> {
  value: Value;
  label: string;
}

/** A list to select one of `choices` from. */
export function selectInput<Value extends MoreValue>(
  field: Field,
  value: Value,
  choices: readonly SelectOption<Value>[],
  choose: (value: Value) => void,
): Part {
  return html`<span class="select">
    <select
      id=${field.id}
      data-field=${settingOf(field)}
      aria-describedby=${describedBy(field)}
      aria-invalid=${field.messages.length > 0}
      ?disabled=${field.disabled}
      @change=${(event: Event) => {
        const chosen = choices[(event.target as HTMLSelectElement).selectedIndex];
        if (chosen) choose(chosen.value);
      }}
    >
      ${choices.map(({ value: own, label }) => {
        const isChosen = live(own === value);
        return html`<option value=${String(own ?? '')} .selected=${isChosen}>${label}</option>`;
      })}</select
    >${chevronDown}
  </span>`;
}

export const noChoice = () => ({ value: null, label: l10n.t('Service default') });

/** On, off, or the service's default. */
export function flagChoices(): SelectOption<boolean | null>[] {
  return [noChoice(), { value: true, label: l10n.t('On') }, { value: false, label: l10n.t('Off') }];
}
