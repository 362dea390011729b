import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { sectionLabel, type Section } from '../../../../shared/fields';
import { nameList } from '../../../../shared/joined';
import { fieldLabel } from '../../../../shared/settings';
import { sectionId } from '../ids';
import type { Form } from '../model';
import { fieldsIn } from '../search';
import { type Part, button } from '../../../../core/kit/buttons';
import type { Drawing } from './parts';
import { fieldsOf } from './fields';
import { moreList } from './more';
import { parkedList, serverList } from './servers';
import { providerList } from './providers';
import { plainText } from '../../../../shared/plainText';

/** A section of the form, empty until it is drawn. */
export function sectionPart(drawing: Drawing, section: Section, isShown: boolean, isDrawn: boolean): Part {
  const title = `${sectionId(section)}-title`;
  return html`<section
    id=${sectionId(section)}
    data-section=${section}
    aria-labelledby=${title}
    ?hidden=${!isShown}
  >
    <h2 id=${title} tabindex="-1">${sectionLabel(section)}</h2>
    ${isDrawn ? sectionContent(drawing, section) : nothing}
  </section>`;
}

function sectionContent(drawing: Drawing, section: Section): Part {
  const help = sectionHelp(section);
  return html`${help === undefined ? nothing : html`<p class="help">${help}</p>`}
  ${fieldsOf(drawing, section)} ${lackHelp(drawing.form, section)} ${pickerPart(drawing, section)}
  ${section === 'providers' ? providerList(drawing) : nothing}
  ${section === 'mcp' ? [serverList(drawing), parkedList(drawing)] : nothing}
  ${section === 'more' ? moreList(drawing) : nothing} ${section === 'other' ? otherValues(drawing) : nothing}`;
}

/** About what people may look for here but the service doesn't have. */
function lackHelp({ model }: Form, section: Section): Part {
  const lacking = fieldsIn(section).filter((field) => model.lacks.includes(field));
  const words = [
    ...(lacking.length === 0
      ? []
      : [l10n.t('Not available on this service: {0}.', nameList(lacking.map(fieldLabel)))]),
    ...(section === 'mcp' && model.hidesServerSecrets
      ? [
          l10n.t(
            'This service hides the secrets of MCP servers and replaces them all when one server changes. Before a change, enter the secrets of the other servers again unless this computer keeps them.',
          ),
        ]
      : []),
  ];
  return words.map((text) => html`<p class="help">${text}</p>`);
}

function sectionHelp(section: Section): Part | undefined {
  switch (section) {
    case 'providers':
      return l10n.t(
        'Agents use these tokens to access your repositories. Changes here take effect immediately, without Save, and don’t affect other providers.',
      );
    case 'mcp':
      return html`${l10n.t('Servers that give agents more tools.')} <code>mcp_config</code>`;
    case 'more':
      return l10n.t('The service describes these settings itself, in its own words.');
    case 'other':
      return l10n.t('For information only. Saving leaves these values unchanged.');
    case 'model':
    case 'agent':
    case 'sandbox':
    case 'git':
    case 'notifications':
      return undefined;
  }
}

/** Wire names of what is shown and not edited. Without git providers, there are no accounts. */
export function otherNames({ model }: Form): string[] {
  const ofAccount = model.hasProviders ? ['email', 'email_verified', 'secrets_store'] : [];
  return [...ofAccount, ...model.other.map(({ name }) => name)];
}

/** What the service has and the form does not edit. */
function otherValues({ form, found }: Drawing): Part {
  const { email, emailVerified, other } = form.model;
  const names = otherNames(form);
  const value = (name: string, text: string, help: string) =>
    names.includes(name) && found.item('other', name) ? valuePart(name, text, help) : nothing;
  return html`<dl class="others">
    ${value('email', email ?? l10n.t('None'), l10n.t('The email address of your account.'))}
    ${value(
      'email_verified',
      emailVerified === null ? l10n.t('Unknown') : emailVerified ? l10n.t('Yes') : l10n.t('No'),
      l10n.t('Whether the service has verified that address.'),
    )}
    ${value(
      'secrets_store',
      l10n.t('Kept by the service'),
      l10n.t('Git provider tokens and other secrets of your account. Saving doesn’t change them.'),
    )}
    ${other.map(({ name, text }) => value(name, text, l10n.t('Unknown to this extension and left unchanged.')))}
  </dl>`;
}

function valuePart(name: string, text: string, help: string): Part {
  return html`<div class="other">
    <dt><code>${plainText(name, 200)}</code></dt>
    <dd>
      <span class="other-text" data-field=${name}>${plainText(text, 1_000)}</span>
      <span class="help">${help}</span>
    </dd>
  </div>`;
}

interface Picker {
  what: 'profiles' | 'secrets';
  words: () => string;
  label: () => string;
}

/** What some services keep besides the settings, in the section where people look for it. */
const pickers: Partial<Record<Section, Picker>> = {
  model: {
    what: 'profiles',
    words: () => l10n.t('This service can keep several models as profiles, to switch between them.'),
    label: () => l10n.t('Manage Model Profiles…'),
  },
  sandbox: {
    what: 'secrets',
    words: () => l10n.t('This service can give agents environment variables, whose values it never shows.'),
    label: () => l10n.t('Manage Custom Secrets…'),
  },
};

/** True if the section offers something that its service keeps besides the settings, and the search doesn't hide it. */
export function hasPicker({ app, found }: Drawing, section: Section): boolean {
  const picker = pickers[section];
  return app.state.hasPickers && picker !== undefined && found.item(section, picker.words(), picker.label());
}

/** Says what there is, and opens the picker of the editor that manages it. */
function pickerPart(drawing: Drawing, section: Section): Part {
  const picker = pickers[section];
  if (picker === undefined || !hasPicker(drawing, section)) return nothing;
  const { what, words, label } = picker;
  const id = `picker-${what}`;
  return html`<div class="field">
    <p class="help" id=${id}>${words()}</p>
    <div class="buttons">
      ${button({ label: label(), describedBy: id, click: () => drawing.app.ask({ type: 'manage', what }) })}
    </div>
  </div>`;
}
