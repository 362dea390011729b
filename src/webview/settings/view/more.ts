import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { nameList } from '../../../shared/joined';
import type { MoreValue } from '../../../shared/moreFields';
import type { Problem } from '../../../shared/messages';
import { fieldLabel, plainFields } from '../../../shared/settings';
import { chevronDown } from '../../kit/icons';
import type { App } from '../app';
import { moreId } from '../ids';
import { messagesFor, setMore, setMoreText, valueOf, type Form } from '../model';
import { isMoreChanged, isNumber, moreTextOf, moreValueOf, type HeldMore } from '../more';
import type { Found } from '../search';
import type { Part } from '../../kit/buttons';
import { errorsOf, helpOf, typedIn } from './parts';

/** What each field is found by. */
export function moreTexts({ model }: Form): string[][] {
  return model.more.fields.map(({ path, label, help, group }) => [path, label, help, group]);
}

/** The fields that the service describes, by its own groups; the rarely needed ones are folded. */
export function moreList(app: App, form: Form, problems: readonly Problem[], found: Found): Part {
  const { fields, elsewhere } = form.model.more;
  const shown = fields.filter(({ path, label, help, group }) => found.item('more', path, label, help, group));
  const groups = [...new Set(shown.map(({ group }) => group))];
  return html`${groups.map((group) =>
    groupPart(
      app,
      form,
      problems,
      group,
      shown.filter((field) => field.group === group),
    ),
  )}
  ${
    elsewhere.length === 0
      ? nothing
      : html`<p class="help">
          ${l10n.t(
            'Secrets, addresses that secrets go to, and lists can only be changed in the service’s own page: {0}.',
            nameList(elsewhere),
          )}
        </p>`
  }`;
}

function groupPart(
  app: App,
  form: Form,
  problems: readonly Problem[],
  group: string,
  fields: readonly HeldMore[],
): Part {
  const part = (field: HeldMore) => fieldPart(app, form, problems, field);
  const minor = fields.filter(({ isProminent }) => !isProminent);
  const id = `more ${group}`;
  // Show what is changed, wrong, or searched for.
  const isNeeded = minor.some(
    (field) => isMoreChanged(form, field) || messagesOf(problems, field).length > 0,
  );
  const isOpen = app.state.open.has(id) || isNeeded || app.state.search.trim() !== '';
  return html`<div class="more-group" role="group" aria-label=${group}>
    <h3>${group}</h3>
    ${fields.filter(({ isProminent }) => isProminent).map(part)}
    ${
      minor.length === 0
        ? nothing
        : html`<details
            .open=${live(isOpen)}
            @toggle=${(event: Event) => {
              const { open } = event.target as HTMLDetailsElement;
              if (open !== isOpen) app.setOpen(id, open);
            }}
          >
            <summary>${l10n.t('Rarely needed ({0})', minor.length)}</summary>
            ${isOpen ? minor.map(part) : nothing}
          </details>`
    }
  </div>`;
}

function messagesOf(problems: readonly Problem[], { path }: HeldMore): string[] {
  return messagesFor(problems, (target) => target.at === 'more' && target.path === path);
}

interface Names {
  id: string;
  described: string;
  invalid: boolean;
  disabled: boolean;
}

function fieldPart(app: App, form: Form, problems: readonly Problem[], field: HeldMore): Part {
  const { path, label, help } = field;
  const id = moreId(path);
  const messages = messagesOf(problems, field);
  const changed = isMoreChanged(form, field);
  const needs = unmet(form, field);
  const names: Names = {
    id,
    described: `${id}-help ${id}-error`,
    invalid: messages.length > 0,
    // An edit can always be taken back.
    disabled: needs.length > 0 && !changed,
  };
  const words = [
    help,
    ...(needs.length > 0 ? [l10n.t('Takes effect only with: {0}.', nameList(needs))] : []),
  ];
  return html`<div class="field" ?data-changed=${changed}>
    <div class="title-line">
      <label class="title" id="${id}-title" for=${id}>${label}</label
      ><span class="changed-mark" ?hidden=${!changed}>${l10n.t('changed')}</span>
    </div>
    ${helpOf(`${id}-help`, words.join(' '), path)} ${controlPart(app, form, field, names)}
    ${errorsOf(`${id}-error`, messages)}
  </div>`;
}

