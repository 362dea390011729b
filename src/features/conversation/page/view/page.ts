import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { senderWords } from '../../../../shared/entryTitles';
import type { Entry, Head } from '../../../../shared/transcript';
import type { ConversationApp } from '../app';
import type { Feed } from '../feed';
import type { Item } from '../items';
import { foldWords } from '../stepWords';
import { turnLine, turnName } from './turn';
import { dayWords, momentWords, limitWords, timeWords } from '../words';
import { button, iconButton, type Part } from '../../../../core/kit/buttons';
import { arrowDown } from '../../../../core/kit/icons';
import { card, isRejecting } from './card';
import { composer, mentions } from './composer';
import { drawEntry, entryName, foldingLine, type EntryView } from './entry';
import { header } from './header';
import { search } from './search';
import { markdown } from './details';
import { plainText } from '../../../../shared/plainText';
import { spanWords } from '../../../../core/kit/numbers';

/** The whole page. */
export function conversationPage(app: ConversationApp, feed: Feed): TemplateResult {
  const { unavailable, head, id } = app.state;
  if (unavailable)
    return html`<div class="unavailable" role="alert">
      <p>${unavailable.message}</p>
      <p>${unavailable.nextStep}</p>
      ${
        unavailable.button &&
        button({ label: unavailable.button, look: 'primary', click: () => app.nextStep() })
      }
    </div>`;
  if (!head) return html`<p class="unavailable" role="status">${l10n.t('Loading the conversation…')}</p>`;
  return html`<div class="page" data-conversation=${id}>
    ${header(app, head)} ${transcript(app, feed)}
    <div class="dock">
      ${notices(app)} ${limit(app, head)} ${live(head)} ${aside(app)} ${card(app, head)}
      ${isRejecting(app, head) ? nothing : composer(app, head)}
    </div>
  </div>`;
}

