import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { SecretTarget } from '../../shared/form';
import type { McpSecret } from '../../shared/mcp';
import type { App } from '../app';
import { problemIcon } from './icons';

/** What may stand in a template. */
export type Part = TemplateResult | typeof nothing | string | readonly Part[];

/** The place of a control's errors. It is there when empty too, so that a screen reader announces what comes in. */
export function errorsOf(id: string, messages: readonly string[]): Part {
  return html`<div class="errors" id=${id} aria-live="polite">
    ${messages.map((message) => html`<p class="error">${problemIcon}<span>${message}</span></p>`)}
  </div>`;
}

/** The sentence under a title, with the name that the service uses. */
export function helpOf(id: string, text: string, wireName: string): Part {
  return html`<p class="help" id=${id}>${text} <code>${wireName}</code></p>`;
}

export interface ButtonOptions {
  label: string;
  click: () => void;
  id?: string;
  /** Ids of what tells which of several buttons of the same name this is. */
  describedBy?: string;
  primary?: boolean;
  /** The button stays in the order of focus, but does nothing. */
  disabled?: boolean;
}

export function button({ label, click, id, describedBy, primary, disabled }: ButtonOptions): Part {
  return html`<button
    type="button"
    class=${primary ? 'primary' : 'secondary'}
    id=${ifDefined(id)}
    aria-describedby=${ifDefined(describedBy)}
    aria-disabled=${disabled ? 'true' : 'false'}
    @click=${() => {
      if (!disabled) click();
    }}
  >
    ${label}
  </button>`;
}

/** A small button that shows a picture; its label is its name and its tooltip. */
export function iconButton({
  label,
  icon,
  click,
  id,
  describedBy,
  disabled,
}: ButtonOptions & { icon: Part }): Part {
  return html`<button
    type="button"
    class="secondary icon-button"
    id=${ifDefined(id)}
    aria-label=${label}
    title=${label}
    aria-describedby=${ifDefined(describedBy)}
    aria-disabled=${disabled ? 'true' : 'false'}
    @click=${() => {
      if (!disabled) click();
    }}
  >
    ${icon}
  </button>`;
}

export interface SecretOptions {
  target: SecretTarget;
  secret: McpSecret;
  /** Prefix of the ids of the parts; the button Replace has the prefix itself as its id. */
  id: string;
  /** Ids of the title and whatever else tells which secret this is. */
  describedBy: string;
  canClear: boolean;
  /** Why no value can be given yet. */
  replaceDisabled?: boolean;
}

/** State and buttons of a secret. The value itself is asked for by the editor and never comes here. */
export function secretParts(app: App, options: SecretOptions): Part {
  const { target, secret, id, canClear } = options;
  const { presence, intention } = secret;
  const describedBy = `${options.describedBy} ${id}-state`;
  const goBack = () => {
    app.focus(id);
    app.intend(target, 'keep');
  };
  return html`<div class="secret">
    <span class="secret-state" id="${id}-state" aria-live="polite">
      <span class="pill" data-presence=${presence}>${presenceWords(presence)}</span>
      ${intention === 'keep' ? nothing : html`<span class="intention">${intentionWords(intention)}</span>`}
    </span>
    <span class="buttons">
      ${button({
        label: l10n.t('Replace'),
        id,
        describedBy,
        disabled: options.replaceDisabled ?? false,
        click: () => app.intend(target, 'replace'),
      })}
      ${
        canClear
          ? button({
              label: l10n.t('Clear'),
              describedBy,
              disabled: intention === 'clear' || presence === 'notSet',
              click: () => app.intend(target, 'clear'),
            })
          : nothing
      }
      ${intention === 'keep' ? nothing : button({ label: l10n.t('Keep'), describedBy, click: goBack })}
    </span>
  </div>`;
}

function presenceWords(presence: McpSecret['presence']): string {
  const words = { set: l10n.t('Set'), notSet: l10n.t('Not set'), unknown: l10n.t('Unknown') };
  return words[presence];
}

function intentionWords(intention: 'replace' | 'clear'): string {
  return intention === 'replace' ? l10n.t('will be replaced') : l10n.t('will be cleared');
}

/** The value of the control that an event came from. */
export function typedIn(event: Event): string {
  const { target } = event;
  const isControl =
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement;
  return isControl ? target.value : '';
}
