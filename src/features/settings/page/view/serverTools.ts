import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { mcpLabel, type McpServer } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import { serverId, addServerId } from '../ids';
import { setRows, setRow } from '../model';
import { changeServer, type RowState, testOf, copyOf, deleteRow, type McpRow } from '../rows';
import { problemIcon, copy, trash } from '../../../../core/kit/icons';
import { button, type Part, iconButton } from '../../../../core/kit/buttons';
import { noticePart } from './notices';

const importServersId = 'import-servers';

/** Results of importing, parking or restoring. The element is always there, so that screen readers announce them. */
export function serverNotices(app: SettingsApp): Part {
  const { words, failed } = app.state.serverNotices;
  const dismiss = () => {
    app.dismissServerNotices();
    app.focus(importServersId);
  };
  return html`<div role="status" class="server-notices">${noticePart(words, failed, dismiss)}</div>`;
}

/** The buttons that import and export servers. */
export function transferButtons(app: SettingsApp): Part {
  return [
    button({ label: l10n.t('Import'), id: importServersId, click: () => app.ask({ type: 'importServers' }) }),
    button({ label: l10n.t('Export'), click: () => app.ask({ type: 'exportServers' }) }),
  ];
}

/** Tests a server, or cancels its test. Commands run only in the sandbox, or where the service tests them itself. */
export function testButton(app: SettingsApp, server: McpServer): Part {
  const { id, kind } = server;
  if (kind === 'stdio' && !testsServers(app)) return nothing;
  const isRunning = testOf(app.state.tests, server)?.result === null;
  return button({
    label: isRunning ? l10n.t('Cancel') : l10n.t('Test'),
    look: 'quiet',
    id: serverId(id, 'test'),
    describedBy: serverId(id, 'toggle'),
    click: () => app.ask({ type: isRunning ? 'cancelTest' : 'testServer', id }),
  });
}

/** Signs in to a server in the browser, where the service can, and has the server as the row shows it. */
export function signInButton(app: SettingsApp, { id, kind }: McpServer, state: RowState): Part {
  if (kind === 'stdio' || state !== 'same' || !testsServers(app)) return nothing;
  return button({
    label: l10n.t('Sign in'),
    look: 'quiet',
    id: serverId(id, 'sign-in'),
    describedBy: serverId(id, 'toggle'),
    click: () => app.ask({ type: 'signInToServer', id }),
  });
}

/** Turns the server off, or on again, where the service can. */
export function switchButton(app: SettingsApp, { id, enabled }: McpServer): Part {
  if (enabled === undefined) return nothing;
  return button({
    label: enabled ? l10n.t('Turn off') : l10n.t('Turn on'),
    look: 'quiet',
    id: serverId(id, 'switch'),
    describedBy: serverId(id, 'toggle'),
    click: () =>
      app.change((form) =>
        setRows(
          form,
          changeServer(form.rows, id, () => ({ enabled: !enabled })),
          id,
        ),
      ),
  });
}

/** Why a server has no such button. */
export function switchReason({ enabled }: McpServer, state: RowState): Part {
  if (enabled !== undefined || state === 'new') return nothing;
  return html`<p class="help">
    ${l10n.t('This service can’t turn a server off. To take it away from agents and keep it here, park it.')}
  </p>`;
}

/** Takes the server off the service and keeps it here; nothing for a server the service doesn't have. */
export function parkButton(app: SettingsApp, { id }: McpServer, state: RowState): Part {
  if (state === 'new' || state === 'deleted') return nothing;
  return button({
    label: l10n.t('Park'),
    look: 'quiet',
    id: serverId(id, 'park'),
    describedBy: `${serverId(id, 'toggle')} ${serverId(id, 'reason')}`,
    disabled: rowReason(app, id, state) !== undefined,
    click: () => app.ask({ type: 'parkServer', id }),
  });
}

/** Why buttons of a row are disabled; undefined when they aren't. */
function rowReason(app: SettingsApp, id: string, state: RowState): string | undefined {
  if (state === 'deleted') return undefined;
  if (isOperators(app, id)) {
    return l10n.t(
      'This server came back after it was deleted or parked. It’s part of the service’s configuration, and only your administrator can remove it.',
    );
  }
  return state === 'changed'
    ? l10n.t('Save or undo your changes to this server before parking it.')
    : undefined;
}

/** True for a server that only the administrator can remove. */
export function isOperators(app: SettingsApp, id: string): boolean {
  return app.state.operators.includes(id);
}

/** The line with that reason. */
export function reasonLine(app: SettingsApp, { id }: McpServer, state: RowState): Part {
  const reason = rowReason(app, id, state);
  return reason === undefined
    ? nothing
    : html`<p class="help row-reason" id=${serverId(id, 'reason')}>${reason}</p>`;
}

const testsServers = ({ state: { phase } }: SettingsApp) =>
  phase.at === 'form' && phase.form.model.testsServers;

/** Why a server has no test. */
export function testReason(app: SettingsApp, { kind }: McpServer): Part {
  if (kind !== 'stdio' || testsServers(app)) return nothing;
  return html`<p class="help">
    ${l10n.t('Commands start only in the sandbox, so they can’t be tested from this computer.')}
  </p>`;
}

/** The result of a server's test. The element is there when empty too, so that screen readers announce it. */
export function testResult(app: SettingsApp, server: McpServer): Part {
  return html`<div class="test-result" role="status" id=${serverId(server.id, 'test-result')}>
    ${testWords(app, server)}
  </div>`;
}

function testWords(app: SettingsApp, server: McpServer): Part {
  const test = testOf(app.state.tests, server);
  if (test === undefined) return nothing;
  const { result, signsIn } = test;
  const running = signsIn
    ? l10n.t('Signing in to {0}…', plainText(mcpLabel(server), 200))
    : testsServers(app)
      ? l10n.t('Testing…')
      : l10n.t('Testing from this computer…');
  if (result === null) return html`<p class="help">${running}</p>`;
  if (!result.ok)
    return html`<p class="error">${problemIcon}<span>${plainText(result.message, 1_000)}</span></p>`;
  const more = result.count - result.tools.length;
  return html`<div class="test-good">
    <p>
      ${result.server === '' ? nothing : html`<strong>${plainText(result.server, 200)}</strong>`}
      ${plainText(result.message, 1_000)}
    </p>
    ${
      result.tools.length === 0
        ? nothing
        : html`<ul class="tools" aria-label=${l10n.t('Tools')}>
            ${result.tools.map((name) => html`<li><code>${plainText(name, 200)}</code></li>`)}
            ${more > 0 ? html`<li>${l10n.t('and {0} more', more)}</li>` : nothing}
          </ul>`
    }
  </div>`;
}

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
