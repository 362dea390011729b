import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { kindLabel, mcpKinds, type McpServer } from '../../../shared/mcp';
import type { Problem } from '../../../shared/messages';
import { envMember } from '../../../shared/serverRules';
import type { App } from '../app';
import { serverId } from '../ids';
import { messagesFor, setRows } from '../model';
import { isUnreadable, parseNumber } from '../numbers';
import { changeRow, changeServer, type McpRow } from '../rows';
import { chevronDown } from '../../kit/icons';
import type { Part } from '../../kit/buttons';
import { errorsOf, helpOf, secretParts, typedIn } from './parts';
import { messagesAt, type Context } from './serverContext';
import { argumentList, controlGroup, variableList } from './serverEntries';

/** The controls of one MCP server. */
export function serverEditor(app: App, problems: readonly Problem[], row: McpRow): Part {
  const { server } = row;
  const context: Context = {
    app,
    row,
    problems,
    id: (part) => serverId(server.id, part),
    change: (change) =>
      app.change((before) => setRows(before, changeServer(before.rows, server.id, change), server.id)),
  };
  return [
    kindInput(context),
    server.kind === 'stdio'
      ? [
          textInput(
            context,
            'name',
            l10n.t('Name'),
            l10n.t('A name for the server, for example “filesystem”.'),
          ),
          textInput(
            context,
            'command',
            l10n.t('Command'),
            l10n.t('The program to start in the sandbox, for example “npx”.'),
          ),
          argumentList(context),
          variableList(context),
        ]
      : [
          textInput(
            context,
            'url',
            l10n.t('URL'),
            l10n.t(
              'The server’s address as seen from the sandbox, for example “https://mcp.example.com/mcp”.',
            ),
          ),
          keyInput(context),
          server.kind === 'shttp' ? timeoutInput(context) : nothing,
        ],
    errorsOf(
      context.id('errors'),
      messagesFor(problems, (target) => !hasControl(server, target)),
    ),
  ];
}

/** True when a control shows the problem. */
function hasControl(server: McpServer, target: Problem['target']): boolean {
  if (target.at !== 'mcp') return false;
  const members = {
    stdio: ['kind', 'name', 'command', 'args', 'env', ...server.env.map((_, index) => envMember(index))],
    sse: ['kind', 'url', 'apiKey'],
    shttp: ['kind', 'url', 'apiKey', 'timeout'],
  };
  return members[server.kind].includes(target.member);
}

/** The service's list for each kind. */
const wireNames = { shttp: 'shttp_servers', sse: 'sse_servers', stdio: 'stdio_servers' };

function kindInput(context: Context): Part {
  const { id, row, change } = context;
  const messages = messagesAt(context, 'kind');
  return html`<div class="field">
    <label class="title" for=${id('kind')}>${l10n.t('Kind')}</label>
    ${helpOf(
      id('kind-help'),
      l10n.t('How agents connect: over HTTP, over SSE (older servers), or through a command in the sandbox.'),
      wireNames[row.server.kind],
    )}
    <span class="select">
      <select
        id=${id('kind')}
        aria-describedby="${id('kind-help')} ${id('kind-error')}"
        aria-invalid=${messages.length > 0}
        @change=${(event: Event) => {
          const kind = mcpKinds.find((known) => known === typedIn(event));
          if (kind) change(() => ({ kind }));
        }}
      >
        ${(['shttp', 'sse', 'stdio'] as const).map(
          (kind) =>
            html`<option value=${kind} .selected=${live(kind === row.server.kind)}>
              ${kindLabel(kind)}
            </option>`,
        )}</select
      >${chevronDown}
    </span>
    ${errorsOf(id('kind-error'), messages)}
  </div>`;
}

function textInput(context: Context, member: 'url' | 'name' | 'command', label: string, help: string): Part {
  const { id, row, change } = context;
  const messages = messagesAt(context, member);
  return html`<div class="field">
    <label class="title" for=${id(member)}>${label}</label>
    ${helpOf(id(`${member}-help`), help, member)}
    <input
      type="text"
      id=${id(member)}
      spellcheck="false"
      autocomplete="off"
      aria-describedby="${id(`${member}-help`)} ${id(`${member}-error`)}"
      aria-invalid=${messages.length > 0}
      .value=${live(row.server[member])}
      @input=${(event: Event) => {
        const text = typedIn(event);
        change(() => ({ [member]: text }));
      }}
    />
    ${errorsOf(id(`${member}-error`), messages)}
  </div>`;
}

function keyInput(context: Context): Part {
  const { app, id, row } = context;
  const help = l10n.t('Sent to the server as a bearer token. Default: none.');
  const content = secretParts(app, {
    target: { at: 'mcpApiKey', id: row.server.id },
    secret: row.server.apiKey,
    id: id('apiKey'),
    describedBy: `${id('apiKey-title')} ${id('toggle')}`,
    canClear: true,
  });
  return controlGroup(context, 'apiKey', { title: l10n.t('API key'), help, wireName: 'api_key' }, content);
}

function timeoutInput(context: Context): Part {
  const { app, id, row } = context;
  const messages = messagesAt(context, 'timeout');
  const type = (timeoutText: string) => {
    const timeout = isUnreadable(timeoutText) ? row.server.timeout : (parseNumber(timeoutText) ?? null);
    app.change((form) => {
      const rows = changeRow(form.rows, row.server.id, ({ server }) => ({
        server: { ...server, timeout },
        timeoutText,
      }));
      return setRows(form, rows, row.server.id);
    });
  };
  return html`<div class="field">
    <label class="title" for=${id('timeout')}>${l10n.t('Timeout')}</label>
    ${helpOf(id('timeout-help'), l10n.t('Seconds to wait for an answer, from 1 to 3600, for example 60. Default: set by the service.'), 'timeout')}
    <input
      type="text"
      class="number"
      inputmode="numeric"
      id=${id('timeout')}
      autocomplete="off"
      placeholder=${l10n.t('Service default')}
      aria-describedby="${id('timeout-help')} ${id('timeout-error')}"
      aria-invalid=${messages.length > 0}
      .value=${live(row.timeoutText ?? String(row.server.timeout ?? ''))}
      @input=${(event: Event) => type(typedIn(event))}
    />
    ${errorsOf(id('timeout-error'), messages)}
  </div>`;
}
