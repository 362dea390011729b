import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { folderName, shortPath, type AgentFolders } from '../../../../shared/agentFolders';
import { plainLines, plainText } from '../../../../shared/plainText';
import {
  type Entry,
  hookWords,
  isCut,
  type MessageEntry,
  remedyWords,
  type StepEntry,
  type StepHook,
} from '../../../../shared/transcript';
import { chevronDown, chevronRight, copy, problemIcon } from '../../../../core/kit/icons';
import { firstWords, stepLine } from '../stepWords';
import { timeWords } from '../words';
import { isDecision, senderWords, separatorTitle, thoughtTitle } from '../../../../shared/entryTitles';
import { button, iconButton, type Part } from '../../../../core/kit/buttons';
import { changed } from './turn';
import { drawDetail, markdown, wholeButton, type EntryContext } from './details';

/** What an entry looks like, and what can be done with it. */
export interface EntryView extends EntryContext {
  open: boolean;
  toggle: () => void;
  /** The pictures of a message or a step, once they were asked for. */
  pictures: readonly string[] | undefined;
  showPictures: () => void;
  /** Opens the page of the port that a line is about. */
  openPort: () => void;
}

type Drawers = {
  [K in Entry['kind']]: (entry: Extract<Entry, { kind: K }>, view: EntryView) => Part;
};

const drawers: Drawers = {
  message: (entry, view) =>
    html`<header class="author">
        <span class="name">${senderWords[entry.from]()}</span>
        <time class="muted">${timeWords(entry.at)}</time>
        ${iconButton({ label: l10n.t('Copy Message'), icon: copy, click: () => view.copy('text'), tab: view.tab })}
      </header>
      ${thoughtOf(entry, view)} ${markdown(entry.text.text, view)} ${picturesOf(entry.images, view)}
      ${
        isCut(entry.text)
          ? html`<div class="entry-buttons">
              ${wholeButton(entry.text, view)}<span class="muted">${l10n.t('Shortened')}</span>
            </div>`
          : nothing
      }`,
  step: (entry, view) =>
    html`${entry.thought === '' || entry.detail.step === 'think' ? nothing : markdown(entry.thought, view)}
    ${lineOf(entry, view)} ${problemOf(entry, view)} ${hooksOf(entry, view)}
    ${view.open || isAlwaysOpen(entry) ? html`<div class="detail">${detailOf(entry, view)}</div>` : nothing}`,
  error: (entry, view) =>
    html`<p class="problem">${problemIcon}<strong>${plainText(entry.title, 200)}</strong></p>
      <pre class="output">${plainLines(entry.text.text)}</pre>
      ${remedyOf(entry)} ${wholeButton(entry.text, view)}`,
  separator: (entry, view) =>
    html`<p class="separator-line">
        <span
          >${isDecision(entry) ? `${separatorTitle(entry)} · ${timeWords(entry.at)}` : separatorTitle(entry)}</span
        >
        ${
          entry.what === 'listening'
            ? html`<span aria-hidden="true">·</span> ${button({
                  ...{ label: l10n.t('Open'), look: 'link', click: view.openPort, tab: view.tab },
                  name: l10n.t('Open port {0}', String(entry.port)),
                })}`
            : nothing
        }
        ${
          entry.text === '' || entry.what === 'start'
            ? nothing
            : html`<button
                type="button"
                class="link"
                tabindex=${view.tab ? 0 : -1}
                aria-expanded=${view.open ? 'true' : 'false'}
                @click=${view.toggle}
              >
                ${view.open ? l10n.t('Less') : l10n.t('More')}
              </button>`
        }
      </p>
      ${view.open ? markdown(entry.text, view) : nothing}`,
};

export function drawEntry(entry: Entry, view: EntryView): Part {
  const draw = drawers[entry.kind] as (entry: Entry, view: EntryView) => Part;
  return draw(entry, view);
}

/** What is below the line of a step. */
function detailOf(entry: StepEntry, view: EntryView): Part {
  const hasOwnButton = 'output' in entry.detail && entry.detail.output !== null && isCut(entry.detail.output);
  return [
    drawDetail(entry, view),
    picturesOf(entry.images ?? 0, view),
    entry.isCut && !hasOwnButton
      ? html`<div class="entry-buttons">
          ${button({ label: l10n.t('Open Whole Text'), click: view.openWhole, tab: view.tab })}
          <span class="muted">${l10n.t('Shortened')}</span>
        </div>`
      : nothing,
  ];
}

/** The hooks that ran for a step: one that didn’t pass is never folded, unless it’s why the step was rejected. */
function hooksOf({ hooks = [], isBlocked = false }: StepEntry, { open }: EntryView): Part {
  const isSaid = ({ outcome }: StepHook) => outcome === 'passed' || (outcome === 'blocked' && isBlocked);
  return hooks
    .filter((hook) => open || !isSaid(hook))
    .map(
      ({ on, outcome, text }) =>
        html`<div class="step-hook" data-outcome=${outcome}>
          <span class="muted">${hookWords[outcome](on)}</span>
          ${text === '' ? nothing : html`<span class="words">${plainLines(text)}</span>`}
        </div>`,
    );
}

function remedyOf({ remedy }: { remedy?: StepEntry['remedy'] }): Part {
  const said = remedy ? remedyWords[remedy]() : '';
  return said === '' ? nothing : html`<p class="muted">${said}</p>`;
}