/** What stands in the way, in one place: why the last reading failed, else why the transcript may be behind. */
function limit(app: ConversationApp, { limit: kind, problem, readAt }: Head): Part {
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

/** What the agent does now. If its release answers only between steps, that’s said once somebody has waited. */
function live({ live: now, limit: kind, problem }: Head): Part {
  // Nobody knows while nothing can be read.
  if (!now || problem !== '') return nothing;
  return html`<p class="live">
    <span class="spinner" aria-hidden="true"></span>
    <span class="live-text">${plainText(now.text, 200)}</span>
    <span class="muted" data-since=${now.since} .textContent=${spanWords(Date.now() - now.since)}></span>
    ${kind === 'busy' ? late(limitWords.busy.sentence()) : nothing}
  </p>`;
}

const late = (words: string): TemplateResult => html`<span class="muted late">${words}</span>`;

/** What the user has to know. */
function notices(app: ConversationApp): Part {
  const { notices: list } = app.state;
  if (list.length === 0) return nothing;
  return html`<div class="notices">
    <ul>
      ${list.map((words) => html`<li>${words}</li>`)}
    </ul>
    ${button({ label: l10n.t('Dismiss'), look: 'quiet', click: () => app.dismissNotices() })}
  </div>`;
}

function transcript(app: ConversationApp, feed: Feed): TemplateResult {
  const { loadingOlder, olderFailed, hasOlder, unseen, isAtEnd } = app.state;
  const { start, end, above, below } = feed.range;
  const shown = feed.items.slice(start, end);
  const active = activeKey(app, shown);
  return html`<main class="transcript">
    ${search(app)}
    <div class="scroller" id="feed" tabindex="-1" @scroll=${() => feed.scrolled()}>
      <p class="older muted">
        ${loadingOlder ? l10n.t('Loading earlier events…') : nothing}
        ${
          olderFailed
            ? button({ label: l10n.t('Load Earlier Events'), look: 'link', click: () => app.loadOlder() })
            : nothing
        }
      </p>
      <div class="spacer" .style=${`height: ${above}px`}></div>
      <div
        class="feed"
        role="feed"
        aria-label=${l10n.t('Conversation')}
        aria-busy=${loadingOlder ? 'true' : 'false'}
      >
        ${repeat(
          shown,
          ({ key }) => key,
          (item, index) =>
            drawItem(app, item, {
              place: start + index + 1,
              count: hasOlder ? -1 : feed.items.length,
              isActive: item.key === active,
            }),
        )}
      </div>
      <div class="spacer" .style=${`height: ${below}px`}></div>
      ${feed.items.length === 0 ? html`<p class="empty muted">${emptyWords(app)}</p>` : nothing}
    </div>
    ${
      isAtEnd && unseen === 0
        ? nothing
        : html`<div class="unseen">
            ${
              unseen === 0
                ? iconButton({ label: l10n.t('Scroll to End'), icon: arrowDown, click: () => app.toEnd() })
                : button({
                    label: unseen === 1 ? l10n.t('1 new') : l10n.t('{0} new', unseen),
                    look: 'primary',
                    click: () => app.toEnd(),
                  })
            }
          </div>`
    }
    ${mentions(app)}
  </main>`;
}

/** The answer to a question that was asked on the side, which isn't part of the transcript. */
function aside(app: ConversationApp): Part {
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

/** Why there is nothing to read; the header says it if the service has no events. */
function emptyWords({ state: { entries, head } }: ConversationApp): string {
  if (entries.length > 0) return l10n.t('Nothing matches the filter');
  if (head?.limit === 'noEvents' || head?.problem !== '') return '';
  return head.readAt === null ? l10n.t('Loading the conversation…') : l10n.t('No events yet');
}

/** The item that Tab stops at: where the keyboard was last, else the newest that is drawn. */
function activeKey(app: ConversationApp, drawn: readonly Item[]): string | undefined {
  const { active } = app.state;
  return drawn.some(({ key }) => key === active) ? active : drawn.at(-1)?.key;
}

interface Place {
  place: number;
  count: number;
  isActive: boolean;
}

function drawItem(app: ConversationApp, item: Item, place: Place): TemplateResult {
  switch (item.kind) {
    case 'day':
      return article(app, item, place, dayWords(item.at), html`<p class="day">${dayWords(item.at)}</p>`);
    case 'fold':
      return article(app, item, place, foldWords(item.steps), fold(app, item, place, foldWords(item.steps)));
    case 'turn':
      return article(app, item, place, turnName(item), fold(app, item, place, turnLine(item)));
    case 'entry':
      if (item.isBeingWritten) return article(app, item, place, writingWords(), written(app, item.entry));
      return article(
        app,
        item,
        place,
        entryName(item.entry, app.state.folders),
        entryIn(app, item.entry, place),
      );
  }
}

const writingWords = () => l10n.t('The agent is writing…');

/** What the agent is writing, as far as it is. */
const written = (app: ConversationApp, entry: Entry): Part =>
  html`<header class="author">
      <span class="name">${senderWords.agent()}</span>
      <span class="muted">${l10n.t('writing…')}</span>
    </header>
    ${
      entry.kind === 'message'
        ? guard([entry.text.text], () => markdown(entry.text.text, viewOf(app, entry, false, false)))
        : nothing
    }`;

function article(
  app: ConversationApp,
  item: Item,
  { place, count, isActive }: Place,
  name: string,
  content: unknown,
): TemplateResult {
  const { key } = item;
  const isWritten = item.kind === 'entry' && item.isBeingWritten === true;
  const entry = item.kind === 'entry' && !isWritten ? item.entry : undefined;
  const step = entry?.kind === 'step' ? entry : undefined;
  return html`<article
    class="item"
    data-key=${key}
    data-event=${entry?.id ?? nothing}
    data-kind=${isWritten ? 'message' : (entry?.kind ?? nothing)}
    data-step=${step?.detail.step ?? nothing}
    data-from=${entry?.kind === 'message' ? entry.from : nothing}
    data-state=${step?.state ?? nothing}
    data-written=${isWritten ? 'part' : nothing}
    data-found=${app.state.search?.current === key ? 'current' : nothing}
    data-vscode-context=${entry ? JSON.stringify({ webviewSection: 'entry', entry: entry.id }) : nothing}
    tabindex=${isActive ? 0 : -1}
    title=${entry ? momentWords(entry.at) : nothing}
    aria-label=${name}
    aria-posinset=${place}
    aria-setsize=${count}
  >
    ${content}
  </article>`;
}

function fold(
  app: ConversationApp,
  { key, open }: Extract<Item, { open: unknown }>,
  { isActive }: Place,
  said: Part,
): TemplateResult {
  const toggle = () => app.setOpen(key, !open);
  return foldingLine(html`<span class="said">${said}</span>`, { open, tab: isActive, toggle });
}

function entryIn(app: ConversationApp, entry: Entry, { isActive }: Place): unknown {
  const isOpen = app.state.open.has(entry.id);
  const { pictures, here, folders } = app.state;
  return guard([entry, isOpen, isActive, pictures.get(entry.id), here, folders], () =>
    drawEntry(entry, viewOf(app, entry, isOpen, isActive)),
  );
}

function viewOf(app: ConversationApp, entry: Entry, open: boolean, tab: boolean): EntryView {
  const { id } = entry;
  const hasPictures = entry.kind === 'step' && (entry.images ?? 0) > 0;
  return {
    open,
    tab,
    toggle: () => {
      app.setOpen(id, !open);
      // Whoever opens a step wants to see what it brought.
      if (!open && hasPictures && !app.state.pictures.has(id)) app.post({ type: 'showPictures', id });
    },
    pictures: app.state.pictures.get(id),
    showPictures: () => app.post({ type: 'showPictures', id }),
    files: app.files.links(app.state, id),
    openLink: (url) => app.post({ type: 'openLink', url }),
    openDiff: () => app.post({ type: 'openDiff', id }),
    showStep: () => app.post({ type: 'showStep', id }),
    openPort: () => app.post({ type: 'openPort', id }),
    openWhole: () => app.post({ type: 'openWhole', id }),
    copyCode: (text) => app.post({ type: 'copyCode', text }),
    copy: (what) => app.post({ type: 'copy', id, what }),
  };
}
