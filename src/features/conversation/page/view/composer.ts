import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { SendKey } from '../../../../shared/conversationMessages';
import { effectWords, type Head, type OutgoingMessage } from '../../../../shared/transcript';
import type { ConversationApp } from '../app';
import { attachFiles, droppedFiles, takePasted, takePictures } from '../attaching';
import { outgoingWords, tooLongWords } from '../words';
import { button, type Part } from '../../../../core/kit/buttons';

/** Messages on their way, and the place to write one. */
export function composer(app: ConversationApp, head: Head): TemplateResult {
  const { text, attachments, mention, sendWith } = app.state;
  const offered = mention && mention.items.length > 0 ? mention : undefined;
  return html`<section class="composer" aria-label=${l10n.t('Message to the agent')}>
    ${head.outgoing.map((one) => outgoing(app, one, head.problem))}
    ${
      attachments.length === 0
        ? nothing
        : html`<ul class="attachments" aria-label=${l10n.t('Attachments')}>
            ${attachments.map(
              ({ id, label, preview }) =>
                html`<li>
                  ${preview === null ? nothing : html`<img class="thumbnail" alt="" src=${preview} />`}
                  <span>${label}</span>
                  <button
                    type="button"
                    class="quiet"
                    aria-label=${l10n.t('Remove {0}', label)}
                    title=${l10n.t('Remove {0}', label)}
                    @click=${() => app.post({ type: 'removeAttachment', id })}
                  >
                    ×
                  </button>
                </li>`,
            )}
          </ul>`
    }
    <textarea
      id="composer"
      aria-autocomplete="list"
      aria-controls=${ifDefined(offered && 'mentions')}
      aria-activedescendant=${ifDefined(offered && `mention-${offered.active}`)}
      data-composer
      rows="1"
      aria-label=${l10n.t('Message')}
      aria-describedby="send-effect"
      placeholder=${hint(sendWith)}
      .value=${live(text)}
      @input=${(event: Event) => {
        const box = event.target as HTMLTextAreaElement;
        app.setText(box.value);
        app.mentioning.typed(box);
      }}
      @click=${() => app.mentioning.close()}
      @blur=${() => {
        app.mentioning.close();
        app.report();
      }}
      @paste=${(event: ClipboardEvent) => takePasted(app, event)}
      @dragover=${(event: DragEvent) => event.preventDefault()}
      @drop=${(event: DragEvent) => {
        const uris = droppedFiles(event.dataTransfer);
        if (uris.length > 0) {
          event.preventDefault();
          attachFiles(app, uris);
        } else takePictures(app, event.dataTransfer, event);
      }}
    ></textarea>
    <div class="composer-buttons">
      ${button({
        label: head.sendEffect === 'retries' ? l10n.t('Try Again') : l10n.t('Send'),
        look: 'primary',
        disabled: !app.canSend,
        describedBy: 'send-effect',
        title: sendKeyWords(sendWith),
        click: () => app.send(),
      })}
      ${button({
        label: l10n.t('Add Context…'),
        look: 'quiet',
        title: l10n.t('Files, symbols, problems, and changes. Or type #, or drop files with Shift.'),
        click: () => app.post({ type: 'addContext' }),
      })}
      <span class="muted" id="send-effect">${effect(app, head)}</span>
    </div>
  </section>`;
}

/** What the name after a `#` found, above the composer. */
export function mentions({ state: { mention }, mentioning }: ConversationApp): Part {
  if (!mention || mention.items.length === 0) return nothing;
  return html`<ul
    class="mentions"
    id="mentions"
    role="listbox"
    aria-label=${mention.sign === '#' ? l10n.t('Context') : l10n.t('Skills')}
  >
    ${mention.items.map(
      ({ label, detail }, at) =>
        html`<li
          role="option"
          id="mention-${at}"
          aria-selected=${at === mention.active ? 'true' : 'false'}
          @mousedown=${(event: Event) => {
            event.preventDefault();
            mentioning.take(at);
          }}
        >
          ${label} <span class="muted">${detail}</span>
        </li>`,
    )}
  </ul>`;
}

const hint = (sendWith: SendKey) =>
  sendWith === 'enter'
    ? l10n.t('Message the agent ({0} to send, {1} for a new line)', enter(), l10n.t('Shift+Enter'))
    : l10n.t('Message the agent ({0} to send)', sendKeyWords(sendWith));

const enter = () => l10n.t('Enter');

/** The key as this computer's keyboard has it. */
function sendKeyWords(sendWith: SendKey): string {
  if (sendWith === 'enter') return enter();
  return /\bMac/.test(navigator.userAgent) ? l10n.t('Cmd+Enter') : l10n.t('Ctrl+Enter');
}

/** What Send does. While nothing answers, that can't be known. */
function effect({ tooLong }: ConversationApp, { sendEffect, problem }: Head): string {
  if (tooLong > 0) return tooLongWords(tooLong);
  const isUnsure = problem !== '' && sendEffect !== 'impossible';
  return isUnsure ? l10n.t('If the message can’t be sent, it’s kept here.') : effectWords[sendEffect]();
}

/** @param known the problem that is shown anyway */
function outgoing(app: ConversationApp, { id, text, state, problem }: OutgoingMessage, known: string): Part {
  const again = button({ label: l10n.t('Try Again'), click: () => app.post({ type: 'resend', id }) });
  const edit = button({ label: l10n.t('Edit Message'), click: () => app.post({ type: 'takeBack', id }) });
  return html`<div class="outgoing" data-state=${state}>
    <p class="outgoing-state">
      ${outgoingWords[state]()}${problem === '' || problem === known ? nothing : html` · ${problem}`}
    </p>
    <p class="outgoing-text">${text}</p>
    ${state === 'failed' ? again : nothing} ${state === 'failed' || state === 'unknown' ? edit : nothing}
  </div>`;
}
