import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import { guard } from 'lit/directives/guard.js';
import { kindLabel, mcpLabel, type McpServer } from '../../../../shared/mcp';
import type { Problem } from '../../shared/messages';
import { joined } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import { serverId } from '../ids';
import {
  type ServerPosition,
  rowState,
  type McpRow,
  type RowState,
  testOf,
  moveRow,
  placesOf,
} from '../rows';
import { isNarrowed } from '../search';
import { chevronDown, chevronRight, arrowDown, arrowUp } from '../../../../core/kit/icons';
import { type Part, iconButton } from '../../../../core/kit/buttons';
import { errorsOf } from './parts';
import {
  deleteButton,
  duplicateButton,
  keepButton,
  isOperators,
  parkButton,
  reasonLine,
  signInButton,
  switchButton,
  switchReason,
  testButton,
  testReason,
  testResult,
} from './serverTools';
import { serverEditor } from './serverEditor';
import { setRows } from '../model';

/** Longer text is cut in a row; the editor below it shows all. */
const longestWords = 200;

/** What the rows need to know of each other and of the service, found out once for all of them. */
export interface ListContext {
  held: readonly McpServer[];
  problems: ReadonlyMap<string, readonly Problem[]>;
  places: ReadonlyMap<string, ServerPosition>;
  /** Whether any server can change places with another. */
  canMove: boolean;
}

/** A placeholder for a row until there's time to draw it: its name, in its place and at its height. */
export function outlineOf({ server }: McpRow): Part {
  const label = mcpLabel(server);
  return html`<li class="row" data-mcp=${label}>
    <div class="row-head outline">${plainText(label, longestWords)}</div>
  </li>`;
}

/** Draws a row again only when something it shows has changed. */
export function serverRow(app: SettingsApp, list: ListContext, row: McpRow): Part | DirectiveResult {
  const { server } = row;
  const { tests, open } = app.state;
  const own = list.problems.get(server.id) ?? [];
  const at = list.canMove ? list.places.get(server.id) : undefined;
  const state = rowState(list.held, row);
  const shown = [
    row,
    state,
    open.has(server.id),
    own.map(({ target, message }) => JSON.stringify([target, message])).join(),
    at?.place,
    at?.count,
    isNarrowed(app.state),
    testOf(tests, server),
    isOperators(app, server.id),
  ];
  return guard(shown, () => rowPart(app, row, state, own, at));
}

function rowPart(
  app: SettingsApp,
  row: McpRow,
  state: RowState,
  problems: readonly Problem[],
  at: ServerPosition | undefined,
): Part {
  const { server } = row;
  const id = (part: string) => serverId(server.id, part);
  const expanded = !row.deleted && app.state.open.has(server.id);
  return html`<li
    class="row"
    data-mcp=${mcpLabel(server)}
    data-state=${state}
    ?data-changed=${state !== 'same'}
    @keydown=${(event: KeyboardEvent) => moveByKey(app, server, event)}
  >
    <div class="row-head">
      ${
        row.deleted
          ? html`<span class="row-toggle" id=${id('toggle')}>${headWords(row, state, problems.length)}</span>`
          : html`<button
              type="button"
              class="row-toggle"
              id=${id('toggle')}
              aria-expanded=${expanded}
              aria-controls=${expanded ? id('editor') : nothing}
              @click=${() => app.setOpen(server.id, !expanded)}
            >
              ${expanded ? chevronDown : chevronRight} ${headWords(row, state, problems.length)}
            </button>`
      }
      <span class="buttons">
        ${
          row.deleted
            ? keepButton(app, row)
            : [
                testButton(app, server),
                signInButton(app, server, state),
                switchButton(app, server),
                parkButton(app, server, state),
                at === undefined ? nothing : moveButtons(app, server, at),
                duplicateButton(app, server, state),
                deleteButton(app, row),
              ]
        }
      </span>
    </div>
    ${reasonLine(app, server, state)}
    ${
      expanded
        ? html`<div class="row-editor" id=${id('editor')}>
            ${serverEditor(app, problems, row)} ${switchReason(server, state)} ${testReason(app, server)}
          </div>`
        : errorsOf(
            id('errors'),
            problems.map(({ message }) => message),
          )
    }
    ${row.deleted ? nothing : testResult(app, server)}
  </li>`;
}

