import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { ReviewGroup } from '../../shared/messages';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import type { Form } from '../model';
import { neededSecrets } from '../needed';
import { infoIcon } from '../../../../core/kit/icons';
import { button, type Part } from '../../../../core/kit/buttons';
import { neededPart } from './needed';

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
