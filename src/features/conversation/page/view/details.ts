import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import {
  type Clipped,
  type DiffLine,
  isCut,
  type StepDetail,
  type StepEntry,
} from '../../../../shared/transcript';
import { ansiSpans } from '../ansi';
import { exposed } from '../../../../shared/exposed';
import { exposedCode, exposedPath } from '../../../../shared/exposedCode';
import type { FileLinks } from '../files';
import { parseMarkdown } from '../markdown';
import { numberWords } from '../../../../core/kit/numbers';
import { button, type Part } from '../../../../core/kit/buttons';
import { colored, drawBlocks, type TextContext } from './markdown';

/** What the buttons of an entry do. */
export interface EntryContext extends TextContext {
  files: FileLinks;
  openDiff: () => void;
  showStep: () => void;
  openWhole: () => void;
  copy: (what: 'text' | 'command') => void;
}

type Drawers = {
  [S in StepDetail['step']]: (detail: Extract<StepDetail, { step: S }>, context: EntryContext) => Part;
};

/** What is below the line of a step that is open. */
const drawers: Drawers = {
  terminal: ({ command, output }, context) => [
    html`<pre class="command"><code>${exposedCode(command)}</code></pre>`,
    outputOf(output, context, copyButton(l10n.t('Copy Command'), 'command', context)),
  ],
  edit: ({ diff, hasContents, files, path }, context) => [
    drawDiff(diff, path, context.files.short),
    html`<div class="entry-buttons">
      ${
        hasContents && files === undefined
          ? button({ label: l10n.t('Open Diff'), click: context.openDiff, tab: context.tab })
          : nothing
      }
      ${openFile(path, context)}
      ${
        hasContents
          ? button({
              label: l10n.t('Comment on Changes'),
              title: l10n.t(
                'Opens what this step changed. Comment on lines there and send that to the agent.',
              ),
              look: 'quiet',
              click: context.showStep,
              tab: context.tab,
            })
          : nothing
      }
    </div>`,
  ],
  read: ({ output, path }, context) => outputOf(output, context, openFile(path, context)),
  plan: ({ tasks }) =>
    html`<ul class="plan">
      ${tasks.map(
        ({ title, notes, status }) =>
          html`<li data-status=${status}>
            <span class="mark" aria-hidden="true">${taskMarks[status]}</span>
            <span>
              <span class="visually-hidden">${taskWords[status]()}</span> ${exposed(title)}
              ${notes === '' ? nothing : html`<span class="notes muted">${exposed(notes)}</span>`}
            </span>
          </li>`,
      )}
    </ul>`,
  mcp: inputAndOutput,
  browser: inputAndOutput,
  think: ({ text }, context) => markdown(text, context),
  finish: ({ text }, context) => markdown(text, context),
  other: inputAndOutput,
};

const taskMarks = { todo: '○', in_progress: '◐', done: '●' } as const;
const taskWords = {
  todo: () => l10n.t('To do:'),
  in_progress: () => l10n.t('In progress:'),
  done: () => l10n.t('Done:'),
} as const;

export function drawDetail({ detail }: StepEntry, context: EntryContext): Part {
  const draw = drawers[detail.step] as (detail: StepDetail, context: EntryContext) => Part;
  return draw(detail, context);
}

/** Markdown of the agent, set apart from the panel's own words. */
export function markdown(text: string, context: TextContext): TemplateResult {
  return html`<div class="text">${drawBlocks(parseMarkdown(text), context)}</div>`;
}

function inputAndOutput(
  { input, output }: { input: string; output: Clipped | null },
  context: EntryContext,
): Part {
  return [
    input === '' ? nothing : html`<pre class="command"><code>${exposedCode(input)}</code></pre>`,
    outputOf(output, context),
  ];
}

function outputOf(output: Clipped | null, context: EntryContext, more: Part = nothing): Part {
  if (output === null) return nothing;
  const { text, length } = output;
  return [
    text === ''
      ? html`<p class="muted">${l10n.t('No output')}</p>`
      : html`<pre class="output">
${ansiSpans(text).map((span) => html`<span class=${span.classes}>${span.text}</span>`)}</pre>`,
    html`<div class="entry-buttons">
      ${more} ${text === '' ? nothing : copyButton(l10n.t('Copy Output'), 'text', context)}
      ${wholeButton(output, context)}
      ${
        isCut(output)
          ? html`<span class="muted"
              >${l10n.t('Shortened; {0} characters in all', numberWords(length))}</span
            >`
          : nothing
      }
    </div>`,
  ];
}

/** For a file that's here. */
function openFile(path: string, { files, tab }: EntryContext): Part {
  return files.isHere(path)
    ? button({ label: l10n.t('Open File'), look: 'quiet', click: () => files.open(path), tab })
    : nothing;
}

function copyButton(label: string, what: 'text' | 'command', { copy, tab }: EntryContext): TemplateResult {
  return button({ label, look: 'quiet', click: () => copy(what), tab });
}

/** The button that opens all of a shortened text. */
export function wholeButton(text: Clipped, { openWhole, tab }: EntryContext): Part {
  return isCut(text) ? button({ label: l10n.t('Open Whole Text'), click: openWhole, tab }) : nothing;
}

const diffMarks: Readonly<Record<DiffLine['kind'], string>> = {
  same: ' ',
  added: '+',
  removed: '−',
  gap: '⋯',
  file: '',
};

/** A small diff. Each line has its mark, so that color isn't the only difference. */
export function drawDiff(diff: readonly DiffLine[], path = '', short = (one: string) => one): Part {
  if (diff.length === 0) return nothing;
  let language = endingOf(path);
  return html`<pre class="diff">
${diff.map(({ kind, text }) => {
      const isFile = kind === 'file';
      if (isFile) language = endingOf(text.replace(/ \(.*\)$/, ''));
      const shown = isFile ? exposedPath(text.split(' → ').map(short).join(' → ')) : exposed(text);
      return html`<span class="line" data-line=${kind}
        ><span class="sign">${diffMarks[kind]}</span>${isFile ? shown : colored(shown, language)}${'\n'}</span
      >`;
    })}</pre>`;
}

const endingOf = (path: string): string => path.split(/[./]/).at(-1) ?? '';
