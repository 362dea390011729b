import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { SecretTarget } from '../../shared/form';
import type { McpSecret } from '../../../../shared/mcp';
import type { SettingsApp } from '../app';
import { check, problemIcon } from '../../../../core/kit/icons';
import { button, type Part } from '../../../../core/kit/buttons';
import type { Problem } from '../../shared/messages';
import type { Form } from '../model';
import type { FoundControls } from '../search';

/** A control's errors. The element is there when empty too, so that screen readers announce what comes in. */
export function errorsOf(id: string, messages: readonly string[]): Part {
  return html`<div class="errors" id=${id} aria-live="polite">
    ${messages.map((message) => html`<p class="error">${problemIcon}<span>${message}</span></p>`)}
  </div>`;
}

/** The sentence under a title, with the service's name for the field. */
export function helpOf(id: string, text: string, wireName: string): Part {
  return html`<p class="help" id=${id}>${text} <code>${wireName}</code></p>`;
}

interface SecretOptions {
  target: SecretTarget;
  secret: McpSecret;
  /** Prefix of the ids of the parts; the button Replace has the prefix itself as its id. */
  id: string;
  /** Ids of the title and anything else that tells which secret this is. */
  describedBy: string;
  canClear: boolean;
}

/** State and buttons of a secret. The editor asks for the value itself; it never comes here. */
export function secretParts(app: SettingsApp, options: SecretOptions): Part {
  const { target, secret, id, canClear } = options;
  const { presence, intention } = secret;
  const describedBy = `${options.describedBy} ${id}-state`;
  const goBack = () => {
    app.focus(id);
    app.intend(target, 'keep');
  };
  return html`<div class="secret">
    <span class="secret-state" id="${id}-state" aria-live="polite">
      ${presencePart(presence, presenceWords(presence), intention === 'keep')}
      ${
        intention === 'keep'
          ? nothing
          : html`<span class="intention">${intentionWords(intention, presence)}</span>`
      }
    </span>
    <span class="buttons">
      ${button({
        label: l10n.t('Replace'),
        id,
        describedBy,
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

function intentionWords(intention: 'replace' | 'clear', presence: McpSecret['presence']): string {
  if (intention === 'clear') return l10n.t('will be cleared');
  return presence === 'notSet' ? l10n.t('will be set') : l10n.t('will be replaced');
}

/**
 * Whether a secret is there; quieter than the buttons beside it.
 * @param isAsking whether to say how to enter one. The button is always called “Replace”, also with nothing to replace.
 */
export function presencePart(presence: McpSecret['presence'], words: string, isAsking: boolean): Part {
  const isHinting = presence === 'notSet' && isAsking;
  return html`<span class="presence" data-presence=${presence}
    >${presence === 'set' ? check : nothing}${isHinting ? l10n.t('{0}. Use Replace to enter one.', words) : words}</span
  >`;
}

/** The value of the control that an event came from. */
export function typedIn({ target }: Event): string {
  return (target as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value;
}

/** What the parts of the form are drawn from. */
export interface Drawing {
  app: SettingsApp;
  form: Form;
  problems: readonly Problem[];
  found: FoundControls;
}
