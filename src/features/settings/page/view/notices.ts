import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { SettingsApp } from '../app';
import { offerId, saveId } from '../ids';
import { infoIcon, problemIcon } from '../../../../core/kit/icons';
import { button, type Part } from '../../../../core/kit/buttons';

/** News about the last save or a restored draft. */
export function noticeList(app: SettingsApp): Part {
  return html`<div role="status">${noticePart(app.state.notices, false, () => app.dismissNotices())}</div>`;
}

/** Words in a frame, until they are dismissed. */
export function noticePart(notices: readonly string[], failed: boolean, dismiss: () => void): Part {
  if (notices.length === 0) return nothing;
  return html`<div class="notice" ?data-failed=${failed}>
    ${failed ? problemIcon : infoIcon}
    <div class="notice-words">${notices.map((notice) => html`<p>${notice}</p>`)}</div>
    ${button({ label: l10n.t('Dismiss'), click: dismiss })}
  </div>`;
}

/** Drafts of earlier changes, which come back only when the user wants them. */
export function offerList(app: SettingsApp): Part {
  const { offers } = app.state;
  return html`<div role="status">
    ${offers.map(({ id, words }) => {
      const title = offerId(id, 'title');
      const end = (type: 'restoreDraft' | 'discardDraft') => {
        app.ask({ type, id });
        app.focus(saveId);
      };
      return html`<div
        class="notice offer"
        role="group"
        aria-label=${l10n.t('Draft')}
        aria-describedby=${title}
      >
        ${infoIcon}
        <div class="notice-words" id=${title}>${words.map((text) => html`<p>${text}</p>`)}</div>
        <span class="buttons">
          ${button({
            label: l10n.t('Restore draft'),
            describedBy: title,
            look: 'primary',
            click: () => end('restoreDraft'),
          })}
          ${button({ label: l10n.t('Discard'), describedBy: title, click: () => end('discardDraft') })}
        </span>
      </div>`;
    })}
  </div>`;
}