/** Pictures are read when somebody asks for them. */
function picturesOf(count: number, { pictures, showPictures, tab }: EntryView): Part {
  if (count === 0) return nothing;
  if (pictures) {
    const missing = count - pictures.length;
    return html`<div class="pictures">
        ${pictures.map((uri, index) => picture(uri, l10n.t('Picture {0}', index + 1), tab))}
      </div>
      ${missing > 0 ? html`<p class="muted">${missingWords(missing)}</p>` : nothing}`;
  }
  const label = count === 1 ? l10n.t('Show Picture') : l10n.t('Show {0} Pictures', count);
  return html`<div class="entry-buttons">${button({ label, look: 'link', click: showPictures, tab })}</div>`;
}

/** A click shows it as large as there is room, and a second one small again. */
function picture(uri: string, label: string, tab: boolean): TemplateResult {
  const toggle = ({ currentTarget }: Event) =>
    currentTarget instanceof Element && currentTarget.toggleAttribute('data-large');
  return html`<button type="button" class="link" tabindex=${tab ? 0 : -1} @click=${toggle}>
    <img alt=${label} src=${uri} />
  </button>`;
}

const missingWords = (missing: number): string =>
  missing === 1
    ? l10n.t('A picture can’t be shown here.')
    : l10n.t('{0} pictures can’t be shown here.', missing);

/** What the agent says when it finishes is an answer to the user. */
function isAlwaysOpen({ detail }: StepEntry): boolean {
  return detail.step === 'finish' && detail.text !== '';
}

function lineOf(entry: StepEntry, view: EntryView): TemplateResult {
  const { before, subject, path, after, facts } = stepLine(entry, view.files);
  const { detail, summary } = entry;
  const content = html`<span class="said"
      >${before}${subjectOf(subject, path, view)}${after}${
        facts.length > 0 ? html`<span class="muted">: ${facts.join(', ')}</span>` : nothing
      }
      ${detail.step === 'edit' && entry.state === 'done' ? changed(detail) : nothing}</span
    >${summary === '' ? nothing : html`<span class="summary muted">${plainText(summary, 160)}</span>`}`;
  if (isAlwaysOpen(entry)) return html`<p class="step-line">${content}</p>`;
  return foldingLine(content, view);
}

/** What a step is about; a click on a file that's here opens it, as the button below the line does. */
function subjectOf(subject: string, path: string | undefined, { files }: EntryView): Part {
  if (subject === '') return nothing;
  if (path === undefined) return html`<code>${subject}</code>`;
  if (!files.isHere(path)) return html`<code title=${plainText(path, 1_000)}>${subject}</code>`;
  const open = (event: Event) => {
    event.stopPropagation();
    files.open(path);
  };
  return html`<code class="file" title=${plainText(path, 1_000)} @click=${open}>${subject}</code>`;
}

/** A line that opens and closes what is under it. */
export function foldingLine(
  content: TemplateResult,
  { open, tab, toggle }: Pick<EntryView, 'open' | 'tab' | 'toggle'>,
): TemplateResult {
  return html`<button
    type="button"
    class="step-line"
    tabindex=${tab ? 0 : -1}
    aria-expanded=${open ? 'true' : 'false'}
    @click=${toggle}
  >
    ${open ? chevronDown : chevronRight}${content}
  </button>`;
}

/** Errors are never folded. */
function problemOf(entry: StepEntry, view: EntryView): Part {
  const { problem, state, isBlocked } = entry;
  if (problem.text === '') return nothing;
  const rejected = isBlocked ? l10n.t('Blocked by a hook:') : l10n.t('Rejected:');
  return html`<div class="step-problem" data-state=${state}>
    ${problemIcon}
    <div>
      <span class="muted">${state === 'rejected' ? rejected : l10n.t('Error:')}</span>
      <span class="words">${plainLines(problem.text)}</span>
      ${remedyOf(entry)}
      ${isCut(problem) ? html`<div class="entry-buttons">${wholeButton(problem, view)}</div>` : nothing}
    </div>
  </div>`;
}

function thoughtOf({ from, thought }: MessageEntry, view: EntryView): Part {
  if (thought === '') return nothing;
  const said = html`<span class="said"
    >${thoughtTitle(from)}<span class="muted">: ${firstWords(thought)}</span></span
  >`;
  return html`${foldingLine(said, view)}
  ${view.open ? html`<div class="detail">${markdown(thought, view)}</div>` : nothing}`;
}

/** The name of an entry for screen readers: who or what, when, and how it begins. */
export function entryName(entry: Entry, folders: AgentFolders): string {
  const known = names.get(entry);
  if (known?.folders === folders) return known.name;
  const name = nameOf(entry, folders);
  names.set(entry, { folders, name });
  return name;
}

const names = new WeakMap<Entry, { folders: AgentFolders; name: string }>();

function nameOf(entry: Entry, folders: AgentFolders): string {
  const time = timeWords(entry.at);
  switch (entry.kind) {
    case 'message':
      return `${senderWords[entry.from]()}, ${time}: ${plainText(entry.text.text, 80)}`;
    case 'step': {
      const { before, subject, after, facts } = stepLine(entry, {
        short: (path) => shortPath(path, folders),
        folder: (path) => folderName(path, folders),
      });
      return `${before}${plainText(subject, 80)}${after}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}, ${time}`;
    }
    case 'error':
      return l10n.t('Error: {0}, {1}', plainText(entry.title, 80), time);
    case 'separator':
      return `${separatorTitle(entry)}, ${time}`;
  }
}
