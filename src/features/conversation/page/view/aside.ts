import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit/html.js';
import { button, type Part } from '../../../../core/kit/buttons';
import type { ConversationApp } from '../app';
import { markdown } from './details';

/** The answer to a question that was asked on the side, which isn't part of the transcript. */
export function aside(app: ConversationApp): Part {
  const shown = app.state.aside;
  if (!shown) return nothing;
  const { question, answer } = shown;
  return html`<section class="aside" aria-labelledby="aside-title">
    <h2 id="aside-title">${l10n.t('Answer on the Side')}</h2>
    <div class="aside-text" tabindex="0" role="group" aria-labelledby="aside-title">
      <p class="muted plain">${question}</p>
      ${markdown(answer, {
        openLink: (url) => app.post({ type: 'openLink', url }),
        copyCode: (text) => app.post({ type: 'copyCode', text }),
        tab: true,
      })}
    </div>
    <div class="card-buttons">
      ${button({ label: l10n.t('Copy Answer'), click: () => app.post({ type: 'copyCode', text: answer }) })}
      ${button({
        label: l10n.t('Dismiss'),
        click: () => {
          app.post({ type: 'dismissAside' });
          app.focus('composer');
        },
      })}
    </div>
  </section>`;
}
