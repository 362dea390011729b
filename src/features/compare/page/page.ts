import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';
import { changedCounts } from '../../../shared/changedCounts';
import type { Check, ComparedAttempt, ComparisonAct, ToComparison } from '../../../shared/comparison';
import { button, type Part } from '../../../core/kit/buttons';
import { costWords, numberWords, spanWords } from '../../../core/kit/numbers';

type Act = (act: ComparisonAct, id: string) => void;

/** The whole page: a column for each attempt, with rows that line up. */
export function comparePage(shown: ToComparison | undefined, act: Act): TemplateResult {
  if (shown?.type !== 'show')
    return html`<p class="empty" role="status">${shown?.message ?? l10n.t('Reading conversations…')}</p>`;
  const { attempts, note } = shown;
  return html`<main aria-label=${l10n.t('Compare Attempts')}>
    <h1 class="visually-hidden">${l10n.t('Compare Attempts')}</h1>
    ${note === '' ? nothing : html`<p class="note">${note}</p>`}
    <div class="columns">
      ${repeat(
        attempts,
        ({ id }) => id,
        (attempt, at) => column(attempt, `attempt-${at}`, act),
      )}
    </div>
  </main>`;
}

function column(attempt: ComparedAttempt, key: string, act: Act): TemplateResult {
  const { id, title, difference, execution, state, mark, cost, tokens, lastWords } = attempt;
  const name = difference || title;
  const does = (what: ComparisonAct, label: string, look: 'primary' | 'secondary' = 'secondary') =>
    button({ label, look, describedBy: key, click: () => act(what, id) });
  return html`<article data-attempt=${id} data-state=${execution} aria-labelledby=${key}>
    <header>
      <h2 id=${key} title=${name}>${name}</h2>
      ${difference === '' ? nothing : html`<p class="title" title=${title}>${title}</p>`}
    </header>
    <div class="state">
      <p><span class="dot" aria-hidden="true"></span>${state}</p>
      ${mark === '' ? nothing : html`<p class="mark">${mark}</p>`}
    </div>
    <dl>
      ${fact(l10n.t('Time'), time(attempt))}
      ${fact(l10n.t('Cost'), cost === null ? unknown() : costWords(cost))}
      ${fact(l10n.t('Tokens'), tokens === null ? unknown() : numberWords(tokens))}
      ${fact(l10n.t('Changes'), changes(attempt))}
    </dl>
    <section aria-label=${l10n.t('Checks')}>
      <h3>${l10n.t('Checks')}</h3>
      ${checks(attempt)}
    </section>
    <section aria-label=${l10n.t('Final message')}>
      <h3>${l10n.t('Final message')}</h3>
      ${
        lastWords === ''
          ? html`<p class="none">${mayGoOn.includes(execution) ? l10n.t('Nothing yet') : l10n.t('None')}</p>`
          : html`<p class="words" tabindex="0">${lastWords}</p>`
      }
    </section>
    <footer>
      ${canTake(attempt) ? does('take', l10n.t('Take This One'), 'primary') : nothing}
      ${does('showChanges', l10n.t('Show Changes'))} ${does('showDifference', l10n.t('Show Difference'))}
      ${does('continue', l10n.t('Continue with This One'))}
    </footer>
  </article>`;
}

/** States in which an agent may still say something. */
const mayGoOn = ['running', 'waiting_for_confirmation', 'unknown'];

/** Whether there is, or may be, something to take. */
const canTake = ({ changed, changesProblem }: ComparedAttempt) =>
  changed ? changed.files > 0 || !changed.isWhole : changesProblem === '';

const fact = (label: string, value: Part) =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;

const unknown = () => l10n.t('Unknown');

function time({ took, since }: ComparedAttempt): Part {
  if (since !== null) return html`<span data-since=${since}>${wholeSpan(Date.now() - since)}</span>`;
  return took === null ? unknown() : wholeSpan(took);
}

/** In whole seconds. */
const wholeSpan = (ms: number) => spanWords(Math.floor(Math.max(0, ms) / 1_000) * 1_000);

function changes({ changed, changesProblem }: ComparedAttempt): Part {
  if (!changed)
    return changesProblem === '' ? l10n.t('Reading…') : html`<span class="mark">${changesProblem}</span>`;
  const { files, isWhole } = changed;
  if (files === 0 && isWhole) return l10n.t('None');
  const count = files === 1 ? l10n.t('1 file') : l10n.t('{0} files', numberWords(files));
  return html`${count} ${changedCounts(changed, numberWords)}
  ${isWhole ? nothing : html`<span class="mark">${l10n.t('May be incomplete')}</span>`}`;
}

function checks({ checks: all, isWhole }: ComparedAttempt): Part {
  return [
    all.length === 0
      ? html`<p class="none">${isWhole ? l10n.t('The agent ran none') : l10n.t('None found')}</p>`
      : html`<ul>
          ${all.map(check)}
        </ul>`,
    isWhole ? nothing : html`<p class="mark">${l10n.t('Not all of the transcript was read')}</p>`,
  ];
}

function check({ command, exitCode, isSure, runs }: Check): TemplateResult {
  const outcome = exitCode === null ? 'open' : exitCode !== 0 ? 'failed' : isSure ? 'passed' : 'unsure';
  const words = exitCode === null ? l10n.t('No exit code') : l10n.t('Exit code: {0}', exitCode);
  return html`<li data-check=${outcome}>
    <code title=${command}>${command}</code>
    <span class="outcome"
      >${words}${runs > 1 ? html` · ${l10n.t('{0} runs', runs)}` : nothing}${
        isSure || exitCode === null ? nothing : html` · ${l10n.t('may hide a failure')}`
      }</span
    >
  </li>`;
}
