import type { nothing } from 'lit/html.js';
import { html, type TemplateResult } from 'lit/html.js';
import { ifDefined } from 'lit/directives/if-defined.js';

/** Anything a template can hold. */
export type Part = TemplateResult | typeof nothing | string | readonly Part[];

export interface ButtonOptions {
  label: string;
  click: () => void;
  id?: string;
  look?: 'primary' | 'secondary' | 'quiet' | 'link';
  /** The button can be focused, but does nothing. */
  disabled?: boolean;
  /** Id of what says why it does nothing or what it does. */
  describedBy?: string | undefined;
  title?: string | undefined;
  /** Whether Tab stops here; by default, it does. */
  tab?: boolean;
}

export function button(options: ButtonOptions): TemplateResult {
  const { label, click, id, look = 'secondary', disabled = false, describedBy, title, tab = true } = options;
  return html`<button
    type="button"
    class=${look}
    id=${ifDefined(id)}
    title=${ifDefined(title)}
    tabindex=${tab ? 0 : -1}
    aria-describedby=${ifDefined(describedBy)}
    aria-disabled=${disabled ? 'true' : 'false'}
    @click=${() => (disabled ? undefined : click())}
  >
    ${label}
  </button>`;
}

/** A small button with a picture; its label is its name and its tooltip. */
export function iconButton({
  label,
  icon,
  click,
  tab = true,
}: ButtonOptions & { icon: Part }): TemplateResult {
  return html`<button
    type="button"
    class="quiet icon-button"
    title=${label}
    aria-label=${label}
    tabindex=${tab ? 0 : -1}
    @click=${click}
  >
    ${icon}
  </button>`;
}
