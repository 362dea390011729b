import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { nameList } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import { infoIcon } from '../../../../core/kit/icons';
import { button, type Part } from '../../../../core/kit/buttons';
import type { SettingsApp } from '../app';
import type { Form } from '../model';
import { neededBy, neededSecrets } from '../needed';

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
      app.ask({ type: 'replaceSecrets', targets });
    },
  });
}
