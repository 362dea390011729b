import * as l10n from '@vscode/l10n';
import { mcpLabel, type McpServer } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import { serverId } from '../ids';
import { setRows } from '../model';
import { moveRow, placesOf, type ServerPosition } from '../moving';
import { isNarrowed } from '../search';
import { arrowDown, arrowUp } from '../../../../core/kit/icons';
import { iconButton, type Part } from '../../../../core/kit/buttons';

/** The buttons that change a server's place among those of its kind. */
export function moveButtons(app: SettingsApp, server: McpServer, { place, count }: ServerPosition): Part {
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
export function moveByKey(app: SettingsApp, server: McpServer, event: KeyboardEvent): void {
  const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  if (!isArrow || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // In a list to select from, these keys open it.
  if (event.target instanceof HTMLSelectElement) return;
  event.preventDefault();
  move(app, server, event.key === 'ArrowUp' ? -1 : 1);
}

function move(app: SettingsApp, { id }: McpServer, step: 1 | -1): void {
  // A search may hide the rows between.
  if (isNarrowed(app.state)) return;
  const { activeElement } = document;
  app.change((form) => {
    const rows = moveRow(form.rows, id, step);
    return rows === form.rows ? form : setRows(form, rows, id);
  });
  // Moving an element in the page takes its focus away.
  if (activeElement instanceof HTMLElement) activeElement.focus();
  app.set({ said: placeWords(app, id) });
}

function placeWords(app: SettingsApp, id: string): string {
  const { phase } = app.state;
  if (phase.at !== 'form') return '';
  const server = phase.form.rows.find((row) => row.server.id === id)?.server;
  const at = placesOf(phase.form.rows).get(id);
  if (server === undefined || at === undefined) return '';
  const label = plainText(mcpLabel(server), 200) || l10n.t('New server');
  return l10n.t('{0} is now {1} of {2}.', label, at.place, at.count);
}
