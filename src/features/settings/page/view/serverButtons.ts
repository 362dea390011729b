import * as l10n from '@vscode/l10n';
import type { McpServer } from '../../../../shared/mcp';
import { copy, trash } from '../../../../core/kit/icons';
import type { SettingsApp } from '../app';
import { addServerId, serverId } from '../ids';
import { setRow, setRows } from '../model';
import { copyOf, deleteRow, type McpRow, type RowState } from '../rows';
import { button, iconButton, type Part } from '../../../../core/kit/buttons';
import { isOperators } from './serverTools';

/** Adds a server to the list, opens it and focuses one of its inputs. */
export function addServer(app: SettingsApp, server: McpServer, focus: string): void {
  app.showAll();
  app.change((form) => setRows(form, [...form.rows, { server, deleted: false }], server.id));
  app.setOpen(server.id, true);
  app.focus(serverId(server.id, focus));
}

export function duplicateButton(app: SettingsApp, server: McpServer, state: RowState): Part {
  return iconButton({
    label: l10n.t('Duplicate'),
    icon: copy,
    describedBy: serverId(server.id, 'toggle'),
    click: () =>
      addServer(
        app,
        copyOf(server, `new-${crypto.randomUUID()}`, state !== 'new'),
        server.kind === 'stdio' ? 'name' : 'url',
      ),
  });
}

export function deleteButton(app: SettingsApp, { server: { id } }: McpRow): Part {
  return iconButton({
    label: l10n.t('Delete'),
    icon: trash,
    id: serverId(id, 'delete'),
    describedBy: `${serverId(id, 'toggle')} ${serverId(id, 'reason')}`,
    disabled: isOperators(app, id),
    click: () => {
      app.change((form) => setRows(form, deleteRow(form.model.mcpServers, form.rows, id), id));
      app.focus(serverId(id, 'keep'), addServerId);
    },
  });
}

export function keepButton(app: SettingsApp, { server: { id } }: McpRow): Part {
  return button({
    label: l10n.t('Keep'),
    look: 'quiet',
    id: serverId(id, 'keep'),
    describedBy: serverId(id, 'toggle'),
    click: () => {
      app.change((form) => setRow(form, id, () => ({ deleted: false })));
      app.focus(serverId(id, 'delete'));
    },
  });
}
