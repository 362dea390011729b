import * as l10n from '@vscode/l10n';
import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { kindLabel, mcpLabel } from '../../../../shared/mcp';
import { secretNames, type ParkedServer } from '../../../../shared/parked';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import { parkedId } from '../ids';
import { serverText } from '../search';
import { trash } from '../../../../core/kit/icons';
import { button, iconButton, type Part } from '../../../../core/kit/buttons';
import type { Drawing } from './drawing';

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
  const parts = [
    kindLabel(kind),
    ...(kind === 'stdio' ? [[command, ...args].join(' ')] : []),
    ...(secretNames(server).length > 0 ? [l10n.t('with secrets')] : []),
    l10n.t('since {0}', new Date(parkedAt).toLocaleDateString()),
  ];
  return plainText(parts.join(' · '), longestWords);
}
