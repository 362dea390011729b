import * as l10n from '@vscode/l10n';
import { nothing, html } from 'lit';
import {
  kindLabel,
  listOfKind,
  membersOfKind,
  type McpKind,
  type McpServer,
  type McpEnvEntry,
} from '../../../../shared/mcp';
import type { Problem } from '../../shared/messages';
import { envMember } from '../../shared/serverRules';
import type { SettingsApp } from '../app';
import { serverId } from '../ids';
import { messagesFor, setRow, setRows } from '../model';
import { isUnreadable, parseNumber, changeServer, type McpRow, newVariable } from '../rows';
import { type Part, button } from '../../../../core/kit/buttons';
import { fieldPart, groupPart, selectInput, textInput, type Field } from './controls';
import { errorsOf, secretParts, typedIn } from './parts';
import { live } from 'lit/directives/live.js';
import { identityOf, renamed } from '../../shared/form';

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

/** An argument may hold line breaks, but only Shift+Enter makes one. */
function keepOnOneLine(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.shiftKey) event.preventDefault();
}

/** The arguments of a command, each in its own input: they may hold spaces and line breaks. */
function argumentList(context: Context): Part {
  const { app, id, row, change } = context;
  const { args } = row.server;
  const help = l10n.t('Passed to the command in this order and unchanged, for example “-y”.');
  const content = html`<ul class="entries">
      ${args.map(
        (argument, index) =>
          html`<li class="entry">
            <textarea
              rows="1"
              id=${id(`args-${index}`)}
              aria-label=${l10n.t('Argument {0}', index + 1)}
              spellcheck="false"
              autocomplete="off"
              .value=${live(argument)}
              @keydown=${keepOnOneLine}
              @input=${(event: Event) => {
                const text = typedIn(event);
                change((server) => ({ args: server.args.with(index, text) }));
              }}
            ></textarea>
            ${button({
              label: l10n.t('Remove'),
              describedBy: id(`args-${index}`),
              click: () => {
                change((server) => ({ args: server.args.toSpliced(index, 1) }));
                app.focus(id(`args-${Math.min(index, args.length - 2)}`), id('args'));
              },
            })}
          </li>`,
      )}
    </ul>
    <div class="buttons">
      ${button({
        label: l10n.t('Add argument'),
        id: id('args'),
        click: () => {
          change((server) => ({ args: [...server.args, ''] }));
          app.focus(id(`args-${args.length}`));
        },
      })}
    </div>`;
  return groupPart(memberField(context, 'args', l10n.t('Arguments'), help), content);
}

/** The environment variables of a command. */
function variableList(context: Context): Part {
  const { app, id, row, change } = context;
  const { env } = row.server;
  const help = l10n.t('Set for the command, for example “API_TOKEN”. Values are secrets and never shown.');
  const content = html`<ul class="entries">
      ${env.map((entry, index) => variable(context, entry, index))}
    </ul>
    <div class="buttons">
      ${button({
        label: l10n.t('Add variable'),
        id: id('env'),
        click: () => {
          change((server) => ({
            env: [...server.env, newVariable(`new-${crypto.randomUUID()}`)],
          }));
          app.focus(id(envMember(env.length)));
        },
      })}
    </div>`;
  return groupPart(memberField(context, 'env', l10n.t('Environment variables'), help), content);
}

function variable(context: Context, entry: McpEnvEntry, index: number): Part {
  const { app, id, row, change } = context;
  const member = envMember(index);
  const messages = messagesAt(context, member);
  const target = { at: 'mcpEnv', id: row.server.id, name: identityOf(entry) } as const;
  const remove = () => {
    if (entry.intention === 'replace') app.intend(target, 'keep');
    change((server) => ({ env: server.env.toSpliced(index, 1) }));
    app.focus(id('env'));
  };
  return html`<li>
    <div class="entry">
      <input
        type="text"
        id=${id(member)}
        aria-label=${l10n.t('Name of variable {0}', index + 1)}
        placeholder=${l10n.t('NAME')}
        spellcheck="false"
        autocomplete="off"
        aria-describedby=${id(`${member}-error`)}
        aria-invalid=${messages.length > 0}
        .value=${live(entry.name)}
        @input=${(event: Event) => {
          const name = typedIn(event);
          change((server) => ({ env: server.env.with(index, renamed(entry, name)) }));
        }}
      />
      ${secretParts(app, {
        target,
        secret: entry,
        id: id(`${member}-value`),
        describedBy: id(member),
        canClear: false,
      })}
      ${button({ label: l10n.t('Remove'), describedBy: id(member), click: remove })}
    </div>
    ${errorsOf(id(`${member}-error`), messages)}
  </li>`;
}

/** What a part of a server's editor needs. */
interface Context {
  app: SettingsApp;
  row: McpRow;
  problems: readonly Problem[];
  id: (part: string) => string;
  change: (change: (server: McpServer) => Partial<McpServer>) => void;
}

/** What is wrong with one member of the server. */
function messagesAt({ problems }: Context, member: string): string[] {
  return messagesFor(problems, (target) => target.at === 'mcp' && target.member === member);
}

/** A member of the server, which the service calls `name`. */
function memberField(context: Context, member: string, title: string, help: string, name = member): Field {
  return { id: context.id(member), title, help, name, messages: messagesAt(context, member) };
}
