import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { knownProviders } from '../../../../shared/fields';
import type { Provider } from '../../shared/form';
import type { ProviderChange } from '../../shared/messages';
import { plainText } from '../../../../shared/plainText';
import type { SettingsApp } from '../app';
import { newProviderId, providerId } from '../ids';
import type { Form } from '../model';
import { button, type Part } from '../../../../core/kit/buttons';
import { type Drawing, errorsOf, presencePart, typedIn } from './parts';

/** Names of the providers with a row: those the service is known to support, those with a token, those just added. */
export function providerNames({ state }: SettingsApp, { model }: Form): string[] {
  const known = knownProviders.map(({ name }) => name as string);
  return [...new Set([...known, ...model.providers.map(({ name }) => name), ...state.addedProviders])];
}

/** What a provider is found by. */
export function providerTexts({ model }: Form, name: string): string[] {
  return [name, labelOf(name), model.providers.find((stored) => stored.name === name)?.host ?? ''];
}

function labelOf(name: string): string {
  return knownProviders.find((known) => known.name === name)?.label ?? plainText(name, 100);
}

export function providerList({ app, form, found }: Drawing): Part {
  const stored = new Map(form.model.providers.map((provider) => [provider.name, provider]));
  const shown = providerNames(app, form).filter((name) =>
    found.item('providers', ...providerTexts(form, name)),
  );
  const { providersTold } = form.model;
  return html`${
      providersTold
        ? nothing
        : html`<p class="help">${l10n.t('The service doesn’t say which git provider tokens it has.')}</p>`
    }
    <ul class="rows providers">
      ${repeat(
        shown,
        (name) => name,
        (name) => providerRow(app, name, stored.get(name), providersTold),
      )}
    </ul>
    ${addProvider(app)}
    ${stored.size === 0 ? nothing : html`<div class="buttons">${disconnectButton(app, form)}</div>`}`;
}

/** The service may support providers that this extension doesn't know. */
function addProvider(app: SettingsApp): Part {
  const add = () => {
    const input = document.getElementById(newProviderId) as HTMLInputElement;
    const name = input.value.trim();
    if (name === '') {
      app.focus(newProviderId);
      return;
    }
    input.value = '';
    app.addProvider(name);
  };
  return html`<div class="field add-provider">
    <label class="title" for=${newProviderId}>${l10n.t('Another provider')}</label>
    <p class="help" id="${newProviderId}-help">
      ${l10n.t('The service’s name for the provider, for example “gitea”.')}
    </p>
    <div class="entry">
      <input
        type="text"
        id=${newProviderId}
        spellcheck="false"
        autocomplete="off"
        maxlength="200"
        aria-describedby="${newProviderId}-help"
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter') add();
        }}
      />
      ${button({ label: l10n.t('Add provider'), click: add })}
    </div>
  </div>`;
}

function disconnectButton(app: SettingsApp, { model }: Form): Part {
  return button({
    label: l10n.t('Disconnect all'),
    disabled: model.providers.some(({ name }) => changeOf(app, name)?.busy),
    click: () => app.ask({ type: 'clearAllProviders' }),
  });
}

function changeOf({ state }: SettingsApp, name: string): ProviderChange | undefined {
  return state.providerChanges.find((change) => change.name === name);
}

const presenceWords = {
  set: () => l10n.t('Token set'),
  notSet: () => l10n.t('No token'),
  unknown: () => l10n.t('Unknown'),
};

function providerRow(app: SettingsApp, name: string, stored: Provider | undefined, isTold: boolean): Part {
  const id = (part: string) => providerId(name, part);
  const known = knownProviders.find((provider) => provider.name === name);
  const { busy = false, error = null } = changeOf(app, name) ?? {};
  const text = app.state.hosts.get(name) ?? stored?.host ?? '';
  const host = text.trim() === '' ? null : text.trim();
  const described = id('title');
  const presence = stored ? 'set' : isTold ? 'notSet' : 'unknown';
  return html`<li class="row provider" data-provider=${name} aria-busy=${busy}>
    <div class="provider-head">
      <h3 class="title" id=${id('title')}>${labelOf(name)}</h3>
      <span class="secret-state" id=${id('state')} aria-live="polite">
        ${presencePart(presence, presenceWords[presence](), !busy)}
        ${busy ? html`<span class="intention">${l10n.t('Saving…')}</span>` : nothing}
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
        @input=${(event: Event) => app.setHost(name, typedIn(event))}
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
