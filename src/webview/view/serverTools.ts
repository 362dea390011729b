import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { App } from '../app';
import { infoIcon } from './icons';
import { button, type Part } from './parts';

export const importServersId = 'import-servers';

/** What came of importing, parking or restoring. It is there when empty too, so that a screen reader announces it. */
export function serverNotices(app: App): Part {
  const { notices } = app.state.tools;
  const dismiss = () => {
    app.setTools({ notices: [] });
    app.focus(importServersId);
  };
  return html`<div role="status" class="server-notices">
    ${
      notices.length === 0
        ? nothing
        : html`<div class="notice">
            ${infoIcon}
            <div class="notice-words">${notices.map((notice) => html`<p>${notice}</p>`)}</div>
            ${button({ label: l10n.t('Dismiss'), click: dismiss })}
          </div>`
    }
  </div>`;
}

/** The buttons that bring servers in and out. */
export function transferButtons(app: App): Part {
  return [
    button({ label: l10n.t('Import'), id: importServersId, click: () => app.request({ kind: 'import' }) }),
    button({ label: l10n.t('Export'), click: () => app.request({ kind: 'export' }) }),
  ];
}
