import * as l10n from '@vscode/l10n';
import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import { identityOf, renamed } from '../../../shared/intentions';
import type { McpEnvEntry } from '../../../shared/mcp';
import { envMember } from '../../../shared/serverRules';
import { newVariable } from '../rows';
import { button, type Part } from '../../kit/buttons';
import { errorsOf, helpOf, secretParts, typedIn } from './parts';
import { messagesAt, type Context } from './serverContext';

/** An argument may hold line breaks, but only Shift+Enter makes one. */
function keepOnOneLine(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.shiftKey) event.preventDefault();
}

/** The arguments of a command, each in its own input: they may hold spaces and line breaks. */
export function argumentList(context: Context): Part {
  const { app, id, row, change } = context;
  const { args } = row.server;
  return html`<div
    class="field"
    role="group"
    aria-labelledby=${id('args-title')}
    aria-describedby="${id('args-help')} ${id('args-error')}"
  >
    <span class="title" id=${id('args-title')}>${l10n.t('Arguments')}</span>
    ${helpOf(id('args-help'), l10n.t('Passed to the command in this order and unchanged, for example “-y”.'), 'args')}
    <ul class="entries">
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
    </div>
    ${errorsOf(id('args-error'), messagesAt(context, 'args'))}
  </div>`;
}

/** The environment variables of a command. */
export function variableList(context: Context): Part {
  const { app, id, row, change } = context;
  const { env } = row.server;
  return html`<div
    class="field"
    role="group"
    aria-labelledby=${id('env-title')}
    aria-describedby="${id('env-help')} ${id('env-error')}"
  >
    <span class="title" id=${id('env-title')}>${l10n.t('Environment variables')}</span>
    ${helpOf(id('env-help'), l10n.t('Set for the command, for example “API_TOKEN”. Values are secrets and never shown.'), 'env')}
    <ul class="entries">
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
    </div>
    ${errorsOf(id('env-error'), messagesAt(context, 'env'))}
  </div>`;
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
