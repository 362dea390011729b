import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { nameList } from '../../../../shared/joined';
import type { MoreValue } from '../../../../shared/moreFields';
import type { Problem } from '../../shared/messages';
import { fieldLabel, plainFields } from '../../../../shared/settings';
import type { SettingsApp } from '../app';
import { moreId } from '../ids';
import { inputModes, messagesFor, setMore, setMoreText, valueOf, type Form } from '../model';
import { isMoreChanged, moreTextOf, moreValueOf, type HeldMore } from '../more';
import type { Part } from '../../../../core/kit/buttons';
import {
  checkbox,
  fieldPart,
  flagChoices,
  noChoice,
  selectInput,
  textInput,
  type SelectOption,
  type Field,
} from './controls';
import type { Drawing } from './parts';

/** What a field is found by. */
export function moreTexts({ path, label, help, group }: HeldMore): string[] {
  return [path, label, help, group];
}

/** The fields that the service describes, by its own groups; the rarely needed ones are folded. */
export function moreList(drawing: Drawing): Part {
  const { fields, elsewhere } = drawing.form.model.more;
  const shown = fields.filter((field) => drawing.found.item('more', ...moreTexts(field)));
  const groups = [...new Set(shown.map(({ group }) => group))];
  return html`${groups.map((group) =>
    groupPart(
      drawing,
      group,
      shown.filter((field) => field.group === group),
    ),
  )}
  ${
    elsewhere.length === 0
      ? nothing
      : html`<p class="help">
          ${l10n.t(
            'Secrets, addresses that secrets go to, and lists can only be changed on the service’s own page: {0}.',
            nameList(elsewhere),
          )}
        </p>`
  }`;
}

function groupPart(drawing: Drawing, group: string, fields: readonly HeldMore[]): Part {
  const { app, form, problems } = drawing;
  const part = (field: HeldMore) => moreField(drawing, field);
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

function moreField({ app, form, problems }: Drawing, held: HeldMore): Part {
  const { path, label, help } = held;
  const changed = isMoreChanged(form, held);
  const needs = unmet(form, held);
  const words = [
    help,
    ...(needs.length > 0 ? [l10n.t('Takes effect only with: {0}.', nameList(needs))] : []),
  ];
  const field: Field = {
    id: moreId(path),
    title: label,
    help: words.join(' '),
    name: path,
    messages: messagesOf(problems, held),
    changed,
    // An edit can always be taken back.
    disabled: needs.length > 0 && !changed,
  };
  return fieldPart(field, controlPart(app, form, held, field));
}

/** Labels of the fields that have to be on first. */
function unmet(form: Form, { dependsOn }: HeldMore): string[] {
  return dependsOn.flatMap((name) => {
    const plain = plainFields.find((field) => field === name);
    if (plain !== undefined) return valueOf(form, plain) ? [] : [fieldLabel(plain)];
    // Some depend on a certain value: `conversation_settings.default_runtime=worktree`.
    const [at, wanted] = name.split('=');
    const other = form.model.more.fields.find(({ path }) => path === at);
    if (other === undefined) return [];
    const value = moreValueOf(form, other);
    const isMet = wanted === undefined ? Boolean(value) : value === wanted;
    return isMet ? [] : [[other.label, wanted].filter(Boolean).join(': ')];
  });
}

function controlPart(app: SettingsApp, form: Form, held: HeldMore, field: Field): Part {
  const value = moreValueOf(form, held);
  const mayBeNull = held.default === null || held.value === null;
  const set = (wanted: MoreValue) => app.change((before) => setMore(before, held, wanted));
  switch (held.control) {
    case 'choice':
      return selectPart(field, value, [...(mayBeNull ? [noChoice()] : []), ...held.choices], set);
    case 'flag':
      return mayBeNull ? selectPart(field, value, flagChoices(), set) : checkbox(field, value === true, set);
    case 'text':
    case 'wholeNumber':
    case 'amount':
      return textInput(field, {
        inputmode: inputModes[held.control],
        value: moreTextOf(form, held),
        placeholder: held.default === null ? l10n.t('Service default') : String(held.default),
        maxlength: 1000,
        input: (text) => app.change((before) => setMoreText(before, held, text)),
      });
  }
}

/** Offers the service's value too, whatever it is. */
function selectPart(
  field: Field,
  value: MoreValue,
  choices: readonly SelectOption<MoreValue>[],
  choose: (value: MoreValue) => void,
): Part {
  const isOffered = choices.some((choice) => choice.value === value);
  const all = isOffered ? choices : [{ value, label: String(value) }, ...choices];
  return selectInput(field, value, all, choose);
}
