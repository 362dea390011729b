import * as l10n from '@vscode/l10n';
import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { mcpLabel } from '../../shared/mcp';
import { secretNames, type ParkedServer } from '../../shared/parked';
import { plainText } from '../../shared/plainText';
import type { App } from '../app';
import { parkedId } from '../ids';
import { button, type Part } from './parts';
import { kindLabel } from './servers';

const longestWords = 200;

/** The servers that were taken off the service and are kept on this computer. */
export function parkedList(app: App): Part {
  const { parked } = app.state.tools;
  return html`<div class="parked" role="group" aria-labelledby="parked-title" aria-describedby="parked-help">
    <h3 class="title" id="parked-title">${l10n.t('Parked here')}</h3>
    <p class="help" id="parked-help">
      ${l10n.t(
        'Servers that are switched off: off the service, but kept on this computer, their secrets in the editor’s secret storage. Park and Restore take effect at once and are no part of Save.',
      )}
    </p>
    ${
      parked.length === 0
        ? html`<p class="empty">${l10n.t('No server is parked here.')}</p>`
        : html`<ul class="rows">
            ${repeat(
              parked,
              ({ id }) => id,
              (server) => parkedRow(app, server),
            )}
          </ul>`
    }
  </div>`;
}

function parkedRow(app: App, server: ParkedServer): Part {
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
          id: id('restore'),
          describedBy: id('words'),
          click: () => app.request({ kind: 'restore', id: server.id }),
        })}
        ${button({
          label: l10n.t('Delete'),
          describedBy: id('words'),
          click: () => app.request({ kind: 'deleteParked', id: server.id }),
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