/** Labels of the fields that have to be on first. */
function unmet(form: Form, { dependsOn }: HeldMore): string[] {
  return dependsOn.flatMap((name) => {
    const plain = plainFields.find((field) => field === name);
    if (plain !== undefined) return valueOf(form, plain) ? [] : [fieldLabel(plain)];
    const other = form.model.more.fields.find(({ path }) => path === name);
    return other === undefined || moreValueOf(form, other) ? [] : [other.label];
  });
}

function controlPart(app: App, form: Form, field: HeldMore, names: Names): Part {
  const value = moreValueOf(form, field);
  const mayBeNull = field.default === null || field.value === null;
  switch (field.control) {
    case 'choice':
      return selectPart(app, field, names, value, [...(mayBeNull ? [noChoice()] : []), ...field.choices]);
    case 'flag':
      return mayBeNull
        ? selectPart(app, field, names, value, [
            noChoice(),
            { value: true, label: l10n.t('On') },
            { value: false, label: l10n.t('Off') },
          ])
        : checkboxPart(app, field, names, value === true);
    case 'text':
    case 'wholeNumber':
    case 'amount':
      return inputPart(app, form, field, names);
  }
}

const noChoice = () => ({ value: null, label: l10n.t('Service default') });

function checkboxPart(app: App, field: HeldMore, names: Names, checked: boolean): Part {
  return html`<input
    type="checkbox"
    id=${names.id}
    data-field=${field.path}
    aria-describedby=${names.described}
    aria-invalid=${names.invalid}
    ?disabled=${names.disabled}
    .checked=${live(checked)}
    @change=${(event: Event) => {
      const { checked: wanted } = event.target as HTMLInputElement;
      app.change((before) => setMore(before, field, wanted));
    }}
  />`;
}

function selectPart(
  app: App,
  field: HeldMore,
  names: Names,
  value: MoreValue,
  choices: readonly { value: MoreValue; label: string }[],
): Part {
  const isOffered = choices.some((choice) => choice.value === value);
  const all = isOffered ? choices : [{ value, label: String(value) }, ...choices];
  return html`<span class="select">
    <select
      id=${names.id}
      data-field=${field.path}
      aria-describedby=${names.described}
      aria-invalid=${names.invalid}
      ?disabled=${names.disabled}
      @change=${(event: Event) => {
        const chosen = all[Number(typedIn(event))];
        if (chosen) app.change((before) => setMore(before, field, chosen.value));
      }}
    >
      ${all.map(
        (choice, index) =>
          html`<option value=${index} .selected=${live(choice.value === value)}>${choice.label}</option>`,
      )}</select
    >${chevronDown}
  </span>`;
}

function inputPart(app: App, form: Form, field: HeldMore, names: Names): Part {
  const isAmount = field.control === 'amount';
  return html`<input
    type="text"
    class=${isNumber(field) ? 'number' : ''}
    inputmode=${isNumber(field) ? (isAmount ? 'decimal' : 'numeric') : 'text'}
    id=${names.id}
    data-field=${field.path}
    spellcheck="false"
    autocomplete="off"
    maxlength="1000"
    placeholder=${field.default === null ? l10n.t('Service default') : String(field.default)}
    aria-describedby=${names.described}
    aria-invalid=${names.invalid}
    ?disabled=${names.disabled}
    .value=${live(moreTextOf(form, field))}
    @input=${(event: Event) => {
      const text = typedIn(event);
      app.change((before) => setMoreText(before, field, text));
    }}
  />`;
}
