import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';
import { pathWithin } from '../../../../shared/agentFolders';
import { plainText } from '../../../../shared/plainText';
import { type Head, type PendingAction, proofWords } from '../../../../shared/transcript';
import type { ConversationApp } from '../app';
import { exposed } from '../../../../shared/exposed';
import { exposedCode, exposedPath } from '../../../../shared/exposedCode';
import type { Card } from '../state';
import { askLine, filePath, moveLine } from '../stepWords';
import { riskWords, waitingTitle } from '../words';
import { button, type Part } from '../../../../core/kit/buttons';
import { drawDiff } from './details';

/** Whether there's something to answer. An agent may wait for what can't be read. */
const isAsking = ({ pending, proof, execution }: Head): boolean =>
  pending.length > 0 ||
  (execution === 'waiting_for_confirmation' && proof !== 'whole' && proof !== 'reading');

/** Whether the card asks for words. There’s one box that rejects at a time: that of the card, or the one for messages. */
export function isRejecting({ state: { card: state } }: ConversationApp, head: Head): boolean {
  return isAsking(head) && !state.answered && state.reason !== null;
}

/** The actions that wait for approval, whole, and what can be done about them. */
export function card(app: ConversationApp, head: Head): Part {
  const { pending, proof } = head;
  const { card: state, busy } = app.state;
  if (!isAsking(head)) return nothing;
  const ids = pending.map(({ id }) => id).join(' ');
  if (state.answered)
    return html`<section class="card" data-pending=${ids} aria-labelledby="pending-title">
      <h2 id="pending-title">
        ${busy.has('approve') || busy.has('reject') ? l10n.t('Sending…') : l10n.t('Answered. Waiting for the agent…')}
      </h2>
    </section>`;
  return html`<section
    class="card"
    data-pending=${ids}
    aria-labelledby="pending-title"
    @keydown=${(event: KeyboardEvent) => approveByKey(event, app, proof)}
  >
    <h2 id="pending-title" tabindex="-1">
      ${pending.length === 0 ? l10n.t('The agent asks for your approval') : waitingTitle(pending.length)}
    </h2>
    ${
      state.changed
        ? html`<p class="changed">
            ${l10n.t('The agent is now asking for something else. Review it again.')}
          </p>`
        : nothing
    }
    <div class="actions" tabindex="0" role="group" aria-label=${l10n.t('Actions to review')}>
      ${repeat(
        pending,
        ({ id }) => id,
        (one, index) => action(app, one, index, pending.length),
      )}
    </div>
    ${state.reason === null ? answers(app, proof) : rejection(app, state.reason)}
  </section>`;
}

/** An action: what has to be seen of it, and what needn’t be. */
function action(app: ConversationApp, pending: PendingAction, index: number, count: number): TemplateResult {
  const { id, tool, text, raw, risk, thought, diff, overwrites, startsAgents } = pending;
  const titleId = `pending-${index}`;
  const short = shortIn(app);
  const isReviewed = app.state.reviewed.has(id);
  return html`<div class="action">
    <div data-action=${id}>
      <div class="action-head">
        <h3 class="said" id=${titleId}>${lineOf(pending, short)}</h3>
        <span class="risk" data-risk=${risk}>${riskWords[risk]()}</span>
        ${count === 1 ? nothing : html`<span class="muted">${l10n.t('{0} of {1}', index + 1, count)}</span>`}
        ${
          diff.length === 0
            ? nothing
            : button({
                label: l10n.t('Open Diff'),
                look: 'link',
                describedBy: titleId,
                click: () => app.post({ type: 'openDiff', id }),
              })
        }
      </div>
      ${
        thought === ''
          ? nothing
          : html`<p class="quoted">
              <span class="muted">${l10n.t('The agent says:')}</span>
              <span class="words">${exposed(thought)}</span>
            </p>`
      }
      ${
        text === '' || isInLine(pending)
          ? nothing
          : html`<pre class="command"><code>${exposedCode(text)}</code></pre>`
      }
      ${overwrites ? html`<p>${l10n.t('Replaces the whole file if there is one.')}</p>` : nothing}
      ${isReviewed ? nothing : drawDiff(diff, pending.path, short)}
      ${
        startsAgents
          ? html`<p class="warning">
              ${l10n.t('The sub-agent’s actions aren’t shown here, and you aren’t asked about them.')}
            </p>`
          : nothing
      }
    </div>
    ${
      isReviewed
        ? html`<details>
            <summary>${l10n.t('You opened the diff. Show it here, too')}</summary>
            ${drawDiff(diff, pending.path, short)}
          </details>`
        : nothing
    }
    <details>
      <summary>${l10n.t('Show Raw')}</summary>
      <pre class="command"><code>${exposedCode(`${tool}\n${raw}`)}</code></pre>
    </details>
  </div>`;
}

/** Longer commands are below the line, where they are read more easily. */
const mostInLine = 100;

/** Whether the line says all of the action: a short command and nothing else. */
const isInLine = ({ detail, path, text }: PendingAction): boolean =>
  detail.step === 'terminal' &&
  path === '' &&
  text === detail.command &&
  text.length <= mostInLine &&
  !/\s{2}|[^\S ]/.test(text);

