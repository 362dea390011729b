import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { sectionLabel, sections, type Section } from '../../../shared/fields';
import { nameList } from '../../../shared/joined';
import type { Problem } from '../../../shared/messages';
import { fieldLabel } from '../../../shared/settings';
import type { App } from '../app';
import { searchId, sectionId } from '../ids';
import { marksOf } from '../marks';
import type { Form } from '../model';
import { drawnNext } from '../opening';
import { fieldsIn, foundBy, serverText, type Found } from '../search';
import { isBusy, visibleProblems, type Phase } from '../state';
import { bar } from './bar';
import { conflictList } from './conflicts';
import { fieldsOf } from './fields';
import { moreList, moreTexts } from './more';
import { navigation } from './navigation';
import { noticeList, offerList } from './notices';
import { otherNames, otherValues } from './others';
import { parkedList } from './parkedServers';
import { button, type Part } from './parts';
import { hasPicker, pickerPart } from './pickers';
import { providerList, providerNames, providerTexts } from './providers';
import { reviewDialog } from './review';
import { serverList } from './servers';

/** The whole page. */
export function page(app: App): Part {
  const { phase } = app.state;
  switch (phase.at) {
    case 'loading':
      return html`<main class="alone" aria-busy="true">
        <h1>${l10n.t('Service Settings')}</h1>
        <p role="status">${l10n.t('Loading settings from the service…')}</p>
      </main>`;
    case 'failed':
      return failure(app, phase);
    case 'form':
      return formPage(app, phase.form);
  }
}

function failure(app: App, phase: Extract<Phase, { at: 'failed' }>): Part {
  return html`<main class="alone">
    <h1>${l10n.t('Service Settings')}</h1>
    <div role="alert">
      <p>${phase.message}</p>
      <p class="help">${phase.nextStep}</p>
    </div>
    <div class="buttons">
      ${button({ label: l10n.t('Try Again'), look: 'primary', click: () => app.retry() })}
    </div>
  </main>`;
}

function formPage(app: App, form: Form): Part {
  const problems = visibleProblems(app.state, form);
  const found = foundBy(app.state.search);
  const shown = sections.filter((section) => hasFound(app, form, found, section));
  const isDrawn = drawnNext(app.state, form.rows.length) === undefined;
  return html`${bar(app, form)}
    <div class="columns">
      ${navigation(app, marksOf(app.state, form, problems), shown)}
      <main ?inert=${isBusy(app.state)} aria-busy=${isBusy(app.state) || !isDrawn}>
        ${offerList(app)} ${noticeList(app)} ${conflictList(app)}
        ${
          form.model.saved
            ? nothing
            : html`<p class="help">
                ${l10n.t('You haven’t saved any settings yet. These are the service’s defaults.')}
              </p>`
        }
        ${sections.map((section, index) =>
          sectionPart(
            app,
            form,
            { problems, found, isShown: shown.includes(section), isDrawn: index < app.state.drawnSections },
            section,
          ),
        )}
        ${shown.length === 0 ? nothingFound(app) : nothing}
      </main>
    </div>
    ${reviewDialog(app)}`;
}

/** True when a search leaves something of the section on the page. */
function hasFound(app: App, form: Form, found: Found, section: Section): boolean {
  const { lacks } = form.model;
  if (fieldsIn(section).some((field) => found.field(field) && !lacks.includes(field))) return true;
  if (hasPicker(app, found, section)) return true;
  switch (section) {
    case 'providers':
      return providerNames(app, form).some((name) => found.item(section, ...providerTexts(form, name)));
    case 'mcp':
      // Where there is no server yet, there’s the button that adds one.
      if (found.item(section, 'mcp_config')) return true;
      return [...form.rows.map(({ server }) => server), ...app.state.tools.parked].some((server) =>
        found.item(section, 'mcp_config', serverText(server)),
      );
    case 'more':
      return moreTexts(form).some((texts) => found.item(section, ...texts));
    case 'other':
      return found.item(section, ...otherNames(form));
    case 'model':
    case 'agent':
    case 'sandbox':
    case 'git':
    case 'notifications':
      return false;
  }
}

function nothingFound(app: App): Part {
  return html`<div class="empty">
    <p>${l10n.t('No settings match “{0}”.', app.state.search.trim())}</p>
    ${button({
      label: l10n.t('Clear search'),
      click: () => {
        app.showAll();
        app.focus(searchId);
      },
    })}
  </div>`;
}

interface SectionContext {
  problems: readonly Problem[];
  found: Found;
  isShown: boolean;
  isDrawn: boolean;
}

function sectionPart(
  app: App,
  form: Form,
  { problems, found, isShown, isDrawn }: SectionContext,
  section: Section,
): Part {
  const title = `${sectionId(section)}-title`;
  return html`<section
    id=${sectionId(section)}
    data-section=${section}
    aria-labelledby=${title}
    ?hidden=${!isShown}
  >
    <h2 id=${title} tabindex="-1">${sectionLabel(section)}</h2>
    ${isDrawn ? sectionContent(app, form, problems, found, section) : nothing}
  </section>`;
}

function sectionContent(
  app: App,
  form: Form,
  problems: readonly Problem[],
  found: Found,
  section: Section,
): Part {
  const help = sectionHelp(section);
  return html`${help === undefined ? nothing : html`<p class="help">${help}</p>`}
  ${fieldsOf(app, form, problems, found, section)} ${lackHelp(form, section)}
  ${hasPicker(app, found, section) ? pickerPart(app, section) : nothing}
  ${section === 'providers' ? providerList(app, form, found) : nothing}
  ${section === 'mcp' ? [serverList(app, form, problems, found), parkedList(app, found)] : nothing}
  ${section === 'more' ? moreList(app, form, problems, found) : nothing}
  ${section === 'other' ? otherValues(form, found) : nothing}`;
}

/** What people may look for here, and the service hasn't. */
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
