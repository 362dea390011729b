import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { knownProviders } from '../../shared/fields';
import type { Provider } from '../../shared/form';
import { plainText } from '../../shared/plainText';
import type { App } from '../app';
import { providerId } from '../ids';
import type { Form } from '../model';
import { button, errorsOf, typedIn, type Part } from './parts';

/** Every provider that the service knows to have a token, and those that it is known to support. */
export function providerList(app: App, form: Form): Part {
  const stored = new Map(form.model.providers.map((provider) => [provider.name, provider]));
  const known = knownProviders.map(({ name }) => name as string);
  const others = [...stored.keys()].filter((name) => !known.includes(name));
  return html`<ul class="rows providers">
      ${[...known, ...others].map((name) => providerRow(app, name, stored.get(name)))}
    </ul>
    ${stored.size === 0 ? nothing : html`<div class="buttons">${disconnectButton(app, form)}</div>`}`;
}

function disconnectButton(app: App, { model }: Form): Part {
  return button({
    label: l10n.t('Disconnect all'),
    disabled: model.providers.some(({ name }) => app.state.providers[name]?.busy),
    click: () => app.ask({ type: 'clearAllProviders' }),
  });
}

function providerRow(app: App, name: string, stored: Provider | undefined): Part {
  const id = (part: string) => providerId(name, part);
  const known = knownProviders.find((provider) => provider.name === name);
  const { busy, error, hostText } = app.state.providers[name] ?? { busy: false, error: null };
  const storedHost = stored?.host ?? '';
  const text = hostText ?? storedHost;
  const host = text.trim() === '' ? null : text.trim();
  const described = id('title');
  return html`<li class="row provider" data-provider=${name} aria-busy=${busy}>
    <div class="provider-head">
      <h3 class="title" id=${id('title')}>${known?.label ?? plainText(name, 100)}</h3>
      <span class="secret-state" id=${id('state')} aria-live="polite">
        <span class="pill" data-presence=${stored ? 'set' : 'notSet'}
          >${stored ? l10n.t('Token set') : l10n.t('No token')}</span
        >
        ${busy ? html`<span class="intention">${l10n.t('Working…')}</span>` : nothing}
      </span>
      <span class="buttons">
        ${button({
          label: l10n.t('Replace'),
          id: id('replace'),
          describedBy: `${described} ${id('state')}`,
          disabled: busy,
          click: () => app.ask({ type: 'replaceProviderToken', name, host }),
        })}
        ${button({
          label: l10n.t('Clear'),
          describedBy: `${described} ${id('state')}`,
          disabled: busy || !stored,
          click: () => app.ask({ type: 'clearProvider', name }),
        })}
      </span>
    </div>
    <div class="host">
      <label for=${id('host')}>${l10n.t('Host')}</label>
      <input
        type="text"
        id=${id('host')}
        spellcheck="false"
        autocomplete="off"
        maxlength="1000"
        placeholder=${known?.host ?? ''}
        aria-describedby="${described} ${id('error')}"
        .value=${live(text)}
        @input=${(event: Event) => {
          const typed = typedIn(event);
          app.setProvider(name, (row) => ({ ...row, hostText: typed }));
        }}
      />
      ${
        stored && host !== stored.host
          ? button({
              label: l10n.t('Apply host'),
              describedBy: described,
              disabled: busy,
              click: () => {
                app.ask({ type: 'setProviderHost', name, host });
                app.focus(id('host'));
              },
            })
          : nothing
      }
    </div>
    ${errorsOf(id('error'), error === null ? [] : [error])}
  </li>`;
}
