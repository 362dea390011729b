import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { sectionLabel, sections, type Section } from '../../shared/fields';
import type { Problem } from '../../shared/messages';
import type { App } from '../app';
import { sectionId } from '../ids';
import { changeCount, type Form } from '../model';
import { isBusy, statusOf, visibleProblems, type Phase } from '../state';
import { conflictList } from './conflicts';
import { fieldsOf } from './fields';
import { noticeList, offerList } from './notices';
import { otherValues } from './others';
import { parkedList } from './parkedServers';
import { button, type Part } from './parts';
import { providerList } from './providers';
import { reviewDialog } from './review';
import { serverList } from './servers';

/** The whole page. */
export function page(app: App): Part {
  const { phase } = app.state;
  switch (phase.at) {
    case 'loading':
      return html`<main class="alone" aria-busy="true">
        <h1>${l10n.t('Service Settings')}</h1>
        <p role="status">${l10n.t('Reading the settings from the service…')}</p>
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
      ${button({ label: l10n.t('Try Again'), primary: true, click: () => app.ask({ type: 'retry' }) })}
    </div>
  </main>`;
}

function formPage(app: App, form: Form): Part {
  const problems = visibleProblems(app.state, form);
  return html`<header class="bar">
      <div class="bar-title">
        <h1>${l10n.t('Service Settings')}</h1>
        <p class="help">${form.service}</p>
      </div>
      ${actions(app, form)}
    </header>
    <div class="columns">
      <nav aria-label=${l10n.t('Sections')}>
        <ul>
          ${sections.map((section) => navigationLink(app, section))}
        </ul>
      </nav>
      <main ?inert=${isBusy(app.state)} aria-busy=${isBusy(app.state)}>
        ${offerList(app)} ${noticeList(app)} ${conflictList(app)}
        ${
          form.model.saved
            ? nothing
            : html`<p class="help">
                ${l10n.t('The service has no settings of yours yet. These are its defaults.')}
              </p>`
        }
        ${sections.map((section) => sectionPart(app, form, problems, section))}
      </main>
    </div>
    ${reviewDialog(app)}`;
}

function actions(app: App, form: Form): Part {
  const { review } = app.state;
  const busy = isBusy(app.state);
  const status = statusOf(app.state, form);
  const { outcome } = app.state;
  const canUndo = outcome.kind === 'saved' && outcome.undo === 'possible' && !busy && changeCount(form) === 0;
  return html`<p class="status" data-tone=${status.tone} role="status">${status.text}</p>
    ${canUndo ? button({ label: l10n.t('Undo this save'), click: () => app.ask({ type: 'undoSave' }) }) : nothing}
    <div class="buttons" ?data-concealed=${review !== null}>
      ${button({
        label: l10n.t('Review changes'),
        id: 'open-review',
        disabled: busy,
        click: () => app.openReview(),
      })}
      ${button({ label: l10n.t('Revert'), disabled: busy, click: () => app.ask({ type: 'revert' }) })}
      ${button({ label: l10n.t('Save'), id: 'save', primary: true, disabled: busy, click: () => app.save() })}
    </div>`;
}

function navigationLink(app: App, section: Section): Part {
  return html`<li>
    <a
      href="#${sectionId(section)}"
      data-target=${section}
      @click=${(event: Event) => {
        event.preventDefault();
        app.reveal(section);
      }}
      >${sectionLabel(section)}</a
    >
  </li>`;
}

function sectionPart(app: App, form: Form, problems: readonly Problem[], section: Section): Part {
  const title = `${sectionId(section)}-title`;
  const help = sectionHelp(section);
  return html`<section id=${sectionId(section)} data-section=${section} aria-labelledby=${title}>
    <h2 id=${title} tabindex="-1">${sectionLabel(section)}</h2>
    ${help === undefined ? nothing : html`<p class="help">${help}</p>`}
    ${fieldsOf(app, form, problems, section)} ${section === 'providers' ? providerList(app, form) : nothing}
    ${section === 'mcp' ? [serverList(app, form, problems), parkedList(app)] : nothing}
    ${section === 'other' ? otherValues(form) : nothing}
  </section>`;
}

function sectionHelp(section: Section): Part | undefined {
  switch (section) {
    case 'providers':
      return l10n.t(
        'Agents reach your repositories with these tokens. A change here takes effect at once and is no part of Save; the other providers keep their tokens.',
      );
    case 'mcp':
      return html`${l10n.t('Tool servers that agents may use.')} <code>mcp_config</code>`;
    case 'other':
      return l10n.t('Shown for information. Saving sends them back as they came.');
    case 'model':
    case 'agent':
    case 'sandbox':
    case 'git':
    case 'notifications':
      return undefined;
  }
}
