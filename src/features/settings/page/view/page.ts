import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { sections, type Section } from '../../../../shared/fields';
import type { SettingsApp } from '../app';
import { searchId } from '../ids';
import { marksOf, navigation } from './navigation';
import { shownProblems, type Form } from '../model';
import { drawnNext } from '../opening';
import { fieldsIn, foundBy, serverText } from '../search';
import { isBusy, type FormPhase } from '../state';
import { button, type Part } from '../../../../core/kit/buttons';
import { bar, conflictList, reviewDialog } from './save';
import type { Drawing } from './parts';
import { moreTexts } from './more';
import { noticeList, offerList } from './notices';
import { otherNames, hasPicker, sectionPart } from './section';
import { providerNames, providerTexts } from './providers';

/** The whole page. */
export function settingsPage(app: SettingsApp): Part {
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

function failure(app: SettingsApp, phase: Extract<FormPhase, { at: 'failed' }>): Part {
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

function formPage(app: SettingsApp, form: Form): Part {
  const problems = shownProblems(form, app.state.saveWasTried);
  const drawing = { app, form, problems, found: foundBy(app.state.search) };
  const shown = sections.filter((section) => hasFound(drawing, section));
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
          sectionPart(drawing, section, shown.includes(section), index < app.state.drawnSections),
        )}
        ${shown.length === 0 ? nothingFound(app) : nothing}
      </main>
    </div>
    ${reviewDialog(app, form)}`;
}

/** True when a search leaves something of the section on the page. */
function hasFound(drawing: Drawing, section: Section): boolean {
  const { app, form, found } = drawing;
  const { lacks } = form.model;
  if (fieldsIn(section).some((field) => found.field(field) && !lacks.includes(field))) return true;
  if (hasPicker(drawing, section)) return true;
  switch (section) {
    case 'providers':
      return (
        form.model.hasProviders &&
        providerNames(app, form).some((name) => found.item(section, ...providerTexts(form, name)))
      );
    case 'mcp':
      // Where there is no server yet, there’s the button that adds one.
      if (found.item(section, 'mcp_config')) return true;
      return [...form.rows.map(({ server }) => server), ...app.state.parked].some((server) =>
        found.item(section, 'mcp_config', serverText(server)),
      );
    case 'more':
      return form.model.more.fields.some((field) => found.item(section, ...moreTexts(field)));
    case 'other':
      return otherNames(form).some((name) => found.item(section, name));
    case 'model':
    case 'agent':
    case 'sandbox':
    case 'git':
    case 'notifications':
      return false;
  }
}

function nothingFound(app: SettingsApp): Part {
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
