import * as l10n from '@vscode/l10n';
import { html, LitElement, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { chevronDown } from './icons';

/** A suggestion; `detail` explains it. */
export interface Option {
  value: string;
  detail?: string;
}

/** A longer list is of no use; typing narrows it. */
const mostShown = 100;

/**
 * A text input with suggestions (the ARIA pattern "editable combobox with list autocomplete"). The browser's own
 * `datalist` follows neither the theme nor the zoom. Any text can be typed; each change is an `input` event. Without
 * suggestions, it’s a text input. Its parts are in the page itself, so that labels and descriptions reach the input.
 */
export class Combobox extends LitElement {
  static override properties = {
    inputId: { attribute: false },
    field: { attribute: false },
    labelledBy: { attribute: false },
    describedBy: { attribute: false },
    invalid: { attribute: false },
    placeholder: { attribute: false },
    options: { attribute: false },
    value: { attribute: false },
    expanded: { state: true },
    active: { state: true },
    typed: { state: true },
  };

  declare inputId: string;
  declare field: string;
  declare labelledBy: string;
  declare describedBy: string;
  declare invalid: boolean;
  declare placeholder: string;
  declare options: readonly Option[];
  declare value: string;
  declare private expanded: boolean;
  /** Index of the suggestion that Enter takes; -1 is none. */
  declare private active: number;
  /** The text typed since the list was opened; only this narrows it. */
  declare private typed: string;

  constructor() {
    super();
    this.expanded = false;
    this.active = -1;
    this.typed = '';
    this.addEventListener('focusout', (event) => {
      if (!this.contains(event.relatedTarget as Node | null)) this.close();
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private get input(): HTMLInputElement | null {
    return this.querySelector('input');
  }

  private matching(): readonly Option[] {
    const typed = this.typed.trim().toLowerCase();
    return this.options.filter(
      ({ value, detail }) =>
        value.toLowerCase().includes(typed) || (detail?.toLowerCase().includes(typed) ?? false),
    );
  }

  private open(): void {
    this.expanded = true;
    this.typed = '';
    this.active = this.options.slice(0, mostShown).findIndex(({ value }) => value === this.value);
  }

  private close(): void {
    this.expanded = false;
    this.active = -1;
  }

  private take(option: Option): void {
    const { input } = this;
    if (!input) return;
    input.value = option.value;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    this.close();
  }

  private readonly onInput = (): void => {
    this.typed = this.input?.value ?? '';
    // This redraws before the form handles the event, and must not restore the previous value.
    this.value = this.typed;
    // After a complete suggestion is typed, the list would only cover the next fields.
    this.expanded = !this.options.some(({ value }) => value === this.typed);
    this.active = -1;
  };

  private readonly onKeydown = (event: KeyboardEvent): void => {
    if (this.options.length === 0) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!this.expanded) {
        this.open();
        return;
      }
      const count = Math.min(this.matching().length, mostShown);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.active =
        count === 0 ? -1 : (this.active + step + (this.active === -1 && step < 0 ? 1 : 0) + count) % count;
    } else if (event.key === 'Enter' && this.expanded) {
      event.preventDefault();
      const option = this.matching()[this.active];
      if (option) this.take(option);
      else this.close();
    } else if (event.key === 'Escape' && this.expanded) {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  };

  private readonly onToggle = (): void => {
    if (this.expanded) this.close();
    else this.open();
    this.input?.focus();
  };

  protected override updated(): void {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  private toggle(visible: boolean) {
    return html`<button
      type="button"
      class="open-list"
      tabindex="-1"
      aria-label=${l10n.t('Show suggestions')}
      aria-expanded=${visible}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${this.onToggle}
    >
      ${chevronDown}
    </button>`;
  }

  protected override render() {
    const list = `${this.inputId}-list`;
    const options = this.expanded ? this.matching() : [];
    const shown = options.slice(0, mostShown);
    const visible = shown.length > 0;
    const hasOptions = this.options.length > 0;
    return html`<span class="combobox">
      <input
        type="text"
        role=${ifDefined(hasOptions ? 'combobox' : undefined)}
        id=${this.inputId}
        data-field=${this.field}
        spellcheck="false"
        autocomplete="off"
        placeholder=${this.placeholder}
        aria-autocomplete=${ifDefined(hasOptions ? 'list' : undefined)}
        aria-expanded=${ifDefined(hasOptions ? visible : undefined)}
        aria-controls=${ifDefined(visible ? list : undefined)}
        aria-activedescendant=${ifDefined(visible && this.active >= 0 ? `${list}-${this.active}` : undefined)}
        aria-describedby=${this.describedBy}
        aria-invalid=${this.invalid}
        .value=${live(this.value)}
        @input=${this.onInput}
        @keydown=${this.onKeydown}
      />${hasOptions ? this.toggle(visible) : nothing}
      ${
        visible
          ? html`<div class="list">
              <ul role="listbox" id=${list} aria-labelledby=${this.labelledBy}>
                ${shown.map(
                  (option, index) =>
                    html`<li
                      role="option"
                      id="${list}-${index}"
                      aria-selected=${index === this.active}
                      @mousedown=${(event: Event) => event.preventDefault()}
                      @click=${() => this.take(option)}
                    >
                      <span>${option.value}</span>
                      ${option.detail === undefined ? nothing : html`<span class="detail">${option.detail}</span>`}
                    </li>`,
                )}
              </ul>
              ${
                options.length > shown.length
                  ? html`<p class="more">
                      ${l10n.t('{0} more. Type to narrow the list.', options.length - shown.length)}
                    </p>`
                  : nothing
              }
            </div>`
          : nothing
      }
    </span>`;
  }
}

customElements.define('aw-combobox', Combobox);
