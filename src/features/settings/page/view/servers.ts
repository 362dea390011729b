import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Problem } from '../../shared/messages';
import type { SettingsApp } from '../app';
import { addServerId } from '../ids';
import type { Form } from '../model';
import { placesOf } from '../moving';
import { matchesFilter, newServer } from '../rows';
import { serverText } from '../search';
import { button, type Part } from '../../../../core/kit/buttons';
import type { Drawing } from './drawing';
import { neededPart } from './needed';
import { typedIn } from './parts';
import { addServer } from './serverButtons';
import { outlineOf, serverRow, type ListContext } from './serverRow';
import { serverNotices, transferButtons } from './serverTools';

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
