import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { SettingsApp } from '../app';
import { offerId, saveId } from '../ids';
import { infoIcon, problemIcon } from '../../../../core/kit/icons';
import { button, type Part } from '../../../../core/kit/buttons';
import { nameList } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import { type Form, editsOf } from '../model';
import { type SecretTarget, identityOf } from '../../shared/form';
import { mcpLabel, type McpServer } from '../../../../shared/mcp';

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

/** What saving the changed servers needs first, and the one step that gives it. */
export function neededPart(app: SettingsApp, form: Form): Part {
  const needed = neededSecrets(form);
  if (needed.length === 0) return nothing;
  const names = neededBy(form, needed).map((name) => plainText(name, 80));
  return html`<div class="notice needed">
    ${infoIcon}
    <p class="notice-words">
      ${l10n.t('Saving replaces all MCP servers, and this service hides their secrets. Enter those of {0} again.', nameList(names))}
    </p>
    ${enterButton(app, form)}
  </div>`;
}

/** Asks for all of them, one after the other. */
function enterButton(app: SettingsApp, form: Form): Part {
  const targets = neededSecrets(form);
  return button({
    label: targets.length === 1 ? l10n.t('Enter 1 Secret…') : l10n.t('Enter {0} Secrets…', targets.length),
    click: () => {
      app.closeReview();
      // What comes next; this button will be gone.
      app.focus(saveId);
      app.ask({ type: 'replaceSecrets', targets });
    },
  });
}

/** Secrets that a save of changed servers needs, because the service hides them and they’re kept as they are. */
export function neededSecrets(form: Form): SecretTarget[] {
  const servers = editsOf(form).mcpServers ?? [];
  return servers.flatMap((server) => {
    const isOf = (id: string | undefined) =>
      form.model.hiddenSecrets.filter((one) => 'id' in one && one.id === id);
    const own = isOf(server.id);
    const hidden = own.length > 0 ? own : isOf(server.copiedFrom);
    return hidden.filter((one) => isKept(server, one)).map((one) => ({ ...one, id: server.id }));
  });
}

/** The names of their servers. */
export function neededBy(form: Form, needed: readonly SecretTarget[]): string[] {
  const has = (server: McpServer) => needed.some((one) => 'id' in one && one.id === server.id);
  return form.rows.flatMap(({ server }) => (has(server) ? [mcpLabel(server)] : []));
}

function isKept({ kind, apiKey, env }: McpServer, target: SecretTarget): boolean {
  if (target.at === 'mcpApiKey') return kind !== 'stdio' && apiKey.intention === 'keep';
  if (target.at === 'field' || kind !== 'stdio') return false;
  return env.some((entry) => identityOf(entry) === target.name && entry.intention === 'keep');
}
