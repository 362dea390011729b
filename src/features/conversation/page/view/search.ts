import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit/html.js';
import { arrowDown, arrowUp, cross, matchCase, wholeWord } from '../../../../core/kit/icons';
import type { ConversationApp } from '../app';
import type { FindState } from '../state';
import { iconButton, type Part } from '../../../../core/kit/buttons';

/** The search in the whole transcript, of which only a part is drawn. */
export function search(app: ConversationApp): Part {
  const { search: state, finding } = app.state;
  if (!state) return nothing;
  return html`<search class="search">
    <input
      id="search"
      type="text"
      aria-label=${l10n.t('Find in the conversation')}
      placeholder=${l10n.t('Find')}
      autocomplete="off"
      spellcheck="false"
      .value=${state.query}
      @input=${(event: Event) => app.setQuery((event.target as HTMLInputElement).value)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter') app.step(event.shiftKey ? -1 : 1);
        else if (event.key === 'Escape') app.closeSearch();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
    ${iconButton({
      label: l10n.t('Match Case'),
      icon: matchCase,
      pressed: finding.matchCase === true,
      click: () => app.toggleFinding('matchCase'),
    })}
    ${iconButton({
      label: l10n.t('Match Whole Word'),
      icon: wholeWord,
      pressed: finding.wholeWord === true,
      click: () => app.toggleFinding('wholeWord'),
    })}
    <span class="muted" role="status">${countWords(state)}</span>
    ${iconButton({ label: l10n.t('Previous Match'), icon: arrowUp, click: () => app.step(-1) })}
    ${iconButton({ label: l10n.t('Next Match'), icon: arrowDown, click: () => app.step(1) })}
    ${iconButton({ label: l10n.t('Close'), icon: cross, click: () => app.closeSearch() })}
  </search>`;
}

function countWords({ query, ids, current, searched }: FindState): string {
  if (query.trim() === '') return '';
  const at = ids.indexOf(current ?? '') + 1;
  const words = {
    going: [l10n.t('Searching…'), l10n.t('{0} of {1}, searching…', at, ids.length)],
    all: [l10n.t('No results'), l10n.t('{0} of {1}', at, ids.length)],
    part: [l10n.t('No results (incomplete)'), l10n.t('{0} of {1} (incomplete)', at, ids.length)],
  };
  return words[searched][ids.length === 0 ? 0 : 1] ?? '';
}
