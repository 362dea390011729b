import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Problem } from '../../shared/messages';
import type { SettingsApp } from '../app';
import { addServerId, parkedId } from '../ids';
import type { Form } from '../model';
import { placesOf, matchesFilter, newServer } from '../rows';
import { serverText } from '../search';
import { button, type Part, iconButton } from '../../../../core/kit/buttons';
import { type Drawing, typedIn } from './parts';
import { neededPart } from './notices';
import { addServer, serverNotices, transferButtons } from './serverTools';
import { outlineOf, serverRow, type ListContext } from './serverRow';
import { kindLabel, mcpLabel } from '../../../../shared/mcp';
import { secretNames, type ParkedServer } from '../../../../shared/parked';
import { joined } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import { trash } from '../../../../core/kit/icons';

/** A shorter list is seen at a glance. */
const searchFrom = 4;
/** From this many on, drawing all of them at once delays the opening of the form. */
const longFrom = 50;
/** The list of MCP servers: rows that open for editing in place. */
export function serverList({ app, form, problems, found }: Drawing): Part {
  const { filter, drawnRows, open: opened } = app.state;
  const rows = form.rows.filter(
    (row) => matchesFilter(row, filter) && found.item('mcp', 'mcp_config', serverText(row.server)),
  );
  const isLong = form.rows.length >= longFrom;
  const list = listContext(form, problems);
  return html`<div class="field mcp" role="group" data-field="mcp_config" aria-labelledby="section-mcp-title">
    ${form.rows.length >= searchFrom ? search(app, rows.length) : nothing}
    ${
      form.rows.length === 0
        ? html`<p class="empty">${l10n.t('No MCP servers yet.')}</p>`
        : html`<ul class="rows" ?data-long=${isLong}>
            ${repeat(
              rows,
              (row) => row.server.id,
              (row, index) =>
                isLong && index >= drawnRows && !opened.has(row.server.id)
                  ? outlineOf(row)
                  : serverRow(app, list, row),
            )}
          </ul>`
    }
    ${
      rows.length === 0 && form.rows.length > 0
        ? html`<p class="empty">${l10n.t('No servers match the search.')}</p>`
        : nothing
    }
    <div class="buttons">
      ${button({
        label: l10n.t('Add server'),
        id: addServerId,
        click: () => addServer(app, newServer(`new-${crypto.randomUUID()}`, 'shttp'), 'kind'),
      })}
      ${transferButtons(app)}
    </div>
    <div role="status">${neededPart(app, form)}</div>
    ${serverNotices(app)}
    <p class="visually-hidden" role="status">${app.state.said}</p>
  </div>`;
}

function listContext(form: Form, problems: readonly Problem[]): ListContext {
  const places = placesOf(form.rows);
  const byId = new Map<string, Problem[]>();
  for (const problem of problems) {
    if (problem.target.at !== 'mcp') continue;
    const { id } = problem.target;
    byId.set(id, [...(byId.get(id) ?? []), problem]);
  }
  const canMove = [...places.values()].some(({ count }) => count > 1);
  return { held: form.model.mcpServers, problems: byId, places, canMove };
}

function search(app: SettingsApp, shown: number): Part {
  return html`<div class="search">
    <input
      type="search"
      aria-label=${l10n.t('Search MCP servers')}
      placeholder=${l10n.t('Search MCP servers')}
      spellcheck="false"
      .value=${app.state.filter}
      @input=${(event: Event) => app.set({ filter: typedIn(event) })}
    />
    <span class="help" role="status">${shown === 1 ? l10n.t('1 server') : l10n.t('{0} servers', shown)}</span>
  </div>`;
}

const longestWords = 200;

/** Servers taken off the service and kept on this computer. */
export function parkedList({ app, found }: Drawing): Part {
  const { parked } = app.state;
  const shown = parked.filter((server) => found.item('mcp', 'mcp_config', serverText(server)));
  return html`<div class="parked" role="group" aria-labelledby="parked-title" aria-describedby="parked-help">
    <h3 class="title" id="parked-title">${l10n.t('Parked servers')}</h3>
    <p class="help" id="parked-help">
      ${l10n.t(
        'Parked servers are off the service but kept on this computer, with their secrets in the editor’s secret storage. Park and Restore take effect immediately, without Save.',
      )}
    </p>
    ${
      parked.length === 0
        ? html`<p class="empty">${l10n.t('No parked servers.')}</p>`
        : html`<ul class="rows">
            ${repeat(
              shown,
              ({ id }) => id,
              (server) => parkedRow(app, server),
            )}
          </ul>`
    }
  </div>`;
}

function parkedRow(app: SettingsApp, server: ParkedServer): Part {
  const id = (part: string) => parkedId(server.id, part);
  const label = mcpLabel(server);
  return html`<li class="row" data-mcp=${label}>
    <div class="row-head">
      <span class="row-words" id=${id('words')}>
        <span class="row-label">${plainText(label, longestWords)}</span>
        <span class="row-summary">${summaryOf(server)}</span>
      </span>
      <span class="buttons">
        ${button({
          label: l10n.t('Restore'),
          look: 'quiet',
          id: id('restore'),
          describedBy: id('words'),
          click: () => app.ask({ type: 'restoreServer', id: server.id }),
        })}
        ${iconButton({
          label: l10n.t('Delete'),
          icon: trash,
          describedBy: id('words'),
          click: () => app.ask({ type: 'deleteParked', id: server.id }),
        })}
      </span>
    </div>
  </li>`;
}

function summaryOf(server: ParkedServer): string {
  const { kind, command, args, parkedAt } = server;
  const words = joined(
    kindLabel(kind),
    kind === 'stdio' && [command, ...args].join(' '),
    secretNames(server).length > 0 && l10n.t('with secrets'),
    l10n.t('since {0}', new Date(parkedAt).toLocaleDateString()),
  );
  return plainText(words, longestWords);
}
