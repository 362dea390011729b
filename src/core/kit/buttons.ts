import { html, type nothing, type TemplateResult } from 'lit/html.js';
import { ifDefined } from 'lit/directives/if-defined.js';

/** Anything a template can hold. */
export type Part = TemplateResult | typeof nothing | string | readonly Part[];

export interface ButtonOptions {
  label: string;
  click: () => void;
  id?: string;
  look?: 'primary' | 'secondary' | 'quiet' | 'link';
  /** The button can be focused, but does nothing; `explain` is called instead where there is one. */
  disabled?: boolean;
  explain?: () => void;
  /** Ids of elements that say which of several buttons of the same name this is, what it does, or why it's disabled. */
  describedBy?: string | undefined;
  title?: string | undefined;
  /** The name, if that’s not what’s written on it. */
  name?: string;
  /** For a button that turns something on and off: whether it’s on. */
  pressed?: boolean;
  /** Whether Tab stops here; by default, it does. */
  tab?: boolean;
}

export function button(options: ButtonOptions): TemplateResult {
  const { label, look = 'secondary', title, name } = options;
  return drawn(options, { look, title, ...(name !== undefined && { name }), content: label });
}

/** A small button with a picture; its label is its name and, unless there’s more to say, its tooltip. */
export function iconButton({ icon, ...options }: ButtonOptions & { icon: Part }): TemplateResult {
  const { label, title = label } = options;
  return drawn(options, { look: 'quiet icon-button', title, name: label, content: icon });
}

function drawn(
  { click, id, disabled = false, explain, describedBy, pressed, tab = true }: ButtonOptions,
  { look, title, name, content }: { look: string; title: string | undefined; name?: string; content: Part },
): TemplateResult {
  return html`<button
    type="button"
    class=${look}
    id=${ifDefined(id)}
    title=${ifDefined(title)}
    aria-label=${ifDefined(name)}
    tabindex=${tab ? 0 : -1}
    aria-describedby=${ifDefined(describedBy)}
    aria-pressed=${ifDefined(pressed)}
    aria-disabled=${disabled ? 'true' : 'false'}
    @click=${() => (disabled ? explain?.() : click())}
  >
    ${content}
  </button>`;
}
