import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { lastPart } from '../../../../shared/lastPart';
import { plainText } from '../../../../shared/plainText';
import { isStart, type Execution, type Head } from '../../../../shared/transcript';
import type { ConversationApp } from '../app';
import { filters } from '../items';
import { costWords, numberWords, shortNumber } from '../../../../core/kit/numbers';
import { filterLabels, policyWords, stateWords } from '../words';
import { button, iconButton, type Part } from '../../../../core/kit/buttons';
import {
  diffIcon,
  exportIcon,
  find,
  more,
  pauseIcon,
  play,
  stop,
  textIcon,
} from '../../../../core/kit/icons';

/**
 * State, figures and everything to do with the whole conversation. Its height and the places of its buttons are the same
 * in every state, and what doesn't fit wraps out of sight: nothing below may move while somebody reads.
 */
export function header(app: ConversationApp, head: Head): TemplateResult {
  const { filter } = app.state;
  return html`<header class="head" ?data-start=${isStart(head.limit)}>
    <h1 class="visually-hidden">${plainText(head.title, 200) || l10n.t('Conversation')}</h1>
    <div class="head-row">
      <ul class="facts-list" aria-label=${l10n.t('Facts')}>
        ${state(head)} ${facts(head).map(([title, words]) => html`<li title=${title}>${words}</li>`)}
      </ul>
      ${steering(app, head)}
      ${iconButton({ label: l10n.t('Show Changes'), icon: diffIcon, click: () => app.post({ type: 'showChanges' }) })}
      ${iconButton({ label: l10n.t('Find'), icon: find, click: () => app.openSearch() })}
      ${iconButton({ label: l10n.t('Open as Text'), icon: textIcon, click: () => app.post({ type: 'openAsText' }) })}
      ${iconButton({ label: l10n.t('Export…'), icon: exportIcon, click: () => app.post({ type: 'export' }) })}
      <span class="menu" data-vscode-context=${menuContext}
        >${iconButton({ label: l10n.t('More Actions…'), icon: more, id: 'more', click: openMenu })}</span
      >
    </div>
    <div class="head-row">
      <ul class="facts-list" aria-label=${l10n.t('About')}>
        ${about(app, head)} ${policy(app, head)}
      </ul>
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
        ${filters.map((one) => html`<option value=${one} ?selected=${one === filter}>${filterLabels[one]()}</option>`)}
      </select>
    </div>
  </header>`;
}

/** What the editor needs to know to show the menu of this button (`webview/context` in the manifest). */
const menuContext = JSON.stringify({ webviewSection: 'conversation', preventDefaultContextMenuItems: true });

/** The editor shows its menus for webviews only where somebody asks for a context menu. */
function openMenu(): void {
  const opener = document.getElementById('more');
  const { left, bottom } = opener?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
  opener?.dispatchEvent(
    new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left, clientY: bottom }),
  );
}

/** What the agent is doing, as far as that's still known. */
function state(head: Head): TemplateResult {
  return html`<li class="state" data-execution=${head.problem === '' ? head.execution : 'unknown'}>
    <span class="lamp" aria-hidden="true"></span>${stateWords(head)}
  </li>`;
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

/** What ten conversations are told apart by. */
function about(app: ConversationApp, { about: known }: Head): Part {
  const { repository, branch, pullRequests, hasPullRequestPage, model, hasSandbox, folder } = known;
  const { elsewhere } = app.state;
  const link = (label: string, title: string, type: 'openPullRequest' | 'revealSandbox' | 'switchHere') =>
    html`<li>${button({ label, title, look: 'link', click: () => app.post({ type }) })}</li>`;
  // A model without its provider, and a folder without those it's in.
  const fact = (title: string, words: string) =>
    words === '' ? nothing : html`<li title=${title}>${lastPart(words)}</li>`;
  return [
    elsewhere === ''
      ? nothing
      : link(elsewhere, l10n.t('Switch this window to {0}', elsewhere), 'switchHere'),
    repository === '' ? nothing : html`<li title=${l10n.t('Repository: {0}', repository)}>${repository}</li>`,
    branch === '' ? nothing : html`<li title=${l10n.t('Branch: {0}', branch)}>${branch}</li>`,
    hasPullRequestPage
      ? link(pullRequests, l10n.t('Open Pull Request'), 'openPullRequest')
      : fact(l10n.t('Pull request'), pullRequests),
    fact(l10n.t('Model: {0}', model), model),
    hasSandbox ? link(l10n.t('Sandbox'), l10n.t('Reveal Sandbox'), 'revealSandbox') : nothing,
    fact(l10n.t('Folder: {0}', folder), folder),
  ];
}

function policy(app: ConversationApp, { policy: known }: Head): Part {
  const words = policyWords[known]();
  if (words === '') return nothing;
  if (known === 'itself')
    return html`<li title=${l10n.t('This agent decides by itself; the service can’t make it ask.')}>
      ${words}
    </li>`;
  return html`<li>
    ${button({
      label: `${words} ▾`,
      name: words,
      look: 'link',
      title: l10n.t('Change Confirmation Policy…'),
      click: () => app.post({ type: 'changePolicy' }),
    })}
  </li>`;
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
    title: () => l10n.t('The agent pauses when its current step ends. A running command still finishes.'),
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

const steerIcons: Readonly<Record<Steer, Part>> = { pause: pauseIcon, interrupt: stop, resume: play };

/** States of the transcript in which the agent can be reached. */
const reachable: ReadonlySet<Head['limit']> = new Set(['none', 'stored', 'busy']);

function steering(app: ConversationApp, head: Head): Part {
  if (!reachable.has(head.limit)) return nothing;
  return (steers[head.execution] ?? [])
    .filter((steer) => steer !== 'interrupt' || head.canInterrupt)
    .map((steer) =>
      iconButton({
        label: steerWords[steer].label(),
        title: steerWords[steer].title(),
        icon: steerIcons[steer],
        disabled: app.state.busy.has(steer),
        click: () => app.steer(steer),
      }),
    );
}
