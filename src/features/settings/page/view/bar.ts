import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import { saveId, statusId } from '../ids';
import { changeCount, type Form } from '../model';
import { isBusy, statusOf } from '../state';
import { button, type Part } from '../../../../core/kit/buttons';

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
