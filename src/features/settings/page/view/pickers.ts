import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { Section } from '../../../../shared/fields';
import { button, type Part } from '../../../../core/kit/buttons';
import type { Drawing } from './drawing';

interface Picker {
  what: 'profiles' | 'secrets';
  words: () => string;
  label: () => string;
}

/** What some services keep besides the settings, in the section where people look for it. */
const pickers: Partial<Record<Section, Picker>> = {
  model: {
    what: 'profiles',
    words: () => l10n.t('This service can keep several models as profiles, to switch between them.'),
    label: () => l10n.t('Manage Model Profiles…'),
  },
  sandbox: {
    what: 'secrets',
    words: () => l10n.t('This service can give agents environment variables, whose values it never shows.'),
    label: () => l10n.t('Manage Custom Secrets…'),
  },
};

/** True if the section offers something that its service keeps besides the settings, and the search doesn't hide it. */
export function hasPicker({ app, found }: Drawing, section: Section): boolean {
  const picker = pickers[section];
  return app.state.hasPickers && picker !== undefined && found.item(section, picker.words(), picker.label());
}

/** Says what there is, and opens the picker of the editor that manages it. */
export function pickerPart(drawing: Drawing, section: Section): Part {
  const picker = pickers[section];
  if (picker === undefined || !hasPicker(drawing, section)) return nothing;
  const { what, words, label } = picker;
  const id = `picker-${what}`;
  return html`<div class="field">
    <p class="help" id=${id}>${words()}</p>
    <div class="buttons">
      ${button({ label: label(), describedBy: id, click: () => drawing.app.ask({ type: 'manage', what }) })}
    </div>
  </div>`;
}
