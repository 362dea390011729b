import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Choice, ConflictChoice } from '../../shared/messages';
import { plainText } from '../../shared/plainText';
import type { App } from '../app';
import { conflictId } from '../ids';
import { infoIcon } from './icons';
import { button, type Part } from './parts';

/** What the user is told about the last save or about a draft that came back. */
export function noticeList(app: App): Part {
  const { notices } = app.state;
  return html`<div role="status">
    ${
      notices.length === 0
        ? nothing
        : html`<div class="notice">
            ${infoIcon}
            <div class="notice-words">${notices.map((notice) => html`<p>${notice}</p>`)}</div>
            ${button({ label: l10n.t('Dismiss'), click: () => app.dismissNotices() })}
          </div>`
    }
  </div>`;
}

/** Asks, for each value that changed on both sides, which one to keep. */
export function conflictList(app: App): Part {
  const { conflicts } = app.state;
  if (conflicts.length === 0) return nothing;
  return html`<section class="conflicts" aria-labelledby="conflicts-title">
    <h2 id="conflicts-title">${l10n.t('Changed on the service meanwhile')}</h2>
    <p class="help">
      ${l10n.t('Nothing was saved yet. Choose which value to keep for each, then save again.')}
    </p>
    ${conflicts.map((conflict) => conflictChoice(app, conflict))}
  </section>`;
}

function conflictChoice(app: App, conflict: ConflictChoice): Part {
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
  return html`<fieldset class="conflict">
    <legend class="title">${plainText(conflict.label, 200)}</legend>
    ${option('mine', l10n.t('Yours:'), conflict.mine)}
    ${option('theirs', l10n.t('The service’s:'), conflict.theirs)}
  </fieldset>`;
}
