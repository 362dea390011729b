import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { plainText } from '../../../shared/plainText';
import type { Head, PendingAction, StepDetail } from '../../../shared/transcript';
import type { App } from '../app';
import { exposed, exposedCode } from '../../../shared/exposed';
import { askLine } from '../stepWords';
import { riskWords } from '../words';
import { button, type Part } from '../../kit/buttons';
import { diffOf } from './details';

/** The actions that wait for approval, whole, and what can be done about them. */
export function card(app: App, { pending }: Head): Part {
  const { card: state, busy } = app.state;
  if (pending.length === 0) return nothing;
  const ids = pending.map(({ id }) => id).join(' ');
  if (state.answered)
    return html`<section class="card" data-pending=${ids} aria-labelledby="pending-title">
      <h2 id="pending-title">
        ${busy.has('approve') || busy.has('reject') ? l10n.t('Sending your answer…') : l10n.t('Answered. Waiting for the agent…')}
      </h2>
    </section>`;
  return html`<section class="card" data-pending=${ids} aria-labelledby="pending-title">
    <h2 id="pending-title" tabindex="-1">
      ${
        pending.length === 1
          ? l10n.t('The agent asks for your approval of 1 action')
          : l10n.t('The agent asks for your approval of {0} actions', pending.length)
      }
    </h2>
    ${
      state.changed
        ? html`<p class="changed">
            ${l10n.t('The agent is now asking for something else. Review it again.')}
          </p>`
        : nothing
    }
    <div class="actions" tabindex="0" role="group" aria-label=${l10n.t('Actions to review')}>
      ${pending.map(action)}
    </div>
    ${state.reason === null ? answers(app) : rejection(app, state.reason)}
  </section>`;
}

function action({ id, tool, path, text, raw, risk, thought, diff, detail }: PendingAction): TemplateResult {
  return html`<div class="action" data-action=${id}>
    <p class="action-head">
      <span class="risk" data-risk=${risk}>${riskWords[risk]()}</span>
      ${lineOf(detail, path)}
      <code class="tool">${exposedCode(tool)}</code>
    </p>
    ${
      thought === ''
        ? nothing
        : html`<p class="quoted">
            <span class="muted">${l10n.t('The agent says:')}</span>
            <span class="words">${exposed(thought)}</span>
          </p>`
    }
    ${text === '' ? nothing : html`<pre class="command"><code>${exposedCode(text)}</code></pre>`}
    ${diffOf(diff)}
    ${
      raw === text
        ? nothing
        : html`<details class="raw">
            <summary>${l10n.t('Show Raw')}</summary>
            <pre class="command"><code>${exposedCode(raw)}</code></pre>
          </details>`
    }
  </div>`;
}

/** What the action would do, in a line; the path in full, and what is below it by how it begins. */
function lineOf(detail: StepDetail, path: string): TemplateResult {
  const { before, subject, after, files } = askLine(detail);
  const shown = path === '' ? plainText(subject, 80) : exposedCode(path);
  return html`<span class="said"
    >${before}${shown === '' ? nothing : html`<code class=${path === '' ? nothing : 'path'}>${shown}</code>`}${after}${
      files === '' ? nothing : html`<span class="muted">: ${files}</span>`
    }
    ${
      detail.step === 'edit'
        ? html`<span class="added">+${detail.added}</span> <span class="removed">−${detail.removed}</span>`
        : nothing
    }</span
  >`;
}

function answers(app: App): TemplateResult {
  const { seen, settled } = app.state.card;
  return html`<div class="card-buttons">
    ${button({
      label: l10n.t('Approve'),
      look: 'primary',
      disabled: !settled,
      describedBy: 'approve-help',
      click: () => app.answer('approve'),
    })}
    ${button({
      label: l10n.t('Reject…'),
      click: () => {
        app.setCard({ reason: '' });
        app.focus('reason');
      },
    })}
    <span class="muted" id="approve-help">
      ${seen ? l10n.t('Runs all of the above.') : l10n.t('Scroll through all of it to approve.')}
    </span>
  </div>`;
}

function rejection(app: App, reason: string): TemplateResult {
  return html`<div class="rejection">
    <label for="reason">${l10n.t('What should the agent do instead?')}</label>
    <textarea
      id="reason"
      rows="2"
      .value=${reason}
      placeholder=${l10n.t('For example, keep my untracked files')}
      @input=${(event: Event) => app.setCard({ reason: (event.target as HTMLTextAreaElement).value })}
    ></textarea>
    <div class="card-buttons">
      ${button({ label: l10n.t('Reject'), look: 'primary', click: () => app.answer('reject') })}
      ${button({ label: l10n.t('Back'), click: () => app.setCard({ reason: null }) })}
    </div>
  </div>`;
}
