import * as l10n from '@vscode/l10n';
import { nothing } from 'lit';
import { kindLabel, listOfKind, membersOfKind, type McpKind, type McpServer } from '../../../../shared/mcp';
import type { Problem } from '../../shared/messages';
import { envMember } from '../../shared/serverRules';
import type { SettingsApp } from '../app';
import { serverId } from '../ids';
import { messagesFor, setRow, setRows } from '../model';
import { isUnreadable, parseNumber } from '../numbers';
import { changeServer, type McpRow } from '../rows';
import type { Part } from '../../../../core/kit/buttons';
import { fieldPart, groupPart, selectInput, textInput } from './controls';
import { errorsOf, secretParts } from './parts';
import { memberField, type Context } from './serverContext';
import { argumentList, variableList } from './serverEntries';

/** The controls of one MCP server. */
export function serverEditor(app: SettingsApp, problems: readonly Problem[], row: McpRow): Part {
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
          memberInput(
            context,
            'name',
            l10n.t('Name'),
            l10n.t('A name for the server, for example “filesystem”.'),
          ),
          memberInput(
            context,
            'command',
            l10n.t('Command'),
            l10n.t('The program to start in the sandbox, for example “npx”.'),
          ),
          argumentList(context),
          variableList(context),
        ]
      : [
          memberInput(
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
function hasControl({ kind, env }: McpServer, target: Problem['target']): boolean {
  if (target.at !== 'mcp') return false;
  const variables = kind === 'stdio' ? env.map((_, index) => envMember(index)) : [];
  return ['kind', ...Object.keys(membersOfKind[kind]), ...variables].includes(target.member);
}

function kindInput(context: Context): Part {
  const { kind } = context.row.server;
  const help = l10n.t(
    'How agents connect: over HTTP, over SSE (older servers), or through a command in the sandbox.',
  );
  const field = memberField(context, 'kind', l10n.t('Kind'), help, listOfKind[kind]);
  const kinds = (['shttp', 'sse', 'stdio'] as const).map((value) => ({ value, label: kindLabel(value) }));
  const choose = (chosen: McpKind) => context.change(() => ({ kind: chosen }));
  return fieldPart(field, selectInput(field, kind, kinds, choose));
}

function memberInput(
  context: Context,
  member: 'url' | 'name' | 'command',
  title: string,
  help: string,
): Part {
  const field = memberField(context, member, title, help);
  const value = context.row.server[member];
  const input = (text: string) => context.change(() => ({ [member]: text }));
  return fieldPart(field, textInput(field, { inputmode: 'text', value, input }));
}

function keyInput(context: Context): Part {
  const { app, id, row } = context;
  const help = l10n.t('Sent to the server as a bearer token. Default: none.');
  return groupPart(
    memberField(context, 'apiKey', l10n.t('API key'), help, 'api_key'),
    secretParts(app, {
      target: { at: 'mcpApiKey', id: row.server.id },
      secret: row.server.apiKey,
      id: id('apiKey'),
      describedBy: `${id('apiKey-title')} ${id('toggle')}`,
      canClear: true,
    }),
  );
}

function timeoutInput(context: Context): Part {
  const { app, row } = context;
  const help = l10n.t(
    'Seconds to wait for an answer, from 1 to 3600, for example 60. Default: set by the service.',
  );
  const field = memberField(context, 'timeout', l10n.t('Timeout'), help);
  const input = (timeoutText: string) => {
    const timeout = isUnreadable(timeoutText) ? row.server.timeout : (parseNumber(timeoutText) ?? null);
    app.change((form) =>
      setRow(form, row.server.id, ({ server }) => ({ server: { ...server, timeout }, timeoutText })),
    );
  };
  const value = row.timeoutText ?? String(row.server.timeout ?? '');
  const placeholder = l10n.t('Service default');
  return fieldPart(field, textInput(field, { inputmode: 'numeric', value, placeholder, input }));
}
