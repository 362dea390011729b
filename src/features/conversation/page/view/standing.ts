import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { plainText } from '../../../../shared/plainText';
import type { Head } from '../../../../shared/transcript';
import type { ConversationApp } from '../app';
import { spanWords } from '../../../../core/kit/numbers';
import { limitWords, timeWords } from '../words';
import { button, type Part } from '../../../../core/kit/buttons';

/** What stands in the way, in one place: why the last reading failed, else why the transcript may be behind. */
export function limit(app: ConversationApp, { limit: kind, problem, readAt }: Head): Part {
  const { sentence, button: known } = limitWords[kind];
  if (problem === '' && (sentence() === '' || kind === 'busy')) return nothing;
  const isResuming = kind === 'asleep' && app.state.busy.has('nextStep');
  const label = known?.() ?? (problem === '' ? undefined : l10n.t('Try Again'));
  return html`<p class="limit" role="status">
    ${
      problem === ''
        ? html`<span>${isResuming ? l10n.t('Resuming the sandbox…') : sentence()}</span>`
        : html`<span class="bad">${problem}</span>${
              readAt === null
                ? nothing
                : html` <span class="muted">${l10n.t('Last read at {0}', timeWords(readAt))}</span>`
            }`
    }
    ${label && !isResuming ? button({ label, look: 'link', click: () => app.nextStep() }) : nothing}
  </p>`;
}

/** What the agent does now. That a release answers only between steps is said once somebody has waited for it. */
export function live({ live: now, limit: kind }: Head): Part {
  if (!now) return nothing;
  return html`<p class="live">
    <span class="spinner" aria-hidden="true"></span>
    <span class="live-text">${plainText(now.text, 200)}</span>
    <span class="muted" data-since=${now.since} .textContent=${spanWords(Date.now() - now.since)}></span>
    ${kind === 'busy' ? late(limitWords.busy.sentence()) : nothing}
  </p>`;
}

const late = (words: string): TemplateResult => html`<span class="muted late">${words}</span>`;

/** What the user has to know. */
export function notices(app: ConversationApp): Part {
  const { notices: list } = app.state;
  if (list.length === 0) return nothing;
  return html`<div class="notices">
    <ul>
      ${list.map((words) => html`<li>${words}</li>`)}
    </ul>
    ${button({ label: l10n.t('Dismiss'), look: 'quiet', click: () => app.dismissNotices() })}
  </div>`;
}
