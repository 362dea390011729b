import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { mcpLabel, type McpKind, type McpServer } from '../../shared/mcp';
import type { Problem } from '../../shared/messages';
import { plainText } from '../../shared/plainText';
import type { App } from '../app';
import { addServerId, serverId } from '../ids';
import { messagesFor, setRows, type Form } from '../model';
import {
  changeRow,
  copyOf,
  deleteRow,
  matchesFilter,
  newServer,
  rowState,
  type McpRow,
  type RowState,
} from '../rows';
import { chevronDown, chevronRight } from './icons';
import { placesOf, type Place } from '../moving';
import { moveButtons, moveByKey } from './moveButtons';
import { button, errorsOf, typedIn, type Part } from './parts';
import { serverEditor } from './serverEditor';
import {
  isOperators,
  parkButton,
  reasonLine,
  serverNotices,
  testButton,
  testReason,
  testResult,
  transferButtons,
} from './serverTools';

/** Below this many servers a list is seen at a glance. */
const searchFrom = 4;
/** From this many on, laying all of them out delays the opening of the form. */
const longFrom = 50;
/** What is longer is cut in a row; the editor below it shows all. */
const longestWords = 200;

export function kindLabel(kind: McpKind): string {
  const labels = { shttp: l10n.t('HTTP'), sse: l10n.t('SSE'), stdio: l10n.t('Command') };
  return labels[kind];
}

/** The list of MCP servers: rows that open for editing in place. */
export function serverList(app: App, form: Form, problems: readonly Problem[]): Part {
  const { filter } = app.state;
  const rows = form.rows.filter((row) => matchesFilter(row, filter));
  const places = placesOf(form.rows);
  return html`<div class="field mcp" role="group" data-field="mcp_config" aria-labelledby="section-mcp-title">
    ${form.rows.length >= searchFrom ? search(app, rows.length) : nothing}
    ${
      form.rows.length === 0
        ? html`<p class="empty">${l10n.t('There are no MCP servers yet.')}</p>`
        : html`<ul class="rows" ?data-long=${form.rows.length >= longFrom}>
            ${repeat(
              rows,
              (row) => row.server.id,
              (row) => serverRow(app, form, problems, row, places.get(row.server.id)),
            )}
          </ul>`
    }
    ${
      rows.length === 0 && form.rows.length > 0
        ? html`<p class="empty">${l10n.t('No server matches the search.')}</p>`
        : nothing
    }
    <div class="buttons">
      ${button({ label: l10n.t('Add server'), id: addServerId, click: () => add(app, form) })}
      ${transferButtons(app)}
    </div>
    ${serverNotices(app)}
    <p class="visually-hidden" role="status">${app.state.tools.said}</p>
  </div>`;
}

function search(app: App, shown: number): Part {
  return html`<div class="search">
    <input
      type="search"
      aria-label=${l10n.t('Search MCP servers')}
      placeholder=${l10n.t('Search MCP servers')}
      spellcheck="false"
      .value=${app.state.filter}
      @input=${(event: Event) => app.setFilter(typedIn(event))}
    />
    <span class="help" role="status">${shown === 1 ? l10n.t('1 server') : l10n.t('{0} servers', shown)}</span>
  </div>`;
}

function open(app: App, form: Form, server: McpServer, focus: string): void {
  app.setFilter('');
  app.change(() => setRows(form, [...form.rows, { server, deleted: false }], server.id));
  app.setOpen(server.id, true);
  app.focus(serverId(server.id, focus));
}

function add(app: App, form: Form): void {
  open(app, form, newServer(`new-${crypto.randomUUID()}`, 'shttp'), 'kind');
}

function serverRow(
  app: App,
  form: Form,
  problems: readonly Problem[],
  row: McpRow,
  place: Place | undefined,
): Part {
  const { server } = row;
  const id = (part: string) => serverId(server.id, part);
  const state = rowState(form.model.mcpServers, row);
  const own = problems.filter(({ target }) => target.at === 'mcp' && target.id === server.id);
  const expanded = !row.deleted && app.state.open.has(server.id);
  const label = mcpLabel(server);
  return html`<li
    class="row"
    data-mcp=${label}
    data-state=${state}
    ?data-changed=${state !== 'same'}
    @keydown=${(event: KeyboardEvent) => moveByKey(app, server, event)}
  >
    <div class="row-head">
      ${
        row.deleted
          ? html`<span class="row-toggle" id=${id('toggle')}>${headWords(row, state, own.length)}</span>`
          : html`<button
              type="button"
              class="row-toggle"
              id=${id('toggle')}
              aria-expanded=${expanded}
              aria-controls=${expanded ? id('editor') : nothing}
              @click=${() => app.setOpen(server.id, !expanded)}
            >
              ${expanded ? chevronDown : chevronRight} ${headWords(row, state, own.length)}
            </button>`
      }
      <span class="buttons">
        ${
          row.deleted
            ? keepButton(app, form, row)
            : [
                moveButtons(app, server, place),
                testButton(app, server),
                parkButton(app, server, state),
                deleteButton(app, form, row),
              ]
        }
      </span>
    </div>
    ${reasonLine(app, server, state)}
    ${
      expanded
        ? html`<div class="row-editor" id=${id('editor')}>
            ${serverEditor(app, own, row)} ${testReason(server)}
            <div class="buttons">
              ${button({
                label: l10n.t('Duplicate'),
                describedBy: id('toggle'),
                click: () =>
                  open(
                    app,
                    form,
                    copyOf(server, `new-${crypto.randomUUID()}`, state !== 'new'),
                    server.kind === 'stdio' ? 'name' : 'url',
                  ),
              })}
            </div>
          </div>`
        : nothing
    }
    ${
      expanded
        ? nothing
        : errorsOf(
            id('errors'),
            messagesFor(own, () => true),
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
    ${state === 'same' ? nothing : html`<span class="pill" data-state=${state}>${stateWords(state)}</span>`}
    ${problems > 0 ? html`<span class="pill" data-state="problem">${l10n.t('needs attention')}</span>` : nothing}
  </span>`;
}

function stateWords(state: Exclude<RowState, 'same'>): string {
  const words = { new: l10n.t('new'), changed: l10n.t('changed'), deleted: l10n.t('will be deleted') };
  return words[state];
}

/** What there is to know about a server beside its name. */
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
  return plainText(parts.filter((part) => part !== '').join(' · '), longestWords);
}

function deleteButton(app: App, form: Form, { server }: McpRow): Part {
  return button({
    label: l10n.t('Delete'),
    id: serverId(server.id, 'delete'),
    describedBy: `${serverId(server.id, 'toggle')} ${serverId(server.id, 'reason')}`,
    disabled: isOperators(app, server.id),
    click: () => {
      app.change(() => setRows(form, deleteRow(form.model.mcpServers, form.rows, server.id), server.id));
      app.focus(serverId(server.id, 'keep'), addServerId);
    },
  });
}

function keepButton(app: App, form: Form, { server }: McpRow): Part {
  return button({
    label: l10n.t('Keep'),
    id: serverId(server.id, 'keep'),
    describedBy: serverId(server.id, 'toggle'),
    click: () => {
      app.change(() =>
        setRows(
          form,
          changeRow(form.rows, server.id, () => ({ deleted: false })),
          server.id,
        ),
      );
      app.focus(serverId(server.id, 'delete'));
    },
  });
}
