import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { plainText } from '../../../shared/plainText';
import { isStart, type Execution, type Head } from '../../../shared/transcript';
import type { App } from '../app';
import { filters } from '../items';
import {
  costWords,
  executionWords,
  filterWords,
  limitWords,
  numberWords,
  policyWords,
  shortNumber,
  timeWords,
} from '../words';
import { button, type Part } from '../../kit/buttons';

/** State, figures and everything to do with the whole conversation. */
export function header(app: App, head: Head): TemplateResult {
  return html`<header class="head">
    <h1>${plainText(head.title, 200) || l10n.t('Conversation')}</h1>
    ${state(head)}
    <ul class="facts-list" aria-label=${l10n.t('Facts')}>
      ${facts(head).map(([title, words]) => html`<li title=${title}>${words}</li>`)}
      ${
        head.policy === 'itself'
          ? html`<li title=${l10n.t('This agent decides by itself; the service can’t make it ask.')}>
              ${policyWords.itself()}
            </li>`
          : policyWords[head.policy]() === ''
            ? nothing
            : html`<li>
                ${button({
                  label: policyWords[head.policy](),
                  look: 'link',
                  title: l10n.t('Change Confirmation Policy…'),
                  click: () => app.post({ type: 'changePolicy' }),
                })}
              </li>`
      }
    </ul>
    ${isStart(head.limit) ? nothing : buttons(app, head)} ${limit(app, head)} ${problem(head)}
  </header>`;
}

/** Everything that can be done to a conversation that is there. */
function buttons(app: App, head: Head): TemplateResult {
  const { filter } = app.state;
  return html`<div class="head-buttons">
    ${steering(app, head)}
    <label class="visually-hidden" for="filter">${l10n.t('Show')}</label>
    <select
      id="filter"
      .value=${filter}
      @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        const chosen = filters.find((one) => one === value);
        if (chosen) app.setFilter(chosen);
      }}
    >
      ${filters.map((one) => html`<option value=${one} ?selected=${one === filter}>${filterWords[one]()}</option>`)}
    </select>
    ${button({ label: l10n.t('Show Changes'), look: 'quiet', click: () => app.post({ type: 'showChanges' }) })}
    ${button({ label: l10n.t('Find'), look: 'quiet', click: () => app.openSearch() })}
    ${button({ label: l10n.t('Open as Text'), look: 'quiet', click: () => app.post({ type: 'openAsText' }) })}
    ${button({ label: l10n.t('Export…'), look: 'quiet', click: () => app.post({ type: 'export' }) })}
  </div>`;
}

/** What the agent is doing; nothing if a sentence about its sandbox explains why that's unknown. */
function state({ execution, limit: kind }: Head): Part {
  if (execution === 'unknown' && limitWords[kind].sentence() !== '') return nothing;
  return html`<p class="state" data-execution=${execution}>
    <span class="lamp" aria-hidden="true"></span>${executionWords[execution]()}
  </p>`;
}

function facts(head: Head): [title: string, words: string][] {
  const { cost, tokens, context, masked } = head;
  const list: [string, string][] = [];
  if (cost !== null) list.push([l10n.t('Cost so far'), costWords(cost)]);
  if (tokens !== null)
    list.push([
      l10n.t('Tokens in and out: {0}', numberWords(tokens)),
      l10n.t('{0} tokens', shortNumber(tokens)),
    ]);
  if (context !== null && context.size > 0)
    list.push([
      l10n.t('Context: {0} of {1} tokens', numberWords(context.used), numberWords(context.size)),
      l10n.t('Context {0}% full', Math.min(100, Math.round((100 * context.used) / context.size))),
    ]);
  if (masked !== 0)
    list.push([
      l10n.t('Known secrets are masked wherever they appear.'),
      masked === 1 ? l10n.t('1 secret masked') : l10n.t('{0} secrets masked', masked),
    ]);
  return list;
}

type Steer = 'pause' | 'interrupt' | 'resume';

/** What can be done to an agent in some states; nothing in the others. */
const steers: Readonly<Partial<Record<Execution, readonly Steer[]>>> = {
  running: ['pause', 'interrupt'],
  paused: ['resume'],
  error: ['resume'],
};

const steerWords: Readonly<Record<Steer, { label: () => string; title: () => string }>> = {
  pause: {
    label: () => l10n.t('Pause'),
    title: () => l10n.t('Pauses when the current step ends. A running command still finishes.'),
  },
  interrupt: {
    label: () => l10n.t('Interrupt'),
    title: () => l10n.t('Stops the current step at once. A running command is killed.'),
  },
  resume: {
    label: () => l10n.t('Resume'),
    title: () => l10n.t('The agent continues where it stopped.'),
  },
};

/** States of the transcript in which the agent can be reached. */
const reachable: ReadonlySet<Head['limit']> = new Set(['none', 'stored', 'busy']);

function steering(app: App, head: Head): Part {
  if (!reachable.has(head.limit)) return nothing;
  return (steers[head.execution] ?? [])
    .filter((steer) => steer !== 'interrupt' || head.canInterrupt)
    .map((steer) =>
      button({
        label: steerWords[steer].label(),
        title: steerWords[steer].title(),
        disabled: app.state.busy.has(steer),
        click: () => app.steer(steer),
      }),
    );
}

function limit(app: App, { limit: kind }: Head): Part {
  const { sentence, button: label } = limitWords[kind];
  if (sentence() === '') return nothing;
  return html`<p class="limit">
    <span>${sentence()}</span>
    ${label ? button({ label: label(), look: 'link', click: () => app.post({ type: 'nextStep' }) }) : nothing}
  </p>`;
}

function problem({ problem: words, readAt }: Head): Part {
  if (words === '') return nothing;
  return html`<p class="limit bad" role="status">
    <span>${words}</span>
    ${readAt === null ? nothing : html`<span class="muted">${l10n.t('Last read at {0}', timeWords(readAt))}</span>`}
  </p>`;
}