function headWords(row: McpRow, state: RowState, problems: number): Part {
  const { server, deleted } = row;
  const label = plainText(mcpLabel(server), longestWords) || l10n.t('New server');
  return html`<span class="row-words">
    <span class="row-label">${deleted ? html`<s>${label}</s>` : label}</span>
    <span class="row-summary">${summaryOf(server)}</span>
    ${server.enabled === false && !deleted ? html`<span class="pill" data-state="off">${l10n.t('off')}</span>` : nothing}
    ${state === 'same' ? nothing : html`<span class="pill" data-state=${state}>${stateWords(state)}</span>`}
    ${problems > 0 ? html`<span class="pill" data-state="problem">${l10n.t('needs attention')}</span>` : nothing}
  </span>`;
}

function stateWords(state: Exclude<RowState, 'same'>): string {
  const words = { new: l10n.t('new'), changed: l10n.t('changed'), deleted: l10n.t('will be deleted') };
  return words[state];
}

/** What a row says beside the server's name. */
function summaryOf(server: McpServer): string {
  const { kind, command, args, env, apiKey } = server;
  const parts = [kindLabel(kind)];
  if (kind === 'stdio') {
    parts.push([command, ...args].join(' '));
    if (env.length === 1) parts.push(l10n.t('1 variable'));
    if (env.length > 1) parts.push(l10n.t('{0} variables', env.length));
  } else if (apiKey.intention === 'replace' || (apiKey.presence === 'set' && apiKey.intention === 'keep')) {
    parts.push(l10n.t('with key'));
  }
  return plainText(joined(...parts), longestWords);
}

/** The buttons that change a server's place among those of its kind. */
function moveButtons(app: SettingsApp, server: McpServer, { place, count }: ServerPosition): Part {
  const ways = [
    { part: 'up', label: l10n.t('Move up'), icon: arrowUp, step: -1, end: 1 },
    { part: 'down', label: l10n.t('Move down'), icon: arrowDown, step: 1, end: count },
  ] as const;
  return ways.map(({ part, label, icon, step, end }) =>
    iconButton({
      label,
      icon,
      id: serverId(server.id, part),
      describedBy: serverId(server.id, 'toggle'),
      disabled: isNarrowed(app.state) || place === end,
      click: () => move(app, server, step),
    }),
  );
}

/** Alt+Up and Alt+Down move the server that has the focus. */
function moveByKey(app: SettingsApp, server: McpServer, event: KeyboardEvent): void {
  const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  if (!isArrow || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // In a list to select from, these keys open it.
  if (event.target instanceof HTMLSelectElement) return;
  event.preventDefault();
  move(app, server, event.key === 'ArrowUp' ? -1 : 1);
}

function move(app: SettingsApp, server: McpServer, step: 1 | -1): void {
  // A search may hide the rows between.
  if (isNarrowed(app.state)) return;
  const { activeElement } = document;
  app.change((form) => {
    const rows = moveRow(form.rows, server.id, step);
    return rows === form.rows ? form : setRows(form, rows, server.id);
  });
  // Moving an element in the page takes its focus away.
  if (activeElement instanceof HTMLElement) activeElement.focus();
  app.set({ said: placeWords(app, server) });
}

function placeWords({ state: { phase } }: SettingsApp, server: McpServer): string {
  const at = phase.at === 'form' ? placesOf(phase.form.rows).get(server.id) : undefined;
  if (at === undefined) return '';
  const label = plainText(mcpLabel(server), 200) || l10n.t('New server');
  return l10n.t('{0} is now {1} of {2}.', label, at.place, at.count);
}
