import * as l10n from '@vscode/l10n';
import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import { identityOf, renamed } from '../../shared/intentions';
import type { McpEnvEntry } from '../../../../shared/mcp';
import { envMember } from '../../shared/serverRules';
import { newVariable } from '../rows';
import { button, type Part } from '../../../../core/kit/buttons';
import { groupPart } from './controls';
import { errorsOf, secretParts, typedIn } from './parts';
import { memberField, messagesAt, type Context } from './serverContext';

/** An argument may hold line breaks, but only Shift+Enter makes one. */
function keepOnOneLine(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.shiftKey) event.preventDefault();
}

/** The arguments of a command, each in its own input: they may hold spaces and line breaks. */
export function argumentList(context: Context): Part {
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
export function variableList(context: Context): Part {
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
