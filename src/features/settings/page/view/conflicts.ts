import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ConflictChoice } from '../../shared/form';
import type { Choice } from '../../shared/messages';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import { conflictId } from '../ids';
import { button, type Part } from '../../../../core/kit/buttons';

/** Asks which value to keep, for each that changed on both sides. */
export function conflictList(app: SettingsApp): Part {
  const { conflicts } = app.state;
  if (conflicts.length === 0) return nothing;
  return html`<section class="conflicts" aria-labelledby="conflicts-title">
    <h2 id="conflicts-title">${l10n.t('Changed on the service too')}</h2>
    <p class="help">${l10n.t('Nothing is saved yet. Select a value for each conflict, then save again.')}</p>
    <div class="buttons">
      ${button({ label: l10n.t('Keep all of mine'), click: () => app.chooseAll('mine') })}
      ${button({ label: l10n.t('Use all from the service'), click: () => app.chooseAll('theirs') })}
    </div>
    ${conflicts.map((conflict) => conflictChoice(app, conflict))}
  </section>`;
}

function conflictChoice(app: SettingsApp, conflict: ConflictChoice): Part {
  const option = (choice: Choice, label: string, text: string) =>
    html`<label class="radio">
      <input
        type="radio"
        id=${conflictId(conflict.key, choice)}
        name=${conflictId(conflict.key, 'choice')}
        .checked=${live(app.state.choices[conflict.key] === choice)}
        @change=${() => app.choose(conflict.key, choice)}
      />
      <span
        ><span class="radio-side">${label}</span>
        <span class="radio-value">${plainText(text, 1_000)}</span></span
      >
    </label>`;
  const previous = conflictId(conflict.key, 'previous');
  return html`<fieldset class="conflict" aria-describedby=${previous}>
    <legend class="title">${plainText(conflict.label, 200)}</legend>
    <p id=${previous}>
      <span class="radio-side">${l10n.t('Before:')}</span>
      <span class="radio-value">${plainText(conflict.previous, 1_000)}</span>
    </p>
    ${option('mine', l10n.t('Yours:'), conflict.mine)}
    ${option('theirs', l10n.t('On the service:'), conflict.theirs)}
  </fieldset>`;
}