type Short = (path: string) => string;

/**
 * Paths as in the conversation’s repository, which is in one place; any other in full, and those that the agent gave
 * without a folder marked as such, so that no two look the same.
 */
const shortIn =
  ({ state: { folders } }: ConversationApp): Short =>
  (path) => {
    const below = pathWithin(path, folders.own.slice(0, 1));
    // The home folder, a variable, and a drive only look like ones below.
    if (below !== undefined && !/^(?:[~$%]|[^/]*:)/.test(below)) return below;
    return /^(?:[/\\~$%]|[^/]*:|\.{1,2}(?:\/|$))/.test(path) ? path : `./${path}`;
  };

/** What the action would do, in a line; paths and short commands in full, and the rest by how it begins. */
function lineOf(pending: PendingAction, short: Short): TemplateResult {
  const { detail, path, text, movedTo } = pending;
  const { before, subject, after, files } = askLine(detail);
  const file = (whole: string) =>
    html`<code class="path" title=${exposedPath(whole)}>${exposedPath(short(whole))}</code>`;
  if (movedTo !== undefined) {
    const words = moveLine();
    return html`${words.before}${file(path)} → ${file(movedTo)}${words.after} ${countsOf(pending)}`;
  }
  const command = isInLine(pending) ? exposedCode(text) : plainText(subject, 80);
  const about = path || filePath(detail);
  const shown = about ? file(about) : command && html`<code>${command}</code>`;
  return html`${before}${shown}${after}${files === '' ? nothing : html`<span class="muted">: ${files}</span>`}
  ${countsOf(pending)}`;
}

function countsOf({ detail, diff }: PendingAction): Part {
  if (detail.step !== 'edit' || diff.length === 0) return nothing;
  const { added, removed, isNew } = detail;
  return html`<span class="added">+${added}</span>
    ${isNew ? nothing : html`<span class="removed">−${removed}</span>`}`;
}

/** Whether there's more to show before it can be approved. */
const hasMore = ({ seen, hasRest }: Card, proof: Head['proof']): boolean =>
  proof === 'whole' && hasRest && !seen;

/** In the card, the key that leads to it from elsewhere does what the first button does, and doesn't reach the editor. */
function approveByKey(event: KeyboardEvent, app: ConversationApp, proof: Head['proof']): void {
  const { card: state } = app.state;
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (key !== 'Enter' || !(ctrlKey || metaKey) || !shiftKey || altKey || state.reason !== null) return;
  event.preventDefault();
  event.stopPropagation();
  // A key that is held down was meant to lead here.
  if (event.repeat) return;
  if (hasMore(state, proof)) app.showRest();
  else app.answer('approve');
}

/** The key of `approveByKey`, as this computer's keyboard has it. */
const keyWords = () =>
  /\bMac/.test(navigator.userAgent) ? l10n.t('Cmd+Shift+Enter') : l10n.t('Ctrl+Shift+Enter');

function answers(app: ConversationApp, proof: Head['proof']): TemplateResult {
  const { settled } = app.state.card;
  const isRest = hasMore(app.state.card, proof);
  return html`<div class="card-buttons">
    ${
      isRest
        ? button({
            label: l10n.t('Show the Rest'),
            look: 'primary',
            title: keyWords(),
            describedBy: 'approve-help',
            click: () => app.showRest(),
          })
        : button({
            label: l10n.t('Approve'),
            look: 'primary',
            title: keyWords(),
            disabled: !settled || proof !== 'whole',
            describedBy: 'approve-help',
            click: () => app.answer('approve'),
          })
    }
    ${button({
      id: 'reject',
      label: l10n.t('Reject…'),
      click: () => {
        app.setCard({ reason: '' });
        app.focus('reason');
      },
    })}
    <span class="muted" id="approve-help"> ${approveHelp(app.state.card, proof)} </span>
  </div>`;
}

/** What Approve does, or why it can’t be pressed. */
function approveHelp({ seen }: Card, proof: Head['proof']): string {
  if (proof !== 'whole') return proofWords[proof]();
  return seen ? l10n.t('Runs all of the above.') : l10n.t('You can approve once you’ve seen all of it.');
}

function rejection(app: ConversationApp, reason: string): TemplateResult {
  const back = () => {
    app.setCard({ reason: null });
    app.focus('reject');
  };
  return html`<div class="rejection">
    <label for="reason">${l10n.t('What should the agent do instead?')}</label>
    <textarea
      id="reason"
      rows="2"
      .value=${reason}
      placeholder=${l10n.t('For example, keep my untracked files')}
      aria-describedby="reject-help"
      @input=${(event: Event) => app.setCard({ reason: (event.target as HTMLTextAreaElement).value })}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Escape') back();
      }}
    ></textarea>
    <div class="card-buttons">
      ${button({ label: l10n.t('Reject'), look: 'primary', click: () => app.answer('reject') })}
      ${button({ label: l10n.t('Back'), click: back })}
      <span class="muted" id="reject-help"
        >${l10n.t('Runs none of the above. The agent stops until you send a message.')}</span
      >
    </div>
  </div>`;
}
