import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { sectionLabel, type Section } from '../../../../shared/fields';
import { nameList } from '../../../../shared/joined';
import { fieldLabel } from '../../../../shared/settings';
import { sectionId } from '../ids';
import type { Form } from '../model';
import { fieldsIn } from '../search';
import type { Part } from '../../../../core/kit/buttons';
import type { Drawing } from './drawing';
import { fieldsOf } from './fields';
import { moreList } from './more';
import { otherValues } from './others';
import { parkedList } from './parkedServers';
import { pickerPart } from './pickers';
import { providerList } from './providers';
import { serverList } from './servers';

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
