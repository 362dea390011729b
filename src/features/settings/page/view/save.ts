import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import { saveId, statusId, conflictId } from '../ids';
import { changeCount, type Form } from '../model';
import { isBusy, statusOf } from '../state';
import { button, type Part } from '../../../../core/kit/buttons';
import type { ReviewGroup, Choice } from '../../shared/messages';
import { neededSecrets, neededPart } from './notices';
import { infoIcon } from '../../../../core/kit/icons';
import { live } from 'lit/directives/live.js';
import type { ConflictChoice } from '../../shared/form';

/** What stays at the top: whose settings these are, what to do with the changes, and how they stand. */
export function bar(app: SettingsApp, form: Form): Part {
  const { connection, service } = app.state;
  return html`<header class="bar sticky">
    <div class="bar-title">
      <h1>${l10n.t('Service Settings')}</h1>
      <p class="connection" title=${service}>
        <span class="connection-name">${plainText(connection, 80)}</span>
        <span class="help">${service}</span>
      </p>
    </div>
    ${actions(app, form)}
    <div class="bar-status">${statusLine(app, form)}</div>
  </header>`;
}

function actions(app: SettingsApp, form: Form): Part {
  const busy = isBusy(app.state);
  const hasChanges = changeCount(form) > 0;
  // After a failure or a remark, it also shows what the service has now.
  const { outcome, notices } = app.state;
  const canRevert =
    hasChanges || notices.length > 0 || outcome.kind === 'notSaved' || outcome.kind === 'notUndone';
  return html`<div class="buttons" ?data-concealed=${app.state.review !== null}>
    ${button({
      label: l10n.t('Review changes'),
      id: 'open-review',
      title: busy || hasChanges ? undefined : l10n.t('No unsaved changes'),
      disabled: busy || !hasChanges,
      click: () => app.openReview(),
    })}
    ${button({ label: l10n.t('Revert'), title: busy || canRevert ? undefined : l10n.t('No unsaved changes'), disabled: busy || !canRevert, click: () => app.ask({ type: 'revert' }) })}
    ${button({
      label: l10n.t('Save'),
      id: saveId,
      look: 'primary',
      describedBy: statusId,
      title: busy || hasChanges ? undefined : l10n.t('No unsaved changes'),
      disabled: busy || !hasChanges,
      explain: () => app.save(),
      click: () => app.save(),
    })}
  </div>`;
}

function statusLine(app: SettingsApp, form: Form): Part {
  const { outcome } = app.state;
  const { text, tone, goTo } = statusOf(app.state, form);
  const canUndo =
    outcome.kind === 'saved' && outcome.undo === 'possible' && !isBusy(app.state) && changeCount(form) === 0;
  const words = goTo
    ? html`<button type="button" class="link" @click=${() => app.goTo(goTo)}>${text}</button>`
    : text;
  return html`<p class="status" id=${statusId} data-tone=${tone} role="status">${words}</p>
    ${canUndo ? button({ label: l10n.t('Undo this save'), click: () => app.ask({ type: 'undoSave' }) }) : nothing}`;
}

/** Longer values are cut; the form itself shows all. */
const longestValue = 500;

/** Shows what a save would change; the page makes it modal. */
export function reviewDialog(app: SettingsApp, form: Form): Part {
  const { review } = app.state;
  if (review === null) return nothing;
  const { groups, notes } = review;
  return html`<dialog class="review" aria-labelledby="review-title" @close=${() => app.closeReview()}>
    <h2 id="review-title" tabindex="-1" autofocus>${l10n.t('Review changes')}</h2>
    <div class="review-body" role="region" aria-labelledby="review-title" tabindex="0">
      ${
        groups === null
          ? html`<p role="status">${l10n.t('Comparing with the service…')}</p>`
          : groups.length === 0
            ? html`<p>${l10n.t('No changes: the form matches the service.')}</p>`
            : changeTable(groups)
      }
      ${notes.map(
        (note) =>
          html`<div class="notice">
            ${infoIcon}
            <p class="notice-words">${note}</p>
          </div>`,
      )}
      ${groups === null ? nothing : neededPart(app, form)}
    </div>
    <div class="buttons">
      ${button({ label: l10n.t('Back'), click: () => app.closeReview() })}
      ${
        groups !== null && groups.length > 0 && neededSecrets(form).length === 0
          ? button({ label: l10n.t('Save'), look: 'primary', click: () => app.save() })
          : nothing
      }
    </div>
  </dialog>`;
}

function changeTable(groups: readonly ReviewGroup[]): Part {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${l10n.t('Changed')}</th>
        <th scope="col">${l10n.t('Before')}</th>
        <th scope="col">${l10n.t('After')}</th>
      </tr>
    </thead>
    ${groups.map(
      ({ title, changes }) =>
        html`<tbody>
          <tr class="review-group">
            <th scope="rowgroup" colspan="3">${plainText(title, longestValue)}</th>
          </tr>
          ${changes.map(
            ({ label, before, after }) =>
              html`<tr>
                <th scope="row">${plainText(label, longestValue)}</th>
                <td>${plainText(before, longestValue)}</td>
                <td>${plainText(after, longestValue)}</td>
              </tr>`,
          )}
        </tbody>`,
    )}
  </table>`;
}

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
