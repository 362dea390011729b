import * as l10n from '@vscode/l10n';
import { nothing } from 'lit';
import { mcpLabel, type McpServer } from '../../shared/mcp';
import { plainText } from '../../shared/plainText';
import type { App } from '../app';
import { serverId } from '../ids';
import { setRows } from '../model';
import { moveRow, placesOf, type Place } from '../moving';
import { arrowDown, arrowUp } from './icons';
import { iconButton, type Part } from './parts';

/** The buttons that change a server's place among those of its kind; nothing for the only one. */
export function moveButtons(app: App, server: McpServer, at: Place | undefined): Part {
  if (at === undefined || at.count === 1) return nothing;
  const { place, count } = at;
  const step = (by: 1 | -1) => () => move(app, server, by);
  const isFiltered = app.state.filter !== '';
  const describedBy = serverId(server.id, 'toggle');
  return [
    iconButton({
      label: l10n.t('Move up'),
      icon: arrowUp,
      id: serverId(server.id, 'up'),
      describedBy,
      disabled: isFiltered || place === 1,
      click: step(-1),
    }),
    iconButton({
      label: l10n.t('Move down'),
      icon: arrowDown,
      id: serverId(server.id, 'down'),
      describedBy,
      disabled: isFiltered || place === count,
      click: step(1),
    }),
  ];
}

/** Alt with an arrow key moves the server that the focus is in. */
export function moveByKey(app: App, server: McpServer, event: KeyboardEvent): void {
  const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  if (!isArrow || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // There these keys open the list.
  if (event.target instanceof HTMLSelectElement) return;
  event.preventDefault();
  move(app, server, event.key === 'ArrowUp' ? -1 : 1);
}

function move(app: App, { id }: McpServer, step: 1 | -1): void {
  // Among what a search shows, the next place may be far away.
  if (app.state.filter !== '') return;
  const { activeElement } = document;
  app.change((form) => {
    const rows = moveRow(form.rows, id, step);
    return rows === form.rows ? form : setRows(form, rows, id);
  });
  // An element that is moved in the page loses the focus.
  if (activeElement instanceof HTMLElement) activeElement.focus();
  app.setTools({ said: placeWords(app, id) });
}

function placeWords(app: App, id: string): string {
  const { phase } = app.state;
  if (phase.at !== 'form') return '';
  const server = phase.form.rows.find((row) => row.server.id === id)?.server;
  const at = placesOf(phase.form.rows).get(id);
  if (server === undefined || at === undefined) return '';
  const label = plainText(mcpLabel(server), 200) || l10n.t('New server');
  return l10n.t('{0} is now number {1} of {2}.', label, at.place, at.count);
}
