import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { plainText } from '../../../shared/plainText';
import { type Head, type PendingAction, proofWords, type StepDetail } from '../../../shared/transcript';
import type { App } from '../app';
import { exposed, exposedCode } from '../../../shared/exposed';
import { askLine } from '../stepWords';
import { riskWords } from '../words';
import { button, type Part } from '../../kit/buttons';
import { diffOf } from './details';

/** The actions that wait for approval, whole, and what can be done about them. */
export function card(app: App, { pending, proof, execution }: Head): Part {
  const { card: state, busy } = app.state;
  // An agent may wait for what can't be read.
  const isUnread = execution === 'waiting_for_confirmation' && proof !== 'whole' && proof !== 'reading';
  if (pending.length === 0 && !isUnread) return nothing;
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
          : pending.length === 0
            ? l10n.t('The agent asks for your approval')
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
    ${state.reason === null ? answers(app, proof) : rejection(app, state.reason)}
  </section>`;
}

function action(pending: PendingAction): TemplateResult {
  const { id, tool, path, text, raw, risk, thought, diff, detail, startsAgents } = pending;
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
      startsAgents
        ? html`<p class="warning">${l10n.t('What the sub-agent does isn’t asked about or shown here.')}</p>`
        : nothing
    }
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

function answers(app: App, proof: Head['proof']): TemplateResult {
  const { seen, settled } = app.state.card;
  return html`<div class="card-buttons">
    ${button({
      label: l10n.t('Approve'),
      look: 'primary',
      disabled: !settled || proof !== 'whole',
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
    <span class="muted" id="approve-help"> ${approveHelp(seen, proof)} </span>
  </div>`;
}

/** What Approve does, or why it can’t be pressed. */
function approveHelp(seen: boolean, proof: Head['proof']): string {
  if (proof !== 'whole') return proofWords[proof]();
  return seen ? l10n.t('Runs all of the above.') : l10n.t('Scroll through all of it to approve.');
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
